//! Means of simulated games, with their errors.

/// A mean with half the width of its 95 % confidence interval; an error of 0 means that the number is exact.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct MeanEstimate {
    /// The mean.
    pub mean: f64,
    /// Half the width of its 95 % confidence interval; 0 where it is exact.
    pub error: f64,
}

/// The 97.5 % quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

impl MeanEstimate {
    /// The difference from an independent estimate.
    pub(crate) fn minus(self, other: MeanEstimate) -> Self {
        MeanEstimate { mean: self.mean - other.mean, error: self.error.hypot(other.error) }
    }

    /// A share of games. The error is half the width of Wilson's interval, which is above 0 for shares of 0 and 1 too.
    pub fn of_share(count: u64, games: u64) -> Self {
        let n = games.max(1) as f64;
        let mean = count as f64 / n;
        let spread = (mean * (1.0 - mean) / n + Z * Z / (4.0 * n * n)).sqrt();
        MeanEstimate { mean, error: Z * spread / (1.0 + Z * Z / n) }
    }
}

/// Sums of whole numbers, which come out the same in any order.
#[derive(Clone, Copy, Default)]
pub(super) struct Moments {
    sum: f64,
    squares: f64,
}

impl Moments {
    pub(super) fn note(&mut self, value: f64) {
        self.sum += value;
        self.squares += value * value;
    }

    pub(super) fn add(&mut self, other: &Moments) {
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// The mean over so many games, those without a note counting 0.
    pub(super) fn estimate(&self, games: u64) -> MeanEstimate {
        let n = games.max(1) as f64;
        let mean = self.sum / n;
        let variance = (self.squares / n - mean * mean).max(0.0) * n / (n - 1.0).max(1.0);
        MeanEstimate { mean, error: Z * (variance / n).sqrt() }
    }
}
