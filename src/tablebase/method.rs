//! Picks the method of solving: the fast one where it can take a game, the general one for all others.

use std::sync::Arc;

use super::general::{GeneralLayout, GeneralSolver};
use super::one_fox::{OneFoxLayout, OneFoxSolver};
use super::{LayerSolver, PositionLayout};
use crate::geometry::Word;
use crate::rules::hunt::Hunt;

/// A solver for layers up to one with `last` geese.
pub(super) fn solver<W: Word>(game: &Hunt<W>, last: u32) -> Box<dyn LayerSolver + Send> {
    match OneFoxSolver::new(game, last) {
        Some(solver) => Box::new(solver),
        None => Box::new(GeneralSolver::new(Arc::new(game.clone()))),
    }
}

/// How the positions of a game are numbered.
pub(super) fn layout<W: Word>(game: &Hunt<W>) -> Box<dyn PositionLayout<W>> {
    match OneFoxLayout::new(game) {
        Some(layout) => Box::new(layout),
        None => Box::new(GeneralLayout::new(game)),
    }
}
