//! The participants of a spec, and what they may spend.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use reynard_engine::rules::ruleset::unique;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A day.
pub(crate) const LONGEST_MS: u64 = 86_400_000;
/// The longest name of an engine, bytes.
pub(super) const LONGEST_NAME: usize = 100;

/// Option names with values: texts, numbers or booleans.
pub(crate) type OptionValues = Map<String, Value>;

/// A configuration of this engine, or an external program.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EngineSpec {
    /// The name in reports, unique among the engines: at most 100 bytes without line breaks.
    #[schemars(length(min = 1, max = LONGEST_NAME))]
    pub name: String,
    /// An external program; without it the engine plays inside this process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<ProgramSpec>,
    /// Options in a file that `reynard --options` reads too; relative to the spec's own folder. If it chooses rules, they
    /// must be those of every ruleset that is played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options_file: Option<PathBuf>,
    /// Options by name: texts, numbers, true or false; they go before those of `options_file`.
    #[serde(default, skip_serializing_if = "Map::is_empty", deserialize_with = "unique::map")]
    #[schemars(schema_with = "options_schema")]
    pub options: OptionValues,
    /// Options by role, such as `{"fox": {...}, "geese": {...}}`; they go before `options` while the engine plays that
    /// role. `reynard rules show` names the roles; they are `p1` and `p2` in games outside the family.
    #[serde(
        default,
        rename = "as",
        skip_serializing_if = "BTreeMap::is_empty",
        deserialize_with = "unique::map_of_maps"
    )]
    #[schemars(schema_with = "options_by_role_schema")]
    pub by_role: BTreeMap<String, OptionValues>,
    /// Limits of this engine instead of the `limits` of the spec, all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
    /// Multiplies `clock_ms`, `increment_ms` and `movetime_ms` of this engine; 1 if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0), range(max = 1000))]
    pub time_odds: Option<f64>,
    /// How late its moves may be, milliseconds, instead of the `time_margin_ms` of the spec.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = LONGEST_MS))]
    pub time_margin_ms: Option<u64>,
}

/// How to start an external program.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProgramSpec {
    /// The program: sought in `dir` first; else a path, relative to the spec's own folder, when it has a slash, and a
    /// name looked up on the path otherwise. `reynard` alone means this program.
    pub command: PathBuf,
    /// Its arguments, as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Where it is started, relative to the spec's own folder; the current directory if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// Variables that are set on top of the environment of this process.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "unique::map")]
    pub env: BTreeMap<String, String>,
    /// The protocol that it speaks.
    #[serde(default)]
    pub protocol: ProtocolName,
    /// Whether every game has a process of its own.
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ProtocolName {
    /// The protocol of `protocol.md`.
    #[default]
    Ugi,
    /// The protocol of chess programs.
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

pub(crate) fn options_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object", "additionalProperties": { "type": ["string", "number", "boolean"] } })
}

pub(crate) fn options_by_role_schema(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "object", "additionalProperties": options_schema(generator) })
}

/// Bounds on every move or on the whole game; several may be given, the first one reached ends the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("dependentRequired" = {"increment_ms": ["clock_ms"], "moves_to_go": ["clock_ms"]}))]
pub struct Limits {
    /// Time on the clock at the start, milliseconds; overstepping it loses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = LONGEST_MS))]
    pub clock_ms: Option<u64>,
    /// Time gained with every own move, milliseconds; needs `clock_ms`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = LONGEST_MS))]
    pub increment_ms: Option<u64>,
    /// Own moves after which `clock_ms` is added again; needs `clock_ms`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 10_000))]
    pub moves_to_go: Option<u32>,
    /// Time for every move, milliseconds; overstepping it (and `time_margin_ms`) loses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = LONGEST_MS))]
    pub movetime_ms: Option<u64>,
    /// Positions visited for every move (mcts: iterations).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub nodes: Option<u64>,
    /// Plies of search for every move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 10_000))]
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

/// `20,000`.
fn grouped(number: u64) -> String {
    match number / 1000 {
        0 => number.to_string(),
        thousands => format!("{},{:03}", grouped(thousands), number % 1000),
    }
}

/// `20,000 nodes a move, depth 8`.
impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |ms: u64| ms as f64 / 1000.0;
        let parts = [
            self.clock_ms.map(|ms| format!("{} s on the clock", seconds(ms))),
            self.increment_ms.map(|ms| format!("{} s more with every move", seconds(ms))),
            self.moves_to_go.map(|moves| format!("again after {moves} moves")),
            self.movetime_ms.map(|ms| format!("{} s a move", seconds(ms))),
            self.nodes.map(|nodes| format!("{} nodes a move", grouped(nodes))),
            self.depth.map(|depth| format!("depth {depth}")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}
