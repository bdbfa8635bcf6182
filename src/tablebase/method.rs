//! Picks the method of solving: the first one that can take a game, the general one for all others.

use std::sync::Arc;

use super::drops::{DropLayout, DropSolver};
use super::general::{GeneralLayout, GeneralSolver};
use super::{LayerSolver, PositionLayout, strips};
use crate::geometry::Word;
use crate::rules::hunt::Hunt;

/// A solver for layers up to one with `last` geese.
pub(super) fn solver<W: Word>(game: &Hunt<W>, last: u32) -> Box<dyn LayerSolver + Send> {
    if let Some(solver) = strips::solver(game, last) {
        solver
    } else if let Some(solver) = DropSolver::new(game) {
        Box::new(solver)
    } else {
        Box::new(GeneralSolver::new(Arc::new(game.clone())))
    }
}

/// How the positions of a game are numbered.
pub(super) fn layout<W: Word>(game: &Hunt<W>) -> Box<dyn PositionLayout<W>> {
    if let Some(layout) = strips::layout(game) {
        layout
    } else if let Some(layout) = DropLayout::new(game) {
        Box::new(layout)
    } else {
        Box::new(GeneralLayout::new(game))
    }
}
