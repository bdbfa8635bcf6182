//! Small groups of neighbouring points, found from the shape and the lines of a board.

use serde::{Deserialize, Serialize};

use crate::geometry::{Board, Point, PointSet, Vector};

/// A kind of groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GroupKind {
    /// Square windows, three wide; four where points stand only on every second cell.
    Blocks,
    /// Straight lines across the board.
    Rows,
    /// Straight lines up the board.
    Columns,
    /// Windows five wide and two high.
    Wide,
    /// Windows two wide and five high.
    Tall,
}

/// A group with fewer points says too little.
const FEWEST: u32 = 6;
/// The table of a group with more points is mostly empty.
pub(super) const MOST: u32 = 12;

/// The groups of these kinds, none twice, the points of each from low to high.
pub(super) fn find(board: &Board, kinds: &[GroupKind]) -> Vec<Vec<Point>> {
    let mut sets: Vec<PointSet<u128>> = Vec::new();
    for set in kinds.iter().flat_map(|&kind| of_kind(board, kind)) {
        if (FEWEST..=MOST).contains(&set.len()) && !sets.contains(&set) {
            sets.push(set);
        }
    }
    sets.into_iter().map(|set| set.iter().collect()).collect()
}

fn of_kind(board: &Board, kind: GroupKind) -> Vec<PointSet<u128>> {
    match kind {
        GroupKind::Blocks => blocks(board),
        GroupKind::Rows => lines(board, |vector| vector.ranks == 0),
        GroupKind::Columns => lines(board, |vector| vector.files == 0),
        GroupKind::Wide => windows(board, 5, 2),
        GroupKind::Tall => windows(board, 2, 5),
    }
}

/// The windows of the smallest size that holds enough points.
fn blocks(board: &Board) -> Vec<PointSet<u128>> {
    let enough = |side: &u8| windows(board, *side, *side).iter().any(|window| window.len() > FEWEST);
    (3..=5).find(enough).map_or(Vec::new(), |side| windows(board, side, side))
}

/// All windows of this size that hang together by lines and have at most one point fewer than the fullest.
fn windows(board: &Board, width: u8, height: u8) -> Vec<PointSet<u128>> {
    let corners = (0..board.height()).flat_map(|rank| (0..board.width()).map(move |file| (file, rank)));
    let window = |(file, rank): (u8, u8)| -> PointSet<u128> {
        let cells = (rank..rank.saturating_add(height))
            .flat_map(|rank| (file..file.saturating_add(width)).map(move |file| (file, rank)));
        cells.filter_map(|(file, rank)| board.at(file, rank)).collect()
    };
    let mut found: Vec<_> = corners.map(window).filter(|&window| is_connected(board, window)).collect();
    let fullest = found.iter().map(|window| window.len()).max().unwrap_or(0);
    found.retain(|window| window.len() + 2 > fullest);
    found
}

fn is_connected(board: &Board, set: PointSet<u128>) -> bool {
    let mut reached: PointSet<u128> = set.first().into_iter().collect();
    loop {
        let next = reached.iter().fold(reached, |all, point| all | (board.neighbours(point) & set));
        if next == reached {
            return reached == set && !set.is_empty();
        }
        reached = next;
    }
}

/// The longest straight lines in the directions that `keeps` accepts.
fn lines(board: &Board, keeps: impl Fn(Vector) -> bool) -> Vec<PointSet<u128>> {
    let mut found = Vec::new();
    for vector in board.vectors().into_iter().filter(|&vector| board.shift(vector) > 0 && keeps(vector)) {
        let back = Vector { files: -vector.files, ranks: -vector.ranks };
        for &begin in board.points().iter().filter(|&&point| board.step(point, back).is_none()) {
            found.push(std::iter::successors(Some(begin), |&point| board.step(point, vector)).collect());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::shape;

    fn sizes(name: &str, kinds: &[GroupKind]) -> Vec<usize> {
        let mut sizes: Vec<usize> = find(&shape(name).expect("a known shape"), kinds).iter().map(Vec::len).collect();
        sizes.sort_unstable();
        sizes
    }

    #[test]
    fn every_board_has_groups_of_a_useful_size() {
        assert_eq!(sizes("cross33", &[GroupKind::Blocks]), [8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9, 9]);
        assert_eq!(sizes("cross33", &[GroupKind::Rows, GroupKind::Columns]), [7; 6]);
        assert_eq!(sizes("cross33", &[GroupKind::Wide]), [10; 6]);
        assert_eq!(sizes("alquerque25", &[GroupKind::Blocks]), [9; 9]);
        for name in ["cross33-open", "siege67", "chequered8", "hex37"] {
            assert!(!sizes(name, &[GroupKind::Blocks]).is_empty(), "{name}");
        }
    }
}
