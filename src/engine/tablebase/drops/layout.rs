//! The numbering of games of drops: where their entries stand in a file.
//!
//! Points are numbered in the order of their indices. A set of foxes is a binary number, point 0 its lowest bit; of all
//! its images under the symmetries of board and rules the smallest number is kept, and the kept sets are numbered
//! upwards, `sets` of them. The points beside a kept set are its *slots*, numbered upwards too, and a pattern of geese
//! is a binary number with a bit for each slot; its row is its place among those with as many geese. A position is
//! turned by the first of the symmetries (the identity; then left and right, top and bottom, both exchanged; then the
//! same after files and ranks have been exchanged, as far as board and rules have them) that leads to the kept set.
//!
//! With nothing in hand kept set s has two blocks: 2 s with the geese to move and 2 s + 1 with the foxes to move. With
//! h pieces in hand it has one, number 2 `sets` + (h - 1) `sets` + s, with the geese to move; with the foxes to move
//! the value follows from those after each move. Blocks have one column.

use super::fox_sets::{FoxSets, Slots};
use super::sliding::PatternNumbers;
use crate::geometry::Word;
use crate::rules::hunt::{Hunt, Phase, Position, Side};
use crate::tablebase::PositionLayout;
use crate::tablebase::format::EntryAddress;

/// The name of this layout in the header of a file.
pub(super) const LAYOUT: &str = "drops";

/// Finds positions in the tables that [`DropSolver`](super::DropSolver) writes.
pub(crate) struct DropLayout {
    foxes: FoxSets,
    numbers: PatternNumbers,
}

impl DropLayout {
    /// The layout of a ruleset; `None` when it needs another method.
    pub(crate) fn new<W: Word>(game: &Hunt<W>) -> Option<DropLayout> {
        let foxes = FoxSets::new(game)?;
        let numbers = PatternNumbers::new(foxes.slots);
        Some(DropLayout { foxes, numbers })
    }
}

impl<W: Word> PositionLayout<W> for DropLayout {
    fn name(&self) -> &'static str {
        LAYOUT
    }

    fn place(&self, position: &Position<W>) -> Option<EntryAddress> {
        if position.phase() != Phase::Normal {
            return None;
        }
        let (set, geese): (usize, Slots) = self.foxes.find(position.foxes(), position.geese())?;
        let block = block(self.foxes.sets.len(), position.hand(), position.side_to_move(), set)?;
        Some(EntryAddress { block, row: self.numbers.number(geese) as u64, column: 0 })
    }
}

/// The block of a set of foxes; `None` where values are derived.
fn block(sets: usize, hand: u32, turn: Side, set: usize) -> Option<u32> {
    let number = match (hand, turn) {
        (0, turn) => 2 * set + usize::from(turn == Side::Fox),
        (_, Side::Fox) => return None,
        (hand, Side::Geese) => (1 + hand as usize) * sets + set,
    };
    Some(number as u32)
}
