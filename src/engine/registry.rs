//! The one place that maps a ruleset to concrete types.

use std::path::PathBuf;

use thiserror::Error;

use super::game_session::GameSession;
use super::options::Options;
use super::session::Session;
use super::stand_in::{Stones, StonesEvaluator};
use crate::eval::{Evaluator, Parameter};
use crate::rules::Game;

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
    #[error("cannot read {path}: {error}")]
    File { path: String, error: std::io::Error },
    #[error("{0}")]
    Ruleset(String),
}

/// Something to be done with a game of whatever concrete type.
pub trait GameVisitor {
    type Output;

    /// `make_evaluator` builds the game's evaluator with the weights that options hold.
    fn visit<G: Game, E: Evaluator<G>>(self, game: G, make_evaluator: fn(&Options) -> E) -> Self::Output;
}

/// The catalog's ruleset names, the default first.
pub fn ruleset_names() -> Vec<&'static str> {
    vec!["masters-15"]
}

/// Every search and evaluation parameter that is an option.
pub fn parameters() -> Vec<Parameter> {
    Vec::new()
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
    match &choice.source {
        RulesetSource::Catalog(name) if name == "masters-15" => Ok(visitor.visit(Stones, |_| StonesEvaluator)),
        _ => Err(OpenError::Ruleset("no such ruleset".to_owned())),
    }
}

/// Opens a session at the start position of a ruleset.
///
/// # Errors
/// See [`visit`].
pub fn open(choice: &RulesetChoice) -> Result<Box<dyn Session>, OpenError> {
    visit(choice, Opener)
}

struct Opener;

impl GameVisitor for Opener {
    type Output = Box<dyn Session>;

    fn visit<G: Game, E: Evaluator<G>>(self, game: G, make_evaluator: fn(&Options) -> E) -> Self::Output {
        Box::new(GameSession::new(game, make_evaluator))
    }
}
