//! The one place that maps a ruleset to concrete types.
//!
//! A new family is a folder in `rules` and a file in `eval`, and touches six files besides: `rules/mod.rs`,
//! `rules/ruleset/mod.rs` (its name), `rules/catalog/mod.rs` (its rulesets), `eval/mod.rs`, and this one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use super::door::SearchSession;
use super::game_session::GameSession;
use super::options::Options;
use super::strength::{HUNT_LEVELS, THE_GAME_LEVELS};
use super::support::{GameSupport, LevelScale};
use crate::chances::{ChancesOracle, DiceOracle};
use crate::eval::{
    Backup, GooseEvaluator, HuntEvaluator, LearnedEvaluation, LearnedHuntEvaluator, LearnedWeights, Parameter,
    Parameters, SolitaireEvaluator, TheGameEvaluator, WeightsError,
};
use crate::files::{self, ReadError};
use crate::geometry::Word;
use crate::learning::{HuntLearner, LearnSpec, Learner, LearningError};
use crate::rules::catalog;
use crate::rules::goose::{self, Goose};
use crate::rules::hunt::{self, Hunt};
use crate::rules::ruleset::{self, Family, RulesetError};
use crate::rules::solitaire::{self, Solitaire};
use crate::rules::thegame::{self, Squares, TheGame, Wide};
use crate::search::Searcher;
use crate::search::alphabeta::AlphaBetaParameters;
use crate::search::mcts::MctsParameters;
use crate::solver::{Puzzle, PuzzleSolver};
use crate::tablebase::{HuntTableBuilder, HuntTables, Metric, TableBuilder, TableError, Tables};

/// A file that people write, of a hundred kilobytes, would be a large one.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// More than the weights of any board take.
const MAX_WEIGHTS_BYTES: u64 = 1 << 26;

/// The ruleset of `reynard solve` when none is named.
pub const PUZZLE: &str = "solitaire";

/// The ruleset of `reynard goose` where none is named.
pub const DICE_RACE: &str = "goose";

/// Games by other rules, for clients to which moves strictly alternate: a name that says so, the ruleset, its switches.
/// The officers of a siege stand where a search of a million nodes put them. XBoard takes a name that begins with the word
/// of one of its own variants, such as `great`, for that one.
pub(crate) const WITHOUT_HUFFS: [(&str, &str, &str); 4] = [
    ("siege-no-huff", "siege", "huff=none fox_start=d5,e5"),
    ("siege-great-no-huff", "great-siege", "huff=none fox_start=c7,d7,g7"),
    ("hex-siege-no-huff", "hex-siege", "huff=none fox_start=e6,f6"),
    ("renard-1840-no-huff", "renard-1840", "huff=none"),
];

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
    /// Where the ruleset comes from.
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
    /// A switch is not of the form `KEY=VALUE`.
    #[error("'{0}' is not KEY=VALUE")]
    Switch(String),
    /// The file cannot be read.
    #[error("cannot read {path}: {message}")]
    File {
        /// The file.
        path: String,
        /// What the system says.
        message: String,
    },
    /// It does not describe a game.
    #[error(transparent)]
    Ruleset(#[from] RulesetError),
}

/// A function generic over games, which [`visit`] calls with the concrete type that a ruleset compiles to.
pub trait GameVisitor {
    /// What a visit gives back, whatever the type of the game.
    type Output;

    /// Is called with the compiled game.
    fn visit<G: GameSupport>(self, game: G) -> Self::Output;
}

/// The catalog's ruleset names, the default first.
pub fn ruleset_names() -> Vec<&'static str> {
    catalog::names().collect()
}

/// The catalog's games by the fingerprint of their tables, in hexadecimal digits: games may share tables.
pub fn names_by_tables() -> BTreeMap<String, Vec<&'static str>> {
    let mut names: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in catalog::names() {
        let ruleset = read(&RulesetChoice::catalog(name));
        if let Some(builder) = ruleset.ok().and_then(|ruleset| ruleset.table_builder().ok()) {
            names.entry(format!("{:016x}", builder.identity().fingerprint)).or_default().push(name);
        }
    }
    names
}

