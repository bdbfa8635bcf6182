//! What a method of solving offers: as a [`LayerSolver`] to a build, and as a [`Method`] to probing too.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::format::{EntryAddress, LayerWriter};
use super::{LayerSummary, Store, TableError};
use crate::geometry::Word;
use crate::rules::hunt::Position;

/// The price of solving a layer when all layers below it are there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LayerCost {
    /// Positions with either side to move, mirrored ones counted separately.
    pub positions: u64,
    /// The most bytes of memory in use at a time.
    pub memory_bytes: u64,
    /// A cautious guess at the size of the file.
    pub disk_bytes: u64,
    /// Processor time at the rate of such positions in other games on an AMD EPYC; half or twice as much is usual.
    pub processor: Duration,
}

impl LayerCost {
    /// The price of a layer with `positions`, each of which takes `picoseconds` of processor time; saturating.
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

/// A layer that is being solved and written.
pub struct NewLayer {
    /// The number of the geese side's pieces, on the board and still to come.
    pub geese: u32,
    /// The writer of the layer's file.
    pub writer: LayerWriter,
    /// The summary for the header of the file; empty before the layer is solved.
    pub summary: LayerSummary,
}

/// A method of solving the layers of one ruleset, from few geese to many.
///
/// A layer holds all positions with the same number of geese, on the board and still to come.
pub trait LayerSolver {
    /// The name of the numbering by which the method stores positions, as in the header of a file.
    fn layout(&self) -> &'static str;

    /// The most geese that the board and the method's numbering hold.
    fn last_layer(&self) -> u32;

    /// The price of solving `layer` in a build up to the layer `last`.
    fn cost(&self, layer: u32, last: u32) -> LayerCost;

    /// Whether one call solves all missing layers; else each call solves one, from few geese to many.
    fn solves_together(&self) -> bool {
        false
    }

    /// Solves layers of a build up to the layer `last` and writes their blocks. All other layers below them, from
    /// [`Identity::first_layer`](super::Identity::first_layer) on, are in `below`. `progress` receives numbers of
    /// further positions done, from any thread; they add up to the [`LayerCost::positions`] of all layers. A solver may
    /// keep in memory what the next layer needs, but can solve any layer up to `last` without it.
    ///
    /// # Errors
    /// A table in `below` cannot be read, a new one cannot be written, or there is no such layer up to `last`.
    fn solve(
        &mut self,
        layers: &mut [NewLayer],
        last: u32,
        below: &Store,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), TableError>;
}

/// Checks that there is a layer of `geese` geese among those to be solved.
///
/// # Errors
/// There is no such layer.
pub(super) fn check_wanted(geese: u32, layers: RangeInclusive<u32>) -> Result<(), TableError> {
    if layers.contains(&geese) {
        return Ok(());
    }
    let (first, last) = layers.into_inner();
    Err(TableError::Refused(format!("layers of {first} to {last} geese are to be solved, not of {geese}")))
}

/// A method of solving, with the numbering by which it stores positions in files.
pub(crate) trait Method<W: Word>: LayerSolver + Send + Sync {
    /// The place of an undecided position of a complete layer; `None` where it is not stored, and its value follows
    /// from its legal moves.
    fn place(&self, position: &Position<W>) -> Option<EntryAddress>;
}
