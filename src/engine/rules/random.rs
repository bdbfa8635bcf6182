//! Random streams, uniform and weighted draws, and the mixing of numbers for hash keys.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::geometry::{Point, PointSet, Word};

/// ChaCha8 with this seed and the stream of this number: what number n draws depends on no other number.
pub fn stream(seed: u64, number: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number);
    rng
}

/// A number below `count` from 32 random bits; the bias is below count / 2^32 (Lemire 2019).
#[inline]
pub(crate) fn below<R: Rng>(count: u32, rng: &mut R) -> u32 {
    ((u64::from(rng.next_u32()) * u64::from(count)) >> 32) as u32
}

/// Draws one of the outcomes by its probability; the remainder by rounding belongs to the last one.
pub fn draw<'a, T, R: Rng>(outcomes: &'a [(T, f64)], rng: &mut R) -> Option<&'a T> {
    draw_index(outcomes, rng).map(|index| &outcomes[index].0)
}

/// Draws the index of one of the outcomes by its probability; the remainder by rounding belongs to the last one.
pub(crate) fn draw_index<T, R: Rng>(outcomes: &[(T, f64)], rng: &mut R) -> Option<usize> {
    let mut left: f64 = rng.random();
    let drawn = outcomes.iter().position(|(_, probability)| {
        left -= probability;
        left < 0.0
    });
    drawn.or(outcomes.len().checked_sub(1))
}

/// Draws one of the points, all equally likely; `None` from the empty set.
pub(crate) fn pick<W: Word, R: Rng>(set: PointSet<W>, rng: &mut R) -> Option<Point> {
    if set.is_empty() { None } else { set.nth(below(set.len(), rng)) }
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): spreads consecutive numbers over all bits.
pub(super) const fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The hash mix of `seed` and the numbers after it.
pub(super) const fn mixed<const N: usize>(seed: u64) -> [u64; N] {
    let mut keys = [0; N];
    let mut i = 0;
    while i < N {
        keys[i] = mix(seed + i as u64);
        i += 1;
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rolls_follow_their_probabilities() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let outcomes = [('a', 0.1), ('b', 0.6), ('c', 0.3)];
        let mut counts = [0; 3];
        (0..10_000).for_each(|_| counts[draw_index(&outcomes, &mut rng).unwrap()] += 1);
        for (count, (_, probability)) in counts.iter().zip(outcomes) {
            assert!((f64::from(*count) / 10_000.0 - probability).abs() < 0.02);
        }
    }
}
