//! The winners of all positions in the layers below, two bits a position.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::geometry::Word;
use crate::rules::hunt::{Hunt, Position, Side};
use crate::rules::{Game, Notation};

use super::positions::LayerPositions;
use crate::tablebase::TableEntry;

/// Positions whose bits share a byte.
const IN_BYTE: usize = 4;

/// The winners of the positions of a layer.
#[derive(Clone, Debug, Default)]
pub(super) struct Winners(Vec<u8>);

impl Winners {
    pub(super) fn new(entries: &[u16]) -> Self {
        let pack = |four: &[u16]| four.iter().rev().fold(0, |byte, &entry| byte << 2 | code(TableEntry(entry)));
        Winners(entries.par_chunks(IN_BYTE).map(pack).collect())
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
    layers: BTreeMap<u32, (LayerPositions<W>, Winners)>,
}

impl<W: Word> LowerLayers<W> {
    pub(super) fn new() -> Self {
        LowerLayers { layers: BTreeMap::new() }
    }

    pub(super) fn has(&self, layer: u32) -> bool {
        self.layers.contains_key(&layer)
    }

    pub(super) fn add(&mut self, space: LayerPositions<W>, entries: &[u16]) {
        self.layers.insert(space.layer, (space, Winners::new(entries)));
    }

    /// Who wins a position that belongs to one of these layers or is over.
    pub(super) fn winner(&self, game: &Hunt<W>, position: &Position<W>) -> Option<Side> {
        let layer = self.layers.get(&(position.geese().len() + position.hand()));
        match layer.and_then(|(space, values)| Some((space.number(position)?, values))) {
            Some((flat, values)) => values.get(flat),
            None => {
                let outcome = game.turn(position).outcome();
                debug_assert!(outcome.is_some(), "no table has {}", game.position_text(position));
                outcome?.winner.map(|seat| game.side(seat))
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
