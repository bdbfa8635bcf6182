//! Picks the method of solving: the first one that can take a game with distances of a kind, the general one for all
//! others.

use std::sync::Arc;

use super::drops::{DropLayout, DropSolver};
use super::general::{GeneralLayout, GeneralSolver};
use super::{LayerSolver, Metric, PositionLayout, strips};
use crate::geometry::Word;
use crate::rules::hunt::Hunt;

/// A solver for layers up to one with `last` geese.
pub(super) fn solver<W: Word>(game: &Hunt<W>, metric: Metric, last: u32) -> Box<dyn LayerSolver + Send> {
    let last = last.min(game.all().len());
    if let Some(solver) = strips::solver(game, metric, last) {
        return solver;
    }
    match DropSolver::new(game).filter(|_| metric == Metric::Conversion) {
        Some(solver) => Box::new(solver),
        None => Box::new(GeneralSolver::new(Arc::new(game.clone()), metric)),
    }
}

/// How the positions of a game are numbered.
pub(super) fn layout<W: Word>(game: &Hunt<W>, metric: Metric) -> Box<dyn PositionLayout<W>> {
    if let Some(layout) = strips::layout(game, metric) {
        return layout;
    }
    match DropLayout::new(game).filter(|_| metric == Metric::Conversion) {
        Some(layout) => Box::new(layout),
        None => Box::new(GeneralLayout::new(game)),
    }
}
