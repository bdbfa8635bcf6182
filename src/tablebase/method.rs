//! Picks the method of solving: the first one that can take a game, the general one for all others and for distances to
//! the end.

use std::sync::Arc;

use super::drops::{DropLayout, DropSolver};
use super::general::{GeneralLayout, GeneralSolver};
use super::{LayerSolver, Metric, PositionLayout, strips};
use crate::geometry::Word;
use crate::rules::hunt::Hunt;

/// A solver for layers up to one with `last` geese.
pub(super) fn solver<W: Word>(game: &Hunt<W>, metric: Metric, last: u32) -> Box<dyn LayerSolver + Send> {
    if metric == Metric::End {
        Box::new(GeneralSolver::new(Arc::new(game.clone()), metric))
    } else if let Some(solver) = strips::solver(game, last) {
        solver
    } else if let Some(solver) = DropSolver::new(game) {
        Box::new(solver)
    } else {
        Box::new(GeneralSolver::new(Arc::new(game.clone()), metric))
    }
}

/// How the positions of a game are numbered.
pub(super) fn layout<W: Word>(game: &Hunt<W>, metric: Metric) -> Box<dyn PositionLayout<W>> {
    if metric == Metric::End {
        Box::new(GeneralLayout::new(game))
    } else if let Some(layout) = strips::layout(game) {
        layout
    } else if let Some(layout) = DropLayout::new(game) {
        Box::new(layout)
    } else {
        Box::new(GeneralLayout::new(game))
    }
}
