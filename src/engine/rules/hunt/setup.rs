//! The numbered set-ups of the rule sheets on the 33-point cross.

use super::keys::Geese;
use crate::geometry::{Board, Point};

/// The geese of set-up 13, 15, 17 or 22: the lower arm and the third rank, and more from there.
pub(super) fn geese(board: &Board, number: u64) -> Option<Vec<String>> {
    let extra: &[&str] = match number {
        13 => &[],
        15 => &["a4", "g4"],
        17 => &["a4", "g4", "a5", "g5"],
        22 => &["a4", "b4", "c4", "d4", "e4", "f4", "g4", "a5", "g5"],
        _ => return None,
    };
    let lower = board.points().iter().filter(|&&point| board.rank(point) < 3).map(|&point| board.name(point));
    is_cross(board).then(|| lower.chain(extra.iter().map(ToString::to_string)).collect())
}

/// Where `fox_start: centre` puts the fox: the middle of the board, or d5 when 22 geese cover it.
pub(super) fn fox_point(board: &Board, geese: &Geese) -> Option<Point> {
    match geese {
        Geese::Number(22) => board.parse("d5"),
        _ => board.centre(),
    }
}

/// Whether the points are those of the 33-point cross, whatever lines join them.
fn is_cross(board: &Board) -> bool {
    let inside = |rank: u8, file: u8| (2..5).contains(&rank) || (2..5).contains(&file);
    (board.width(), board.height()) == (7, 7)
        && (0..7).all(|rank| (0..7).all(|file| board.at(file, rank).is_some() == inside(rank, file)))
}
