//! The boards that have names.

use super::board::{Board, Place, Vector};
use super::points::Point;

/// The names of all shapes; `grid(w,h)` stands for all grids.
pub(crate) const SHAPE_NAMES: &[&str] = &[
    "cross33",
    "cross33-open",
    "cross33-orthogonal",
    "french37",
    "alquerque25",
    "siege67",
    "chequered8",
    "hex37",
    "grid(w,h)",
];

/// Which diagonally neighbouring points are joined by lines.
#[derive(Clone, Copy)]
enum Diagonals {
    None,
    /// Only those of points whose file index plus rank index is even.
    Even,
    All,
}

/// The board with this name; `None` if there is none.
pub(crate) fn shape(name: &str) -> Option<Board> {
    match name {
        "cross33" => Some(cross(Diagonals::Even)),
        "cross33-open" => Some(cross(Diagonals::All)),
        "cross33-orthogonal" => Some(cross(Diagonals::None)),
        "french37" => build(&rows(&[3, 5, 7, 7, 7, 5, 3]), Diagonals::None),
        "alquerque25" => build(&rows(&[5; 5]), Diagonals::Even),
        "siege67" => build(&rows(&[5, 5, 9, 9, 9, 9, 9, 5, 7]), Diagonals::Even),
        "chequered8" => chequered(),
        "hex37" => hexagon(),
        _ => grid(name),
    }
}

/// The places of rows of these lengths, from the bottom up, each row centred.
fn rows(lengths: &[u8]) -> Vec<Place> {
    let width = lengths.iter().copied().max().unwrap_or(0);
    let row = |(rank, &length): (usize, &u8)| {
        let first = (width - length) / 2;
        (first..first + length).map(move |file| (file, rank as u8))
    };
    lengths.iter().enumerate().flat_map(row).collect()
}

fn cross(diagonals: Diagonals) -> Board {
    let places = rows(&[3, 3, 7, 7, 7, 3, 3]);
    let mut order = places.clone();
    order.sort_by_key(|&(file, rank)| (std::cmp::Reverse(rank), file));
    let numbering = order.iter().map(|&(file, rank)| Point(rank * 7 + file)).collect();
    let board = build(&places, diagonals).unwrap_or_else(|| unreachable!("the cross is a valid board"));
    board.numbered(numbering)
}

fn build(places: &[Place], diagonals: Diagonals) -> Option<Board> {
    let joined = |(file, rank): Place, vector: Vector| match diagonals {
        _ if !vector.is_diagonal() => true,
        Diagonals::None => false,
        Diagonals::Even => (file + rank) % 2 == 0,
        Diagonals::All => true,
    };
    joined_board(places, &[(1, 0), (0, 1), (1, 1), (-1, 1)], joined)
}

/// A board that joins every place to its neighbours by `vectors` where `joined` allows.
fn joined_board(places: &[Place], vectors: &[(i8, i8)], joined: impl Fn(Place, Vector) -> bool) -> Option<Board> {
    let mut lines = Vec::new();
    for &from in places {
        for &(files, ranks) in vectors {
            let end = from.0.checked_add_signed(files).zip(from.1.checked_add_signed(ranks));
            if let Some(to) = end.filter(|to| places.contains(to) && joined(from, Vector { files, ranks })) {
                lines.push((from, to));
            }
        }
    }
    Board::new(places, &lines).ok()
}

/// The 32 dark squares of a chess board, joined diagonally.
fn chequered() -> Option<Board> {
    let places: Vec<Place> = rows(&[8; 8]).into_iter().filter(|(file, rank)| (file + rank) % 2 == 0).collect();
    joined_board(&places, &[(1, 1), (-1, 1)], |_, _| true)
}

/// A hexagon of side 4 in slanted coordinates: the six directions are along files, ranks and one diagonal.
fn hexagon() -> Option<Board> {
    let inside = |&(file, rank): &Place| (-3..=3).contains(&(file as i8 - rank as i8));
    let places: Vec<Place> = rows(&[7; 7]).into_iter().filter(inside).collect();
    joined_board(&places, &[(1, 0), (0, 1), (1, 1)], |_, _| true)
}

/// The board `grid(w,h)`: w files, h ranks, orthogonal lines.
fn grid(name: &str) -> Option<Board> {
    let (width, height) = name.strip_prefix("grid(")?.strip_suffix(')')?.split_once(',')?;
    let size = |text: &str| text.trim().parse::<u8>().ok().filter(|size| (1..=26).contains(size));
    let width = size(width)?;
    let height = size(height)?;
    build(&rows(&vec![width; usize::from(height)]), Diagonals::None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(name: &str) -> (usize, usize, usize) {
        let board = shape(name).expect("a known shape");
        let jumps = board.points().iter().map(|&point| board.jumps_from(point).count()).sum();
        (board.points().len(), board.lines().count(), jumps)
    }

    #[test]
    fn the_cross_has_the_lines_and_jumps_of_the_rule_sheet() {
        assert_eq!(counts("cross33"), (33, 72, 104));
        assert_eq!(counts("cross33-orthogonal"), (33, 52, 76));
    }

    #[test]
    fn the_other_boards_have_their_points() {
        for (name, points) in
            [("french37", 37), ("alquerque25", 25), ("siege67", 67), ("chequered8", 32), ("hex37", 37)]
        {
            assert_eq!(counts(name).0, points, "{name}");
        }
        assert_eq!(counts("grid(4,3)"), (12, 17, 3 * 4 + 4 * 2));
        assert!(shape("grid(40,40)").is_none() && shape("cross34").is_none());
    }

    #[test]
    fn the_fewest_geese_that_immobilise() {
        for (name, fewest) in [("cross33", 4), ("cross33-open", 6), ("cross33-orthogonal", 4)] {
            assert_eq!(shape(name).map(|board| board.fewest_to_immobilise()), Some(fewest), "{name}");
        }
    }

    #[test]
    fn holes_are_numbered_from_the_top_left() {
        let board = shape("cross33").expect("a known shape");
        for (number, name) in [("1", "c7"), ("3", "e7"), ("7", "a5"), ("17", "d4"), ("27", "g3"), ("33", "e1")] {
            assert_eq!(board.parse(number), board.parse(name), "{number}");
        }
        assert_eq!(board.parse("34"), None);
        assert_eq!(board.parse("a1"), None);
    }
}
