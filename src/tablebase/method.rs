//! Which method of solving takes a game.

use super::lone::LoneSolver;
use super::{LayerSolver, TableError};
use crate::geometry::Word;
use crate::rules::Game;
use crate::rules::hunt::Hunt;

/// A solver for layers up to one with `last` geese: the fast method if it takes the game.
///
/// # Errors
/// No method does.
pub(super) fn solver<W: Word>(game: &Hunt<W>, last: u32) -> Result<Box<dyn LayerSolver + Send>, TableError> {
    let lone = LoneSolver::new(game, last).map(|solver| Box::new(solver) as Box<dyn LayerSolver + Send>);
    lone.ok_or_else(|| TableError::Refused(format!("{}: there are no tables for this game", game.name())))
}
