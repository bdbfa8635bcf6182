//! What dice promise: each player's chance to win and what that is worth.

use serde::Serialize;

/// How the numbers were found.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[serde(rename_all = "snake_case", tag = "method")]
pub enum Method {
    /// By solving the Markov chain; the residual is the largest change of a probability in the last sweep.
    Exact { residual: f64, sweeps: u32 },
    /// By playing this many games out.
    Simulation { games: u64 },
}

/// One player's prospects.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct PlayerChances {
    /// Probability of winning, 0 to 1.
    pub win: f64,
    /// Half the width of the 95 % confidence interval of `win`; 0 where the method is exact.
    pub win_error: f64,
    /// Expected share of the pot at the end, in stakes of 1: the mean over all games of what this player takes.
    pub pot: f64,
    /// Half the width of the 95 % confidence interval of `pot`; 0 where the method is exact.
    pub pot_error: f64,
}

/// The prospects of everybody at the table, seat 0 first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Chances {
    #[serde(flatten)]
    pub method: Method,
    pub players: Vec<PlayerChances>,
}
