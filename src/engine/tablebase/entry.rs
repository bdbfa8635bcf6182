//! The entry of a position in a table: which side wins, and how far it is.

use super::TableValue;
use crate::rules::hunt::Side;

/// The value of a position as one number: 0 is a draw; `1 + 2d` a win of the fox side, `2 + 2d` one of the geese side,
/// with the distance `d` in plies, which counts as the table's metric says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct TableEntry(pub u16);

impl TableEntry {
    /// Neither side can force a win.
    pub const DRAW: TableEntry = TableEntry(0);
    /// The greatest distance that an entry can hold, in plies.
    pub const MAX_DISTANCE: u32 = (u16::MAX as u32 - 2) / 2;

    /// `distance` is at most [`MAX_DISTANCE`](TableEntry::MAX_DISTANCE).
    pub fn won(winner: Side, distance: u32) -> TableEntry {
        debug_assert!(distance <= TableEntry::MAX_DISTANCE);
        let first = if winner == Side::Fox { 1 } else { 2 };
        TableEntry((first + 2 * distance) as u16)
    }

    /// `None` is a draw.
    pub fn winner(self) -> Option<Side> {
        match self.0 {
            0 => None,
            code if code % 2 == 1 => Some(Side::Fox),
            _ => Some(Side::Geese),
        }
    }

    /// In plies; 0 for draws.
    pub fn distance(self) -> u32 {
        u32::from(self.0.saturating_sub(1) / 2)
    }

    /// The winner and the distance in plies.
    pub fn value(self) -> TableValue<Side> {
        TableValue { winner: self.winner(), distance: self.distance() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_keep_winner_and_distance() {
        for distance in [0, 1, 2, 77, TableEntry::MAX_DISTANCE] {
            for side in [Side::Fox, Side::Geese] {
                let entry = TableEntry::won(side, distance);
                assert_eq!((entry.winner(), entry.distance()), (Some(side), distance));
            }
        }
        assert_eq!((TableEntry::DRAW.winner(), TableEntry::DRAW.distance()), (None, 0));
    }
}
