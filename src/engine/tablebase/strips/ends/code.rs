//! How a game ends, as a number that the foxes' choices compare.

use crate::rules::hunt::Side;
use crate::tablebase::TableEntry;

/// The end of the game from a position on, the lower the better for the fox side: its own wins, the soonest first, then
/// draws, then wins of the geese, the latest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct EndCode(pub u16);

impl EndCode {
    pub(super) const DRAW: EndCode = EndCode(0x7fff);
    /// What a fox that cannot jump gets by jumping.
    pub(super) const NO_JUMP: EndCode = EndCode(u16::MAX);
    const SOONEST_GEESE_WIN: u16 = u16::MAX - 1;

    /// `plies` are at most [`TableEntry::MAX_DISTANCE`].
    pub(super) fn won(winner: Side, plies: u16) -> EndCode {
        match winner {
            Side::Fox => EndCode(plies),
            Side::Geese => EndCode(EndCode::SOONEST_GEESE_WIN - plies),
        }
    }

    pub(super) fn of(entry: TableEntry) -> EndCode {
        entry.winner().map_or(EndCode::DRAW, |winner| EndCode::won(winner, entry.distance() as u16))
    }

    /// The winner and the plies to the end; `None` for draws and where there is no jump.
    pub(super) fn decided(self) -> Option<(Side, u16)> {
        match self {
            EndCode::DRAW | EndCode::NO_JUMP => None,
            EndCode(code) if self < EndCode::DRAW => Some((Side::Fox, code)),
            EndCode(code) => Some((Side::Geese, EndCode::SOONEST_GEESE_WIN - code)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fox_side_likes_low_codes() {
        let farthest = TableEntry::MAX_DISTANCE as u16;
        let rising = [
            EndCode::won(Side::Fox, 0),
            EndCode::won(Side::Fox, farthest),
            EndCode::DRAW,
            EndCode::won(Side::Geese, farthest),
            EndCode::won(Side::Geese, 0),
            EndCode::NO_JUMP,
        ];
        assert!(rising.is_sorted_by(|one, next| one < next));
        for (winner, plies) in [(Side::Fox, 0), (Side::Fox, farthest), (Side::Geese, 0), (Side::Geese, farthest)] {
            assert_eq!(EndCode::won(winner, plies).decided(), Some((winner, plies)));
            assert_eq!(EndCode::of(TableEntry::won(winner, plies.into())), EndCode::won(winner, plies));
        }
        assert_eq!([EndCode::DRAW, EndCode::NO_JUMP, EndCode::of(TableEntry::DRAW)].map(EndCode::decided), [None; 3]);
    }
}
