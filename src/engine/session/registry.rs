//! The one place that maps a ruleset to concrete types.
//!
//! A new family is a folder in `rules` and a file in `eval`, and touches six files besides: `rules/mod.rs`,
//! `rules/ruleset/mod.rs` (its name), `rules/catalog/mod.rs` (its rulesets), `eval/mod.rs`, `session/families.rs` (what
//! the engine needs of its game), and this one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};
use thiserror::Error;

use super::door::Session;
use super::families::GameSupport;
pub use super::families::names_by_tables;
use super::game_session::GameSession;
use super::options::Options;
use super::reporting::TableGap;
use super::request::TimeParameters;
use crate::eval::{
    GooseEvaluator, HuntEvaluator, LearnedEvaluation, Parameter, Parameters, SolitaireEvaluator, TheGameEvaluator,
    WeightsError,
};
use crate::files::{self, ReadError};
use crate::learning::{HuntLearner, LearnSpec, Learner, LearningError};
use crate::rules::catalog;
use crate::rules::goose::{self, Goose};
use crate::rules::hunt::{self, Hunt};
use crate::rules::ruleset::{self, Family, Heading, RulesetError};
use crate::rules::solitaire::{self, Solitaire};
use crate::rules::thegame::{self, TheGame};
use crate::search::ProofParameters;
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

/// The parameters of a searcher, or of the evaluation of a family of games.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ParameterGroup {
    /// The name of the searcher, or of the family.
    pub name: &'static str,
    /// When the parameters have an effect.
    pub effect: &'static str,
    /// The parameters, in the order in which protocols announce them.
    pub parameters: &'static [Parameter],
}

/// Every search and evaluation parameter that is an option.
pub const PARAMETERS: [ParameterGroup; 8] = [
    ParameterGroup {
        name: "alphabeta",
        effect: "In searches of `alphabeta`, which is also what `auto` takes for one or two players.",
        parameters: AlphaBetaParameters::LIST,
    },
    ParameterGroup {
        name: "mcts",
        effect: "In searches of `mcts`, which is also what `auto` takes for three players and more.",
        parameters: MctsParameters::LIST,
    },
    ParameterGroup {
        name: "proof",
        effect: "In searches of `alphabeta` and `mcts` in games of two players: the search for forced wins beside them.",
        parameters: ProofParameters::LIST,
    },
    ParameterGroup {
        name: "time",
        effect: "In searches that a clock bounds (`wtime`, `btime`), whatever the searcher.",
        parameters: TimeParameters::LIST,
    },
    ParameterGroup {
        name: "hunt",
        effect: "In hunts that are played without learned weights; see `EvalFile`.",
        parameters: HuntEvaluator::LIST,
    },
    ParameterGroup {
        name: "solitaire",
        effect: "In peg solitaire, where `alphabeta` or `mcts` searches and not the solver.",
        parameters: SolitaireEvaluator::LIST,
    },
    ParameterGroup { name: "the-game", effect: "In The Game (1971).", parameters: TheGameEvaluator::LIST },
    ParameterGroup { name: "goose", effect: "In the Game of the Goose.", parameters: GooseEvaluator::LIST },
];

/// The parameters of all groups.
pub fn parameters() -> Vec<Parameter> {
    PARAMETERS.iter().flat_map(|group| group.parameters).copied().collect()
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
    /// A game of few against many, with the learned weights that it names.
    Hunt(Box<hunt::Ruleset>, Option<Arc<LearnedEvaluation>>),
    /// A peg puzzle.
    Solitaire(solitaire::Ruleset),
    /// A race with dice.
    Goose(goose::Ruleset),
    /// The Game (1971).
    TheGame(thegame::Ruleset),
}

impl AnyRuleset {
    /// Reads the text of a ruleset; `label` stands for a file's name in errors.
    ///
    /// # Errors
    /// The text with these switches does not describe a game, or it names a file of weights, which a text without a
    /// folder cannot.
    pub fn read(label: &str, text: &str, switches: &[(String, String)]) -> Result<Self, RulesetError> {
        let ruleset = Self::without_weights(label, text, switches)?;
        match ruleset.heading().weights {
            None => Ok(ruleset),
            Some(_) => {
                Err(no_weights(label, "only a ruleset file on this machine can name a file of weights".to_owned()))
            }
        }
    }

    /// Reads a ruleset file, and the file of weights that it names beside it. Weights for the rules of the file do not
    /// count where switches change these.
    ///
    /// # Errors
    /// The file cannot be read or does not describe a game, or its weights are none for this game.
    fn read_file(path: &Path, switches: &[(String, String)]) -> Result<Self, OpenError> {
        let label = path.display().to_string();
        let text = read_file(path)?;
        let mut ruleset = Self::without_weights(&label, &text, switches)?;
        let Some(name) = &ruleset.heading().weights else { return Ok(ruleset) };
        let file = path.parent().unwrap_or(Path::new("")).join(name);
        let are_of_file = || -> Result<bool, OpenError> {
            Ok(!switches.is_empty() && Self::without_weights(&label, &text, &[])?.learned(&file).is_ok())
        };
        let read = match ruleset.learned(&file) {
            Ok(read) => Some(read),
            Err(_) if are_of_file()? => None,
            Err(error) => return Err(no_weights(&label, error).into()),
        };
        if let AnyRuleset::Hunt(_, weights) = &mut ruleset {
            *weights = read;
        }
        Ok(ruleset)
    }

    /// Learned weights for this game from a file, or why there are none.
    fn learned(&self, file: &Path) -> Result<Arc<LearnedEvaluation>, String> {
        match self {
            AnyRuleset::Hunt(rules, _) if rules.is_wide() => Hunt::<u128>::new(rules).read_learned(file),
            AnyRuleset::Hunt(rules, _) => Hunt::<u64>::new(rules).read_learned(file),
            _ => Err(WeightsError::Family.to_string()),
        }
    }

