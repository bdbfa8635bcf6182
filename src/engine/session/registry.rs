//! The one place that maps a ruleset to concrete types.
//!
//! A new family is a folder in `rules` and a file in `eval`, and touches six files besides: `rules/mod.rs`,
//! `rules/ruleset/mod.rs` (its name), `rules/catalog/mod.rs` (its rulesets), `eval/mod.rs`, `session/families.rs` (what
//! the engine needs of its game), and this one.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use thiserror::Error;

use super::door::Session;
use super::families::GameSupport;
pub use super::families::names_by_tables;
use super::game_session::GameSession;
use super::options::Options;
use super::reporting::TableGap;
use crate::eval::{GooseEvaluator, HuntEvaluator, Parameter, Parameters, SolitaireEvaluator, TheGameEvaluator};
use crate::files::{self, ReadError};
use crate::learning::{HuntLearner, LearnSpec, Learner, LearningError};
use crate::rules::catalog;
use crate::rules::goose::{self, Goose};
use crate::rules::hunt::{self, Hunt};
use crate::rules::ruleset::{self, Family, RulesetError};
use crate::rules::solitaire::{self, Solitaire};
use crate::rules::thegame::{self, TheGame};
use crate::search::alphabeta::AlphaBetaParameters;
use crate::search::mcts::MctsParameters;
use crate::tablebase::{HuntTableBuilder, TableBuilder, TableError};

/// The largest ruleset or options file that is read, in bytes; files written by people have less than a tenth of that.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// The ruleset of `reynard solve` if none is named.
pub const PUZZLE: &str = "solitaire";

/// The ruleset of `reynard goose` if none is named.
pub const DICE_RACE: &str = "goose";

/// A catalog game with changed rules, for clients in which moves have to alternate strictly.
pub(crate) struct AdaptedGame {
    /// The name. XBoard takes one that begins with the word of a variant of its own, such as `great`, for that variant.
    /// one.
    pub name: &'static str,
    pub ruleset: &'static str,
    pub switches: &'static str,
}

const fn adapted(name: &'static str, ruleset: &'static str, switches: &'static str) -> AdaptedGame {
    AdaptedGame { name, ruleset, switches }
}

/// The adapted games. In sieges the officers start where a search of a million nodes put them.
pub(crate) const WITHOUT_HUFFS: [AdaptedGame; 4] = [
    adapted("siege-no-huff", "siege", "huff=none fox_start=d5,e5"),
    adapted("siege-great-no-huff", "great-siege", "huff=none fox_start=c7,d7,g7"),
    adapted("hex-siege-no-huff", "hex-siege", "huff=none fox_start=e6,f6"),
    adapted("renard-1840-no-huff", "renard-1840", "huff=none"),
];

/// The source of a ruleset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RulesetSource {
    /// The name of a catalog ruleset.
    Catalog(String),
    /// A file in the ruleset format.
    File(PathBuf),
}

/// A ruleset, with switches that change it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RulesetChoice {
    /// Where the ruleset comes from.
    pub source: RulesetSource,
    /// Keys of the ruleset with their new values.
    pub switches: Vec<(String, String)>,
}

impl RulesetChoice {
    /// A catalog ruleset without switches.
    pub fn catalog(name: &str) -> Self {
        RulesetChoice { source: RulesetSource::Catalog(name.to_owned()), switches: Vec::new() }
    }
}

/// Why a ruleset cannot be played.
#[derive(Debug, Error)]
pub enum OpenError {
    /// A switch is not of the form `KEY=VALUE`.
    #[error("'{0}' is not KEY=VALUE")]
    Switch(String),
    /// The file cannot be read.
    #[error("cannot read {0}")]
    File(ReadError),
    /// The ruleset does not describe a game.
    #[error(transparent)]
    Ruleset(#[from] RulesetError),
}

/// The names of the catalog rulesets, the default first.
pub fn ruleset_names() -> Vec<&'static str> {
    catalog::names().collect()
}

/// The names of the catalog rulesets, then those of the other hunts of the world.
pub fn all_ruleset_names() -> Vec<&'static str> {
    catalog::all_names().collect()
}

/// The JSON Schema (draft 2020-12) of ruleset files, with an alternative for each family.
pub fn ruleset_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Ruleset",
        "description": "A game as reynard reads it.",
        "anyOf": [
            hunt::Ruleset::file_schema(),
            solitaire::Ruleset::file_schema(),
            thegame::Ruleset::file_schema(),
            goose::Ruleset::file_schema(),
        ],
    })
}

/// Every search and evaluation parameter that is an option.
pub fn parameters() -> Vec<Parameter> {
    let evaluators =
        [HuntEvaluator::LIST, SolitaireEvaluator::LIST, TheGameEvaluator::LIST, GooseEvaluator::LIST].concat();
    [AlphaBetaParameters::LIST, MctsParameters::LIST, &evaluators].concat()
}

/// All options at their defaults.
pub fn default_options() -> Options {
    Options::new(&all_ruleset_names(), &parameters())
}

/// Reads blank-separated `KEY=VALUE` switches.
///
/// # Errors
/// A word is not of the form `KEY=VALUE`.
pub fn parse_switches(text: &str) -> Result<Vec<(String, String)>, OpenError> {
    let parse = |word: &str| match word.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err(OpenError::Switch(word.to_owned())),
    };
    text.split_whitespace().map(parse).collect()
}

