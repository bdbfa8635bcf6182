//! The logistic Elo scale.

use std::f64::consts::LN_10;

/// Elo in one unit of the logarithm of odds.
pub(super) const ELO_PER_LOGIT: f64 = 400.0 / LN_10;

/// Normalised Elo in one standard deviation of a game (800 / ln 10).
pub(super) const NELO_PER_SIGMA: f64 = 800.0 / LN_10;

/// Half width of a 95 % interval in standard errors.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// The Elo difference at which a score of one half and so much more is expected; `None` outside (0, 1).
///
/// Near a level score the excess keeps digits that the score itself would lose.
pub(super) fn elo_of_excess(excess: f64) -> Option<f64> {
    (excess.abs() < 0.5).then(|| 2.0 * ELO_PER_LOGIT * (2.0 * excess).atanh())
}

/// The score that is expected at an Elo difference.
pub(crate) fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / ELO_PER_LOGIT).exp())
}
