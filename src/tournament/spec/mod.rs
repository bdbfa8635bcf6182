//! What a tournament is, as a user writes it in JSON; `tournaments/README.md` documents every key.

mod engine;
mod judging;
mod limits;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::PathBuf;

pub use engine::{EngineSpec, OptionValues, ProgramSpec, ProtocolName};
pub use judging::{AdjudicationSpec, DrawRule, OnForfeit, Referee, ResignRule, SprtModel, SprtSpec, Supervision};
pub use limits::Limits;

/// A tournament. Unknown keys are refused.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentSpec {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub about: String,
    pub rulesets: Vec<RulesetSpec>,
    pub engines: Vec<EngineSpec>,
    pub format: Format,
    /// Pairs of games of every pairing in every ruleset (swiss and knockout: of every meeting).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs: Option<u64>,
    /// The same counted in games; even, because openings are played twice. Exactly one of the two is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// Rounds of a swiss tournament.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// Needed by the format `sprt`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSpec>,
    #[serde(default)]
    pub openings: Openings,
    /// For every engine that has none of its own.
    #[serde(default)]
    pub limits: Limits,
    /// A move may be this late before the clock forfeits the game.
    #[serde(default)]
    pub time_margin_ms: u64,
    #[serde(default = "one")]
    pub seed: u64,
    /// A game of so many plies, the opening's included, is a draw.
    #[serde(default = "default_max_plies")]
    pub max_plies: u32,
    #[serde(default)]
    pub adjudication: AdjudicationSpec,
    #[serde(default)]
    pub referee: Referee,
    /// Compare legal moves, position and hash with what the engines answer, at every ply.
    #[serde(default)]
    pub cross_check: bool,
    #[serde(default)]
    pub on_forfeit: OnForfeit,
    #[serde(default)]
    pub supervision: Supervision,
    /// Games at the same time; the command line goes before it.
    #[serde(default = "one_usize")]
    pub concurrency: usize,
    /// Processors for the workers, one each in turn; empty leaves it to the system.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub affinity: Vec<usize>,
    /// What is written to `events.jsonl` while the games are played.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventKind>,
}

/// A ruleset of the catalog by name, or with switches, or from a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RulesetSpec {
    Name(String),
    Choice(RulesetObject),
}

/// Exactly one of `name` and `file`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesetObject {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Relative to the spec's own folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// Switches; lists may be written as JSON lists or comma-separated.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub set: Map<String, Value>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first engine meets every other.
    Gauntlet,
    /// Exactly two engines.
    Match,
    /// Two engines, until the test of `sprt` decides or the games are used up.
    Sprt,
    /// Rounds in which equals meet; nobody meets twice while it can be helped.
    Swiss,
    /// The loser of a meeting is out.
    Knockout,
}

/// Where games begin. Every opening is played twice with the seats swapped.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Openings {
    /// The start position.
    #[default]
    None,
    /// Random plies, no position twice.
    Random {
        plies: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        balance: Option<Balance>,
    },
    /// One opening a line: a position text, or `moves M M ...`, or a position followed by `moves M M ...`.
    File {
        path: PathBuf,
        #[serde(default)]
        order: FileOrder,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileOrder {
    #[default]
    Sequential,
    /// Shuffled by the seed.
    Random,
}

/// Keeps only openings whose value is near a draw.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Balance {
    /// A search of so many nodes says at most this many hundredths of a piece for either side.
    Evaluation {
        max_cp: u32,
        #[serde(default = "default_balance_nodes")]
        nodes: u64,
    },
    /// An endgame table says draw.
    Table,
}

/// A kind of line in `events.jsonl`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    Start,
    Move,
    End,
    Forfeit,
    Standings,
    /// Every line to and from external engines, in a file of its own for each engine.
    EngineLog,
}

fn one() -> u64 {
    1
}

fn one_usize() -> usize {
    1
}

fn default_max_plies() -> u32 {
    400
}

fn default_balance_nodes() -> u64 {
    10_000
}
