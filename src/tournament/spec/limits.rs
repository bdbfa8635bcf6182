//! Time, node and depth limits of engines.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Bounds on every move or on the whole game; several may be given, the first one reached ends the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Time on the clock at the start, milliseconds; overstepping it loses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<u64>,
    /// Time gained with every own move; needs a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub increment_ms: Option<u64>,
    /// The clock gains `clock_ms` again after so many own moves; needs a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves_to_go: Option<u32>,
    /// Time for every move, milliseconds; overstepping it (and `time_margin_ms`) loses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime_ms: Option<u64>,
    /// Positions visited for every move (mcts: iterations).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies of search for every move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
}

impl Limits {
    /// Whether the clock of the machine decides anything.
    pub fn is_timed(&self) -> bool {
        self.clock_ms.is_some() || self.movetime_ms.is_some()
    }

    /// Whether every search ends by itself.
    pub fn is_bounded(&self) -> bool {
        self.is_timed() || self.nodes.is_some() || self.depth.is_some()
    }

    /// The same with clock, increment and time for a move multiplied; a time never becomes none.
    pub fn with_time_odds(self, odds: f64) -> Limits {
        let scale = |ms: u64| ((ms as f64 * odds).round() as u64).max(u64::from(ms > 0));
        Limits {
            clock_ms: self.clock_ms.map(scale),
            increment_ms: self.increment_ms.map(scale),
            movetime_ms: self.movetime_ms.map(scale),
            ..self
        }
    }
}

/// `200 nodes a move, depth 8`.
impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.clock_ms.map(|ms| format!("{ms} ms on the clock")),
            self.increment_ms.map(|ms| format!("{ms} ms more with every move")),
            self.moves_to_go.map(|moves| format!("again after {moves} moves")),
            self.movetime_ms.map(|ms| format!("{ms} ms a move")),
            self.nodes.map(|nodes| format!("{nodes} nodes a move")),
            self.depth.map(|depth| format!("depth {depth}")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}
