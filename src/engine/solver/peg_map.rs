//! Maps and sets of positions, in parts that threads fill side by side.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::puzzle::{GaveUp, WorkLimits};
use crate::geometry::Word;
use crate::parallel;

/// A map from positions; the hash of a position decides in which part it is.
#[derive(Clone, Debug)]
pub(super) struct PegMap<W: Word, V> {
    parts: [HashMap<W, V, BuildHasherDefault<PegHasher>>; PARTS],
}

/// The positions after a number of jumps, the smallest of each orbit.
pub(super) type Level<W> = PegMap<W, ()>;

const PARTS: usize = 16;
/// Positions that threads work on before the next look at the limits.
pub(super) const ROUND: usize = 1 << 16;

/// Fibonacci hashing twice (Knuth, The Art of Computer Programming 3, 6.4): once leaves the regular patterns of pegs in
/// long runs. The high bits are the best.
#[derive(Clone, Default)]
pub(super) struct PegHasher(u64);

/// 2^64 divided by the golden ratio.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

impl Hasher for PegHasher {
    #[inline(always)]
    fn write_u64(&mut self, key: u64) {
        let mixed = (self.0.rotate_left(29) ^ key).wrapping_mul(GOLDEN);
        self.0 = (mixed ^ (mixed >> 32)).wrapping_mul(GOLDEN);
    }

    #[inline(always)]
    fn write_u128(&mut self, key: u128) {
        self.write_u64(key as u64 ^ ((key >> 64) as u64).rotate_left(29));
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    /// The map finds the place by the lowest bits of what this returns, up to 2^32 places, and tells keys apart by the
    /// highest seven. Between them go the four bits that chose the part, which all keys of a part share.
    #[inline(always)]
    fn finish(&self) -> u64 {
        self.0.rotate_left(36)
    }
}

#[inline(always)]
fn part_of<W: Word>(key: W) -> usize {
    let mut hasher = PegHasher::default();
    key.hash(&mut hasher);
    (hasher.0 >> (u64::BITS - PARTS.ilog2())) as usize
}

impl<W: Word, V: Copy + Send + Sync> PegMap<W, V> {
    pub(super) fn new() -> Self {
        PegMap { parts: std::array::from_fn(|_| HashMap::default()) }
    }