/// Every search and evaluation parameter that is an option.
pub fn parameters() -> Vec<Parameter> {
    let evaluators =
        [HuntEvaluator::LIST, SolitaireEvaluator::LIST, TheGameEvaluator::LIST, GooseEvaluator::LIST].concat();
    [AlphaBetaParameters::LIST, MctsParameters::LIST, &evaluators].concat()
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

/// The switches as [`parse_switches`] reads them: no value needs a blank inside.
pub fn switches_text(switches: &[(String, String)]) -> String {
    let packed = |text: &str| text.split_whitespace().collect::<String>();
    let written = switches.iter().map(|(key, value)| format!("{key}={}", packed(value)));
    written.collect::<Vec<String>>().join(" ")
}

/// A ruleset that was read and checked, of one family or another.
pub enum AnyRuleset {
    /// Few against many.
    Hunt(hunt::Ruleset),
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
            Family::Hunt => AnyRuleset::Hunt(hunt::Ruleset::from_text(label, text, switches)?),
            Family::Solitaire => AnyRuleset::Solitaire(solitaire::Ruleset::from_text(label, text, switches)?),
            Family::Goose => AnyRuleset::Goose(goose::Ruleset::from_text(label, text, switches)?),
            Family::TheGame => AnyRuleset::TheGame(thegame::Ruleset::from_text(label, text, switches)?),
        })
    }

    /// A session at the start position.
    pub fn open(&self) -> Box<dyn SearchSession> {
        self.show(Opener)
    }

    /// The builder of the tables.
    ///
    /// # Errors
    /// The game can have no tables.
    pub fn table_builder(&self) -> Result<Box<dyn TableBuilder>, TableError> {
        self.show(TableBuilderOpener)
    }

    /// What learns the weights of the game's evaluation; `tables` is a folder.
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
        Ok(match self {
            AnyRuleset::Hunt(rules) if rules.is_wide() => {
                Box::new(HuntLearner::new(Hunt::<u128>::new(rules), spec, seed, tables)?)
            }
            AnyRuleset::Hunt(rules) => Box::new(HuntLearner::new(Hunt::<u64>::new(rules), spec, seed, tables)?),
            _ => return Err(LearningError::Family),
        })
    }

    /// Compiles the game and shows it to the visitor.
    fn show<V: GameVisitor>(&self, visitor: V) -> V::Output {
        match self {
            AnyRuleset::Hunt(ruleset) if ruleset.is_wide() => visitor.visit(Hunt::<u128>::new(ruleset)),
            AnyRuleset::Hunt(ruleset) => visitor.visit(Hunt::<u64>::new(ruleset)),
            AnyRuleset::Solitaire(ruleset) if ruleset.is_wide() => visitor.visit(Solitaire::<u128>::new(ruleset)),
            AnyRuleset::Solitaire(ruleset) => visitor.visit(Solitaire::<u64>::new(ruleset)),
            AnyRuleset::Goose(ruleset) => visitor.visit(Goose::new(ruleset)),
            AnyRuleset::TheGame(rules) if rules.is_wide() => visitor.visit(TheGame::<Wide>::new(rules)),
            AnyRuleset::TheGame(ruleset) => visitor.visit(TheGame::<u64>::new(ruleset)),
        }
    }
}

impl<W: Word> GameSupport for Hunt<W> {
    type Linear = HuntEvaluator;
    type Evaluator = LearnedHuntEvaluator;
    type Learned = Arc<LearnedEvaluation>;

    fn evaluator(linear: HuntEvaluator, learned: Option<Self::Learned>) -> LearnedHuntEvaluator {
        LearnedHuntEvaluator::new(linear, learned)
    }

    fn shipped(&self, backup: Backup) -> Option<Self::Learned> {
        LearnedEvaluation::shipped(self, backup).map(Arc::new)
    }

    fn read_learned(&self, bytes: &[u8]) -> Result<Self::Learned, WeightsError> {
        LearnedEvaluation::new(self, LearnedWeights::decode(bytes)?).map(Arc::new)
    }

    const LEVEL_SCALE: Option<&'static LevelScale> = Some(&HUNT_LEVELS);

