//! What a game brings along besides its rules.

use std::path::Path;
use std::sync::Arc;

use super::options::Options;
use crate::chances::ChancesOracle;
use crate::eval::Evaluator;
use crate::rules::Game;
use crate::search::Searcher;
use crate::solver::Puzzle;
use crate::tablebase::{TableBuilder, TableError, Tables};

/// Opinions about a game, and what only this game can do; the registry names one kit for every type of game.
pub trait Kit<G: Game>: Send + 'static {
    type Evaluator: Evaluator<G>;

    /// The game's evaluator with the weights that the options hold.
    fn evaluator(options: &Options) -> Self::Evaluator;

    /// A searcher that only this game has, because it answers exactly; it is then the game's default.
    fn solver(_options: &Options) -> Option<Box<dyn Searcher<G>>> {
        None
    }

    /// The puzzle that a position is, for a game of one player that is solved exactly.
    fn puzzle(_game: &G, _position: &G::Position) -> Option<Puzzle> {
        None
    }

    /// Who tells each player's chances; `None` for games whose players decide anything themselves.
    fn odds(_game: &G) -> Option<Box<dyn ChancesOracle<G>>> {
        None
    }

    /// The tables of this game in a folder; `None` when it holds none of them, or the game can have none.
    ///
    /// # Errors
    /// A file of this game's tables is damaged or cannot be read.
    fn tables(_game: &G, _folder: &Path) -> Result<Option<Arc<dyn Tables<G>>>, TableError> {
        Ok(None)
    }

    /// Who builds and checks tables of this game.
    ///
    /// # Errors
    /// The game can have none; the error says why.
    fn table_builder(game: G) -> Result<Box<dyn TableBuilder>, TableError> {
        let message = "tables are for the family of Fox & Geese only; `reynard rules list` shows its games";
        Err(TableError::Refused(format!("'{}' has no tables: {message}", game.name())))
    }
}
