//! Match statistics: pure arithmetic on counts.
//!
//! Everything is told from the point of view of one engine, whose wins are `wins`. A [`Trinomial`] counts games, a
//! [`Pentanomial`] counts pairs of games from one opening; both are a [`Sample`]. Where a figure does not exist (no
//! games, a perfect score) it is `None`: nothing here returns a NaN or an infinity.

mod bayes_elo;
mod bradley_terry;
mod elo;
mod estimate;
mod generalised;
pub(crate) mod linear;
#[cfg(test)]
mod properties;
mod sample;
mod sprt;
mod wilson;

pub use bayes_elo::bayesian_llr;
pub use bradley_terry::{Cell, bradley_terry};
pub(crate) use bradley_terry::{Contrast, Rating, Ratings};
pub(crate) use elo::Z95;
pub(crate) use estimate::estimate_of_match;
pub use estimate::{Estimate, estimate};
pub use generalised::llr;
pub use sample::{Pentanomial, Sample, Trinomial};
pub use sprt::{SprtBounds, SprtModel};
pub(crate) use sprt::{SprtDecision, SprtMonitor, SprtSpec, SprtVerdict};
pub use wilson::wilson;
