//! Sets as 64-bit words: one word for points, nine for pairs of points.

use std::array::from_fn;
use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor, Not};

use crate::geometry::{PointSet, Word, bits, singles};

/// The set as one word, for boards of at most 64 cells.
pub(super) fn word<W: Word>(set: PointSet<W>) -> u64 {
    set.widen().word() as u64
}

/// A symmetry of the board as a map of sets of points.
#[derive(Clone, Debug)]
pub(super) struct WordMap {
    /// By byte of a word, then its value: the image.
    bytes: Vec<[u64; 256]>,
}

impl WordMap {
    /// The map in which `image` gives the image of each point of `all`, as sets of one point.
    pub(super) fn new(all: u64, image: impl Fn(u64) -> u64) -> WordMap {
        let images = |set: u64| singles(set & all).fold(0, |images, point| images | image(point));
        let table = |byte: u32| std::array::from_fn(|value| images((value as u64) << (8 * byte)));
        WordMap { bytes: (0..(64 - all.leading_zeros()).div_ceil(8)).map(table).collect() }
    }

    /// The image of a set of points of the board.
    #[inline(always)]
    pub(super) fn apply(&self, set: u64) -> u64 {
        let image = |(byte, table): (usize, &[u64; 256])| table[usize::from((set >> (8 * byte)) as u8)];
        self.bytes.iter().enumerate().map(image).fold(0, |all, image| all | image)
    }
}

/// Moves the bits of some points together into the lowest bits, and back.
#[derive(Clone, Debug)]
pub(super) struct Packing {
    /// Runs of neighbouring points: their bits, and the distance by which they move down.
    runs: Vec<(u64, u32)>,
}

impl Packing {
    pub(super) fn new(points: u64) -> Packing {
        let mut runs = Vec::new();
        let mut packed = 0;
        let mut left = points;
        while left != 0 {
            let start = left.trailing_zeros();
            let length = (left >> start).trailing_ones();
            let run = (u64::MAX >> (64 - length)) << start;
            runs.push((run, start - packed));
            packed += length;
            left &= !run;
        }
        Packing { runs }
    }

    #[inline(always)]
    pub(super) fn packed(&self, set: u64) -> u64 {
        self.runs.iter().fold(0, |all, &(run, down)| all | (set & run) >> down)
    }
}

/// A set of bits in several words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Words<const N: usize>(pub [u64; N]);

impl<const N: usize> Words<N> {
    #[inline(always)]
    fn zip(self, other: Self, join: impl Fn(u64, u64) -> u64) -> Self {
        Words(from_fn(|index| join(self.0[index], other.0[index])))
    }
}

impl<const N: usize> Default for Words<N> {
    fn default() -> Self {
        Words([0; N])
    }
}

impl<const N: usize> BitAnd for Words<N> {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |one, other| one & other)
    }
}

impl<const N: usize> BitOr for Words<N> {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |one, other| one | other)
    }
}

impl<const N: usize> BitOrAssign for Words<N> {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
    }
}

impl<const N: usize> BitXor for Words<N> {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        self.zip(other, |one, other| one ^ other)
    }
}

impl<const N: usize> Not for Words<N> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Words(self.0.map(|word| !word))
    }
}

/// The most points of a board whose pairs fit the words of a set.
pub(super) const MOST_POINTS: usize = 34;

const PAIR_WORDS: usize = (MOST_POINTS * (MOST_POINTS - 1) / 2).div_ceil(64);

/// A set of pairs of points: the pair of points number i and j, i < j, is bit j (j - 1) / 2 + i.
pub(super) type PairSet = Words<PAIR_WORDS>;

/// The bit of a pair of different points, given by their numbers.
#[inline(always)]
pub(super) fn pair_bit(one: usize, other: usize) -> usize {
    let (low, high) = (one.min(other), one.max(other));
    high * high.wrapping_sub(1) / 2 + low
}

