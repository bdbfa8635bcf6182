//! Which method of solving takes a game: the fast one where it can, the general one for all others.

use std::sync::Arc;

use super::general::{GeneralLayout, GeneralSolver};
use super::one_fox::{OneFoxLayout, OneFoxSolver};
use super::{LayerSolver, PositionLayout};
use crate::geometry::Word;
use crate::rules::hunt::Hunt;

/// A solver for layers up to one with `last` geese.
pub(super) fn solver<W: Word>(game: &Hunt<W>, last: u32) -> Box<dyn LayerSolver + Send> {
    match OneFoxSolver::new(game, last).filter(|_| is_plain(game)) {
        Some(lone) => Box::new(lone),
        None => Box::new(GeneralSolver::new(Arc::new(game.clone()))),
    }
}

/// How the positions of a game are numbered.
pub(super) fn layout<W: Word>(game: &Hunt<W>) -> Box<dyn PositionLayout<W>> {
    match OneFoxLayout::new(game).filter(|_| is_plain(game)) {
        Some(lone) => Box::new(lone),
        None => Box::new(GeneralLayout::new(game)),
    }
}

/// The fast method derives positions before a first goose move from those after it.
fn is_plain<W: Word>(game: &Hunt<W>) -> bool {
    !game.ruleset().rules.first_move_may_wait()
}