    /// The name of the ruleset and its origin.
    fn heading(&self) -> &Heading {
        match self {
            AnyRuleset::Hunt(rules, _) => &rules.heading,
            AnyRuleset::Solitaire(rules) => &rules.heading,
            AnyRuleset::Goose(rules) => &rules.heading,
            AnyRuleset::TheGame(rules) => &rules.heading,
        }
    }

    fn without_weights(label: &str, text: &str, switches: &[(String, String)]) -> Result<Self, RulesetError> {
        Ok(match ruleset::family(label, text)? {
            Family::Hunt => AnyRuleset::Hunt(Box::new(hunt::Ruleset::from_text(label, text, switches)?), None),
            Family::Solitaire => AnyRuleset::Solitaire(solitaire::Ruleset::from_text(label, text, switches)?),
            Family::Goose => AnyRuleset::Goose(goose::Ruleset::from_text(label, text, switches)?),
            Family::TheGame => AnyRuleset::TheGame(thegame::Ruleset::from_text(label, text, switches)?),
        })
    }

    /// Opens a session at the start position.
    pub fn open(&self) -> Box<dyn Session> {
        match self {
            AnyRuleset::Hunt(rules, weights) if rules.is_wide() => session(Hunt::<u128>::new(rules), weights.clone()),
            AnyRuleset::Hunt(rules, weights) => session(Hunt::<u64>::new(rules), weights.clone()),
            AnyRuleset::Solitaire(rules) if rules.is_wide() => session(Solitaire::<u128>::new(rules), None),
            AnyRuleset::Solitaire(rules) => session(Solitaire::<u64>::new(rules), None),
            AnyRuleset::Goose(rules) => session(Goose::new(rules), None),
            AnyRuleset::TheGame(rules) if rules.is_wide() => session(TheGame::<4>::new(rules), None),
            AnyRuleset::TheGame(rules) => session(TheGame::<1>::new(rules), None),
        }
    }

    /// The builder of tables for this game.
    ///
    /// # Errors
    /// The game can have no tables.
    pub fn table_builder(&self) -> Result<Box<dyn TableBuilder>, TableError> {
        match self {
            AnyRuleset::Hunt(rules, _) if rules.is_wide() => {
                Ok(Box::new(HuntTableBuilder::new(Hunt::<u128>::new(rules))?))
            }
            AnyRuleset::Hunt(rules, _) => Ok(Box::new(HuntTableBuilder::new(Hunt::<u64>::new(rules))?)),
            _ => Err(TableError::Refused(TableGap::Family(self.heading().name.clone()).to_string())),
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
            AnyRuleset::Hunt(rules, weights) if rules.is_wide() => {
                let game = Hunt::<u128>::new(rules);
                Ok(Box::new(HuntLearner::new(game, spec, seed, tables, weights.clone())?))
            }
            AnyRuleset::Hunt(rules, weights) => {
                let game = Hunt::<u64>::new(rules);
                Ok(Box::new(HuntLearner::new(game, spec, seed, tables, weights.clone())?))
            }
            _ => Err(LearningError::Family),
        }
    }
}

/// A session of a compiled game.
fn session<G: GameSupport + 'static>(game: G, weights: Option<Arc<LearnedEvaluation>>) -> Box<dyn Session> {
    Box::new(GameSession::new(game, weights))
}

/// The error about the file of weights of a ruleset.
fn no_weights(label: &str, message: String) -> RulesetError {
    RulesetError { file: label.to_owned(), key: Some("weights".to_owned()), message, place: None }
}

/// Reads and checks the ruleset of a choice.
///
/// # Errors
/// There is no such ruleset or file, or it does not describe a game.
pub fn read(choice: &RulesetChoice) -> Result<AnyRuleset, OpenError> {
    Ok(match &choice.source {
        RulesetSource::Catalog(name) => AnyRuleset::read(name, ruleset::catalog_text(name)?, &choice.switches)?,
        RulesetSource::File(path) => AnyRuleset::read_file(path, &choice.switches)?,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_without_a_folder_names_no_file_of_weights() {
        let text = r#"{"name": "mine", "extends": "bell-13", "weights": "/etc/passwd"}"#;
        let error = AnyRuleset::read("ruleset", text, &[]).err().expect("a refusal").to_string();
        assert!(error.starts_with("ruleset: key 'weights': only a ruleset file"), "{error}");
    }

    #[test]
    fn weights_do_not_count_where_switches_change_their_rules() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("mine.json");
        let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/eval/hunt/weights/bell-13.weights");
        let text = format!(r#"{{"name": "mine", "extends": "bell-13", "weights": "{shipped}"}}"#);
        std::fs::write(&path, text).expect("a file");
        let weights = |switches: &[(&str, &str)]| {
            let switches = switches.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
            let choice = RulesetChoice { source: RulesetSource::File(path.clone()), switches };
            open(&choice).expect("a game").weights(&default_options())
        };
        assert_eq!(weights(&[]).as_deref(), Some(shipped));
        assert_eq!(weights(&[("first", "fox")]).as_deref(), Some(shipped), "the same values of positions");
        assert_eq!(weights(&[("goose_moves", "forward")]), None);

        std::fs::write(&path, r#"{"name": "mine", "extends": "bell-13", "weights": "mine.json"}"#).expect("a file");
        let switches = vec![("goose_moves".to_owned(), "forward".to_owned())];
        let choice = RulesetChoice { source: RulesetSource::File(path.clone()), switches };
        let error = open(&choice).err().expect("no weights").to_string();
        assert!(error.contains("it is no file of learned weights"), "{error}");
    }
}
