//! A cache of exact values: dice can be used in either order, so that positions come again.

use super::value::Value;

/// Entries are taken up to this many; the rest of the memory that a task allows stays free.
const MOST_SLOTS: usize = 1 << 20;

/// A node and how it was searched.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Visit {
    pub(super) key: u64,
    pub(super) depth: i32,
    pub(super) ply: usize,
    /// The search that went there.
    pub(super) iteration: u32,
}

/// One slot for each low part of a key; the newest value stays. It takes memory as it fills.
pub(super) struct ValueCache {
    slots: Vec<Option<Box<(Visit, Value)>>>,
}

impl ValueCache {
    /// A cache within `mib` MiB.
    pub(super) fn new(mib: usize) -> Self {
        let each = size_of::<(Visit, Value)>() + size_of::<Option<Box<Visit>>>() + size_of::<u128>();
        let most = (mib.max(1) << 20) / each;
        let count = (most + 1).next_power_of_two() / 2;
        ValueCache { slots: vec![None; count.min(MOST_SLOTS)] }
    }

    /// The exact value that the same visit found.
    pub(super) fn find(&self, visit: Visit) -> Option<Value> {
        let slot = self.slots[self.index(visit)].as_deref();
        slot.filter(|(known, _)| *known == visit).map(|&(_, value)| value)
    }

    pub(super) fn keep(&mut self, visit: Visit, value: Value) {
        let index = self.index(visit);
        self.slots[index] = Some(Box::new((visit, value)));
    }

    fn index(&self, visit: Visit) -> usize {
        visit.key as usize & (self.slots.len() - 1)
    }

    /// Slots in use, in thousandths.
    pub(super) fn fill(&self) -> u32 {
        const SAMPLE: usize = 1000;
        let sample = &self.slots[..self.slots.len().min(SAMPLE)];
        (sample.iter().flatten().count() * 1000 / sample.len()) as u32
    }
}