    const HAS_TABLES: bool = true;

    fn tables(&self, folder: &Path, metric: Metric) -> Result<Option<Arc<dyn Tables<Self>>>, TableError> {
        HuntTables::open_with(self, folder, metric)
    }

    fn table_builder(self) -> Result<Box<dyn TableBuilder>, TableError> {
        Ok(Box::new(HuntTableBuilder::new(self)?))
    }
}

impl<S: Squares> GameSupport for TheGame<S> {
    type Linear = TheGameEvaluator;
    type Evaluator = TheGameEvaluator;
    type Learned = ();

    fn evaluator(linear: TheGameEvaluator, _: Option<()>) -> TheGameEvaluator {
        linear
    }

    const LEVEL_SCALE: Option<&'static LevelScale> = Some(&THE_GAME_LEVELS);
}

impl<W: Word> GameSupport for Solitaire<W> {
    type Linear = SolitaireEvaluator;
    type Evaluator = SolitaireEvaluator;
    type Learned = ();

    fn evaluator(linear: SolitaireEvaluator, _: Option<()>) -> SolitaireEvaluator {
        linear
    }

    fn solver() -> Option<Box<dyn Searcher<Self>>> {
        Some(Box::<PuzzleSolver>::default())
    }

    fn puzzle(&self, position: &Self::Position) -> Option<Puzzle> {
        Some(Puzzle::of(self, position))
    }
}

impl GameSupport for Goose {
    type Linear = GooseEvaluator;
    type Evaluator = GooseEvaluator;
    type Learned = ();

    fn evaluator(linear: GooseEvaluator, _: Option<()>) -> GooseEvaluator {
        linear
    }

    fn chances_oracle(&self) -> Option<Box<dyn ChancesOracle<Self>>> {
        (!self.rules().team).then(|| Box::new(DiceOracle::Unasked) as Box<dyn ChancesOracle<Self>>)
    }
}

/// Compiles a ruleset and shows the visitor the game.
///
/// # Errors
/// No such ruleset or file, or it does not describe a game.
pub fn visit<V: GameVisitor>(choice: &RulesetChoice, visitor: V) -> Result<V::Output, OpenError> {
    Ok(read(choice)?.show(visitor))
}

/// Reads and checks a ruleset.
///
/// # Errors
/// No such ruleset or file, or it does not describe a game.
pub fn read(choice: &RulesetChoice) -> Result<AnyRuleset, OpenError> {
    Ok(match &choice.source {
        RulesetSource::Catalog(name) => AnyRuleset::read(name, ruleset::catalog_text(name)?, &choice.switches)?,
        RulesetSource::File(path) => {
            AnyRuleset::read(&path.display().to_string(), &read_file(path)?, &choice.switches)?
        }
    })
}

/// Reads a file that people write, but nothing that has no end.
pub(super) fn read_file(path: &Path) -> Result<String, OpenError> {
    let refuse = |error: ReadError| OpenError::File { path: path.display().to_string(), message: error.reason() };
    files::read_text(path, MAX_FILE_BYTES).map_err(refuse)
}

/// Reads a file of learned weights, but nothing that has no end.
pub(super) fn read_weights(path: &Path) -> Result<Vec<u8>, OpenError> {
    let refuse = |error: ReadError| OpenError::File { path: path.display().to_string(), message: error.reason() };
    files::read_bytes(path, MAX_WEIGHTS_BYTES).map_err(refuse)
}

/// Opens a session at the start position of a ruleset.
///
/// # Errors
/// See [`visit`].
pub fn open(choice: &RulesetChoice) -> Result<Box<dyn SearchSession>, OpenError> {
    Ok(read(choice)?.open())
}

struct TableBuilderOpener;

impl GameVisitor for TableBuilderOpener {
    type Output = Result<Box<dyn TableBuilder>, TableError>;

    fn visit<G: GameSupport>(self, game: G) -> Self::Output {
        game.table_builder()
    }
}

struct Opener;

impl GameVisitor for Opener {
    type Output = Box<dyn SearchSession>;

    fn visit<G: GameSupport>(self, game: G) -> Self::Output {
        Box::new(GameSession::new(game))
    }
}
