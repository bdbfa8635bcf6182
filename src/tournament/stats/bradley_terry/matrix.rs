//! As much linear algebra as the ratings need: small, dense, symmetric.

/// Below it an entry of a null space counts as zero; those entries are small fractions.
pub(super) const NOTHING: f64 = 1e-7;

/// A rectangle of numbers.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Matrix {
    rows: usize,
    columns: usize,
    entries: Vec<f64>,
}

impl Matrix {
    pub(super) fn zero(rows: usize, columns: usize) -> Self {
        Matrix { rows, columns, entries: vec![0.0; rows * columns] }
    }

    pub(super) fn diagonal(size: usize, value: f64) -> Self {
        let mut matrix = Matrix::zero(size, size);
        (0..size).for_each(|at| *matrix.at(at, at) = value);
        matrix
    }

    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.entries[row * self.columns..(row + 1) * self.columns]
    }

    pub(super) fn at(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.entries[row * self.columns + column]
    }

    fn get(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.columns + column]
    }

    /// Adds `scale` times the outer product of a sparse vector with itself.
    pub(super) fn add_outer(&mut self, vector: &[(usize, f64)], scale: f64) {
        for &(row, left) in vector {
            for &(column, right) in vector {
                *self.at(row, column) += scale * left * right;
            }
        }
    }

    pub(super) fn plus(mut self, other: &Matrix) -> Self {
        self.entries.iter_mut().zip(&other.entries).for_each(|(entry, more)| *entry += more);
        self
    }

    /// The matrix times its own transpose.
    pub(super) fn gram(&self) -> Matrix {
        let mut gram = Matrix::zero(self.rows, self.rows);
        for row in 0..self.rows {
            for column in 0..self.rows {
                *gram.at(row, column) = dot(self.row(row), self.row(column));
            }
        }
        gram
    }

    pub(super) fn times(&self, vector: &[f64]) -> Vec<f64> {
        (0..self.rows).map(|row| dot(self.row(row), vector)).collect()
    }

    pub(super) fn product(&self, other: &Matrix) -> Matrix {
        let mut product = Matrix::zero(self.rows, other.columns);
        for row in 0..self.rows {
            for middle in 0..self.columns {
                let factor = self.get(row, middle);
                for column in 0..other.columns {
                    *product.at(row, column) += factor * other.get(middle, column);
                }
            }
        }
        product
    }

    /// The vector times the matrix times the vector.
    pub(super) fn quadratic(&self, vector: &[f64]) -> f64 {
        dot(vector, &self.times(vector))
    }

    /// The inverse of a positive definite matrix, by elimination; a pivot that is nothing but rounding is left out.
    pub(super) fn inverse(&self) -> Matrix {
        let size = self.rows;
        let mut left = self.clone();
        let mut right = Matrix::diagonal(size, 1.0);
        for pivot in 0..size {
            let scale = left.get(pivot, pivot);
            if scale <= f64::MIN_POSITIVE {
                continue;
            }
            for matrix in [&mut left, &mut right] {
                (0..size).for_each(|column| *matrix.at(pivot, column) /= scale);
            }
            for row in (0..size).filter(|&row| row != pivot) {
                let factor = left.get(row, pivot);
                left.subtract_row(row, pivot, factor);
                right.subtract_row(row, pivot, factor);
            }
        }
        right
    }

    fn subtract_row(&mut self, row: usize, other: usize, factor: f64) {
        if factor == 0.0 {
            return;
        }
        for column in 0..self.columns {
            let part = factor * self.get(other, column);
            *self.at(row, column) -= part;
        }
    }

    /// A basis of the vectors that a symmetric matrix maps to zero, one a column.
    pub(super) fn null_space(mut self) -> Matrix {
        let size = self.rows;
        let mut pivots: Vec<(usize, usize)> = Vec::new();
        for column in 0..size {
            let used = |row: usize| pivots.iter().any(|&(_, taken)| taken == row);
            let best = (0..size)
                .filter(|&row| !used(row))
                .max_by(|&a, &b| self.get(a, column).abs().total_cmp(&self.get(b, column).abs()));
            let Some(row) = best.filter(|&row| self.get(row, column).abs() > NOTHING) else { continue };
            let scale = self.get(row, column);
            (0..size).for_each(|at| *self.at(row, at) /= scale);
            for other in (0..size).filter(|&other| other != row) {
                let factor = self.get(other, column);
                self.subtract_row(other, row, factor);
            }
            pivots.push((column, row));
        }
        self.basis(&pivots)
    }

    /// From the reduced form: every column without a pivot is free, and moves those with one.
    fn basis(&self, pivots: &[(usize, usize)]) -> Matrix {
        let free: Vec<usize> =
            (0..self.rows).filter(|&column| pivots.iter().all(|&(pivot, _)| pivot != column)).collect();
        let mut basis = Matrix::zero(self.rows, free.len());
        for (at, &column) in free.iter().enumerate() {
            *basis.at(column, at) = 1.0;
            for &(pivot, row) in pivots {
                *basis.at(pivot, at) = -self.get(row, column);
            }
        }
        basis
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
