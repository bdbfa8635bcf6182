//! The spec of a tournament, as a user writes it in JSON; `tournaments/README.md` documents every key.

mod change;
mod check;
mod engine;
mod error;
mod judging;
mod load;
mod openings;

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

pub use change::Change;
pub(crate) use engine::{EngineSpec, LONGEST_MS, OptionValues, options_by_role_schema, options_schema, value_text};
pub use engine::{Limits, ProgramSpec, ProtocolName};
pub use error::SpecError;
pub(crate) use error::{InvalidKey, ensure, ensure_bounds};
pub use judging::{AdjudicationSpec, OnForfeit, Supervision};
pub(crate) use judging::{DrawRule, MOST_PLIES, ResignRule};
pub use load::{LoadedSpec, load};
pub(crate) use load::{is_retired, read, retired_format, text};
pub(crate) use openings::{Balance, FileFormat, FileOrder, OpeningFile, Openings, WantedValue};
use reynard_engine::rules::ruleset::unique;
use reynard_engine::session::registry;
use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value, json};

use super::record::written_name;
pub use super::stats::SprtModel;
pub(crate) use super::stats::SprtSpec;

/// A tournament. Unknown keys are refused.
///
/// ```
/// use reynard::testing::tournament::TournamentSpec;
/// let text = r#"{"rulesets": ["masters-15"], "engines": [{"name": "a"}, {"name": "b"}], "format": "match",
///     "pairs": 5, "limits": {"nodes": 100}}"#;
/// let spec: TournamentSpec = serde_json::from_str(text)?;
/// assert_eq!((spec.pair_count(), spec.seed), (5, 1));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("oneOf" = [{"required": ["pairs"]}, {"required": ["games"]}]))]
pub struct TournamentSpec {
    /// The JSON Schema by which an editor checks this file, for example one that `reynard schema tournament` has written;
    /// reynard does not read it.
    #[serde(default, rename = "$schema", skip_serializing)]
    pub schema: String,
    /// The name in reports.
    #[serde(default)]
    pub name: String,
    /// A note for people, which changes nothing.
    #[serde(default)]
    pub about: String,
    /// The games that are played, all of two seats, no two with the same rules.
    #[schemars(length(min = 1, max = 256))]
    pub rulesets: Vec<RulesetSpec>,
    /// The participants.
    #[schemars(length(min = 2, max = 256))]
    pub engines: Vec<EngineSpec>,
    /// Who meets whom.
    pub format: Format,
    /// Pairs of games of every pairing in every ruleset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = MOST_PAIRS))]
    pub pairs: Option<u64>,
    /// The same counted in games, an even number; exactly one of `pairs` and `games` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 2, max = 2 * MOST_PAIRS), extend("multipleOf" = 2))]
    pub games: Option<u64>,
    /// The test of the format `sprt`, which needs it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSpec>,
    /// Where games begin. Left out: after 16 random plies from which both sides can win or hold by the word of a search,
    /// and at the start position where dice roll.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Openings")]
    pub openings: Option<Openings>,
    /// The folder of tables of perfect play, relative to the spec's own folder; it must hold some for every ruleset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<PathBuf>,
    /// What every engine without limits of its own may spend on a move or a game.
    #[serde(default)]
    pub limits: Limits,
    /// How late a move may be before the clock forfeits the game, milliseconds.
    #[serde(default)]
    #[schemars(range(max = LONGEST_MS))]
    pub time_margin_ms: u64,
    /// Drives the openings, the dice and the engines' own random choices.
    #[serde(default = "defaults::seed")]
    pub seed: u64,
    /// A game of so many plies, the opening's and rolls of dice included, is a draw. Games with dice need more than the
    /// default.
    #[serde(default = "defaults::max_plies")]
    #[schemars(range(min = 1, max = MOST_PLIES))]
    pub max_plies: u32,
    /// Conditions that end a game before its rules do.
    #[serde(default)]
    pub adjudication: AdjudicationSpec,
    /// What happens after a crash, a hang and the like, but not after a late or illegal move.
    #[serde(default)]
    pub on_forfeit: OnForfeit,
    /// How long external programs may take, and how much they may print.
    #[serde(default)]
    pub supervision: Supervision,
    /// Games at the same time; `--concurrency` goes before it.
    #[serde(default = "defaults::concurrency")]
    #[schemars(range(min = 1, max = 256))]
    pub concurrency: usize,
    /// Processors for the workers, one each in turn; empty leaves it to the system.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("uniqueItems" = true), inner(range(max = 4095)))]
    pub affinity: Vec<usize>,
    /// Whether the journal keeps the selective depth and the principal variation of every move; PGN and `replay` then
    /// have them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pv: bool,
    /// What is written to `events.jsonl` while the games are played.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("uniqueItems" = true))]
    pub events: Vec<EventKind>,
}

