//! The transposition table: scores and best moves of positions, shared by all threads without locks.
//!
//! Every entry is two words; the key is stored combined with the data, so that a torn pair never matches its key (the
//! lock-free scheme of Hyatt and Mann). Scores are stored relative to their node, not to the root.

use std::array;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use super::reserve;
use super::score::Score;

/// Entries in a bucket; a bucket fills one cache line.
const WAYS: usize = 4;
const BUCKETS_PER_CHUNK: usize = 64;
const CHUNKS_PER_MIB: usize = (1 << 20) / size_of::<Chunk>();
/// The number of chunks in use at first, a quarter of a MiB.
const FIRST_CHUNKS: usize = 64;
const GENERATIONS: u8 = 64;
const FIRST_GENERATION: u8 = 1;
const NO_MOVE: u16 = u16::MAX;
/// The plies of depth that an entry loses in replacement for each search since it was written.
const PLIES_PER_GENERATION: i32 = 8;
/// The number of chunks sampled to estimate the filling.
const SAMPLED_CHUNKS: usize = 16;
const SAMPLED_ENTRIES: usize = 512;

/// The relation of a stored score to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// None: the entry holds only a move and an evaluation.
    Unknown,
    Lower,
    Upper,
    Exact,
}

impl Bound {
    const ALL: [Bound; 4] = [Bound::Unknown, Bound::Lower, Bound::Upper, Bound::Exact];

    pub(crate) fn is_lower(self) -> bool {
        matches!(self, Bound::Lower | Bound::Exact)
    }

    pub(crate) fn is_upper(self) -> bool {
        matches!(self, Bound::Upper | Bound::Exact)
    }
}

/// The entry of one position, from the point of view of the seat to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TtEntry {
    pub score: Score,
    pub bound: Bound,
    /// The depth in plies to which the score was searched.
    pub depth: u8,
    /// The best move as its index in the list of legal moves.
    pub best: Option<u16>,
}

impl TtEntry {
    /// Whether the score is a certain win or loss that holds at any depth: one no further away than the score says.
    pub(crate) fn is_proof(&self) -> bool {
        let is_bound = if self.score.0 > 0 { self.bound.is_lower() } else { self.bound.is_upper() };
        is_bound && self.score.is_certain()
    }

    fn pack(self, generation: u8) -> u64 {
        u64::from(self.score.0 as i16 as u16)
            | u64::from(self.best.unwrap_or(NO_MOVE)) << 16
            | u64::from(self.depth) << 32
            | (self.bound as u64) << 40
            | u64::from(generation) << 42
    }

    fn unpack(data: u64) -> TtEntry {
        let best = (data >> 16) as u16;
        TtEntry {
            score: Score(i32::from(data as u16 as i16)),
            best: (best != NO_MOVE).then_some(best),
            depth: (data >> 32) as u8,
            bound: Bound::ALL[(data >> 40 & 3) as usize],
        }
    }
}

fn generation_of(data: u64) -> u8 {
    (data >> 42) as u8 % GENERATIONS
}

/// A table that takes memory as it fills, up to its size; methods that take `&self` may be called from any thread.
///
/// The low bits of a key choose a chunk among those in use. When their number doubles, a chunk of the new half takes
/// over its entries from its ancestor in the old half when it is first used, so that growth never makes a search wait.
pub(crate) struct TranspositionTable {
    chunks: Vec<OnceLock<Box<Chunk>>>,
    /// The number of chunks in use, a power of two.
    active: AtomicUsize,
    /// Whether the system has refused the memory for more.
    is_refused: AtomicBool,
    mib: usize,
    generation: u8,
}

/// An entry and its key, combined with the data; zeros while empty.
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    /// The key and the data; for a torn pair the key is a wrong one.
    fn load(&self) -> (u64, u64) {
        let data = self.data.load(Ordering::Relaxed);
        (self.check.load(Ordering::Relaxed) ^ data, data)
    }

    fn store(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Ordering::Relaxed);
        self.data.store(data, Ordering::Relaxed);
    }
}

#[repr(align(64))]
struct Chunk([[Slot; WAYS]; BUCKETS_PER_CHUNK]);

impl Chunk {
    fn empty() -> Box<Chunk> {
        let slot = || Slot { check: AtomicU64::new(0), data: AtomicU64::new(0) };
        Box::new(Chunk(array::from_fn(|_| array::from_fn(|_| slot()))))
    }