    pub(super) fn len(&self) -> usize {
        self.parts.iter().map(HashMap::len).sum()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The memory that the map takes: an eighth of its places stays free, and each has a byte of its own.
    pub(super) fn bytes(&self) -> usize {
        self.parts.iter().map(|part| part.capacity() * 8 / 7 * (size_of::<(W, V)>() + 1)).sum()
    }

    /// The memory that a map of the same positions with other values takes; see [`Level::with_values`].
    pub(super) fn bytes_with<T>(&self) -> usize {
        let places = |part: &HashMap<W, V, _>| (part.len() * 8 / 7 + 1).next_power_of_two();
        self.parts.iter().map(|part| places(part) * (size_of::<(W, T)>() + 1)).sum()
    }

    #[inline(always)]
    pub(super) fn has(&self, key: W) -> bool {
        self.parts[part_of(key)].contains_key(&key)
    }

    #[inline(always)]
    pub(super) fn get(&self, key: W) -> Option<V> {
        self.parts[part_of(key)].get(&key).copied()
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = W> {
        self.parts.iter().flat_map(|part| part.keys().copied())
    }

    /// The sum of `term` over every entry, or the greatest number. Works on all threads.
    pub(super) fn sum(&self, term: impl Fn(W, V) -> u128 + Sync) -> u128 {
        let of_part =
            |part: &HashMap<W, V, _>| part.iter().map(|(&key, &value)| term(key, value)).fold(0, u128::saturating_add);
        parallel::map(&self.parts, of_part).into_iter().fold(0, u128::saturating_add)
    }
}

impl<W: Word> Level<W> {
    pub(super) fn insert(&mut self, key: W) {
        self.parts[part_of(key)].insert(key, ());
    }

    /// Adds positions on all threads.
    pub(super) fn insert_all(&mut self, found: &[Sorted<W>]) {
        parallel::for_each(self.parts.iter_mut().enumerate(), |(number, part)| {
            for &key in found.iter().flat_map(|found| &found.0[number]) {
                part.insert(key, ());
            }
        });
    }

    /// A map of these positions with the `value` of each. Works on all threads.
    ///
    /// # Errors
    /// The limits ended the work first.
    pub(super) fn with_values<V: Copy + Send + Sync>(
        self,
        limits: &WorkLimits<'_>,
        value: impl Fn(W) -> V + Sync,
    ) -> Result<PegMap<W, V>, GaveUp> {
        limits.steps(self.len())?;
        let mut map = PegMap::new();
        parallel::try_map(self.parts.into_iter().zip(&mut map.parts), |(part, values)| {
            values.reserve(part.len());
            for (number, key) in part.into_keys().enumerate() {
                if number.is_multiple_of(ROUND) {
                    limits.look()?;
                }
                values.insert(key, value(key));
            }
            Ok(())
        })?;
        Ok(map)
    }
}

impl<W: Word> FromIterator<W> for Level<W> {
    fn from_iter<I: IntoIterator<Item = W>>(keys: I) -> Self {
        let mut level = Level::new();
        level.insert_all(&[Sorted::new(&keys.into_iter().collect::<Vec<_>>())]);
        level
    }
}

/// Positions sorted by the parts of a map that they belong in.
pub(super) struct Sorted<W>([Vec<W>; PARTS]);

impl<W: Word> Sorted<W> {
    pub(super) fn new(keys: &[W]) -> Self {
        let mut parts = std::array::from_fn(|_| Vec::with_capacity(keys.len() / PARTS * 5 / 4));
        for &key in keys {
            parts[part_of(key)].push(key);
        }
        Sorted(parts)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::hash::Hash;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn positions_of_one_part_spread_over_all_places() {
        let hash = |key: u64| {
            let mut hasher = PegHasher::default();
            key.hash(&mut hasher);
            hasher.finish()
        };
        let of_part = |part: usize| (1..1 << 16_u64).filter(move |&key| part_of(key) == part).map(hash);
        for part in 0..PARTS {
            for bit in (0..32).chain(57..64) {
                let set = of_part(part).filter(|hash| hash >> bit & 1 == 1).count();
                assert!((1700..2400).contains(&set), "bit {bit} is set in {set} of 4096 positions of part {part}");
            }
        }
    }

    #[test]
    fn values_take_what_was_announced_and_a_stop_ends_them_within_a_part() {
        let level: Level<u64> = (1..=40 * ROUND as u64).collect();
        let announced = level.bytes_with::<u32>();
        let looks = AtomicUsize::new(0);
        // The first look is before the work, then every part of 160,000 positions has three.
        let must_stop = || looks.fetch_add(1, Ordering::Relaxed) >= 10;
        let values = AtomicUsize::new(0);
        let value = |key: u64| {
            values.fetch_add(1, Ordering::Relaxed);
            key as u32
        };
        let stopped = level.clone().with_values(&WorkLimits::new(&must_stop), value);
        assert_eq!(stopped.err(), Some(GaveUp::Stopped));
        assert!(values.into_inner() <= 10 * ROUND);
        let map = level.with_values(&WorkLimits::new(&|| false), |key| key as u32).expect("without limits");
        assert_eq!(map.bytes(), announced);
        assert_eq!((map.len(), map.get(77)), (40 * ROUND, Some(77)));
    }

    #[test]
    fn parts_hold_what_was_added() {
        let key = |number: u64| number.wrapping_mul(0x0123_4567_89AB_CDEF) | 1;
        let (mut level, mut expected) = (Level::<u64>::new(), BTreeSet::new());
        // Each round brings new positions, old ones, and one of them twice.
        for round in 0..60_u64 {
            let keys: Vec<u64> = (round * 25..round * 40 + 10).chain([round]).map(key).collect();
            let (left, right) = keys.split_at(keys.len() / 3);
            level.insert_all(&[Sorted::new(left), Sorted::new(right)]);
            expected.extend(keys);
            assert_eq!(level.keys().collect::<BTreeSet<_>>(), expected);
            assert_eq!(level.len(), expected.len());
            assert!(expected.iter().all(|&key| level.has(key)) && !level.has(key(99_999)));
        }
    }
}