/// More pairs nobody has a use for, and no number in the program overflows from these.
const MOST_PAIRS: u64 = 1_000_000_000;

/// Default values of the keys that specs of tournaments and of tuning share.
pub(crate) mod defaults {
    pub(crate) fn seed() -> u64 {
        1
    }

    pub(crate) fn max_plies() -> u32 {
        400
    }

    pub(crate) fn concurrency() -> usize {
        1
    }
}

/// Who meets whom, and what ends the tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Every engine plays every other.
    RoundRobin,
    /// The first engine plays every other.
    Gauntlet,
    /// Exactly two engines.
    Match,
    /// Exactly two engines, until the test of `sprt` decides or the games are used up.
    Sprt,
}

/// A kind of line in `events.jsonl`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// The beginning of every game.
    Start,
    /// Every move.
    Move,
    /// The end of every game.
    End,
    /// Every forfeit.
    Forfeit,
    /// The points after every game.
    Standings,
    /// Every line to and from external engines in a file for each, and what they write to standard error in another, of
    /// at most 64 MiB each.
    EngineLog,
}

impl TournamentSpec {
    /// A spec that says nothing else.
    pub fn new(rulesets: Vec<RulesetSpec>, engines: Vec<EngineSpec>, format: Format, pairs: u64) -> Self {
        let bare = json!({"rulesets": [], "engines": [], "format": format, "pairs": pairs});
        let bare: TournamentSpec = serde_json::from_value(bare).expect("every other key may be left out");
        TournamentSpec { rulesets, engines, ..bare }
    }

    /// Pairs of games of every pairing in every ruleset, however the spec counts them.
    pub fn pair_count(&self) -> u64 {
        self.pairs.or(self.games.map(|games| games / 2)).unwrap_or(0)
    }

    /// Whether what the tables say can change a game.
    pub fn is_played_by_tables(&self) -> bool {
        // A search that balances openings asks the tables too.
        let is_balanced = matches!(self.openings, Some(Openings::Random { balance: Some(_), .. }));
        self.tables.is_some() && (self.adjudication.table || is_balanced)
    }

    /// What this engine may spend, time odds included.
    pub fn limits_of(&self, engine: &EngineSpec) -> Limits {
        let limits = engine.limits.unwrap_or(self.limits);
        engine.time_odds.map_or(limits, |odds| limits.with_time_odds(odds))
    }

    /// How late the moves of the engine of this index may be.
    pub(crate) fn margin_of(&self, engine: usize) -> Duration {
        let own = self.engines.get(engine).and_then(|engine| engine.time_margin_ms);
        Duration::from_millis(own.unwrap_or(self.time_margin_ms))
    }
}

impl Format {
    /// As the spec writes it.
    pub fn name(self) -> String {
        written_name(self)
    }
}

/// A ruleset of the catalog by name, or with switches, or from a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum RulesetSpec {
    /// A ruleset of this program; `reynard rules list` shows them.
    Name(#[schemars(extend("enum" = registry::all_ruleset_names()))] String),
    Choice(RulesetObject),
}

/// Exactly one of `name` and `file`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("oneOf" = [{"required": ["name"]}, {"required": ["file"]}]))]
pub struct RulesetObject {
    /// A ruleset of this program; exactly one of `name` and `file` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = registry::all_ruleset_names()))]
    pub name: Option<String>,
    /// A ruleset file, relative to the spec's own folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// Switches on top: keys of the rules with their values; a list is a JSON list or a text with commas.
    #[serde(default, skip_serializing_if = "Map::is_empty", deserialize_with = "unique::map")]
    pub set: Map<String, Value>,
}

impl RulesetSpec {
    /// The long form of either way to write it.
    pub fn object(&self) -> RulesetObject {
        match self {
            RulesetSpec::Name(name) => RulesetObject { name: Some(name.clone()), ..RulesetObject::default() },
            RulesetSpec::Choice(object) => object.clone(),
        }
    }
}

/// Written out because a derived one forgets which key was wrong.
impl<'de> Deserialize<'de> for RulesetSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RulesetVisitor)
    }
}

struct RulesetVisitor;

impl<'de> Visitor<'de> for RulesetVisitor {
    type Value = RulesetSpec;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the name of a ruleset, or an object with name or file, and set")
    }

    fn visit_str<E>(self, name: &str) -> Result<RulesetSpec, E> {
        Ok(RulesetSpec::Name(name.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RulesetSpec, A::Error> {
        RulesetObject::deserialize(MapAccessDeserializer::new(map)).map(RulesetSpec::Choice)
    }
}
