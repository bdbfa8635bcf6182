//! What all positions in the layers below are worth: two bits a position where the winners suffice.

use std::collections::BTreeMap;

use super::positions::LayerPositions;
use crate::geometry::Word;
use crate::parallel;
use crate::rules::hunt::{Hunt, Position, Side};
use crate::rules::{Game, Notation};
use crate::tablebase::{Metric, TableEntry, TableValue};

/// Positions whose bits share a byte.
const IN_BYTE: usize = 4;
/// Bytes that a thread packs at a time.
const CHUNK: usize = 1 << 14;

/// What is kept of a layer.
#[derive(Clone, Debug)]
enum LayerValues {
    Winners(Winners),
    Entries(Vec<u16>),
}

/// The winners of the positions of a layer.
#[derive(Clone, Debug, Default)]
pub(super) struct Winners(Vec<u8>);

impl Winners {
    pub(super) fn new(entries: &[u16]) -> Self {
        let pack = |four: &[u16]| four.iter().rev().fold(0, |byte, &entry| byte << 2 | code(TableEntry(entry)));
        let mut winners = vec![0; entries.len().div_ceil(IN_BYTE)];
        let chunks = winners.chunks_mut(CHUNK).zip(entries.chunks(IN_BYTE * CHUNK));
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

/// The layers with fewer geese.
#[derive(Clone, Debug)]
pub(super) struct LowerLayers<W: Word> {
    layers: BTreeMap<u32, (LayerPositions<W>, LayerValues)>,
    metric: Metric,
}

impl<W: Word> LowerLayers<W> {
    /// Distances are kept when they count to the end.
    pub(super) fn new(metric: Metric) -> Self {
        LowerLayers { layers: BTreeMap::new(), metric }
    }

    /// What distances count.
    pub(super) fn metric(&self) -> Metric {
        self.metric
    }

    /// The bytes that layers with `below` entries take while one of `own` entries is solved.
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

    /// The value of a position that belongs to one of these layers or is over; without the distance where only winners
    /// are kept.
    pub(super) fn value(&self, game: &Hunt<W>, position: &Position<W>) -> TableValue<Side> {
        let layer = self.layers.get(&(position.geese().len() + position.hand()));
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
    fn winners_are_kept() {
        let sides = [None, Some(Side::Fox), Some(Side::Geese), Some(Side::Geese), None, Some(Side::Fox)];
        let entries: Vec<u16> = sides.iter().map(|side| side.map_or(0, |side| TableEntry::won(side, 7).0)).collect();
        let values = Winners::new(&entries);
        assert_eq!((0..6).map(|flat| values.get(flat)).collect::<Vec<_>>(), sides);
    }
}
