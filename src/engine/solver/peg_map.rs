//! A map and set of positions with open addressing.

use super::puzzle::{GaveUp, WorkLimits};
use crate::geometry::Word;
use crate::parallel;

/// A map from positions with at least one peg. The empty position marks a free slot.
#[derive(Clone, Debug)]
pub(super) struct PegMap<W: Word, V> {
    keys: Vec<W>,
    values: Vec<V>,
    len: usize,
}

/// The positions after so many jumps, the smallest of each orbit.
pub(super) type Level<W> = PegMap<W, ()>;

const SMALLEST: usize = 64;
/// 2^64 divided by the golden ratio.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
/// Three quarters of the slots may be taken.
const FULL: (usize, usize) = (3, 4);

/// Positions that are looked up at once.
const BATCH: usize = 64;

/// A table has so many parts, each for the hashes that begin alike, so that threads can fill them side by side.
const PARTS: usize = 16;
/// Slots that threads share out among themselves before the next look at the limits.
pub(super) const ROUND: usize = 1 << 16;
/// Slots that a thread takes at a time.
const CHUNK: usize = 1024;

/// Fibonacci hashing twice (Knuth, The Art of Computer Programming 3, 6.4): once leaves the regular patterns of pegs in
/// long runs. The high bits are the best.
#[inline(always)]
fn hash<W: Word>(key: W) -> u64 {
    let wide = key.widen();
    let mixed = (wide as u64 ^ ((wide >> 64) as u64).rotate_left(29)).wrapping_mul(GOLDEN);
    (mixed ^ (mixed >> 32)).wrapping_mul(GOLDEN)
}

/// Where a position belongs in a table: the high half of a product spreads the hash over any number of slots.
#[inline(always)]
fn home_of<W: Word>(key: W, slots: usize) -> usize {
    ((u128::from(hash(key)) * slots as u128) >> 64) as usize
}

impl<W: Word, V: Copy + Default> PegMap<W, V> {
    /// A table that holds `len` positions without growing.
    pub(super) fn with_room(len: usize) -> Self {
        let slots = (len * FULL.1 / FULL.0 + 1).max(SMALLEST).next_multiple_of(PARTS);
        PegMap { keys: vec![W::ZERO; slots], values: vec![V::default(); slots], len: 0 }
    }

