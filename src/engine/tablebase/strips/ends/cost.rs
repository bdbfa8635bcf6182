//! What the build of a layer with distances to the end takes.

use super::EndSolver;
use super::code::EndCode;
use crate::tablebase::LayerCost;
use crate::tablebase::strips::cost::{LevelNeeds, packed_bytes};
use crate::tablebase::strips::foxes::Foxes;
use crate::tablebase::strips::layer::LayerPatterns;

/// Sets kept for a pattern while its level is solved: those of one goal.
const LEVEL_SETS: u64 = 3;
/// The same where geese never go back: onward moves, and the level above.
const ONWARD_SETS: u64 = 2;
/// For an entry while it is encoded: its value, and what becomes of it.
const ENCODED_BYTES: u64 = 4;
/// Eighths of a bit for a packed entry where geese never go back: `masters-15` with 15 takes nearly as much. Elsewhere
/// as distances to conversion.
const ONWARD_PACKED_EIGHTHS: u64 = 8;
/// Between the 17 of `bell-13` and the 26 of `catch-the-hare`.
const NANOSECONDS: u64 = 20;

impl EndSolver {
    fn is_onward(&self) -> bool {
        !self.game.foxes.rules().onward.is_empty()
    }

    fn packed_eighths(&self) -> u64 {
        if self.is_onward() { ONWARD_PACKED_EIGHTHS } else { self.game.packed_eighths() }
    }

    /// Bytes of the packed codes of a layer.
    fn packed(&self, layer: &LayerPatterns) -> u64 {
        packed_bytes((layer.patterns() * self.columns(layer.geese)) as u64, self.packed_eighths())
    }

    /// Bytes of the open codes of the largest level of a layer.
    fn open(&self, layer: &LayerPatterns) -> u64 {
        let patterns = layer.levels.iter().map(|level| level.patterns).max().unwrap_or(0);
        (patterns * self.columns(layer.geese) * size_of::<EndCode>()) as u64
    }

    /// Bytes of what is kept of a layer for the one after it: all codes packed, and those of a level open.
    fn kept(&self, geese: u32) -> u64 {
        if !self.game.is_looked_up(geese) {
            return 0;
        }
        let layer = self.game.patterns(geese);
        self.packed(&layer) + self.open(&layer)
    }

    /// What the build of a layer takes, whether or not the layers below are solved with it.
    pub(super) fn layer_cost(&self, geese: u32) -> LayerCost {
        let (layer, columns) = (self.game.patterns(geese), self.columns(geese) as u64);
        let reread = (self.game.first_reread(geese)..geese).map(|geese| {
            let layer = self.game.patterns(geese);
            self.kept(geese - 1) + self.packed(&layer) + 2 * self.open(&layer)
        });
        let is_onward = self.is_onward();
        let needs = LevelNeeds {
            sets: LEVEL_SETS + u64::from(is_onward) * ONWARD_SETS,
            // Of both sides, of jumps and of the level above.
            news: if is_onward { 4 } else { 3 },
            // The best jumps.
            bytes: columns * size_of::<EndCode>() as u64,
            encoded: ENCODED_BYTES,
            packed_eighths: self.packed_eighths(),
            nanoseconds: NANOSECONDS,
        };
        // The codes of a solved level take the room of its sets, and of the open level below, which is closed by then.
        let own = if self.game.is_looked_up(geese) { self.packed(&layer) } else { 0 };
        let kept = self.kept(geese - 1) + own;
        self.game.layer_cost(&layer, &needs, |_| kept, reread.max().unwrap_or(0))
    }
}
