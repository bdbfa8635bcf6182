//! Match statistics: pure arithmetic on counts.
//!
//! Everything is from the point of view of one engine, whose wins are `wins`. A [`Trinomial`] counts games, a
//! [`Pentanomial`] counts pairs of games from one opening; both are a [`Sample`]. Where a figure does not exist (no
//! games, a perfect score) it is `None`: nothing here returns a NaN or an infinity.

mod bradley_terry;
mod estimate;
mod sprt;
#[cfg(test)]
mod tests;

pub use bradley_terry::{Cell, bradley_terry};
pub(crate) use bradley_terry::{Contrast, Rating, Ratings};
pub use estimate::{Estimate, estimate, wilson};
pub(crate) use estimate::{Z95, estimate_of_match};
use serde::{Deserialize, Serialize};
pub use sprt::{SprtBounds, SprtModel, bayesian_llr, llr};
pub(crate) use sprt::{SprtDecision, SprtMonitor, SprtSpec, SprtVerdict};

/// Outcomes are quarters of what can be won: 0, 1/4, 1/2, 3/4, 1.
pub(super) const OUTCOMES: usize = 5;

/// Independent observations of one engine's score.
pub trait Sample {
    /// Games in one observation.
    const GAMES: u64;

    /// Whether an observation can have this many quarters: half a point is two of them in a game, and one in a pair.
    fn is_possible(quarters: usize) -> bool {
        (quarters as u64 * Self::GAMES).is_multiple_of(2)
    }

    /// Observations by quarters of what can be won.
    fn counts(&self) -> [u64; OUTCOMES];

    /// Number of observations.
    fn observations(&self) -> u64 {
        self.counts().iter().sum()
    }

    /// Number of games.
    fn games(&self) -> u64 {
        Self::GAMES * self.observations()
    }

    /// Points, a draw being half a point.
    fn points(&self) -> f64 {
        let quarters: u128 = self.counts().iter().zip(0u128..).map(|(&count, value)| u128::from(count) * value).sum();
        quarters as f64 * Self::GAMES as f64 / 4.0
    }
}

/// Games by result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Trinomial {
    /// Games won by the player who is counted.
    pub wins: u64,
    /// Games won by nobody.
    pub draws: u64,
    /// Games lost by the player who is counted.
    pub losses: u64,
}

impl Trinomial {
    /// The same games from the opponent's point of view.
    pub fn swapped(self) -> Trinomial {
        Trinomial { losses: self.wins, draws: self.draws, wins: self.losses }
    }

    /// Counts a game that brought this many half points: 0, 1 or 2.
    pub fn add(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Points per game, 0 to 1; `None` without games.
    pub fn rate(self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| self.points() / games as f64)
    }

    /// Both together.
    pub fn plus(self, other: Trinomial) -> Trinomial {
        Trinomial { losses: self.losses + other.losses, draws: self.draws + other.draws, wins: self.wins + other.wins }
    }
}

impl Sample for Trinomial {
    const GAMES: u64 = 1;

    fn counts(&self) -> [u64; OUTCOMES] {
        [self.losses, 0, self.draws, 0, self.wins]
    }
}

/// Pairs of games by half points: LL, LD, DD and WL together, WD, WW.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts a pair that brought this many half points: 0 to 4.
    pub fn add(&mut self, half_points: u8) {
        self.0[usize::from(half_points.min(4))] += 1;
    }

    /// Both together.
    pub fn plus(self, other: Pentanomial) -> Pentanomial {
        Pentanomial(std::array::from_fn(|at| self.0[at] + other.0[at]))
    }

    /// Pairs won over pairs lost; `None` when none was lost.
    pub fn pair_ratio(self) -> Option<f64> {
        let [ll, ld, _, wd, ww] = self.0;
        (ll + ld > 0).then(|| (wd + ww) as f64 / (ll + ld) as f64)
    }
}

impl Sample for Pentanomial {
    const GAMES: u64 = 2;

    fn counts(&self) -> [u64; OUTCOMES] {
        self.0
    }
}
