//! The place of every position in a ruleset's tables, and the values that are derived instead.

use super::format::EntryAddress;
use crate::geometry::Word;
use crate::rules::hunt::{Hunt, Position};

/// How a method of solving numbers positions.
pub(crate) trait PositionLayout<W: Word>: Send + Sync {
    /// As the header of a file names it.
    fn name(&self) -> &'static str;

    /// The layer to which a position belongs: its pieces of the geese side, on the board and still to come.
    fn layer(&self, game: &Hunt<W>, position: &Position<W>) -> u32;

    /// Where an undecided position of a complete layer is stored; `None` when it is not, and its value follows from its
    /// legal moves.
    fn place(&self, game: &Hunt<W>, position: &Position<W>) -> Option<EntryAddress>;
}
