//! The entries of a layer while threads settle them side by side.

use std::sync::atomic::{AtomicU16, Ordering};

use crate::parallel;
use crate::tablebase::TableEntry;

/// A slot from here on is no entry: the position is open, and due in the round that the other bits tell.
const DUE: u16 = 1 << 15;
/// The greatest distance of entries below that: in search of distances to conversion, one that is not known yet.
pub(super) const UNKNOWN: u32 = (DUE as u32 - 3) / 2;

/// Positions that a thread takes at a time, and for which it is noted whether a round settled any of them.
pub(super) const CHUNK: u64 = 1 << 14;

/// By place in the layer.
pub(super) struct EntrySlots(Vec<AtomicU16>);

impl EntrySlots {
    /// Draws, as long as nothing else is known.
    pub(super) fn new(count: u64) -> Self {
        EntrySlots((0..count).map(|_| AtomicU16::new(0)).collect())
    }

    /// The entry at a place; a draw where nothing is settled.
    #[inline]
    pub(super) fn get(&self, flat: u64) -> TableEntry {
        entry(self.0[flat as usize].load(Ordering::Relaxed))
    }

    /// `entry` has at most the distance [`UNKNOWN`].
    #[inline]
    pub(super) fn set(&self, flat: u64, entry: TableEntry) {
        self.0[flat as usize].store(entry.0, Ordering::Relaxed);
    }

    /// The round in which the position is due.
    pub(super) fn due(&self, flat: u64) -> Option<u16> {
        self.0[flat as usize].load(Ordering::Relaxed).checked_sub(DUE)
    }

    /// Marks an open position as due in a round below [`UNKNOWN`] or in none.
    pub(super) fn set_due(&self, flat: u64, round: Option<u16>) {
        self.0[flat as usize].store(round.map_or(0, |round| DUE | round), Ordering::Relaxed);
    }

    /// Forgets all distances but those of positions that are over.
    pub(super) fn keep_winners(&self) {
        parallel::for_each(self.0.chunks(CHUNK as usize), |slots| {
            for slot in slots {
                let entry = entry(slot.load(Ordering::Relaxed));
                if let Some(winner) = entry.winner().filter(|_| entry.distance() > 0) {
                    slot.store(TableEntry::won(winner, UNKNOWN).0, Ordering::Relaxed);
                }
            }
        });
    }

    /// All entries; no position is due any more, and every distance is known.
    pub(super) fn into_entries(self) -> Vec<u16> {
        let entries: Vec<u16> = self.0.into_iter().map(AtomicU16::into_inner).collect();
        debug_assert!(entries.iter().all(|&slot| slot < DUE && TableEntry(slot).distance() < UNKNOWN));
        entries
    }
}

fn entry(slot: u16) -> TableEntry {
    if slot < DUE { TableEntry(slot) } else { TableEntry::DRAW }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::hunt::Side;

    #[test]
    fn a_position_that_is_due_is_no_win() {
        let slots = EntrySlots::new(2);
        for entry in [TableEntry::DRAW, TableEntry::won(Side::Geese, UNKNOWN)] {
            slots.set(1, entry);
            assert_eq!((slots.get(1), slots.due(1)), (entry, None));
        }
        slots.set_due(1, Some(7));
        assert_eq!((slots.get(1), slots.due(1), slots.due(0)), (TableEntry::DRAW, Some(7), None));
        slots.set_due(1, None);
        assert_eq!(slots.into_entries(), [0, 0]);
    }
}
