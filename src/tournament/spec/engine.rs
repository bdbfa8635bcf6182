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
    /// Sought in `dir` first; else a path, relative to the spec's own folder, when it has a slash, and a name looked up
    /// on the path otherwise. `reynard` alone means this program.
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
