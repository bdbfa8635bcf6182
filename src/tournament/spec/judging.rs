//! Adjudication, forfeits and supervision in a spec.

use serde::{Deserialize, Serialize};

/// Games that are ended before the rules end them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdjudicationSpec {
    /// Draws games in which both engines see an even position for a while.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// Ends games in which an engine sees itself lost for a while.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// End games where a table of perfect play knows the value.
    #[serde(default)]
    pub table: bool,
    /// But not before this ply, the opening's included; 0 if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table_after_plies: Option<u32>,
}

/// A draw when both engines say so for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// Not before this ply.
    pub after_plies: u32,
    /// Consecutive plies whose scores are at most `score_cp` from 0.
    pub plies: u32,
    pub score_cp: u32,
}

/// A loss for an engine that says so for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// Consecutive own moves with a score of at most `-score_cp`.
    pub moves: u32,
    pub score_cp: u32,
    /// The opponent must agree: its scores of the same moves are at least `score_cp`.
    #[serde(default = "yes")]
    pub two_sided: bool,
}

/// What a forfeit other than by the clock or an illegal move does to the tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnForfeit {
    /// It counts as a loss, the engine is restarted.
    #[default]
    Continue,
    /// The tournament stops after recording it.
    Stop,
}

/// How long external programs may take, and how much they may print.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Supervision {
    /// From the start of the process to `ugiok`.
    pub start_ms: u64,
    /// From `isready` to `readyok`.
    pub ping_ms: u64,
    /// From the moment an answer was due to the answer.
    pub stop_ms: u64,
    /// Longest search that no clock bounds.
    pub untimed_search_ms: u64,
    /// Longest line, bytes.
    pub line_bytes: usize,
    /// Most lines for one answer.
    pub lines: u64,
}

impl Default for Supervision {
    fn default() -> Self {
        Supervision {
            start_ms: 10_000,
            ping_ms: 5_000,
            stop_ms: 5_000,
            untimed_search_ms: 600_000,
            line_bytes: 1 << 20,
            lines: 1_000_000,
        }
    }
}

fn yes() -> bool {
    true
}
