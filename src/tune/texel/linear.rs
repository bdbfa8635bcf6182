//! Systems of linear equations, small and symmetric.

/// The Newton step `-H⁻¹ g` over the weights that are not held; the others stay. Only the lower half of `second` is
/// read. A weight that the data says nothing about stays too.
pub(super) fn newton_direction(gradient: &[f64], second: &[f64], held: &[bool]) -> Vec<f64> {
    let size = gradient.len();
    let is_free = |&index: &usize| !held[index] && second[index * size + index] > 0.0;
    let free: Vec<usize> = (0..size).filter(is_free).collect();
    let entry = |row: usize, column: usize| {
        let (row, column) = (free[row.max(column)], free[row.min(column)]);
        second[row * size + column]
    };
    let factor = cholesky(free.len(), entry);
    let right: Vec<f64> = free.iter().map(|&index| -gradient[index]).collect();
    let mut direction = vec![0.0; size];
    for (value, index) in solve(&factor, &right).into_iter().zip(&free) {
        direction[*index] = value;
    }
    direction
}

/// The lower triangle L with `L Lᵀ = M`. A pivot that is not clearly positive, as where two features are always
/// alike, is raised: the step then shares the change among them.
fn cholesky(size: usize, entry: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    const LEAST_PIVOT: f64 = 1e-9;
    let mut factor = vec![0.0; size * size];
    for row in 0..size {
        for column in 0..=row {
            let known: f64 = (0..column).map(|k| factor[row * size + k] * factor[column * size + k]).sum();
            let rest = entry(row, column) - known;
            factor[row * size + column] = match row == column {
                true => rest.max(LEAST_PIVOT * entry(row, row)).sqrt(),
                false => rest / factor[column * size + column],
            };
        }
    }
    factor
}

/// `x` with `L Lᵀ x = right`.
fn solve(factor: &[f64], right: &[f64]) -> Vec<f64> {
    let size = right.len();
    let mut x = right.to_vec();
    for row in 0..size {
        let known: f64 = (0..row).map(|k| factor[row * size + k] * x[k]).sum();
        x[row] = (x[row] - known) / factor[row * size + row];
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|k| factor[k * size + row] * x[k]).sum();
        x[row] = (x[row] - known) / factor[row * size + row];
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_solved() {
        // [[4, 2], [2, 3]] x = [2, -1], so x = [1, -1].
        let direction = newton_direction(&[-2.0, 1.0], &[4.0, 0.0, 2.0, 3.0], &[false, false]);
        assert!((direction[0] - 1.0).abs() < 1e-12 && (direction[1] + 1.0).abs() < 1e-12, "{direction:?}");
    }

    #[test]
    fn held_and_unknown_weights_stay() {
        let second = [4.0, 0.0, 0.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0];
        assert_eq!(newton_direction(&[-2.0, 1.0, 0.0], &second, &[false, true, false]), [0.5, 0.0, 0.0]);
    }

    #[test]
    fn features_that_are_alike_give_a_finite_step() {
        let direction = newton_direction(&[-2.0, -2.0], &[4.0, 0.0, 4.0, 4.0], &[false, false]);
        assert!(direction.iter().all(|value| value.is_finite()), "{direction:?}");
        assert!((direction[0] + direction[1] - 0.5).abs() < 1e-6, "{direction:?}");
    }
}
