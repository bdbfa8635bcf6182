//! Points and displacements of a board.

/// An index into the cells of a board's bounding box, rank by rank from the bottom left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point(pub u8);

impl Point {
    /// The number as an index into arrays.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A displacement in files and ranks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Vector {
    /// Files to the right; negative to the left.
    pub files: i8,
    /// Ranks up; negative down.
    pub ranks: i8,
}

impl Vector {
    /// Changes both file and rank.
    pub fn is_diagonal(self) -> bool {
        self.files != 0 && self.ranks != 0
    }
}
