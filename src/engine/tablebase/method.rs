//! What a method of solving offers to a build and to probing: [`LayerSolver`] and [`PositionLayout`].

use std::time::Duration;

use super::format::{EntryAddress, LayerWriter};
use super::{LayerSummary, Store, TableError};
use crate::geometry::Word;
use crate::rules::hunt::Position;

/// The price of solving a layer when all below it are there.
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

impl LayerCost {
    /// The price of a layer with `positions`, each of which takes `picoseconds` of processor time; numbers that do not
    /// fit count as the greatest.
    pub(crate) fn new(positions: u128, picoseconds: u64, memory_bytes: u128, disk_bytes: u128) -> LayerCost {
        let number = |count: u128| u64::try_from(count).unwrap_or(u64::MAX);
        let positions = number(positions);
        let nanoseconds = number(u128::from(positions) * u128::from(picoseconds) / 1000);
        LayerCost {
            positions,
            memory_bytes: number(memory_bytes),
            disk_bytes: number(disk_bytes),
            processor: Duration::from_nanos(nanoseconds),
        }
    }
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

    /// The most geese that the board and this method's numbering hold.
    fn last_layer(&self) -> u32;

    /// The price of solving a layer in a build up to the layer `last`.
    fn cost(&self, layer: u32, last: u32) -> LayerCost;

    /// Whether one call solves all missing layers; else they come one at a time, from few geese to many.
    fn solves_together(&self) -> bool {
        false
    }

    /// Solves layers of a build up to the layer `last` and writes their blocks; all others below them from
    /// [`Identity::first_layer`](super::Identity::first_layer) on are in `below`. `progress` takes the number of
    /// further positions done, of the [`LayerCost::positions`] of all of them, from any thread. A solver may keep in
    /// memory what the next layer needs, but solves any layer up to `last` without it.
    ///
    /// # Errors
    /// A table below cannot be read, or a new one not be written; or there is no such layer up to `last`.
    fn solve(
        &mut self,
        layers: &mut [NewLayer],
        last: u32,
        below: &Store,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), TableError>;
}

/// The numbering of positions by which a method of solving stores them.
pub(crate) trait PositionLayout<W: Word>: Send + Sync {
    /// The name in the header of a file.
    fn name(&self) -> &'static str;

    /// Where an undecided position of a complete layer is stored; `None` when it is not, and its value follows from its
    /// legal moves.
    fn place(&self, position: &Position<W>) -> Option<EntryAddress>;
}
