//! As much linear algebra as ratings and regressions need: small, dense, symmetric.

/// A symmetric matrix.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Symmetric {
    size: usize,
    entries: Vec<f64>,
}

impl Symmetric {
    pub(crate) fn new(size: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        let entries = (0..size * size).map(|at| entry(at / size, at % size)).collect();
        Symmetric { size, entries }
    }

    /// The identity times a number.
    pub(crate) fn diagonal(size: usize, value: f64) -> Self {
        Symmetric::new(size, |row, column| if row == column { value } else { 0.0 })
    }

    pub(crate) fn row(&self, row: usize) -> &[f64] {
        &self.entries[row * self.size..(row + 1) * self.size]
    }

    /// Adds `scale` times the outer product of a sparse vector with itself.
    pub(crate) fn add_outer(&mut self, vector: &[(usize, f64)], scale: f64) {
        for &(row, left) in vector {
            for &(column, right) in vector {
                self.entries[row * self.size + column] += scale * left * right;
            }
        }
    }

    pub(crate) fn plus(mut self, other: &Symmetric) -> Self {
        self.entries.iter_mut().zip(&other.entries).for_each(|(entry, more)| *entry += more);
        self
    }

    pub(crate) fn times(&self, vector: &[f64]) -> Vec<f64> {
        (0..self.size).map(|row| dot(self.row(row), vector)).collect()
    }

    /// The vector times the matrix times the vector.
    pub(crate) fn quadratic(&self, vector: &[f64]) -> f64 {
        dot(vector, &self.times(vector))
    }

    /// The factor of a positive definite matrix. A pivot below `least` times its entry, which is nothing but rounding,
    /// is raised to that.
    pub(crate) fn cholesky(&self, least: f64) -> Cholesky {
        let mut rows: Vec<Vec<f64>> = Vec::with_capacity(self.size);
        for (index, entries) in (0..self.size).map(|index| self.row(index)).enumerate() {
            let mut row: Vec<f64> = Vec::with_capacity(self.size);
            for (above, &entry) in rows.iter().zip(entries) {
                let known = dot(&row, &above[..row.len()]);
                row.push((entry - known) / above[row.len()]);
            }
            let rest = entries[index] - dot(&row, &row);
            row.push(rest.max(least * entries[index]).sqrt());
            rows.push(row);
        }
        Cholesky(rows)
    }
}

/// The rows of the lower triangle L with `L Lᵀ = M`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Cholesky(Vec<Vec<f64>>);

impl Cholesky {
    /// `x` with `M x = right`.
    pub(crate) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut x = right.to_vec();
        for (index, row) in self.0.iter().enumerate() {
            x[index] = (x[index] - dot(row, &x[..index])) / row[index];
        }
        for (index, row) in self.0.iter().enumerate().rev() {
            x[index] /= row[index];
            let value = x[index];
            x[..index].iter_mut().zip(row).for_each(|(other, factor)| *other -= factor * value);
        }
        x
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
