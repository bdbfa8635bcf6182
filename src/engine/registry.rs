//! The one place that maps a ruleset to concrete types.

use std::fs;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::game_session::GameSession;
use super::options::Options;
use super::session::Session;
use crate::eval::{Evaluator, HuntEvaluator, HuntWeights, Parameter, Parameters};
use crate::rules::hunt::{Hunt, Ruleset, RulesetError};
use crate::rules::{Game, catalog};
use crate::search::alphabeta::AlphaBetaParameters;
use crate::search::mcts::MctsParameters;

/// A file that people write, of a hundred kilobytes, would be a large one.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// Where a ruleset comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RulesetSource {
    /// The name of a catalog ruleset.
    Catalog(String),
    /// A file in the ruleset format.
    File(PathBuf),
}

/// A ruleset with the switches that change it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RulesetChoice {
    pub source: RulesetSource,
    /// Keys with their values, as the ruleset format names them.
    pub switches: Vec<(String, String)>,
}

impl RulesetChoice {
    /// A catalog ruleset as it stands.
    pub fn catalog(name: &str) -> Self {
        RulesetChoice { source: RulesetSource::Catalog(name.to_owned()), switches: Vec::new() }
    }
}

/// Why a ruleset cannot be played.
#[derive(Debug, Error)]
pub enum OpenError {
    #[error("'{0}' is not KEY=VALUE")]
    Switch(String),
    #[error("cannot read {path}: {message}")]
    File { path: String, message: String },
    #[error(transparent)]
    Ruleset(#[from] RulesetError),
}

/// Something to be done with a game of whatever concrete type.
pub trait GameVisitor {
    type Output;

    /// `make_evaluator` builds the game's evaluator with the weights that options hold.
    fn visit<G: Game, E: Evaluator<G>>(self, game: G, make_evaluator: fn(&Options) -> E) -> Self::Output;
}

/// The catalog's ruleset names, the default first.
pub fn ruleset_names() -> Vec<&'static str> {
    catalog::names().collect()
}

/// Every search and evaluation parameter that is an option.
pub fn parameters() -> Vec<Parameter> {
    [AlphaBetaParameters::LIST, MctsParameters::LIST, HuntWeights::LIST].concat()
}

/// All options at their defaults.
pub fn default_options() -> Options {
    Options::new(&ruleset_names(), &parameters())
}

/// Reads blank-separated `KEY=VALUE` switches.
///
/// # Errors
/// A word is not of that form.
pub fn parse_switches(text: &str) -> Result<Vec<(String, String)>, OpenError> {
    let parse = |word: &str| match word.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err(OpenError::Switch(word.to_owned())),
    };
    text.split_whitespace().map(parse).collect()
}

/// Compiles a ruleset and shows the visitor the game.
///
/// # Errors
/// No such ruleset or file, or it does not describe a game.
pub fn visit<V: GameVisitor>(choice: &RulesetChoice, visitor: V) -> Result<V::Output, OpenError> {
    Ok(compile(&ruleset(choice)?, visitor))
}

fn compile<V: GameVisitor>(ruleset: &Ruleset, visitor: V) -> V::Output {
    let make_evaluator = |options: &Options| HuntEvaluator::new(options.parameters::<HuntWeights>());
    match ruleset.is_wide() {
        false => visitor.visit(Hunt::<u64>::new(ruleset), make_evaluator),
        true => visitor.visit(Hunt::<u128>::new(ruleset), make_evaluator),
    }
}

/// Reads a ruleset and checks it.
///
/// # Errors
/// No such ruleset or file, or it does not describe a game.
pub fn ruleset(choice: &RulesetChoice) -> Result<Ruleset, OpenError> {
    match &choice.source {
        RulesetSource::Catalog(name) => Ok(Ruleset::from_catalog(name, &choice.switches)?),
        RulesetSource::File(path) => {
            Ok(Ruleset::from_text(&path.display().to_string(), &read_file(path)?, &choice.switches)?)
        }
    }
}

/// Reads a file that people write, but nothing that has no end.
pub(super) fn read_file(path: &Path) -> Result<String, OpenError> {
    let refuse = |message: String| OpenError::File { path: path.display().to_string(), message };
    let about = fs::metadata(path).map_err(|error| refuse(error.to_string()))?;
    if !about.is_file() || about.len() > MAX_FILE_BYTES {
        return Err(refuse(format!("not a file of at most {MAX_FILE_BYTES} bytes")));
    }
    fs::read_to_string(path).map_err(|error| refuse(error.to_string()))
}

/// Opens a session at the start position of a ruleset.
///
/// # Errors
/// See [`visit`].
pub fn open(choice: &RulesetChoice) -> Result<Box<dyn Session>, OpenError> {
    visit(choice, Opener)
}

/// Opens a session from what a ruleset file says; `label` stands for the file's name in errors.
///
/// # Errors
/// The text does not describe a game.
pub fn open_text(label: &str, text: &str) -> Result<Box<dyn Session>, OpenError> {
    Ok(compile(&Ruleset::from_text(label, text, &[])?, Opener))
}

struct Opener;

impl GameVisitor for Opener {
    type Output = Box<dyn Session>;

    fn visit<G: Game, E: Evaluator<G>>(self, game: G, make_evaluator: fn(&Options) -> E) -> Self::Output {
        Box::new(GameSession::new(game, make_evaluator))
    }
}
