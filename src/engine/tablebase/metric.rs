//! What the distances of a table count.

use serde::{Deserialize, Serialize};

/// What the distances of a table count, in plies, when the winner hurries and the loser delays.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// To the next irreversible move, or to the end of the game if that comes first (depth to conversion).
    #[default]
    Conversion,
    /// To the end of the game (depth to mate).
    End,
}

impl Metric {
    /// Both of them.
    pub const ALL: [Metric; 2] = [Metric::Conversion, Metric::End];

    /// Whether the count begins anew behind a move.
    #[inline]
    pub(crate) fn restarts(self, irreversible: bool) -> bool {
        irreversible && self == Metric::Conversion
    }

    /// How the name of a file with such distances ends.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Metric::Conversion => "table",
            Metric::End => "ends",
        }
    }

    /// What stands behind the name of a game whose tables are meant.
    pub fn remark(self) -> &'static str {
        match self {
            Metric::Conversion => "",
            Metric::End => " (distances to the end)",
        }
    }

    /// What is counted to, in words.
    pub fn goal(self) -> &'static str {
        match self {
            Metric::Conversion => "to conversion",
            Metric::End => "to the end",
        }
    }
}
