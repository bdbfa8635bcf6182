//! Chances of games that dice decide alone: of winning, of winnings, and of what happens on the way.
//!
//! A game that the dice decide alone ([`DiceGame`](crate::rules::DiceGame)) is a Markov chain. [`SolvedChain`] solves
//! it where it is small enough, [`simulate`] plays games out where it is not, and [`DiceOracle`] keeps what was worked
//! out. [`RaceStats`] are all figures of a Game of the Goose.

mod chain;
mod exact;
mod race;
mod simulation;

pub use chain::{Chain, TooLarge};
pub(crate) use exact::{ChancesOracle, DiceOracle};
pub use exact::{MOST_STATES, SolvedChain, solve};
pub use race::{FieldStats, HazardStats, RaceError, RaceStats};
use serde::Serialize;
use serde_json::{Value, json};
pub use simulation::{SimulationLimits, simulate};

use crate::rules::Outcome;

/// How the numbers were found.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[serde(rename_all = "snake_case", tag = "method")]
pub enum ChancesMethod {
    /// By solving the Markov chain of this many positions; the residual is the largest amount by which an equation of
    /// the solution is off, the sweeps are those of the slowest quantity.
    Exact {
        /// Positions of the chain.
        states: usize,
        /// The largest amount by which an equation is off.
        residual: f64,
        /// Sweeps over all positions, of the slowest quantity.
        sweeps: u32,
    },
    /// By playing this many games out.
    Simulation {
        /// Games played to an end.
        games: u64,
    },
    /// The game is over: there is nothing to find.
    Decided,
}

/// One player's prospects.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayerChances {
    /// Probability of winning, 0 to 1; the error is that of Wilson's interval.
    pub win: MeanEstimate,
    /// Expected winnings: the mean over all games of what this player takes, the pot of the game's end or nothing.
    pub pot: MeanEstimate,
}

/// The prospects of everybody at the table, and how long the game will last.
#[derive(Clone, PartialEq, Debug)]
pub struct Chances {
    /// How the numbers below were found.
    pub method: ChancesMethod,
    /// By seat.
    pub players: Vec<PlayerChances>,
    /// Probability that nobody wins.
    pub draw: f64,
    /// Expected number of player-turns still to come, missed ones counted.
    pub player_turns: MeanEstimate,
    /// Expected number of rolls still to come.
    pub rolls: MeanEstimate,
}

impl Chances {
    /// The certain chances of a finished game with this pot.
    pub fn decided(outcome: Outcome, players: usize, pot: f64) -> Self {
        let player = |index| {
            let win = f64::from(u8::from(outcome.winner.is_some_and(|seat| seat.index() == index)));
            PlayerChances { win: MeanEstimate::exact(win), pot: MeanEstimate::exact(win * pot) }
        };
        Chances {
            method: ChancesMethod::Decided,
            players: (0..players).map(player).collect(),
            draw: f64::from(u8::from(outcome.winner.is_none())),
            player_turns: MeanEstimate::default(),
            rolls: MeanEstimate::default(),
        }
    }

    /// The chances as one object; `protocol.md` lists its keys.
    pub fn json(&self) -> Value {
        let mut object = json!(self.method);
        object["players"] = self.players.iter().map(PlayerChances::json).collect();
        object["draw"] = json!(self.draw);
        add_estimates(&mut object, &[("player_turns", self.player_turns), ("rolls", self.rolls)]);
        object
    }
}

impl PlayerChances {
    fn json(&self) -> Value {
        let mut object = json!({});
        add_estimates(&mut object, &[("win", self.win), ("pot", self.pot)]);
        object
    }
}

/// Adds means under their keys; an `_error` is half the width of the 95 % confidence interval.
fn add_estimates(object: &mut Value, estimates: &[(&str, MeanEstimate)]) {
    for (key, MeanEstimate { mean, error }) in estimates {
        object[*key] = json!(mean);
        object[format!("{key}_error")] = json!(error);
    }
}

/// Chances, and how often each kind of event is expected in the rest of the game.
#[derive(Clone, PartialEq, Debug)]
pub struct Forecast {
    /// The prospects of everybody.
    pub chances: Chances,
    /// How often each kind happens, by its number.
    pub events: Vec<MeanEstimate>,
}

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
    /// A number without an error.
    pub fn exact(mean: f64) -> Self {
        MeanEstimate { mean, error: 0.0 }
    }

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