    pub(super) fn new() -> Self {
        PegMap::with_room(0)
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The memory that the table takes.
    pub(super) fn bytes(&self) -> usize {
        self.keys.len() * (size_of::<W>() + size_of::<V>())
    }

    #[inline(always)]
    fn home(&self, key: W) -> usize {
        home_of(key, self.keys.len())
    }

    /// The slot of a position, or the free one where it belongs.
    #[inline(always)]
    fn slot(&self, key: W) -> usize {
        let mut slot = self.home(key);
        while self.keys[slot] != key && self.keys[slot] != W::ZERO {
            slot += 1;
            if slot == self.keys.len() {
                slot = 0;
            }
        }
        slot
    }

    #[inline(always)]
    pub(super) fn has(&self, key: W) -> bool {
        self.keys[self.slot(key)] != W::ZERO
    }

    #[inline(always)]
    pub(super) fn get(&self, key: W) -> Option<V> {
        let slot = self.slot(key);
        (self.keys[slot] != W::ZERO).then(|| self.values[slot])
    }

    /// Adds a position with the default value; false if it was there already.
    #[inline(always)]
    pub(super) fn insert(&mut self, key: W) -> bool {
        let slot = self.slot(key);
        if self.keys[slot] != W::ZERO {
            return false;
        }
        self.keys[slot] = key;
        self.len += 1;
        self.make_room(0);
        true
    }

    /// Sees to it that so many more positions fit.
    #[inline(always)]
    fn make_room(&mut self, more: usize) {
        if (self.len + more) * FULL.1 > self.keys.len() * FULL.0 {
            self.grow(more);
        }
    }

    #[cold]
    fn grow(&mut self, more: usize) {
        let mut larger = PegMap::with_room((self.len + more) * 3 / 2);
        for (&key, &value) in self.keys.iter().zip(&self.values) {
            if key != W::ZERO {
                let slot = larger.slot(key);
                larger.keys[slot] = key;
                larger.values[slot] = value;
            }
        }
        larger.len = self.len;
        *self = larger;
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = W> {
        taken(&self.keys)
    }
}

impl<W: Word, V: Copy + Default + Send + Sync> PegMap<W, V> {
    /// The sum of what `term` says of every entry, or the greatest number. Works on all threads.
    pub(super) fn sum(&self, term: impl Fn(W, V) -> u128 + Sync) -> u128 {
        let chunks = self.keys.chunks(CHUNK).zip(self.values.chunks(CHUNK));
        let sums = parallel::map(chunks, |(keys, values)| {
            let taken = keys.iter().zip(values).filter(|(key, _)| **key != W::ZERO);
            taken.map(|(&key, &value)| term(key, value)).fold(0, u128::saturating_add)
        });
        sums.into_iter().fold(0, u128::saturating_add)
    }
}

/// The positions in a run of slots.
pub(super) fn taken<W: Word>(slots: &[W]) -> impl Iterator<Item = W> {
    slots.iter().copied().filter(|&key| key != W::ZERO)
}

impl<W: Word> Level<W> {
    /// The same level without much more room than it needs.
    pub(super) fn compact(self) -> Self {
        if 2 * self.len * FULL.1 < self.keys.len() * FULL.0 { self.keys().collect() } else { self }
    }

    /// A level of these positions. Room is made for all of them first: a table that grew while it took them in the
    /// order of another table would be one long run of taken slots.
    pub(super) fn of(found: &[Sorted<W>]) -> Self {
        let mut level = PegMap::with_room(found.iter().map(Sorted::len).sum());
        level.insert_all(found);
        level
    }

    /// All slots, free ones among them; see [`taken`].
    pub(super) fn slots(&self) -> &[W] {
        &self.keys
    }

    /// The same positions, each with what `value` says of it. Works on all threads.
    ///
    /// # Errors
    /// The limits ended the work first.
    pub(super) fn with_values<V: Copy + Default + Send>(
        self,
        limits: &WorkLimits<'_>,
        value: impl Fn(W) -> V + Sync,
    ) -> Result<PegMap<W, V>, GaveUp> {
        let value = |&key: &W| if key == W::ZERO { V::default() } else { value(key) };
        let mut values = Vec::with_capacity(self.keys.len());
        for round in self.keys.chunks(ROUND) {
            limits.steps(taken(round).count())?;
            let of_chunk = |keys: &[W]| keys.iter().map(value).collect::<Vec<V>>();
            values.extend(parallel::map(round.chunks(CHUNK), of_chunk).into_iter().flatten());
        }
        Ok(PegMap { keys: self.keys, values, len: self.len })
    }

    /// Adds positions on all threads.
    pub(super) fn insert_all(&mut self, found: &[Sorted<W>]) {
        self.make_room(found.iter().map(Sorted::len).sum());
        let slots = self.keys.len();
        let size = slots / PARTS;
        let parts = parallel::map(self.keys.chunks_mut(size).enumerate(), |(number, part)| {
            let mut part = LevelPart { part, first: number * size, slots, added: 0, beyond: Vec::new() };
            found.iter().for_each(|found| part.insert_all(&found.0[number]));
            (part.added, part.beyond)
        });
        let (added, beyond): (Vec<usize>, Vec<Vec<W>>) = parts.into_iter().unzip();
        self.len += added.into_iter().sum::<usize>();
        for key in beyond.into_iter().flatten() {
            self.insert(key);
        }
    }
}

/// Positions sorted by the parts of a table that they belong in.
pub(super) struct Sorted<W>([Vec<W>; PARTS]);

impl<W: Word> Sorted<W> {
    pub(super) fn new(keys: &[W]) -> Self {
        let mut parts = std::array::from_fn(|_| Vec::with_capacity(keys.len() / PARTS * 5 / 4));
        for &key in keys {
            parts[(hash(key) >> (u64::BITS - PARTS.ilog2())) as usize].push(key);
        }
        Sorted(parts)
    }

    fn len(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }
}

/// A part of a level's slots.
struct LevelPart<'a, W> {
    part: &'a mut [W],
    /// The number of its first slot, and of all slots of the table.
    first: usize,
    slots: usize,
    added: usize,
    /// What found no free slot up to the end of the part.
    beyond: Vec<W>,
}

impl<W: Word> LevelPart<'_, W> {
    /// Looking at all homes before the first decision keeps the memory busy.
    fn insert_all(&mut self, keys: &[W]) {
        let mut homes = [(0, W::ZERO); BATCH];
        for keys in keys.chunks(BATCH) {
            for (home, &key) in homes.iter_mut().zip(keys) {
                let slot = home_of(key, self.slots) - self.first;
                *home = (slot, self.part[slot]);
            }
            for (&(slot, found), &key) in homes.iter().zip(keys) {
                if found != key {
                    self.insert(slot, key);
                }
            }
        }
    }

