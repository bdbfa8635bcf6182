//! A map and set of positions with open addressing.

use crate::geometry::Word;

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

/// Fibonacci hashing twice (Knuth, The Art of Computer Programming 3, 6.4): once leaves the regular patterns of pegs in
/// long runs. The high bits are the best.
#[inline(always)]
pub(super) fn hash<W: Word>(key: W) -> u64 {
    let wide = key.widen();
    let mixed = (wide as u64 ^ ((wide >> 64) as u64).rotate_left(29)).wrapping_mul(GOLDEN);
    (mixed ^ (mixed >> 32)).wrapping_mul(GOLDEN)
}

impl<W: Word, V: Copy + Default> PegMap<W, V> {
    /// A table that holds `len` positions without growing.
    pub(super) fn with_room(len: usize) -> Self {
        let slots = (len * FULL.1 / FULL.0 + 1).max(SMALLEST);
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
        // The high half of a product spreads the hash over any number of slots.
        ((u128::from(hash(key)) * self.keys.len() as u128) >> 64) as usize
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

    /// Adds positions. Looking at all their homes before the first decision keeps the memory busy.
    #[inline(always)]
    pub(super) fn insert_all(&mut self, keys: &[W]) {
        let mut found = [W::ZERO; BATCH];
        for keys in keys.chunks(BATCH) {
            for (found, &key) in found.iter_mut().zip(keys) {
                *found = self.keys[self.home(key)];
            }
            for (&found, &key) in found.iter().zip(keys) {
                if found != key {
                    self.insert(key);
                }
            }
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, key: W) -> Option<V> {
        let slot = self.slot(key);
        (self.keys[slot] != W::ZERO).then(|| self.values[slot])
    }

    /// The value of a position that is in the table already.
    #[inline(always)]
    pub(super) fn get_mut(&mut self, key: W) -> Option<&mut V> {
        let slot = self.slot(key);
        (self.keys[slot] != W::ZERO).then(|| &mut self.values[slot])
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
        if self.len * FULL.1 > self.keys.len() * FULL.0 {
            self.grow();
        }
        true
    }

    #[cold]
    fn grow(&mut self) {
        let mut larger = PegMap::with_room(self.len * 3 / 2);
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
        self.keys.iter().copied().filter(|&key| key != W::ZERO)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (W, V)> {
        let pairs = self.keys.iter().copied().zip(self.values.iter().copied());
        pairs.filter(|&(key, _)| key != W::ZERO)
    }
}

impl<W: Word> FromIterator<W> for PegMap<W, ()> {
    /// The keys are counted first: a table that grew while it took them in the order of another table would be one
    /// long run of taken slots.
    fn from_iter<I: IntoIterator<Item = W>>(keys: I) -> Self {
        let keys: Vec<W> = keys.into_iter().collect();
        let mut table = PegMap::with_room(keys.len());
        table.insert_all(&keys);
        table
    }
}
