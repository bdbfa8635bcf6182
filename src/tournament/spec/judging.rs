//! Adjudication, forfeits and supervision in a spec.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::engine::LONGEST_MS;

/// Proved results lie beyond this.
pub(super) const MOST_CP: u32 = 30_000;
/// The longest games, plies.
pub(crate) const MOST_PLIES: u32 = 100_000;

/// Games that are ended before the rules end them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("dependentRequired" = {"table_after_plies": ["table"]}))]
pub struct AdjudicationSpec {
    /// Draws games in which both engines see an even position for a while.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// Ends games in which an engine sees itself lost for a while.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// Whether games end as soon as the tables of the key `tables` cover the position: with the result of perfect play,
    /// the cause `table_adjudication` and the reason `won by table` or `drawn by table`.
    #[serde(default)]
    pub table: bool,
    /// The ply from which `table` asks, the opening's plies included; left out, it is the first after the opening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = MOST_PLIES))]
    pub table_after_plies: Option<u32>,
}

/// A draw when both engines say so for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// The ply from which games are drawn.
    #[schemars(range(max = MOST_PLIES))]
    pub after_plies: u32,
    /// Consecutive plies whose scores are at most `score_cp` from 0.
    #[schemars(range(min = 1, max = MOST_PLIES))]
    pub plies: u32,
    /// The highest score of an even position, hundredths of a piece.
    #[schemars(range(max = MOST_CP))]
    pub score_cp: u32,
}

/// A loss for an engine that says so for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// Consecutive own moves with a score of at most `-score_cp`.
    #[schemars(range(min = 1, max = MOST_PLIES))]
    pub moves: u32,
    /// The score for the opponent of a lost position, hundredths of a piece.
    #[schemars(range(min = 1, max = MOST_CP))]
    pub score_cp: u32,
    /// Whether the opponent's scores must agree.
    #[serde(default = "yes")]
    pub two_sided: bool,
}

/// What a forfeit other than by the clock or an illegal move does to the tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnForfeit {
    /// The game is lost and the engine is started again.
    #[default]
    Continue,
    /// The run ends after recording the game.
    Stop,
}

/// How long external programs may take, and how much they may print.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Supervision {
    /// From the start of the process to the end of its greeting, milliseconds.
    #[schemars(range(min = 1, max = LONGEST_MS))]
    pub start_ms: u64,
    /// From `isready` to `readyok`, milliseconds.
    #[schemars(range(min = 1, max = LONGEST_MS))]
    pub ping_ms: u64,
    /// From the moment an answer was due to the answer, milliseconds; then the process is killed.
    #[schemars(range(min = 1, max = LONGEST_MS))]
    pub stop_ms: u64,
    /// Longest search that no clock bounds, milliseconds.
    #[schemars(range(min = 1, max = LONGEST_MS))]
    pub untimed_search_ms: u64,
    /// Longest line, bytes.
    #[schemars(range(min = 64, max = 1 << 30))]
    pub line_bytes: usize,
    /// Most lines for one answer.
    #[schemars(range(min = 1, max = 1_000_000_000))]
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
