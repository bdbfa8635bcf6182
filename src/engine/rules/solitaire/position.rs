//! Positions and moves of the solitaire family.

use crate::geometry::{Point, PointSet, Word};
use crate::rules::jumps::JumpMove;

/// The pegs on the board; there is nothing else to know.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position<W: Word> {
    pegs: PointSet<W>,
}

impl<W: Word> Position<W> {
    /// The position with exactly these pegs, all of them on points of the board.
    #[inline]
    pub fn new(pegs: PointSet<W>) -> Self {
        Position { pegs }
    }

    /// The holes with a peg.
    #[inline]
    pub fn pegs(&self) -> PointSet<W> {
        self.pegs
    }
}

/// One peg's whole chain of jumps. Two ways to jump with equal ends and captures are equal moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move<W: Word> {
    pub captured: PointSet<W>,
    pub from: Point,
    pub to: Point,
}

impl<W: Word> Move<W> {
    /// The position after the move, which is legal there.
    #[inline]
    pub fn after(self, position: &Position<W>) -> Position<W> {
        // A chain may end where it began, so the origin is emptied first.
        Position::new((position.pegs() - self.captured - PointSet::of(self.from)) | PointSet::of(self.to))
    }
}

impl<W: Word> JumpMove<W> for Move<W> {
    #[inline]
    fn jump(from: Point, to: Point, captured: PointSet<W>) -> Self {
        Move { captured, from, to }
    }

    #[inline]
    fn as_jump(self) -> Option<(Point, Point, PointSet<W>)> {
        Some((self.from, self.to, self.captured))
    }
}
