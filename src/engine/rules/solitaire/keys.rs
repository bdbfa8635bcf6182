//! The keys of a solitaire ruleset: their names, values and defaults.

use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::rules::ruleset::{RulesetBoard, one_or_many};

/// Every key that decides how the game is played. Holes are in board order once the ruleset has been read.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    pub board: RulesetBoard,
    /// The holes without a peg at the start.
    #[serde(deserialize_with = "holes")]
    pub vacancy: Vec<String>,
    /// All the others; a file gives one of the two.
    #[serde(deserialize_with = "holes")]
    pub start: Vec<String>,
    /// Where pegs stand, and nowhere else, when the game is won.
    #[serde(deserialize_with = "holes")]
    pub target: Vec<String>,
}

/// The rules of `solitaire`.
impl Default for Rules {
    fn default() -> Self {
        let centre = || vec!["d4".to_owned()];
        Rules { board: RulesetBoard::default(), vacancy: centre(), start: Vec::new(), target: centre() }
    }
}

/// Holes by name or by number.
fn holes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let name = |item: Value| match item {
        Value::String(name) => Ok(name),
        Value::Number(number) => Ok(number.to_string()),
        other => Err(D::Error::custom(format!(
            "{other} is not a hole; allowed is a hole such as \"d4\", its number on the 33-hole cross, or a list"
        ))),
    };
    one_or_many(deserializer)?.into_iter().map(name).collect()
}
