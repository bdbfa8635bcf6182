//! What is known of positions while a layer is solved: entries in the layer itself, winners or entries in lower layers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU16, Ordering};

use super::positions::LayerPositions;
use crate::geometry::Word;
use crate::parallel;
use crate::rules::hunt::{Hunt, Position, Side};
use crate::rules::{Game, Notation};
use crate::tablebase::{Metric, TableEntry, TableValue};

/// The bit of a slot without an entry: the position is open, and due in the round that the other bits give.
const DUE: u16 = 1 << 15;
/// The greatest distance of an entry; in the pass for distances to conversion it stands for one not known yet.
pub(super) const UNKNOWN: u32 = (DUE as u32 - 3) / 2;

/// Positions that a thread takes at a time; rounds that settled a position are noted for each chunk.
pub(super) const CHUNK: u64 = 1 << 14;

/// The slots of all positions of a layer, by number: an entry, or the round in which the position is due.
pub(super) struct EntrySlots(Vec<AtomicU16>);

impl EntrySlots {
    /// Slots that are all draws.
    pub(super) fn new(count: u64) -> Self {
        EntrySlots((0..count).map(|_| AtomicU16::new(0)).collect())
    }

    /// The entry of a position; a draw where nothing is settled.
    #[inline]
    pub(super) fn get(&self, flat: u64) -> TableEntry {
        entry(self.0[flat as usize].load(Ordering::Relaxed))
    }

    /// Settles a position; the distance of `entry` is at most [`UNKNOWN`].
    #[inline]
    pub(super) fn set(&self, flat: u64, entry: TableEntry) {
        self.0[flat as usize].store(entry.0, Ordering::Relaxed);
    }

    /// The round in which an open position is due, if any.
    pub(super) fn due(&self, flat: u64) -> Option<u16> {
        self.0[flat as usize].load(Ordering::Relaxed).checked_sub(DUE)
    }

    /// Marks an open position as due in `round`, which is below [`UNKNOWN`], or in none.
    pub(super) fn set_due(&self, flat: u64, round: Option<u16>) {
        self.0[flat as usize].store(round.map_or(0, |round| DUE | round), Ordering::Relaxed);
    }

    /// Replaces all distances but those of positions that are over by [`UNKNOWN`].
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

    /// All entries, when no position is due any more and every distance is known.
    pub(super) fn into_entries(self) -> Vec<u16> {
        let entries: Vec<u16> = self.0.into_iter().map(AtomicU16::into_inner).collect();
        debug_assert!(entries.iter().all(|&slot| slot < DUE && TableEntry(slot).distance() < UNKNOWN));
        entries
    }
}

fn entry(slot: u16) -> TableEntry {
    if slot < DUE { TableEntry(slot) } else { TableEntry::DRAW }
}

/// The number of winners in a byte.
const IN_BYTE: usize = 4;
/// The number of bytes that a thread packs at a time.
const PACKED_CHUNK: usize = 1 << 14;

/// What is kept of a lower layer: its winners, or all its entries.
#[derive(Clone, Debug)]
enum LayerValues {
    Winners(Winners),
    Entries(Vec<u16>),
}

/// The winners of a layer's positions, packed.
#[derive(Clone, Debug, Default)]
pub(super) struct Winners(Vec<u8>);

impl Winners {
    pub(super) fn new(entries: &[u16]) -> Self {
        let pack = |four: &[u16]| four.iter().rev().fold(0, |byte, &entry| byte << 2 | code(TableEntry(entry)));
        let mut winners = vec![0; entries.len().div_ceil(IN_BYTE)];
        let chunks = winners.chunks_mut(PACKED_CHUNK).zip(entries.chunks(IN_BYTE * PACKED_CHUNK));
        parallel::for_each(chunks, |(winners, entries)| {
            winners.iter_mut().zip(entries.chunks(IN_BYTE)).for_each(|(byte, four)| *byte = pack(four));
        });
        Winners(winners)
    }

    #[inline]
    fn get(&self, flat: u64) -> Option<Side> {
        match self.0[flat as usize / IN_BYTE] >> (flat as usize % IN_BYTE * 2) & 3 {
            0 => None,
            1 => Some(Side::Fox),
            _ => Some(Side::Geese),
        }
    }
}

fn code(entry: TableEntry) -> u8 {
    match entry.winner() {
        None => 0,
        Some(Side::Fox) => 1,
        Some(Side::Geese) => 2,
    }
}

/// The values of the layers with fewer geese.
#[derive(Clone, Debug)]
pub(super) struct LowerLayers<W: Word> {
    layers: BTreeMap<u32, (LayerPositions<W>, LayerValues)>,
    metric: Metric,
}

impl<W: Word> LowerLayers<W> {
    /// Holds no layers yet. Distances are kept if they count to the end.
    pub(super) fn new(metric: Metric) -> Self {
        LowerLayers { layers: BTreeMap::new(), metric }
    }

    /// The metric of distances.
    pub(super) fn metric(&self) -> Metric {
        self.metric
    }

    /// The bytes that lower layers with `below` entries take while a layer with `own` entries is solved and packed.
    pub(super) fn bytes(&self, below: u128, own: u128) -> u128 {
        match self.metric {
            // The layer itself is packed while its entries are still there.
            Metric::Conversion => below.saturating_add(own) / IN_BYTE as u128,
            Metric::End => below.saturating_mul(2),
        }
    }

    pub(super) fn has(&self, layer: u32) -> bool {
        self.layers.contains_key(&layer)
    }

    pub(super) fn add(&mut self, space: LayerPositions<W>, entries: Vec<u16>) {
        let values = match self.metric {
            Metric::Conversion => LayerValues::Winners(Winners::new(&entries)),
            Metric::End => LayerValues::Entries(entries),
        };
        self.layers.insert(space.layer, (space, values));
    }

    /// The value of a position that is over or belongs to one of these layers; its distance is 0 where only winners are
    /// kept.
    pub(super) fn value(&self, game: &Hunt<W>, position: &Position<W>) -> TableValue<Side> {
        let layer = self.layers.get(&(position.geese().len() + u32::from(position.hand)));
        match layer.and_then(|(space, values)| Some((space.number(position)?, values))) {
            Some((flat, LayerValues::Winners(winners))) => TableValue { winner: winners.get(flat), distance: 0 },
            Some((flat, LayerValues::Entries(entries))) => TableEntry(entries[flat as usize]).value(),
            None => {
                let outcome = game.turn(position).outcome();
                debug_assert!(outcome.is_some(), "no table has {}", game.position_text(position));
                TableValue::of_end(outcome.and_then(|outcome| outcome.winner).map(|seat| game.side(seat)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn winners_are_kept() {
        let sides = [None, Some(Side::Fox), Some(Side::Geese), Some(Side::Geese), None, Some(Side::Fox)];
        let entries: Vec<u16> = sides.iter().map(|side| side.map_or(0, |side| TableEntry::won(side, 7).0)).collect();
        let values = Winners::new(&entries);
        assert_eq!((0..6).map(|flat| values.get(flat)).collect::<Vec<_>>(), sides);
    }
}
