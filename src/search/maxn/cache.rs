//! Exact values met before: the dice can be used in either order, and the tree becomes a graph.

use super::value::Value;

/// Entries are taken up to this many; the rest of the memory that a task allows stays free.
const MOST_SLOTS: usize = 1 << 20;

#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    depth: i32,
    /// The search that wrote it.
    iteration: u32,
    ply: u32,
    value: Value,
}

/// One slot for each low part of a key; the newest value stays. It takes memory as it fills.
pub(super) struct ValueCache {
    slots: Vec<Option<Box<Slot>>>,
}

impl ValueCache {
    /// A cache within `mib` MiB.
    pub(super) fn new(mib: usize) -> Self {
        let each = size_of::<Slot>() + size_of::<Option<Box<Slot>>>() + size_of::<u128>();
        let most = (mib.max(1) << 20) / each;
        let count = (most + 1).next_power_of_two() / 2;
        ValueCache { slots: vec![None; count.min(MOST_SLOTS)] }
    }

    /// The value of a node at this ply searched exactly so deep in this iteration.
    pub(super) fn find(&self, key: u64, depth: i32, ply: usize, iteration: u32) -> Option<Value> {
        let slot = self.slots[key as usize & (self.slots.len() - 1)].as_deref()?;
        let fits = slot.key == key && slot.depth == depth && slot.ply == ply as u32 && slot.iteration == iteration;
        fits.then_some(slot.value)
    }

    pub(super) fn keep(&mut self, key: u64, depth: i32, ply: usize, iteration: u32, value: Value) {
        let index = key as usize & (self.slots.len() - 1);
        self.slots[index] = Some(Box::new(Slot { key, depth, iteration, ply: ply as u32, value }));
    }

    /// Slots in use, in thousandths.
    pub(super) fn fill(&self) -> u32 {
        const SAMPLE: usize = 1000;
        let sample = &self.slots[..self.slots.len().min(SAMPLE)];
        (sample.iter().flatten().count() * 1000 / sample.len()) as u32
    }
}
