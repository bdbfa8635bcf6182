//! The spec of a tournament, as a user writes it in JSON; `tournaments/README.md` documents every key.

mod change;
mod check;
pub(crate) mod defaults;
mod engine;
mod error;
mod judging;
mod limits;
mod load;
mod openings;
mod retired;
mod ruleset;

use std::path::PathBuf;
use std::time::Duration;

pub use change::Change;
pub(crate) use engine::{EngineSpec, OptionValues, value_text};
pub use engine::{ProgramSpec, ProtocolName};
pub use error::SpecError;
pub(crate) use error::{InvalidKey, ensure};
pub use judging::{AdjudicationSpec, OnForfeit, Supervision};
pub(crate) use judging::{DrawRule, ResignRule};
pub use limits::Limits;
pub use load::{LoadedSpec, load};
pub(crate) use load::{read, text};
pub(crate) use openings::{Balance, FileFormat, FileOrder, OpeningFile, Openings, WantedValue};
pub(crate) use retired::{is_retired, retired_format};
pub(crate) use ruleset::{RulesetObject, RulesetSpec};
use serde::{Deserialize, Serialize};
use serde_json::json;

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
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentSpec {
    /// What reports call the tournament; empty for none.
    #[serde(default)]
    pub name: String,
    /// A note for people, which changes nothing.
    #[serde(default)]
    pub about: String,
    /// The games that are played: 1 to 256, no two with the same rules; fixtures name them by index.
    pub rulesets: Vec<RulesetSpec>,
    /// The participants, 2 to 256; fixtures name them by index.
    pub engines: Vec<EngineSpec>,
    /// Who meets whom.
    pub format: Format,
    /// Pairs of games of every pairing in every ruleset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs: Option<u64>,
    /// The same counted in games; even, because openings are played twice. Exactly one of the two is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// Needed by the format `sprt`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSpec>,
    /// Where games begin. Left out: after random plies from which both sides can win or hold by the word of a search,
    /// and where dice roll at the start position; see [`Openings::usual`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<Openings>,
    /// The folder of tables of perfect play; relative to the spec's own folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<PathBuf>,
    /// For every engine that has none of its own.
    #[serde(default)]
    pub limits: Limits,
    /// A move may be this late before the clock forfeits the game.
    #[serde(default)]
    pub time_margin_ms: u64,
    /// Drives the openings, the dice and the engines' own random choices.
    #[serde(default = "defaults::seed")]
    pub seed: u64,
    /// A game of so many plies, the opening's included, is a draw.
    #[serde(default = "defaults::max_plies")]
    pub max_plies: u32,
    /// Conditions that end a game before its rules do.
    #[serde(default)]
    pub adjudication: AdjudicationSpec,
    /// Whether the run goes on after a crash, a hang and the like.
    #[serde(default)]
    pub on_forfeit: OnForfeit,
    /// How long external programs may take, and how much they may print.
    #[serde(default)]
    pub supervision: Supervision,
    /// Games at the same time; the command line goes before it.
    #[serde(default = "defaults::concurrency")]
    pub concurrency: usize,
    /// Processors for the workers, one each in turn; empty leaves it to the system.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub affinity: Vec<usize>,
    /// Whether the journal keeps the principal variation of each move, for PGN.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pv: bool,
    /// What is written to `events.jsonl` while the games are played.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventKind>,
}

/// Who meets whom, and what ends the tournament.
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
