//! Points, and sets of points as one machine word, generic over its width.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// An index into the cells of a board's bounding box, rank by rank from the bottom left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point(pub u8);

impl Point {
    /// The number as an index into arrays.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An unsigned integer that can hold a point set.
pub trait Word:
    Copy
    + Eq
    + Ord
    + Hash
    + Debug
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// The width in bits: the most points that a set holds.
    const BITS: u32;
    /// No bit set.
    const ZERO: Self;
    /// Only the lowest bit set.
    const ONE: Self;

    /// The number of bits set.
    fn count_ones(self) -> u32;
    /// The index of the lowest bit set; `BITS` when there is none.
    fn trailing_zeros(self) -> u32;
    /// Moves every bit up by `by` places; bits that leave at the top come in at the bottom.
    fn rotate_left(self, by: u32) -> Self;
    /// The difference, modulo two to the power of `BITS`.
    fn wrapping_sub(self, other: Self) -> Self;
    /// The low bits of a 128-bit word.
    fn truncate(word: u128) -> Self;
    /// The number in 128 bits.
    fn widen(self) -> u128;
    /// The eight bits from bit `8 * number` on; `number` is below `BITS / 8`.
    fn byte(self, number: usize) -> u8;

    /// Clears the lowest bit set; zero stays zero.
    #[inline]
    fn without_lowest(self) -> Self {
        self & self.wrapping_sub(Self::ONE)
    }
}

macro_rules! impl_word {
    ($($word:ty),*) => {$(
        impl Word for $word {
            const BITS: u32 = <$word>::BITS;
            const ZERO: Self = 0;
            const ONE: Self = 1;
            #[inline]
            fn count_ones(self) -> u32 { <$word>::count_ones(self) }
            #[inline]
            fn trailing_zeros(self) -> u32 { <$word>::trailing_zeros(self) }
            #[inline]
            fn rotate_left(self, by: u32) -> Self { <$word>::rotate_left(self, by) }
            #[inline]
            fn wrapping_sub(self, other: Self) -> Self { <$word>::wrapping_sub(self, other) }
            fn truncate(word: u128) -> Self { word as $word }
            fn widen(self) -> u128 { u128::from(self) }
            #[inline]
            fn byte(self, number: usize) -> u8 { (self >> (8 * number)) as u8 }
        }
    )*};
}
impl_word!(u32, u64, u128);

/// The indices of the bits of a word, from low to high.
#[inline(always)]
pub(crate) fn bits<W: Word>(word: W) -> impl Iterator<Item = usize> {
    singles(word).map(|bit| bit.trailing_zeros() as usize)
}

/// The bits of a word, each as a word of its own, from low to high.
#[inline(always)]
pub(crate) fn singles<W: Word>(mut word: W) -> impl Iterator<Item = W> {
    std::iter::from_fn(move || {
        let rest = word.without_lowest();
        let lowest = word ^ rest;
        word = rest;
        (lowest != W::ZERO).then_some(lowest)
    })
}

/// All subsets of a word's bits, ordered as binary numbers: the empty one first, the word itself last.
pub(crate) fn subsets<W: Word>(word: W) -> impl Iterator<Item = W> {
    let after = move |subset: &W| {
        let next = subset.wrapping_sub(word) & word;
        (next != W::ZERO).then_some(next)
    };
    std::iter::successors(Some(W::ZERO), after)
}

/// A set of points of one board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PointSet<W: Word>(W);

impl<W: Word> PointSet<W> {
    /// The set without points.
    pub const EMPTY: Self = PointSet(W::ZERO);

    /// The set of one point.
    #[inline]
    pub fn of(point: Point) -> Self {
        PointSet(W::ONE.rotate_left(u32::from(point.0)))
    }

    /// Narrows a wide set; points beyond the word are lost.
    pub fn narrow(set: PointSet<u128>) -> Self {
        PointSet(W::truncate(set.0))
    }

    /// The set in the widest word.
    pub fn widen(self) -> PointSet<u128> {
        PointSet(self.0.widen())
    }

    /// The set as a word: the bit at a point's index is set if the point is in the set.
    #[inline]
    pub fn word(self) -> W {
        self.0
    }

    /// The set of a word's bits; the inverse of [`word`](PointSet::word).
    #[inline]
    pub fn from_word(word: W) -> Self {
        PointSet(word)
    }

    /// Whether the point is in the set.
    #[inline]
    pub fn has(self, point: Point) -> bool {
        !self.is_disjoint(Self::of(point))
    }

    /// This set with the point added.
    pub fn with(self, point: Point) -> Self {
        self | Self::of(point)
    }

    /// This set with the point removed.
    pub fn without(self, point: Point) -> Self {
        self - Self::of(point)
    }

    /// The number of points.
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is no point in the set.
    pub fn is_empty(self) -> bool {
        self.0 == W::ZERO
    }

    /// Whether no point is in both sets.
    pub fn is_disjoint(self, other: Self) -> bool {
        (self & other).is_empty()
    }

    /// Whether every point is also in `other`.
    pub fn is_subset(self, other: Self) -> bool {
        (self - other).is_empty()
    }

    /// The point of lowest index.
    pub fn first(self) -> Option<Point> {
        (!self.is_empty()).then(|| Point(self.0.trailing_zeros() as u8))
    }

    /// The point with `n` others below it; the set has more than `n` points.
    pub fn nth(self, n: u32) -> Option<Point> {
        let mut word = self.0;
        for _ in 0..n {
            word = word.without_lowest();
        }
        PointSet(word).first()
    }

    /// Moves every point by the left rotation `by`, which [`rotation`](PointSet::rotation) makes from a signed
    /// distance; callers first mask off points that would leave the board.
    #[inline]
    pub fn rotated(self, by: u32) -> Self {
        PointSet(self.0.rotate_left(by))
    }

    /// The left rotation that moves points by a signed index distance, for [`rotated`](PointSet::rotated).
    pub fn rotation(distance: i32) -> u32 {
        distance.rem_euclid(W::BITS as i32) as u32
    }

    /// The points from low to high.
    pub fn iter(self) -> Iter<W> {
        Iter(self.0)
    }
}

impl<W: Word> IntoIterator for PointSet<W> {
    type Item = Point;
    type IntoIter = Iter<W>;
    fn into_iter(self) -> Iter<W> {
        self.iter()
    }
}

/// Iterator over the points of a set, from low to high.
#[derive(Clone, Debug)]
pub struct Iter<W: Word>(W);

impl<W: Word> Iterator for Iter<W> {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        let point = PointSet(self.0).first()?;
        self.0 = self.0.without_lowest();
        Some(point)
    }
}

impl<W: Word> BitAnd for PointSet<W> {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        PointSet(self.0 & other.0)
    }
}

impl<W: Word> BitOr for PointSet<W> {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        PointSet(self.0 | other.0)
    }
}

impl<W: Word> BitXor for PointSet<W> {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        PointSet(self.0 ^ other.0)
    }
}

impl<W: Word> std::ops::Sub for PointSet<W> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        PointSet(self.0 & !other.0)
    }
}

impl<W: Word> BitOrAssign for PointSet<W> {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl<W: Word> BitXorAssign for PointSet<W> {
    fn bitxor_assign(&mut self, other: Self) {
        *self = *self ^ other;
    }
}

impl<W: Word> FromIterator<Point> for PointSet<W> {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        points.into_iter().fold(Self::EMPTY, |set, point| set.with(point))
    }
}
