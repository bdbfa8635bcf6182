//! Sets of squares of a square grid, and how they slide by one step.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, Not};

/// A square: rank times the [stride](Squares::STRIDE) of the set type plus file, both from zero.
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

/// A set of squares of a grid of at most `STRIDE` files and ranks.
pub trait Squares:
    Copy + Eq + Debug + Send + Sync + 'static + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// Squares of one file are this far apart.
    const STRIDE: u8;
    /// The set without squares.
    const EMPTY: Self;
    /// The set of one square.
    fn of(square: Square) -> Self;
    /// The number of squares.
    fn len(self) -> u32;
    /// Whether there is no square in the set.
    fn is_empty(self) -> bool;
    /// The square of lowest index; any square when the set is empty.
    fn first(self) -> Square;
    /// The set but for the square of lowest index.
    fn without_first(self) -> Self;
    /// Every square one file up; those of the last file wrap around.
    fn east(self) -> Self;
    /// Every square one file down; those of the first file wrap around.
    fn west(self) -> Self;
    /// Every square one rank up; those of the last rank fall out.
    fn north(self) -> Self;
    /// Every square one rank down; those of the first rank fall out.
    fn south(self) -> Self;

    /// Whether the square is in the set.
    #[inline]
    fn has(self, square: Square) -> bool {
        !(self & Self::of(square)).is_empty()
    }

    /// The squares that are not in `other`.
    #[inline]
    fn minus(self, other: Self) -> Self {
        self & !other
    }

    /// The squares from low to high.
    #[inline]
    fn iter(self) -> SquareIter<Self> {
        SquareIter(self)
    }

    /// The square with `n` others below it; the set has more than `n`.
    fn nth(self, n: u32) -> Square {
        (0..n).fold(self, |set, _| set.without_first()).first()
    }

    /// The set of all these squares.
    fn collect(squares: impl IntoIterator<Item = Square>) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | Self::of(square))
    }
}

/// The squares of a set from low to high.
pub struct SquareIter<S>(S);

impl<S: Squares> Iterator for SquareIter<S> {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0.is_empty() {
            return None;
        }
        let square = self.0.first();
        self.0 = self.0.without_first();
        Some(square)
    }
}

impl Squares for u64 {
    const STRIDE: u8 = 8;
    const EMPTY: Self = 0;

    #[inline]
    fn of(square: Square) -> Self {
        1 << (square.0 & 63)
    }
    #[inline]
    fn len(self) -> u32 {
        self.count_ones()
    }
    #[inline]
    fn is_empty(self) -> bool {
        self == 0
    }
    #[inline]
    fn first(self) -> Square {
        Square(self.trailing_zeros() as u8)
    }
    #[inline]
    fn without_first(self) -> Self {
        self & self.wrapping_sub(1)
    }
    #[inline]
    fn east(self) -> Self {
        self << 1
    }
    #[inline]
    fn west(self) -> Self {
        self >> 1
    }
    #[inline]
    fn north(self) -> Self {
        self << 8
    }
    #[inline]
    fn south(self) -> Self {
        self >> 8
    }
}

/// 256 squares, four ranks of sixteen to a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wide([u64; 4]);

impl BitAnd for Wide {
    type Output = Wide;
    #[inline]
    fn bitand(self, other: Wide) -> Wide {
        Wide(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl BitOr for Wide {
    type Output = Wide;
    #[inline]
    fn bitor(self, other: Wide) -> Wide {
        Wide(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl Not for Wide {
    type Output = Wide;
    #[inline]
    fn not(self) -> Wide {
        Wide(self.0.map(|word| !word))
    }
}

impl Wide {
    #[inline]
    fn up(self, by: u32) -> Wide {
        let [a, b, c, d] = self.0;
        let carry = 64 - by;
        Wide([a << by, b << by | a >> carry, c << by | b >> carry, d << by | c >> carry])
    }

    #[inline]
    fn down(self, by: u32) -> Wide {
        let [a, b, c, d] = self.0;
        let carry = 64 - by;
        Wide([a >> by | b << carry, b >> by | c << carry, c >> by | d << carry, d >> by])
    }
}

impl Squares for Wide {
    const STRIDE: u8 = 16;
    const EMPTY: Self = Wide([0; 4]);

    #[inline]
    fn of(square: Square) -> Self {
        let mut words = [0; 4];
        words[usize::from(square.0 >> 6)] = 1 << (square.0 & 63);
        Wide(words)
    }
    #[inline]
    fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
    #[inline]
    fn is_empty(self) -> bool {
        self.0 == [0; 4]
    }
    #[inline]
    fn first(self) -> Square {
        let at = self.0.iter().position(|&word| word != 0).unwrap_or(0);
        Square((at as u32 * 64 + self.0[at].trailing_zeros()) as u8)
    }
    #[inline]
    fn without_first(mut self) -> Self {
        if let Some(word) = self.0.iter_mut().find(|word| **word != 0) {
            *word &= *word - 1;
        }
        self
    }
    #[inline]
    fn east(self) -> Self {
        self.up(1)
    }
    #[inline]
    fn west(self) -> Self {
        self.down(1)
    }
    #[inline]
    fn north(self) -> Self {
        self.up(16)
    }
    #[inline]
    fn south(self) -> Self {
        self.down(16)
    }
}