    /// A new chunk with the entries of this one whose keys belong to chunk `index` of `active`.
    fn split(&self, index: usize, active: usize) -> Box<Chunk> {
        let part = Chunk::empty();
        for (slot, copy) in self.0.as_flattened().iter().zip(part.0.as_flattened()) {
            let (key, data) = slot.load();
            if data != 0 && key as usize & (active - 1) == index {
                copy.store(key, data);
            }
        }
        part
    }

    /// The bucket of a key, chosen by its high bits.
    fn bucket(&self, key: u64) -> &[Slot; WAYS] {
        &self.0[(key >> (64 - BUCKETS_PER_CHUNK.ilog2())) as usize]
    }
}

impl TranspositionTable {
    /// A table of at most `mib` MiB (at least one); the number of entries is a power of two.
    pub(crate) fn new(mib: usize) -> Self {
        let mib = mib.max(1);
        let mut count = (mib * CHUNKS_PER_MIB + 1).next_power_of_two() / 2;
        while count > FIRST_CHUNKS && reserve::<OnceLock<Chunk>>(count).is_none() {
            count /= 2;
        }
        let chunks = (0..count).map(|_| OnceLock::new()).collect();
        let active = AtomicUsize::new(FIRST_CHUNKS);
        TranspositionTable { chunks, active, is_refused: AtomicBool::new(false), mib, generation: FIRST_GENERATION }
    }

    /// Changes the size and forgets everything, unless the size is the present one.
    pub(crate) fn resize(&mut self, mib: usize) {
        if mib.max(1) != self.mib {
            // The old memory is freed before the new is taken, so that the bound holds at every moment.
            self.chunks = Vec::new();
            *self = TranspositionTable::new(mib);
        }
    }

    /// Forgets everything, as if the table were new; costs as much as has been used.
    pub(crate) fn clear(&mut self) {
        let active = std::mem::replace(self.active.get_mut(), FIRST_CHUNKS);
        self.chunks[..active].iter_mut().for_each(|chunk| drop(chunk.take()));
        self.generation = FIRST_GENERATION;
    }

