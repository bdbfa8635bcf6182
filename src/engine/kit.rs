//! What a game brings along besides its rules.

use super::options::Options;
use crate::eval::Evaluator;
use crate::rules::Game;
use crate::search::Searcher;
use crate::search::chances::Chances;

/// Opinions about a game, and what only this game can do; the registry names one kit for every type of game.
pub trait Kit<G: Game>: Send + 'static {
    type Evaluator: Evaluator<G>;

    /// The game's evaluator with the weights that the options hold.
    fn evaluator(options: &Options) -> Self::Evaluator;

    /// A searcher that only this game has, because it answers exactly; it is then the game's default.
    fn solver(_options: &Options) -> Option<Box<dyn Searcher<G>>> {
        None
    }

    /// Each player's chances from a position that is not over; `None` for games that cannot tell.
    fn chances(_game: &G, _position: &G::Position, _options: &Options) -> Option<Chances> {
        None
    }
}
