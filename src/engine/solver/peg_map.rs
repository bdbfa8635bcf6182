//! Hash maps and sets of positions, divided into parts that threads fill side by side.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::puzzle::{GaveUp, WorkLimits};
use crate::geometry::Word;
use crate::parallel;

/// A map from positions to values, in parts; the hash of a position decides its part.
#[derive(Clone, Debug)]
pub(super) struct PegMap<W: Word, V> {
    parts: [HashMap<W, V, BuildHasherDefault<PegHasher>>; PARTS],
}

/// The positions after a number of jumps, each as the smallest of its images.
pub(super) type Level<W> = PegMap<W, ()>;

const PARTS: usize = 16;
/// Values that a thread computes between two looks at the limits.
const VALUES_A_LOOK: usize = 1 << 12;

/// A hasher by two steps of Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4): one step leaves the
/// regular patterns of pegs in long runs. The high bits are the best.
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

    /// The hash map places a key by the lowest bits of this value, up to 2^32 places, and tells keys apart by the
    /// highest seven. The four bits that chose the part, equal for all its keys, go between them.
    #[inline(always)]
    fn finish(&self) -> u64 {
        self.0.rotate_left(36)
    }
}

/// The bytes of a part with this many positions; its number of places is a power of two, at least 4.
fn bytes_of<W, V>(positions: usize) -> usize {
    (positions * 8 / 7).next_power_of_two().max(4) * (size_of::<(W, V)>() + 1)
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

    /// The bytes of memory that the map takes: an eighth of its places stays free, and each has a control byte.
    pub(super) fn bytes(&self) -> usize {
        self.parts.iter().map(|part| bytes_of::<W, V>(part.capacity())).sum()
    }

    /// The bytes that a map of these positions with other values takes.
    fn bytes_with<T>(&self) -> usize {
        self.parts.iter().map(|part| bytes_of::<W, T>(part.len())).sum()
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

    /// The sum of `term` over every entry, saturating. Works on all threads.
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

    /// Adds positions on all threads; `beside` is the memory in bytes that other levels take.
    ///
    /// # Errors
    /// The level would take more memory than the limits allow.
    pub(super) fn insert_all(
        &mut self,
        found: &[Sorted<W>],
        beside: usize,
        limits: &WorkLimits<'_>,
    ) -> Result<(), GaveUp> {
        let part_after = |(number, part): (usize, &HashMap<W, (), _>)| {
            let more: usize = found.iter().map(|found| found.0[number].len()).sum();
            bytes_of::<W, ()>((part.len() + more).max(part.capacity()))
        };
        limits.hold(beside + self.parts.iter().enumerate().map(part_after).sum::<usize>())?;
        self.add(found);
        Ok(())
    }

    fn add(&mut self, found: &[Sorted<W>]) {
        parallel::for_each(self.parts.iter_mut().enumerate(), |(number, part)| {
            for &key in found.iter().flat_map(|found| &found.0[number]) {
                part.insert(key, ());
            }
        });
    }

    /// A map of these positions to the `value` of each. Works on all threads. `held` is the bytes of all maps, this one
    /// included; afterwards it counts the new map instead of this one.
    ///
    /// # Errors
    /// The limits ended the work first.
    pub(super) fn with_values<V: Copy + Send + Sync>(
        self,
        limits: &WorkLimits<'_>,
        held: &mut usize,
        value: impl Fn(W) -> V + Sync,
    ) -> Result<PegMap<W, V>, GaveUp> {
        limits.hold(*held + self.bytes_with::<V>())?;
        *held -= self.bytes();
        let mut map = PegMap::new();
        parallel::try_map(self.parts.into_iter().zip(&mut map.parts), |(part, values)| {
            let mut left = part.len();
            values.reserve(left);
            let mut keys = part.into_keys();
            while left > 0 {
                let count = left.min(VALUES_A_LOOK);
                limits.steps(count)?;
                values.extend(keys.by_ref().take(count).map(|key| (key, value(key))));
                left -= count;
            }
            Ok(())
        })?;
        *held += map.bytes();
        Ok(map)
    }
}

impl<W: Word> FromIterator<W> for Level<W> {
    fn from_iter<I: IntoIterator<Item = W>>(keys: I) -> Self {
        let mut level = Level::new();
        level.add(&[Sorted::new(&keys.into_iter().collect::<Vec<_>>())]);
        level
    }
}

/// Positions sorted by the part of a map to which they belong.
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
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Asserts that each bit of the hash that a part uses is set for about half of its positions, some 4,096.
    fn assert_spread<W: Word>(position: impl Fn(u64) -> W) {
        let hash = |key: W| {
            let mut hasher = PegHasher::default();
            key.hash(&mut hasher);
            hasher.finish()
        };
        for part in 0..PARTS {
            let hashes: Vec<u64> = (1..1 << 16).map(&position).filter(|&key| part_of(key) == part).map(hash).collect();
            for bit in (0..32).chain(57..64) {
                let set = hashes.iter().filter(|&hash| (hash >> bit) & 1 == 1).count();
                assert!((1700..2400).contains(&set), "bit {bit} is set in {set} of {} of part {part}", hashes.len());
            }
        }
    }

    #[test]
    fn positions_of_one_part_spread_over_all_places() {
        assert_spread(|number| number);
        assert_spread(|number| u128::from(number) << 60);
    }

    #[test]
    fn values_take_no_more_than_was_asked_for_and_a_stop_ends_them_within_a_part() {
        let level: Level<u64> = (1..=1 << 20_u64).collect();
        let values = AtomicUsize::new(0);
        let value = |key: u64| {
            values.fetch_add(1, Ordering::Relaxed);
            key as u32
        };
        let looks = AtomicUsize::new(0);
        let must_stop = || looks.fetch_add(1, Ordering::Relaxed) >= 10;
        let with_values = |limits: &WorkLimits<'_>| {
            let mut held = level.bytes();
            let map = level.clone().with_values(limits, &mut held, value)?;
            assert_eq!((map.len(), map.get(77)), (1 << 20, Some(77)));
            assert!(map.bytes() <= level.bytes_with::<u32>(), "{} bytes are more than were asked for", map.bytes());
            assert_eq!(held, map.bytes());
            Ok(())
        };
        assert_eq!(with_values(&WorkLimits::new(&must_stop)), Err(GaveUp::Stopped));
        assert!(values.load(Ordering::Relaxed) <= 10 * VALUES_A_LOOK);
        assert_eq!(with_values(&WorkLimits::new(&|| false)), Ok(()));
        let mut limits = WorkLimits::new(&|| false);
        limits.max_bytes = level.bytes() + level.bytes_with::<u32>() - 1;
        assert_eq!(with_values(&limits), Err(GaveUp::Memory));
        let mut limits = WorkLimits::new(&|| false);
        limits.max_nodes = 1 << 19;
        assert_eq!(with_values(&limits), Err(GaveUp::Nodes));
        assert!((1 << 18..=1 << 19).contains(&limits.nodes()), "{} positions", limits.nodes());
    }

    #[test]
    fn parts_hold_what_was_added() {
        let key = |number: u64| number.wrapping_mul(0x0123_4567_89AB_CDEF) | 1;
        let (mut level, mut expected) = (Level::<u64>::new(), BTreeSet::new());
        // Each round brings new positions, old ones, and a position twice.
        for round in 0..60_u64 {
            let keys: Vec<u64> = (round * 25..round * 40 + 10).chain([round]).map(key).collect();
            let (left, right) = keys.split_at(keys.len() / 3);
            let found = [Sorted::new(left), Sorted::new(right)];
            level.insert_all(&found, 0, &WorkLimits::new(&|| false)).expect("without limits");
            expected.extend(keys);
            assert_eq!(level.keys().collect::<BTreeSet<_>>(), expected);
            assert_eq!(level.len(), expected.len());
            assert!(expected.iter().all(|&key| level.has(key)) && !level.has(key(99_999)));
        }
    }
}
