//! The transposition table: what is known about a position, shared by all threads without locks.
//!
//! Two words an entry, the key stored combined with the data, so that a torn pair never matches its key
//! (the lock-free scheme of Hyatt and Mann). Scores are stored relative to their node, not to the root.

use std::sync::atomic::{AtomicU64, Ordering};

use super::score::Score;

/// Entries in a bucket; a bucket fills one cache line.
const WAYS: usize = 4;
const WORDS_PER_BUCKET: usize = 2 * WAYS;
const BUCKET_BYTES: usize = WORDS_PER_BUCKET * size_of::<u64>();
const WORDS_PER_MIB: usize = (1 << 20) / size_of::<u64>();
const GENERATIONS: u8 = 64;
const NO_MOVE: u16 = u16::MAX;
/// Depth that an entry loses in replacement for each search since it was written.
const PLIES_PER_GENERATION: i32 = 8;
/// How many buckets the filling is estimated from.
const SAMPLED_BUCKETS: usize = 250;

/// What a stored score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Nothing: the entry holds only a move and an evaluation.
    Unknown,
    Lower,
    Upper,
    Exact,
}

impl Bound {
    fn from_bits(bits: u64) -> Bound {
        match bits & 3 {
            0 => Bound::Unknown,
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => Bound::Exact,
        }
    }

    pub fn is_lower(self) -> bool {
        matches!(self, Bound::Lower | Bound::Exact)
    }

    pub fn is_upper(self) -> bool {
        matches!(self, Bound::Upper | Bound::Exact)
    }
}

/// Knowledge about one position, from the point of view of the seat to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    pub score: Score,
    pub bound: Bound,
    /// Remaining depth in plies behind the score.
    pub depth: u8,
    /// The best move as its index in the list of legal moves.
    pub best: Option<u16>,
}

impl Entry {
    fn pack(self, generation: u8) -> u64 {
        u64::from(self.score.0 as i16 as u16)
            | u64::from(self.best.unwrap_or(NO_MOVE)) << 16
            | u64::from(self.depth) << 32
            | (self.bound as u64) << 40
            | u64::from(generation) << 42
    }

    fn unpack(data: u64) -> Entry {
        let best = (data >> 16) as u16;
        Entry {
            score: Score(i32::from(data as u16 as i16)),
            best: (best != NO_MOVE).then_some(best),
            depth: (data >> 32) as u8,
            bound: Bound::from_bits(data >> 40),
        }
    }
}

fn generation_of(data: u64) -> u8 {
    (data >> 42) as u8 % GENERATIONS
}

/// A table of fixed size; all methods that take `&self` may be called from any thread.
pub struct Table {
    words: Vec<AtomicU64>,
    /// The first word that lies at the beginning of a cache line.
    first: usize,
    buckets: usize,
    mib: usize,
    generation: u8,
}

impl Table {
    /// A table of at most `mib` MiB (at least one).
    pub fn new(mib: usize) -> Self {
        let mib = mib.max(1);
        let words = zeroed(mib * WORDS_PER_MIB);
        let misaligned = (words.as_ptr() as usize / size_of::<u64>()) % WORDS_PER_BUCKET;
        let first = (WORDS_PER_BUCKET - misaligned) % WORDS_PER_BUCKET;
        let buckets = (words.len() - first) / WORDS_PER_BUCKET;
        Table { words, first, buckets, mib, generation: 1 }
    }

    /// Takes another size and forgets everything, unless the size is the present one.
    pub fn resize(&mut self, mib: usize) {
        if mib.max(1) != self.mib {
            // The old memory goes before the new comes, so that the bound holds at every moment.
            self.words = Vec::new();
            *self = Table::new(mib);
        }
    }

    pub fn clear(&mut self) {
        self.words = Vec::new();
        *self = Table::new(self.mib);
    }

    /// Ages the entries; called once before each search.
    pub fn next_generation(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// What is stored under `key`, with a decided score counted from the root for a node at `ply`.
    pub fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        self.bucket(key).chunks_exact(2).find_map(|pair| {
            let data = pair[1].load(Ordering::Relaxed);
            let matches = pair[0].load(Ordering::Relaxed) ^ data == key && data != 0;
            matches.then(|| {
                let entry = Entry::unpack(data);
                Entry { score: from_node(entry.score, ply), ..entry }
            })
        })
    }

    /// Stores knowledge about a node at `ply`; keeps an older, clearly deeper entry of this search.
    pub fn store(&self, key: u64, ply: usize, entry: Entry) {
        let pair = self.victim(key);
        let old = pair[1].load(Ordering::Relaxed);
        let same = pair[0].load(Ordering::Relaxed) ^ old == key;
        let best = entry.best.or(if same { Entry::unpack(old).best } else { None });
        if same && self.outweighs(old, entry) {
            return;
        }
        let data = Entry { score: to_node(entry.score, ply), best, ..entry }.pack(self.generation);
        pair[0].store(key ^ data, Ordering::Relaxed);
        pair[1].store(data, Ordering::Relaxed);
    }