/// Switches as a text for [`parse_switches`]; blanks inside a value are removed, since no value needs them.
pub fn switches_text(switches: &[(String, String)]) -> String {
    let packed = |text: &str| text.split_whitespace().collect::<String>();
    let written = switches.iter().map(|(key, value)| format!("{key}={}", packed(value)));
    written.collect::<Vec<String>>().join(" ")
}

/// A ruleset that was read and checked, by family.
pub enum AnyRuleset {
    /// A game of few against many.
    Hunt(Box<hunt::Ruleset>),
    /// A peg puzzle.
    Solitaire(solitaire::Ruleset),
    /// A race with dice.
    Goose(goose::Ruleset),
    /// The Game (1971).
    TheGame(thegame::Ruleset),
}

impl AnyRuleset {
    /// Reads the text of a ruleset file; `label` stands for the file's name in errors.
    ///
    /// # Errors
    /// The text with these switches does not describe a game.
    pub fn read(label: &str, text: &str, switches: &[(String, String)]) -> Result<Self, RulesetError> {
        Ok(match ruleset::family(label, text)? {
            Family::Hunt => AnyRuleset::Hunt(Box::new(hunt::Ruleset::from_text(label, text, switches)?)),
            Family::Solitaire => AnyRuleset::Solitaire(solitaire::Ruleset::from_text(label, text, switches)?),
            Family::Goose => AnyRuleset::Goose(goose::Ruleset::from_text(label, text, switches)?),
            Family::TheGame => AnyRuleset::TheGame(thegame::Ruleset::from_text(label, text, switches)?),
        })
    }

    /// Opens a session at the start position.
    pub fn open(&self) -> Box<dyn Session> {
        match self {
            AnyRuleset::Hunt(rules) if rules.is_wide() => session(Hunt::<u128>::new(rules)),
            AnyRuleset::Hunt(rules) => session(Hunt::<u64>::new(rules)),
            AnyRuleset::Solitaire(rules) if rules.is_wide() => session(Solitaire::<u128>::new(rules)),
            AnyRuleset::Solitaire(rules) => session(Solitaire::<u64>::new(rules)),
            AnyRuleset::Goose(rules) => session(Goose::new(rules)),
            AnyRuleset::TheGame(rules) if rules.is_wide() => session(TheGame::<4>::new(rules)),
            AnyRuleset::TheGame(rules) => session(TheGame::<1>::new(rules)),
        }
    }

    /// The builder of tables for this game.
    ///
    /// # Errors
    /// The game can have no tables.
    pub fn table_builder(&self) -> Result<Box<dyn TableBuilder>, TableError> {
        match self {
            AnyRuleset::Hunt(rules) if rules.is_wide() => {
                Ok(Box::new(HuntTableBuilder::new(Hunt::<u128>::new(rules))?))
            }
            AnyRuleset::Hunt(rules) => Ok(Box::new(HuntTableBuilder::new(Hunt::<u64>::new(rules))?)),
            AnyRuleset::Solitaire(solitaire::Ruleset { heading, .. })
            | AnyRuleset::Goose(goose::Ruleset { heading, .. })
            | AnyRuleset::TheGame(thegame::Ruleset { heading, .. }) => {
                Err(TableError::Refused(TableGap::Family(heading.name.clone()).to_string()))
            }
        }
    }

    /// The learner of weights for the evaluation of this game; `tables` is a folder of tables.
    ///
    /// # Errors
    /// Games of this family learn no weights, the board does not suit the model of the spec, or the folder has no
    /// tables of the game that can be read.
    pub fn learner(
        &self,
        spec: &LearnSpec,
        seed: u64,
        tables: Option<&Path>,
    ) -> Result<Box<dyn Learner>, LearningError> {
        match self {
            AnyRuleset::Hunt(rules) if rules.is_wide() => {
                Ok(Box::new(HuntLearner::new(Hunt::<u128>::new(rules), spec, seed, tables)?))
            }
            AnyRuleset::Hunt(rules) => Ok(Box::new(HuntLearner::new(Hunt::<u64>::new(rules), spec, seed, tables)?)),
            _ => Err(LearningError::Family),
        }
    }
}

/// A session of a compiled game.
fn session<G: GameSupport + 'static>(game: G) -> Box<dyn Session> {
    Box::new(GameSession::new(game))
}

/// Reads and checks the ruleset of a choice.
///
/// # Errors
/// There is no such ruleset or file, or it does not describe a game.
pub fn read(choice: &RulesetChoice) -> Result<AnyRuleset, OpenError> {
    Ok(match &choice.source {
        RulesetSource::Catalog(name) => AnyRuleset::read(name, ruleset::catalog_text(name)?, &choice.switches)?,
        RulesetSource::File(path) => {
            AnyRuleset::read(&path.display().to_string(), &read_file(path)?, &choice.switches)?
        }
    })
}

/// Reads a ruleset or options file, up to the limit of size.
pub(super) fn read_file(path: &Path) -> Result<String, OpenError> {
    files::read_text(path, MAX_FILE_BYTES).map_err(OpenError::File)
}

/// Opens a session at the start position of a ruleset.
///
/// # Errors
/// There is no such ruleset or file, or it does not describe a game.
pub fn open(choice: &RulesetChoice) -> Result<Box<dyn Session>, OpenError> {
    Ok(read(choice)?.open())
}
