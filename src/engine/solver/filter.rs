//! A Bloom filter in front of a level, for look-ups that mostly fail.

use super::peg_map::{Level, hash};
use crate::geometry::Word;

/// Bits for every position: about one absent position of that many passes the filter.
const BITS: usize = 16;
/// Positions that are looked up at once.
const BATCH: usize = 64;

/// A level behind a filter small enough for the cache: a bit for every hash (Bloom 1970, with one hash function).
pub(super) struct FilteredLevel<'a, W: Word> {
    level: &'a Level<W>,
    words: Vec<u64>,
    /// Hash bits that are not used.
    shift: u32,
}

impl<'a, W: Word> FilteredLevel<'a, W> {
    pub(super) fn new(level: &'a Level<W>) -> Self {
        let bits = (level.len() * BITS).next_power_of_two().max(64);
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