    /// The part of the sampled entries written by this search, in thousandths.
    pub fn fill(&self) -> u32 {
        let sample = self.buckets.min(SAMPLED_BUCKETS);
        let words = &self.words[self.first..self.first + sample * WORDS_PER_BUCKET];
        let used = words.chunks_exact(2).filter(|pair| {
            let data = pair[1].load(Ordering::Relaxed);
            data != 0 && generation_of(data) == self.generation
        });
        (used.count() * 1000 / (sample * WAYS)) as u32
    }

    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let index = ((u128::from(key) * self.buckets as u128) >> 64) as usize;
        let start = self.first + index * WORDS_PER_BUCKET;
        &self.words[start..start + WORDS_PER_BUCKET]
    }

    /// The pair that holds the key already, or else the least valuable one of the bucket.
    fn victim(&self, key: u64) -> &[AtomicU64] {
        let mut victim: &[AtomicU64] = &[];
        let mut lowest = i32::MAX;
        for pair in self.bucket(key).chunks_exact(2) {
            let data = pair[1].load(Ordering::Relaxed);
            if pair[0].load(Ordering::Relaxed) ^ data == key {
                return pair;
            }
            let worth = self.worth(data);
            if worth < lowest {
                (victim, lowest) = (pair, worth);
            }
        }
        victim
    }

    fn worth(&self, data: u64) -> i32 {
        if data == 0 {
            return i32::MIN;
        }
        let age = (self.generation + GENERATIONS - generation_of(data)) % GENERATIONS;
        i32::from(Entry::unpack(data).depth) - PLIES_PER_GENERATION * i32::from(age)
    }

    fn outweighs(&self, old: u64, new: Entry) -> bool {
        let depth = Entry::unpack(old).depth;
        new.bound != Bound::Exact && generation_of(old) == self.generation && depth > new.depth.saturating_add(3)
    }
}

const _: () = assert!(BUCKET_BYTES == 64);

/// Fresh pages from the system: the identity map is done in place, so nothing is touched before it is used.
fn zeroed(words: usize) -> Vec<AtomicU64> {
    vec![0u64; words].into_iter().map(AtomicU64::new).collect()
}

fn to_node(score: Score, ply: usize) -> Score {
    shift(score, ply as i32)
}

fn from_node(score: Score, ply: usize) -> Score {
    shift(score, -(ply as i32))
}

/// Moves a decided score away from zero by `plies`; opinions stay.
fn shift(score: Score, plies: i32) -> Score {
    if !score.is_decided() {
        score
    } else if score.0 > 0 {
        Score(score.0 + plies)
    } else {
        Score(score.0 - plies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(score: Score, depth: u8) -> Entry {
        Entry { score, bound: Bound::Lower, depth, best: Some(7) }
    }

    #[test]
    fn entries_survive_packing() {
        for score in [0, -1, 20_000, -20_000, 32_000, -32_000] {
            for best in [None, Some(0), Some(999)] {
                let entry = Entry { score: Score(score), bound: Bound::Exact, depth: 200, best };
                assert_eq!(Entry::unpack(entry.pack(63)), entry);
                assert_eq!(generation_of(entry.pack(63)), 63);
            }
        }
    }

    #[test]
    fn what_is_stored_is_found_and_nothing_else() {
        let table = Table::new(1);
        table.store(0x1234_5678_9abc_def0, 0, entry(Score(17), 3));
        assert_eq!(table.probe(0x1234_5678_9abc_def0, 0), Some(entry(Score(17), 3)));
        assert_eq!(table.probe(0x1234_5678_9abc_def1, 0), None);
        assert_eq!(table.probe(0, 0), None);
    }

    #[test]
    fn decided_scores_are_relative_to_the_node() {
        let table = Table::new(1);
        table.store(5, 6, entry(Score::win_in(9), 3));
        assert_eq!(table.probe(5, 2).map(|found| found.score), Some(Score::win_in(5)));
        table.store(5, 6, entry(Score::loss_in(8), 3));
        assert_eq!(table.probe(5, 0).map(|found| found.score), Some(Score::loss_in(2)));
    }

    #[test]
    fn old_and_shallow_entries_give_way() {
        let mut table = Table::new(1);
        for key in 0..4 {
            table.store(key, 0, entry(Score(1), 20 + key as u8));
        }
        table.next_generation();
        table.store(4, 0, entry(Score(1), 1));
        assert_eq!(table.probe(0, 0), None);
        assert!((1..5).all(|key| table.probe(key, 0).is_some()));
    }

    #[test]
    fn memory_is_bounded_and_clear_forgets() {
        let mut table = Table::new(2);
        assert!(table.words.capacity() * size_of::<u64>() <= 2 << 20);
        table.store(u64::MAX, 0, entry(Score(1), 1));
        table.clear();
        assert_eq!(table.probe(u64::MAX, 0), None);
        table.resize(3);
        assert_eq!(table.words.len(), 3 * WORDS_PER_MIB);
    }
}