    #[inline(always)]
    fn insert(&mut self, home: usize, key: W) {
        match self.part[home..].iter_mut().find(|slot| **slot == key || **slot == W::ZERO) {
            Some(slot) => {
                self.added += usize::from(*slot != key);
                *slot = key;
            }
            None => self.beyond.push(key),
        }
    }
}

impl<W: Word> FromIterator<W> for Level<W> {
    fn from_iter<I: IntoIterator<Item = W>>(keys: I) -> Self {
        Level::of(&[Sorted::new(&keys.into_iter().collect::<Vec<_>>())])
    }
}

/// Bits for every position: about one absent position of that many passes the filter.
const FILTER_BITS: usize = 16;
/// A level behind a filter small enough for the cache: a bit for every hash (Bloom 1970, with one hash function).
pub(super) struct FilteredLevel<'a, W: Word> {
    level: &'a Level<W>,
    words: Vec<u64>,
    /// Hash bits that are not used.
    shift: u32,
}

impl<'a, W: Word> FilteredLevel<'a, W> {
    pub(super) fn new(level: &'a Level<W>) -> Self {
        let bits = (level.len() * FILTER_BITS).next_power_of_two().max(64);
        let mut filtered = FilteredLevel { level, words: vec![0; bits / 64], shift: u64::BITS - bits.trailing_zeros() };
        for pegs in level.keys() {
            let (word, bit) = filtered.place(pegs);
            filtered.words[word] |= 1 << bit;
        }
        filtered
    }

    #[inline(always)]
    fn place(&self, pegs: W) -> (usize, u32) {
        let hash = hash(pegs) >> self.shift;
        ((hash / 64) as usize, (hash % 64) as u32)
    }

    /// Calls `see` with the places of those of these positions that are in the level, in their order. Looking at all
    /// their bits before the first decision keeps the memory busy.
    #[inline(always)]
    pub(super) fn for_each_known(&self, keys: &[W], mut see: impl FnMut(usize)) {
        for (start, keys) in keys.chunks(BATCH).enumerate().map(|(chunk, keys)| (chunk * BATCH, keys)) {
            let mut passed = 0u64;
            for (at, &key) in keys.iter().enumerate() {
                let (word, bit) = self.place(key);
                passed |= (self.words[word] >> bit & 1) << at;
            }
            while passed != 0 {
                let at = passed.trailing_zeros() as usize;
                passed &= passed - 1;
                if self.level.has(keys[at]) {
                    see(start + at);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn what_finds_no_room_at_the_end_stands_at_the_beginning() {
        let is_last = |&key: &u64| home_of(key, SMALLEST) >= SMALLEST - 2;
        let keys: Vec<u64> = (1..).filter(is_last).take(9).collect();
        let mut level = Level::<u64>::new();
        level.insert_all(&[Sorted::new(&keys)]);
        assert_eq!((level.len(), level.slots().len()), (9, SMALLEST));
        assert!(keys.iter().all(|&key| level.has(key)));
        assert_eq!(taken(&level.slots()[..7]).count(), 7);
    }

    #[test]
    fn parts_hold_what_was_added_wherever_it_found_room() {
        let key = |number: u64| number.wrapping_mul(0x0123_4567_89AB_CDEF) | 1;
        let (mut level, mut expected) = (Level::<u64>::new(), BTreeSet::new());
        // Each round brings new positions, old ones, and the same one twice; the first fill the smallest table.
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
