//! The engine's needs of a game besides its rules, family by family: evaluator, levels, solver, tables.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::options::Options;
use super::strength::{HUNT_LEVELS, LevelScale, THE_GAME_LEVELS};
use crate::chances::{ChancesOracle, DiceOracle};
use crate::eval::{
    Backup, Evaluator, GooseEvaluator, LearnedEvaluation, LearnedHuntEvaluator, LearnedWeights, SolitaireEvaluator,
    TheGameEvaluator, WeightsError,
};
use crate::files;
use crate::geometry::Word;
use crate::rules::catalog;
use crate::rules::goose::Goose;
use crate::rules::hunt::{self, Hunt};
use crate::rules::solitaire::Solitaire;
use crate::rules::thegame::TheGame;
use crate::rules::{Notation, SearchHints};
use crate::search::Searcher;
use crate::solver::{Puzzle, PuzzleSolver};
use crate::tablebase::{HuntTables, Identity, Metric, TableError, Tables};

/// The largest file of learned weights that is read, in bytes; weights for any board take less.
const MAX_WEIGHTS_BYTES: u64 = 1 << 26;

/// A game with its evaluator and with the abilities of its family.
pub(crate) trait GameSupport: Notation + SearchHints + Sized {
    /// The evaluator that searches of this game use.
    type Evaluator: Evaluator<Self>;

    /// The evaluator with the weights in these options, and with learned weights if there are any.
    fn evaluator(options: &Options, learned: Option<Arc<LearnedEvaluation>>) -> Self::Evaluator;

    /// The learned weights for this game and a kind of search that come with the program.
    fn shipped(&self, _backup: Backup) -> Option<Arc<LearnedEvaluation>> {
        None
    }

    /// Learned weights for this game from the bytes of a file, which is their `source`.
    ///
    /// # Errors
    /// The bytes are no weights for this game.
    fn decode_learned(&self, _bytes: &[u8], _source: &str) -> Result<LearnedEvaluation, WeightsError> {
        Err(WeightsError::Family)
    }

    /// Reads learned weights for this game from a file.
    ///
    /// # Errors
    /// The file cannot be read, or has no weights for this game: the sentence that says so.
    fn read_learned(&self, path: &Path) -> Result<Arc<LearnedEvaluation>, String> {
        let source = path.display().to_string();
        let bytes = files::read_bytes(path, MAX_WEIGHTS_BYTES).map_err(|error| format!("cannot read {error}"))?;
        self.decode_learned(&bytes, &source).map(Arc::new).map_err(|error| {
            let games =
                if let WeightsError::OtherRules { found, .. } = error { games_of(found) } else { String::new() };
            format!("{source}: {error}{games}")
        })
    }

    /// The measured levels of play of this family; `None` if it has no levels.
    const LEVEL_SCALE: Option<&'static LevelScale> = None;

    /// An exact searcher of this game; if there is one, it is the game's default.
    fn solver() -> Option<Box<dyn Searcher<Self>>> {
        None
    }

    /// A position as a puzzle, for games of one player that the solver handles.
    fn puzzle(&self, _position: &Self::Position) -> Option<Puzzle> {
        None
    }

    /// A calculator of each player's chances of winning; `None` for games in which players make choices.
    fn chances_oracle(&self) -> Option<Box<dyn ChancesOracle<Self>>> {
        None
    }

    /// The tables of this game in a folder, with distances of one metric; `None` if it holds none, or the game can have
    /// none.
    ///
    /// # Errors
    /// A file of this game's tables is damaged or cannot be read.
    fn tables(&self, _folder: &Path, _metric: Metric) -> Result<Option<Arc<dyn Tables<Self>>>, TableError> {
        Ok(None)
    }
}

impl<W: Word> GameSupport for Hunt<W> {
    type Evaluator = LearnedHuntEvaluator;

    fn evaluator(options: &Options, learned: Option<Arc<LearnedEvaluation>>) -> LearnedHuntEvaluator {
        LearnedHuntEvaluator::new(options.parameters(), learned)
    }

    fn shipped(&self, backup: Backup) -> Option<Arc<LearnedEvaluation>> {
        LearnedEvaluation::shipped(self, backup).map(Arc::new)
    }

    fn decode_learned(&self, bytes: &[u8], source: &str) -> Result<LearnedEvaluation, WeightsError> {
        LearnedEvaluation::new(self, LearnedWeights::decode(bytes)?, source)
    }

    const LEVEL_SCALE: Option<&'static LevelScale> = Some(&HUNT_LEVELS);

    fn tables(&self, folder: &Path, metric: Metric) -> Result<Option<Arc<dyn Tables<Self>>>, TableError> {
        HuntTables::open(self, folder, metric)
    }
}

/// An ending for an error about weights for other rules: the catalog games for which the weights are.
fn games_of(found: u64) -> String {
    let names = names_by_tables();
    names.get(&format!("{found:016x}")).map_or(String::new(), |names| format!("; it serves {}", names.join(", ")))
}

/// The catalog games by the fingerprint of their tables, in hexadecimal digits; several games may share tables.
pub fn names_by_tables() -> BTreeMap<String, Vec<&'static str>> {
    let mut names: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in catalog::all_names() {
        let hunt = hunt::Ruleset::from_catalog(name, &[]).ok();
        if let Some(identity) = hunt.and_then(|ruleset| Identity::of(&ruleset).ok()) {
            names.entry(format!("{:016x}", identity.fingerprint)).or_default().push(name);
        }
    }
    names
}

impl<const N: usize> GameSupport for TheGame<N> {
    type Evaluator = TheGameEvaluator;

    fn evaluator(options: &Options, _: Option<Arc<LearnedEvaluation>>) -> TheGameEvaluator {
        options.parameters::<TheGameEvaluator>().for_backup(options.searcher().backup())
    }

    const LEVEL_SCALE: Option<&'static LevelScale> = Some(&THE_GAME_LEVELS);
}

impl<W: Word> GameSupport for Solitaire<W> {
    type Evaluator = SolitaireEvaluator;

    fn evaluator(options: &Options, _: Option<Arc<LearnedEvaluation>>) -> SolitaireEvaluator {
        options.parameters()
    }

    fn solver() -> Option<Box<dyn Searcher<Self>>> {
        Some(Box::<PuzzleSolver>::default())
    }

    fn puzzle(&self, position: &Self::Position) -> Option<Puzzle> {
        Some(Puzzle::of(self, position))
    }
}

impl GameSupport for Goose {
    type Evaluator = GooseEvaluator;

    fn evaluator(options: &Options, _: Option<Arc<LearnedEvaluation>>) -> GooseEvaluator {
        options.parameters()
    }

    fn chances_oracle(&self) -> Option<Box<dyn ChancesOracle<Self>>> {
        (!self.ruleset().rules.team).then(|| Box::new(DiceOracle::Unasked) as Box<dyn ChancesOracle<Self>>)
    }
}
