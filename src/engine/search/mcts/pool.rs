//! Items by index within a bound of memory: the pools of which the arena of the tree is made, the budget that they share,
//! and the marks that say which items are kept.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize};

use crate::search::reserve;

/// A set of indices that counts those below one.
pub(super) struct Marks {
    words: Vec<u64>,
    /// The number of marks before each word, and at last of all; filled by [`seal`](Marks::seal).
    before: Vec<u32>,
}

impl Marks {
    /// No marks, for indices below `end`; `None` if the system has no memory for them.
    pub(super) fn up_to(end: u32) -> Option<Self> {
        let count = (end as usize).div_ceil(64);
        let mut marks = Marks { words: reserve(count)?, before: reserve(count + 1)? };
        marks.words.resize(count, 0);
        Some(marks)
    }

    pub(super) fn add(&mut self, index: u32) {
        self.words[index as usize / 64] |= 1 << (index % 64);
    }

    /// Counts the marks; none can be added afterwards.
    pub(super) fn seal(mut self) -> Self {
        let mut count = 0;
        self.before.push(0);
        self.before.extend(self.words.iter().map(|word| {
            count += word.count_ones();
            count
        }));
        self
    }

    pub(super) fn has(&self, index: u32) -> bool {
        self.words.get(index as usize / 64).is_some_and(|word| word >> (index % 64) & 1 != 0)
    }

    /// The number of marks below `index`.
    pub(super) fn place(&self, index: u32) -> u32 {
        let word = (index as usize / 64).min(self.words.len());
        let below = self.words.get(word).map_or(0, |bits| bits & ((1 << (index % 64)) - 1));
        self.before[word] + below.count_ones()
    }

    pub(super) fn count(&self) -> u32 {
        self.before.last().copied().unwrap_or(0)
    }
}

/// The most bytes of a chunk.
const CHUNK_BYTES: usize = 1 << 18;
/// A worker takes at most one part in this many of all items at once.
const STRETCH_PART: u32 = 64;

/// The memory that two pools share.
#[derive(Debug)]
pub(super) struct Budget {
    /// The bound in bytes; less once the system has refused memory.
    pub total: AtomicUsize,
    pub left: AtomicUsize,
    /// Whether an allocation has failed since items were freed.
    pub is_spent: AtomicBool,
    /// Whether the system has refused memory within the bound.
    pub is_refused: AtomicBool,
}

impl Budget {
    pub(super) fn of(total: usize) -> Self {
        Budget {
            total: AtomicUsize::new(total),
            left: AtomicUsize::new(total),
            is_spent: AtomicBool::new(false),
            is_refused: AtomicBool::new(false),
        }
    }

    /// A chunk of fresh items; `None` beyond the bound, or if the system has no memory. The first is taken in any case,
    /// for the root.
    fn chunk<T: Default>(&self, is_first: bool) -> Option<Box<[T]>> {
        let rest = |left: usize| left.checked_sub(Pool::<T>::CHUNK);
        self.left.fetch_update(Relaxed, Relaxed, rest).ok()?;
        let Some(mut items) = reserve(Pool::<T>::ITEMS as usize).or_else(|| is_first.then(Vec::new)) else {
            self.is_refused.store(true, Relaxed);
            self.total.fetch_sub(self.left.swap(0, Relaxed) + Pool::<T>::CHUNK, Relaxed);
            return None;
        };
        items.extend((0..Pool::<T>::ITEMS).map(|_| T::default()));
        Some(items.into_boxed_slice())
    }
}

/// Items by index, in chunks that are taken from the system when first used, so that a large bound costs nothing until
/// it is needed.
#[derive(Debug)]
pub(super) struct Pool<T> {
    chunks: Box<[OnceLock<Box<[T]>>]>,
    /// The number of items that a worker takes at once, so that no two workers write to the same cache lines: a whole
    /// chunk, or part of one where there are few chunks.
    stretch: u32,
    next: Cursor,
}

/// A number that changes with every allocation, kept apart from what all threads read all the time.
#[derive(Debug)]
#[repr(align(128))]
struct Cursor(AtomicU32);

impl<T: Default> Pool<T> {
    /// The number of items in a chunk, and their bytes.
    const ITEMS: u32 = 1 << (CHUNK_BYTES / size_of::<T>()).ilog2();
    pub(super) const CHUNK: usize = Self::ITEMS as usize * size_of::<T>();

    /// A pool that might take all of `bytes`.
    pub(super) fn new(bytes: usize) -> Self {
        let chunks = (bytes / Self::CHUNK).clamp(1, (u32::MAX / Self::ITEMS) as usize);
        let part = chunks as u32 * Self::ITEMS / STRETCH_PART;
        let chunks = (0..chunks).map(|_| OnceLock::new()).collect();
        Pool { chunks, stretch: (1 << part.ilog2()).min(Self::ITEMS), next: Cursor(AtomicU32::new(0)) }
    }

    #[inline]
    pub(super) fn get(&self, index: u32) -> &T {
        let chunk = self.chunks[(index / Self::ITEMS) as usize].get();
        &chunk.expect("an index that was handed out")[(index % Self::ITEMS) as usize]
    }

    pub(super) fn get_mut(&mut self, index: u32) -> &mut T {
        let chunk = self.chunks[(index / Self::ITEMS) as usize].get_mut();
        &mut chunk.expect("an index that was handed out")[(index % Self::ITEMS) as usize]
    }

    /// The number of items handed out.
    pub(super) fn used(&self) -> u32 {
        self.next.0.load(Relaxed)
    }

    /// Frees all items from index `used` on, and returns the bytes that go back to the system.
    pub(super) fn cut(&mut self, used: u32) -> usize {
        *self.next.0.get_mut() = used;
        let unused = &mut self.chunks[used.div_ceil(Self::ITEMS) as usize..];
        unused.iter_mut().filter_map(OnceLock::take).count() * Self::CHUNK
    }

    /// Takes `count` neighbouring items from a stretch, which is replaced when it is too short.
    #[inline]
    pub(super) fn take(&self, stretch: &mut Range<u32>, count: u32, budget: &Budget) -> Option<Range<u32>> {
        if (stretch.len() as u32) < count {
            *stretch = self.renew(stretch, count, budget)?;
        }
        let taken = stretch.start..stretch.start + count;
        stretch.start = taken.end;
        Some(taken)
    }

    /// A stretch of at least `count` items, joined to the old one where it follows it.
    fn renew(&self, old: &Range<u32>, count: u32, budget: &Budget) -> Option<Range<u32>> {
        let length = count.next_multiple_of(self.stretch);
        let end = |next: u32| next.checked_add(length).filter(|&end| self.provide(next..end, budget));
        let Ok(start) = self.next.0.fetch_update(Relaxed, Relaxed, end) else {
            budget.is_spent.store(true, Relaxed);
            return None;
        };
        Some(if start == old.end { old.start } else { start }..start + length)
    }

    /// Whether the chunks of these items are there now.
    fn provide(&self, items: Range<u32>, budget: &Budget) -> bool {
        let mut chunks = items.start / Self::ITEMS..items.end.div_ceil(Self::ITEMS);
        chunks.all(|chunk| {
            let Some(place) = self.chunks.get(chunk as usize) else { return false };
            let add = |items| {
                if place.set(items).is_err() {
                    // Another thread was faster, and this chunk is freed.
                    budget.left.fetch_add(Self::CHUNK, Relaxed);
                }
            };
            place.get().is_some() || budget.chunk(chunk == 0).map(add).is_some()
        })
    }
}
