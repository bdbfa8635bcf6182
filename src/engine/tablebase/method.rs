//! The interface of the methods of solving, `LayerSolver` and `PositionLayout`, and the choice among the three.

use std::sync::Arc;
use std::time::Duration;

use super::drops::{DropLayout, DropSolver};
use super::format::{EntryAddress, LayerWriter};
use super::general::{GeneralLayout, GeneralSolver};
use super::{LayerSummary, Metric, Store, TableError, strips};
use crate::geometry::Word;
use crate::rules::hunt::{Hunt, Position};

/// The price of solving a layer, all below it being there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LayerCost {
    /// Positions of both sides to move, mirrored ones counted separately.
    pub positions: u64,
    /// The most memory in use at a time.
    pub memory_bytes: u64,
    /// A cautious guess at the size of the file.
    pub disk_bytes: u64,
    /// Processor time, by what such positions took in other games on an AMD EPYC; half or twice as much is usual.
    pub processor: Duration,
}

/// A layer in the making.
pub struct NewLayer {
    /// Pieces of the geese side, on the board and still to come.
    pub geese: u32,
    /// The writer of its blocks.
    pub writer: LayerWriter,
    /// The summary in its header; empty before it is solved.
    pub summary: LayerSummary,
}

/// A method of solving the layers of one ruleset, from few geese to many.
///
/// A layer holds all positions with the same number of geese, on the board and still to come.
pub trait LayerSolver {
    /// The name of its [`PositionLayout`], as the header of a file says it.
    fn layout(&self) -> &'static str;

    /// The fewest geese with which a position is not decided by its number of geese alone. Layers below need no table.
    fn first_layer(&self) -> u32;

    /// The most geese that the board and this method's numbering hold.
    fn last_layer(&self) -> u32;

    /// The price of solving a layer.
    fn cost(&self, layer: u32) -> LayerCost;

    /// Whether one call solves all missing layers; else they come one at a time, from few geese to many.
    fn solves_together(&self) -> bool {
        false
    }

    /// Solves layers, all others below them from [`first_layer`](LayerSolver::first_layer) being in `below`, and writes
    /// their blocks. `progress` takes the number of further positions done, of the [`LayerCost::positions`] of all of
    /// them, from any thread. What it keeps in memory for the next layer is its own affair; it may be asked for any
    /// layer up to the last one that it was made for, at any time.
    ///
    /// # Errors
    /// A table below cannot be read, or a new one not be written; or it was not made for this layer.
    fn solve(
        &mut self,
        layers: &mut [NewLayer],
        below: &Store,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), TableError>;
}

/// A numbering of positions: a method of solving tells where it stores them.
pub(crate) trait PositionLayout<W: Word>: Send + Sync {
    /// The name in the header of a file.
    fn name(&self) -> &'static str;

    /// Where an undecided position of a complete layer is stored; `None` when it is not, and its value follows from its
    /// legal moves.
    fn place(&self, position: &Position<W>) -> Option<EntryAddress>;
}

/// Picks the method of solving layers of up to `last` geese: the first one that takes the game, `general` for all
/// others.
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

/// Picks the numbering of the positions of a game, that of the method that solves it.
pub(super) fn layout<W: Word>(game: &Hunt<W>, metric: Metric) -> Box<dyn PositionLayout<W>> {
    if let Some(layout) = strips::layout(game, metric) {
        return layout;
    }
    match DropLayout::new(game).filter(|_| metric == Metric::Conversion) {
        Some(layout) => Box::new(layout),
        None => Box::new(GeneralLayout::new(game)),
    }
}
