//! What the build of a layer with distances to the end takes.

use super::EndSolver;
use super::code::EndCode;
use crate::geometry::Word;
use crate::tablebase::LayerCost;
use crate::tablebase::strips::cost::LevelNeeds;
use crate::tablebase::strips::foxes::Foxes;

/// Sets kept for a pattern while its level is solved: those of one goal, and onward moves.
const LEVEL_SETS: u64 = 4;
/// The same where geese never go back: the level above.
const ONWARD_SETS: u64 = 1;
/// For an entry while it is encoded: its value, and what becomes of it.
const ENCODED_BYTES: u64 = 4;

impl<W: Word> EndSolver<W> {
    /// Codes of some patterns with so many geese.
    fn codes(&self, patterns: usize, geese: u32) -> u64 {
        (patterns * self.columns(geese)) as u64
    }

    /// Bytes of what is kept of a layer for the one after it: all codes packed, and at most so many open.
    fn kept(&self, geese: u32) -> u64 {
        if !self.game.is_looked_up(geese) {
            return 0;
        }
        let (rules, layer) = (self.game.foxes.rules(), self.game.patterns(geese));
        let windows = layer.levels.windows(layer.levels.len().min(rules.ranks as usize));
        let open = windows.map(|levels| levels.iter().map(|level| level.patterns).sum()).max().unwrap_or(0);
        self.game.packed_bytes(self.codes(layer.patterns(), geese))
            + self.codes(open, geese) * size_of::<EndCode>() as u64
    }

    /// What the build of a layer takes, whether or not the layers below are solved with it.
    pub(super) fn layer_cost(&self, layer: u32) -> LayerCost {
        let is_onward = !self.game.foxes.rules().onward.is_empty();
        let codes = |geese: u32| 2 * (self.columns(geese) * size_of::<EndCode>()) as u64;
        let at_once = |geese: u32| {
            self.game.patterns(geese).levels.iter().map(|level| level.patterns as u64 * codes(geese)).max().unwrap_or(0)
        };
        let packed = |geese: u32| self.game.packed_bytes(self.codes(self.game.patterns(geese).patterns(), geese));
        let reread = self.game.first_reread(layer)..layer;
        let reread = reread.map(|layer| self.kept(layer - 1) + packed(layer) + at_once(layer)).max().unwrap_or(0);
        // The news of a level, of the one above it, and of jumps.
        let needs = LevelNeeds {
            sets: LEVEL_SETS + u64::from(is_onward) * ONWARD_SETS,
            bytes: codes(layer),
            news: if is_onward { 5 } else { 3 },
            encoded: ENCODED_BYTES,
        };
        let own = if self.game.is_looked_up(layer) { packed(layer) } else { 0 };
        self.game.layer_cost(&self.game.patterns(layer), &needs, self.kept(layer - 1) + own, reread)
    }
}