    /// Ages the entries; called once before each search.
    pub(crate) fn next_generation(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// Doubles the memory in use if half of it is full and the size and the system allow it; only one thread of a search
    /// may call it.
    pub(crate) fn grow(&self) {
        let active = self.active.load(Ordering::Relaxed);
        if active < self.chunks.len() && !self.was_refused() && 2 * self.count(active, |_| true) >= SAMPLED_ENTRIES {
            // The chunks are taken one by one later, where a refusal would end the program.
            if reserve::<Chunk>(active).is_some() {
                self.active.store(2 * active, Ordering::Relaxed);
            } else {
                self.is_refused.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Whether the system has refused memory within the size.
    pub(crate) fn was_refused(&self) -> bool {
        self.is_refused.load(Ordering::Relaxed)
    }

    /// The entry stored under `key`, for a node at `ply`: the distance of a certain score counts from the root.
    pub(crate) fn probe(&self, key: u64, ply: usize) -> Option<TtEntry> {
        let mut slots = self.chunk(self.index(key))?.bucket(key).iter().map(Slot::load);
        let (_, data) = slots.find(|&(known, data)| known == key && data != 0)?;
        let entry = TtEntry::unpack(data);
        Some(TtEntry { score: shift(entry.score, -(ply as i32)), ..entry })
    }

    /// Stores an entry for a node at `ply`, but keeps an older, clearly deeper entry of this search.
    pub(crate) fn store(&self, key: u64, ply: usize, entry: TtEntry) {
        let slot = self.victim(self.own_chunk(self.index(key)).bucket(key), key);
        let (known, old) = slot.load();
        let same = known == key;
        let best = entry.best.or(if same { TtEntry::unpack(old).best } else { None });
        if same && self.outweighs(old, entry) {
            return;
        }
        slot.store(key, TtEntry { score: shift(entry.score, ply as i32), best, ..entry }.pack(self.generation));
    }

    /// The part of the whole size that holds entries of this search, in thousandths, estimated from a sample.
    pub(crate) fn fill(&self) -> u32 {
        let active = self.active.load(Ordering::Relaxed);
        let used = self.count(active, |data| generation_of(data) == self.generation);
        (used * 1000 * active / (SAMPLED_ENTRIES * self.chunks.len())) as u32
    }

    /// The number of entries that satisfy a test in the first buckets of the last chunks in use.
    fn count(&self, active: usize, test: impl Fn(u64) -> bool) -> usize {
        let chunks = (active - SAMPLED_CHUNKS..active).filter_map(|index| self.chunks[index].get());
        let used = |chunk: &Chunk| {
            let slots = &chunk.0.as_flattened()[..SAMPLED_ENTRIES / SAMPLED_CHUNKS];
            slots.iter().map(Slot::load).filter(|&(_, data)| data != 0 && test(data)).count()
        };
        chunks.map(|chunk| used(chunk)).sum()
    }

    fn index(&self, key: u64) -> usize {
        key as usize & (self.active.load(Ordering::Relaxed) - 1)
    }

    /// The chunk with this index; before its first use, the chunk from which it will take its entries.
    fn chunk(&self, mut index: usize) -> Option<&Chunk> {
        loop {
            match self.chunks[index].get() {
                Some(chunk) => return Some(chunk),
                None if index < FIRST_CHUNKS => return None,
                None => index = ancestor(index),
            }
        }
    }

    fn own_chunk(&self, index: usize) -> &Chunk {
        self.chunks[index].get_or_init(|| {
            let older = if index < FIRST_CHUNKS { None } else { self.chunk(ancestor(index)) };
            older.map_or_else(Chunk::empty, |older| older.split(index, (index + 1).next_power_of_two()))
        })
    }

    /// The slot of a bucket to overwrite: the one that has the key, or else the least valuable one.
    fn victim<'a>(&self, bucket: &'a [Slot; WAYS], key: u64) -> &'a Slot {
        let mut victim = &bucket[0];
        let mut lowest = i32::MAX;
        for slot in bucket {
            let (known, data) = slot.load();
            if known == key {
                return slot;
            }
            let worth = self.worth(data);
            if worth < lowest {
                (victim, lowest) = (slot, worth);
            }
        }
        victim
    }

    fn worth(&self, data: u64) -> i32 {
        if data == 0 {
            return i32::MIN;
        }
        let age = (self.generation + GENERATIONS - generation_of(data)) % GENERATIONS;
        i32::from(TtEntry::unpack(data).depth) - PLIES_PER_GENERATION * i32::from(age)
    }

    fn outweighs(&self, old: u64, new: TtEntry) -> bool {
        let entry = TtEntry::unpack(old);
        let is_deeper = generation_of(old) == self.generation && entry.depth > new.depth.saturating_add(3);
        (entry.is_proof() && !new.is_proof()) || (is_deeper && new.bound != Bound::Exact)
    }
}

const _: () = assert!(size_of::<[Slot; WAYS]>() == 64);

/// The index of the chunk whose entries an unused chunk inherits.
fn ancestor(index: usize) -> usize {
    index & !(1 << index.ilog2())
}

/// Moves a score with a distance, to the end or to a conversion, away from zero by `plies`; opinions stay.
fn shift(score: Score, plies: i32) -> Score {
    if !score.is_certain() {
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

    fn entry(score: Score, depth: u8) -> TtEntry {
        TtEntry { score, bound: Bound::Lower, depth, best: Some(7) }
    }

    #[test]
    fn entries_survive_packing() {
        for score in [0, -1, 20_000, -20_000, 32_000, -32_000] {
            for best in [None, Some(0), Some(999)] {
                let entry = TtEntry { score: Score(score), bound: Bound::Exact, depth: 200, best };
                assert_eq!(TtEntry::unpack(entry.pack(63)), entry);
                assert_eq!(generation_of(entry.pack(63)), 63);
            }
        }
    }

    #[test]
    fn what_is_stored_is_found_and_nothing_else() {
        let table = TranspositionTable::new(1);
        table.store(0x1234_5678_9abc_def0, 0, entry(Score(17), 3));
        assert_eq!(table.probe(0x1234_5678_9abc_def0, 0), Some(entry(Score(17), 3)));
        assert_eq!(table.probe(0x1234_5678_9abc_def1, 0), None);
        assert_eq!(table.probe(0, 0), None);
    }

    #[test]
    fn a_proof_stays_until_there_is_another_one() {
        let mut table = TranspositionTable::new(1);
        table.store(5, 0, entry(Score::win_in(9), 3));
        table.next_generation();
        table.store(5, 0, TtEntry { bound: Bound::Exact, ..entry(Score(17), 99) });
        assert_eq!(table.probe(5, 0), Some(entry(Score::win_in(9), 3)));
        table.store(5, 0, entry(Score::win_in(7), 1));
        assert_eq!(table.probe(5, 0), Some(entry(Score::win_in(7), 1)));
    }

    #[test]
    fn decided_scores_are_relative_to_the_node() {
        let table = TranspositionTable::new(1);
        for (key, stored, ply, found) in [
            (5, Score::win_in(9), 2, Score::win_in(5)),
            (6, Score::loss_in(8), 0, Score::loss_in(2)),
            (7, Score::table_win_in(9), 2, Score::table_win_in(5)),
        ] {
            table.store(key, 6, entry(stored, 3));
            assert_eq!(table.probe(key, ply).map(|found| found.score), Some(found));
        }
    }

    #[test]
    fn old_and_shallow_entries_give_way() {
        // All these keys share a bucket.
        let key = |number: u64| number << 32;
        let mut table = TranspositionTable::new(1);
        for number in 1..=4 {
            table.store(key(number), 0, entry(Score(1), 20 + number as u8));
        }
        table.next_generation();
        table.store(key(5), 0, entry(Score(1), 1));
        assert_eq!(table.probe(key(1), 0), None);
        assert!((2..=5).all(|number| table.probe(key(number), 0).is_some()));
    }

    #[test]
    fn memory_is_bounded() {
        let mut table = TranspositionTable::new(3);
        assert_eq!(table.chunks.len() * size_of::<Chunk>(), 2 << 20);
        table.resize(4);
        assert_eq!(table.chunks.len() * size_of::<Chunk>(), 4 << 20);
    }

    #[test]
    fn a_cleared_table_behaves_like_a_new_one() {
        let keys = |seed: u64| (seed..seed + 60_000).map(|n| (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let fill = |table: &mut TranspositionTable, seed: u64| {
            table.next_generation();
            for (number, key) in keys(seed).enumerate() {
                table.store(key, 0, entry(Score(number as i32 % 100), (number % 40) as u8));
                if number % 1000 == 0 {
                    table.grow();
                }
            }
        };
        let mut cleared = TranspositionTable::new(8);
        fill(&mut cleared, 1_000_000);
        fill(&mut cleared, 2_000_000);
        cleared.clear();
        assert_eq!(cleared.fill(), 0);
        assert!(keys(2_000_000).all(|key| cleared.probe(key, 0).is_none()));
        let mut fresh = TranspositionTable::new(8);
        for table in [&mut cleared, &mut fresh] {
            fill(table, 0);
            fill(table, 30_000);
        }
        assert_eq!(cleared.fill(), fresh.fill());
        assert!(keys(0).chain(keys(30_000)).all(|key| cleared.probe(key, 0) == fresh.probe(key, 0)));
    }

    #[test]
    fn growth_keeps_the_entries() {
        let table = TranspositionTable::new(8);
        let keys: Vec<u64> = (1..60_000u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        for (number, &key) in keys.iter().enumerate() {
            table.store(key, 0, entry(Score(1), 1));
            if number % 1000 == 0 {
                table.grow();
            }
        }
        assert!(table.active.load(Ordering::Relaxed) > FIRST_CHUNKS);
        let found = keys.iter().filter(|&&key| table.probe(key, 0).is_some()).count();
        assert!(found > 55_000, "{found} of {} entries are left", keys.len());
    }

    #[test]
    fn a_table_that_the_system_refuses_memory_stays_as_large_as_it_is() {
        let table = TranspositionTable::new(64);
        crate::search::scarcity::LEFT.set(0);
        let key = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (1..40_000).for_each(|number| table.store(key(number), 0, entry(Score(1), 3)));
        table.grow();
        crate::search::scarcity::LEFT.set(usize::MAX);
        assert!(table.was_refused());
        assert_eq!(table.active.load(Ordering::Relaxed), FIRST_CHUNKS);
        assert!(table.probe(key(39_999), 0).is_some());
    }
}
