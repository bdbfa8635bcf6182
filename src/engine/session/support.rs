//! What the engine needs of a game besides its rules: an evaluator, and what few games have.

use std::path::Path;
use std::sync::Arc;

use super::table_report::TableGap;
use crate::chances::ChancesOracle;
use crate::eval::{Backup, Evaluator, Parameters, WeightsError};
use crate::rules::{Notation, SearchHints};
use crate::search::Searcher;
use crate::solver::Puzzle;
use crate::tablebase::{Metric, TableBuilder, TableError, Tables};

/// Levels of play below full strength.
pub(crate) const LEVELS: usize = 20;

/// A family's levels of play with their measured ratings. Level 0, the first, is `random`.
pub struct LevelScale {
    /// On the curves of [`Level`](crate::search::weakened::Level).
    pub(crate) places: [f64; LEVELS],
    /// 0 for level 0.
    pub(crate) ratings: [u16; LEVELS],
}

/// A game with its evaluator, and with what only this game can do; [`registry`](super::registry) implements it for all.
pub trait GameSupport: Notation + SearchHints + Sized {
    /// Evaluates by weights that are options.
    type Linear: Evaluator<Self> + Parameters;

    /// What searches evaluate with.
    type Evaluator: Evaluator<Self>;

    /// Weights that were learned, with all that it takes to evaluate by them.
    type Learned;

    /// Evaluates by what was learned, or else by the weights that are options.
    fn evaluator(linear: Self::Linear, learned: Option<Self::Learned>) -> Self::Evaluator;

    /// What the program itself has learned about this game, for a kind of search.
    fn shipped(&self, _backup: Backup) -> Option<Self::Learned> {
        None
    }

    /// Reads the bytes of a file of learned weights.
    ///
    /// # Errors
    /// They are none for this game.
    fn read_learned(&self, _bytes: &[u8]) -> Result<Self::Learned, WeightsError> {
        Err(WeightsError::Family)
    }

    /// The levels of play in this family; `None` where nobody has measured any, and there are none.
    const LEVEL_SCALE: Option<&'static LevelScale> = None;

    /// A searcher that only this game has, because it answers exactly; it is then the game's default.
    fn solver() -> Option<Box<dyn Searcher<Self>>> {
        None
    }

    /// The puzzle that a position is, for a game of one player that is solved exactly.
    fn puzzle(&self, _position: &Self::Position) -> Option<Puzzle> {
        None
    }

    /// Tells each player's chances; `None` for games whose players decide anything themselves.
    fn chances_oracle(&self) -> Option<Box<dyn ChancesOracle<Self>>> {
        None
    }

    /// The tables of this game in a folder, with distances of this kind; `None` when it holds none of them, or the game
    /// can have none.
    ///
    /// # Errors
    /// A file of this game's tables is damaged or cannot be read.
    fn tables(&self, _folder: &Path, _metric: Metric) -> Result<Option<Arc<dyn Tables<Self>>>, TableError> {
        Ok(None)
    }

    /// Whether rulesets of this family can have tables.
    const HAS_TABLES: bool = false;

    /// Builds and checks tables of this game.
    ///
    /// # Errors
    /// The game can have none; the error says why.
    fn table_builder(self) -> Result<Box<dyn TableBuilder>, TableError> {
        Err(TableError::Refused(TableGap::Family(self.name().to_owned()).to_string()))
    }
}
