//! The participants of a spec.

use std::collections::BTreeMap;
use std::path::PathBuf;

use reynard_engine::rules::ruleset::unique;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::limits::Limits;

/// Option names with values: texts, numbers or booleans.
pub(crate) type OptionValues = Map<String, Value>;

/// A configuration of this engine, or an external program.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineSpec {
    /// Unique among the engines.
    pub name: String,
    /// An external program; without it the engine plays inside this process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<ProgramSpec>,
    /// A file that `reynard --options` reads too; set before `options`. Relative to the spec's own folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options_file: Option<PathBuf>,
    #[serde(default, skip_serializing_if = "Map::is_empty", deserialize_with = "unique::map")]
    pub options: OptionValues,
    /// Options that differ by role, for example `{"fox": {...}, "geese": {...}}`; set last.
    #[serde(
        default,
        rename = "as",
        skip_serializing_if = "BTreeMap::is_empty",
        deserialize_with = "unique::map_of_maps"
    )]
    pub by_role: BTreeMap<String, OptionValues>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
    /// Multiplies the clock, the increment and the time for a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_odds: Option<f64>,
    /// How late its moves may be, instead of what the spec says, milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_margin_ms: Option<u64>,
}

/// How to start an external program.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramSpec {
    /// A path, relative to the spec's own folder when it has a slash, else looked up on the path. `reynard` alone
    /// means this program.
    pub command: PathBuf,
    /// Its arguments, as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Where it is started; relative to the spec's own folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// Set on top of the environment of this process.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "unique::map")]
    pub env: BTreeMap<String, String>,
    /// The protocol that it speaks.
    #[serde(default)]
    pub protocol: ProtocolName,
    /// Every game has a process of its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restart: bool,
    /// What it calls the squares, where that is not what they are called here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translate: Option<Translate>,
}

/// How a program's moves and positions differ from those of this one.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Translate {
    /// The program's name of a square by the name that it has here; others have the same name in both.
    #[serde(deserialize_with = "unique::map")]
    pub squares: BTreeMap<String, String>,
    /// How it writes positions: a text with `{board}`, the ranks of FEN, and `{turn}`. Without it only moves are
    /// translated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// What stands in `fen` for a letter of this program's position texts, such as `G` and `g`; others stay.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "unique::map")]
    pub letters: BTreeMap<String, String>,
}

impl Translate {
    /// What stands for a letter of this program's position texts.
    pub(crate) fn letter(&self, ours: &str) -> String {
        self.letters.get(ours).map_or(ours, String::as_str).to_owned()
    }

    /// A move of this program in the other one's words.
    pub(crate) fn theirs(&self, text: &str) -> String {
        replace(text, |square| self.squares.get(square))
    }

    /// A move of the other program in the words of this one.
    pub(crate) fn ours(&self, text: &str) -> String {
        replace(text, |theirs| self.squares.iter().find(|(_, square)| *square == theirs).map(|(square, _)| square))
    }
}

/// A text with other names for its squares: a sign and the digits behind it.
fn replace<'a>(text: &str, name: impl Fn(&str) -> Option<&'a String>) -> String {
    let (mut replaced, mut rest) = (String::new(), text);
    while let Some(sign) = rest.chars().next() {
        let digits = rest[sign.len_utf8()..].bytes().take_while(u8::is_ascii_digit).count();
        let (square, after) = rest.split_at(sign.len_utf8() + digits);
        replaced.push_str(name(square).map_or(square, String::as_str));
        rest = after;
    }
    replaced
}

impl ProgramSpec {
    /// Whether the command is the path of a file, not a name to be looked up.
    pub(crate) fn has_path(&self) -> bool {
        self.command.as_os_str().as_encoded_bytes().contains(&b'/') || self.command.is_absolute()
    }
}

/// The protocol that an external program speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProtocolName {
    /// UGI, the base protocol, as `protocol.md` describes it.
    #[default]
    Ugi,
    /// UCI: the same protocol under the names that chess programs use.
    Uci,
}

/// A value as the engine is told it; `None` for what is neither text nor number nor boolean.
pub(crate) fn value_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}
