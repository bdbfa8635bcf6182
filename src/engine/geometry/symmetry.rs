//! The ways to turn or mirror a board onto itself.

use super::board::{Board, Vector};
use super::points::{Point, PointSet, Word};

/// A map of a board's points onto themselves that keeps its lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symmetry {
    images: Vec<Point>,
    /// Rows of the linear part: files' = a files + b ranks, ranks' = c files + d ranks.
    matrix: [i8; 4],
}

impl Symmetry {
    /// The image of a point.
    pub fn point(&self, point: Point) -> Point {
        self.images[point.index()]
    }

    /// The images of all points of a set.
    pub fn set<W: Word>(&self, set: PointSet<W>) -> PointSet<W> {
        set.iter().map(|point| self.point(point)).collect()
    }

    /// The image of a displacement.
    pub fn vector(&self, vector: Vector) -> Vector {
        let [a, b, c, d] = self.matrix;
        Vector { files: a * vector.files + b * vector.ranks, ranks: c * vector.files + d * vector.ranks }
    }
}

/// The eight turns and mirrors of the square, the identity first, as far as they map this board onto itself.
///
/// Slanted boards (the hexagon) have more symmetries than are found here.
pub fn symmetries(board: &Board) -> Vec<Symmetry> {
    const MATRICES: [[i8; 4]; 8] = [
        [1, 0, 0, 1],
        [-1, 0, 0, 1],
        [1, 0, 0, -1],
        [-1, 0, 0, -1],
        [0, 1, 1, 0],
        [0, -1, 1, 0],
        [0, 1, -1, 0],
        [0, -1, -1, 0],
    ];
    MATRICES.iter().filter_map(|&matrix| symmetry(board, matrix)).collect()
}

fn symmetry(board: &Board, matrix: [i8; 4]) -> Option<Symmetry> {
    let [a, b, c, d] = matrix.map(i16::from);
    // Twice the coordinates relative to the middle of the box are whole numbers.
    let width = i16::from(board.width()) - 1;
    let height = i16::from(board.height()) - 1;
    let image = |point: Point| {
        let file = 2 * i16::from(board.file(point)) - width;
        let rank = 2 * i16::from(board.rank(point)) - height;
        let place = |turned: i16, size: i16| u8::try_from((turned + size) / 2).ok().filter(|_| turned + size >= 0);
        board.at(place(a * file + b * rank, width)?, place(c * file + d * rank, height)?)
    };
    let mut images: Vec<Point> = (0..board.cells()).map(|cell| Point(cell as u8)).collect();
    for &point in board.points() {
        images[point.index()] = image(point)?;
    }
    let symmetry = Symmetry { images, matrix };
    let keeps = |(from, to): (Point, Point)| board.neighbours(symmetry.point(from)).has(symmetry.point(to));
    board.lines().all(keeps).then_some(symmetry)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::shape;

    #[test]
    fn the_cross_has_eight_symmetries_and_the_chequered_board_four() {
        for (name, count) in [("cross33", 8), ("siege67", 2), ("chequered8", 4), ("hex37", 4)] {
            let board = shape(name).expect("a known shape");
            assert_eq!(symmetries(&board).len(), count, "{name}");
        }
    }
}