impl PairSet {
    /// The set of the one pair with this bit.
    pub(super) fn of(bit: usize) -> PairSet {
        let mut set = PairSet::default();
        set.insert(bit);
        set
    }

    #[inline(always)]
    pub(super) fn insert(&mut self, bit: usize) {
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    /// The bits of the pairs in the set.
    pub(super) fn bits(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(index, word)| bits(word).map(move |bit| 64 * index + bit))
    }
}

/// Bits of a set whose images are looked up together.
const PART_BITS: usize = 4;
const PARTS: usize = 64 / PART_BITS;

/// A map of sets of pairs: the union of the images of their pairs.
pub(super) struct PairMap {
    /// By part of a set, then its value: the image.
    parts: Vec<[PairSet; 1 << PART_BITS]>,
}

impl PairMap {
    /// The map in which `image` gives the image of the pair with each of the lowest `bits` bits.
    pub(super) fn new(bits: usize, image: impl Fn(usize) -> PairSet) -> PairMap {
        let images: Vec<PairSet> =
            (0..PAIR_WORDS * 64).map(|bit| if bit < bits { image(bit) } else { PairSet::default() }).collect();
        let of_value = |images: &[PairSet], value: usize| {
            let chosen = images.iter().enumerate().filter(|(bit, _)| value >> bit & 1 == 1);
            chosen.fold(PairSet::default(), |all, (_, &image)| all | image)
        };
        PairMap { parts: images.chunks(PART_BITS).map(|images| from_fn(|value| of_value(images, value))).collect() }
    }

    #[inline]
    pub(super) fn apply(&self, set: PairSet) -> PairSet {
        let mut all = PairSet::default();
        let words = set.0.into_iter().zip(self.parts.chunks_exact(PARTS));
        for (mut word, tables) in words.filter(|(word, _)| *word != 0) {
            for table in tables {
                all |= table[word as usize % (1 << PART_BITS)];
                word >>= PART_BITS;
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::subsets;

    #[test]
    fn subsets_come_in_the_order_of_their_packed_bits() {
        let points = 0b1011_0000_0001_0110;
        let packing = Packing::new(points);
        let packed: Vec<u64> = subsets(points).map(|set| packing.packed(set)).collect();
        assert_eq!(packed, (0..64).collect::<Vec<_>>());
        assert_eq!(subsets(0u64).collect::<Vec<_>>(), [0]);
    }

    #[test]
    fn maps_take_points_one_by_one() {
        let all = 0xffff_ffff_ff00;
        let map = WordMap::new(all, |point| 1 << (55 - point.trailing_zeros()));
        assert_eq!(map.apply(0x0300_0000_0100), 1 << 47 | 0b11 << 14);
        assert_eq!(map.apply(all), all);
    }

    #[test]
    fn pairs_are_numbered_without_gaps() {
        let bits: Vec<usize> =
            (0..MOST_POINTS).flat_map(|high| (0..high).map(move |low| pair_bit(high, low))).collect();
        assert_eq!(bits, (0..561).collect::<Vec<_>>());
        let set = bits.iter().step_by(3).fold(PairSet::default(), |set, &bit| set | PairSet::of(bit));
        assert!(set.bits().eq((0..561).step_by(3)));
    }

    #[test]
    fn maps_join_the_images_of_all_pairs() {
        let map = PairMap::new(528, |bit| PairSet::of(527 - bit) | PairSet::of(bit / 2));
        let set = [0, 5, 63, 64, 300, 527].into_iter().map(PairSet::of).fold(PairSet::default(), |all, one| all | one);
        let images = [527, 0, 522, 2, 464, 31, 463, 32, 227, 150, 263];
        let expected = images.into_iter().map(PairSet::of).fold(PairSet::default(), |all, one| all | one);
        assert!(map.apply(set) == expected);
        assert!(map.apply(PairSet::of(530)) == PairSet::default());
    }
}
