//! Sets of pairs of points, and maps of such sets.

use std::array::from_fn;
use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor, Not};

use super::foxes::Placements;
use crate::geometry::bits;

/// The most points of a board whose pairs fit.
pub(super) const MOST_POINTS: usize = 34;

const WORDS: usize = (MOST_POINTS * (MOST_POINTS - 1) / 2).div_ceil(64);

/// A set of pairs of points: the pair of points number i and j, i < j, is bit j (j - 1) / 2 + i.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct PairSet([u64; WORDS]);

/// The bit of a pair of different points.
#[inline(always)]
pub(super) fn pair_bit(one: usize, other: usize) -> usize {
    let (low, high) = (one.min(other), one.max(other));
    high * high.wrapping_sub(1) / 2 + low
}

impl PairSet {
    /// The pair with this bit alone.
    pub(super) fn of(bit: usize) -> PairSet {
        let mut set = PairSet::default();
        set.insert(bit);
        set
    }

    #[inline(always)]
    pub(super) fn insert(&mut self, bit: usize) {
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    /// The bits of its pairs.
    pub(super) fn bits(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(index, word)| bits(word).map(move |bit| 64 * index + bit))
    }
}

impl Placements for PairSet {
    const WORDS: usize = WORDS;

    #[inline(always)]
    fn word(&self, index: usize) -> u64 {
        self.0[index]
    }

    #[inline(always)]
    fn toggle(&mut self, index: usize, word: u64) {
        self.0[index] ^= word;
    }
}

impl BitAnd for PairSet {
    type Output = PairSet;

    #[inline(always)]
    fn bitand(self, other: PairSet) -> PairSet {
        PairSet(from_fn(|index| self.0[index] & other.0[index]))
    }
}

impl BitOr for PairSet {
    type Output = PairSet;

    #[inline(always)]
    fn bitor(self, other: PairSet) -> PairSet {
        PairSet(from_fn(|index| self.0[index] | other.0[index]))
    }
}

impl BitOrAssign for PairSet {
    #[inline(always)]
    fn bitor_assign(&mut self, other: PairSet) {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
    }
}

impl BitXor for PairSet {
    type Output = PairSet;

    #[inline(always)]
    fn bitxor(self, other: PairSet) -> PairSet {
        PairSet(from_fn(|index| self.0[index] ^ other.0[index]))
    }
}

impl Not for PairSet {
    type Output = PairSet;

    #[inline(always)]
    fn not(self) -> PairSet {
        PairSet(self.0.map(|word| !word))
    }
}

/// Bits of a set whose images are looked up at a time.
const CHUNK: usize = 4;
const CHUNKS: usize = 64 / CHUNK;

/// A map of sets that joins the images of their pairs.
pub(super) struct PairMap {
    /// By chunk of a set and its value.
    chunks: Vec<[PairSet; 1 << CHUNK]>,
}

impl PairMap {
    /// `image` is asked for the image of each pair with one of the lowest `bits` bits.
    pub(super) fn new(bits: usize, image: impl Fn(usize) -> PairSet) -> PairMap {
        let images: Vec<PairSet> =
            (0..WORDS * 64).map(|bit| if bit < bits { image(bit) } else { PairSet::default() }).collect();
        let of_value = |images: &[PairSet], value: usize| {
            let chosen = images.iter().enumerate().filter(|(bit, _)| value >> bit & 1 == 1);
            chosen.fold(PairSet::default(), |all, (_, &image)| all | image)
        };
        PairMap { chunks: images.chunks(CHUNK).map(|images| from_fn(|value| of_value(images, value))).collect() }
    }

    #[inline]
    pub(super) fn apply(&self, set: PairSet) -> PairSet {
        let mut all = PairSet::default();
        let words = set.0.into_iter().zip(self.chunks.chunks_exact(CHUNKS));
        for (mut word, tables) in words.filter(|(word, _)| *word != 0) {
            for table in tables {
                all |= table[word as usize % (1 << CHUNK)];
                word >>= CHUNK;
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
