//! Sets of squares of a square grid, and how they slide by one step.

use std::ops::{BitAnd, BitOr, Sub};

/// A square: rank times the [stride](Squares::STRIDE) of the sets plus file, both from zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(pub u8);

/// The four directions of a step; the opposite of one is its index with the lowest bit flipped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    East,
    West,
    North,
    South,
}

impl Direction {
    pub(super) const ALL: [Direction; 4] = [Direction::East, Direction::West, Direction::North, Direction::South];
}

/// A set of squares in `N` words of 64 bits: one for grids up to size 8, four for grids up to size 16.
///
/// Words are counted by plain loops: with iterators over one word the search for moves took a third longer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Squares<const N: usize>([u64; N]);

impl<const N: usize> Squares<N> {
    /// The largest size of a grid; squares of one file are this far apart.
    pub const STRIDE: u8 = if N == 1 { 8 } else { 16 };
    /// The set without squares.
    pub const EMPTY: Self = Squares([0; N]);

    /// The set of one square.
    #[inline]
    pub fn of(square: Square) -> Self {
        let mut set = Squares::EMPTY;
        set.0[usize::from(square.0 / 64) % N] = 1 << (square.0 % 64);
        set
    }

    /// The number of squares.
    #[inline]
    pub fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether there is no square in the set.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Whether the square is in the set.
    #[inline]
    pub fn has(self, square: Square) -> bool {
        !(self & Squares::of(square)).is_empty()
    }

    /// The square of lowest index; any square when the set is empty.
    #[inline]
    pub fn first(self) -> Square {
        let at = self.0.iter().position(|&word| word != 0).unwrap_or(0);
        Square((at as u32 * 64 + self.0[at].trailing_zeros()) as u8)
    }

    /// The set but for the square of lowest index.
    #[inline]
    fn without_first(mut self) -> Self {
        if let Some(word) = self.0.iter_mut().find(|word| **word != 0) {
            *word &= *word - 1;
        }
        self
    }

    /// The squares from low to high.
    #[inline]
    pub fn iter(mut self) -> impl Iterator<Item = Square> {
        std::iter::from_fn(move || {
            let square = (!self.is_empty()).then(|| self.first());
            self = self.without_first();
            square
        })
    }

    /// Every square one step on. What leaves at the edge of a file comes in at the next rank, what leaves the last rank
    /// or the first is lost.
    #[inline(always)]
    pub(super) fn slid(self, direction: Direction) -> Self {
        match direction {
            Direction::East => self.up(1),
            Direction::West => self.down(1),
            Direction::North => self.up(Self::STRIDE),
            Direction::South => self.down(Self::STRIDE),
        }
    }

    #[inline(always)]
    fn up(self, by: u8) -> Self {
        let mut set = self;
        for i in 0..N {
            set.0[i] = self.0[i] << by;
            if i > 0 {
                set.0[i] |= self.0[i - 1] >> (64 - by);
            }
        }
        set
    }

    #[inline(always)]
    fn down(self, by: u8) -> Self {
        let mut set = self;
        for i in 0..N {
            set.0[i] = self.0[i] >> by;
            if i + 1 < N {
                set.0[i] |= self.0[i + 1] << (64 - by);
            }
        }
        set
    }
}

impl<const N: usize> FromIterator<Square> for Squares<N> {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Squares::EMPTY, |set, square| set | Squares::of(square))
    }
}

impl<const N: usize> BitAnd for Squares<N> {
    type Output = Self;
    #[inline(always)]
    fn bitand(mut self, other: Self) -> Self {
        for i in 0..N {
            self.0[i] &= other.0[i];
        }
        self
    }
}

impl<const N: usize> BitOr for Squares<N> {
    type Output = Self;
    #[inline(always)]
    fn bitor(mut self, other: Self) -> Self {
        for i in 0..N {
            self.0[i] |= other.0[i];
        }
        self
    }
}

impl<const N: usize> Sub for Squares<N> {
    type Output = Self;
    #[inline(always)]
    fn sub(mut self, other: Self) -> Self {
        for i in 0..N {
            self.0[i] &= !other.0[i];
        }
        self
    }
}
