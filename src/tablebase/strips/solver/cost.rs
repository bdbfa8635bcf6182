//! What the build of a layer takes.

use super::StripSolver;
use crate::geometry::Word;
use crate::tablebase::LayerCost;
use crate::tablebase::strips::cost::LevelNeeds;
use crate::tablebase::strips::foxes::Foxes;
use crate::tablebase::strips::landings::landing_bytes;
use crate::tablebase::strips::rules::MissedJump;

/// Sets kept for a pattern while its level is solved: those of one goal.
const LEVEL_SETS: u64 = 3;
/// The same where geese never go back: onward moves, and the level above for both goals.
const ONWARD_SETS: u64 = 3;
/// For an entry while it is encoded: its value, mostly a byte, and what becomes of it.
const ENCODED_BYTES: u64 = 2;
/// Between the 6 of `bell-13` and the 17 of `catch-the-hare`.
const NANOSECONDS: u64 = 10;
/// The same where steps depend on jumps: between the 16 of `halatafl` and the 21 of `siege`.
const NANOSECONDS_WITH_JUMPS: u64 = 18;

impl<W: Word, F: Foxes> StripSolver<W, F> {
    /// Bytes of what is looked up in a layer.
    fn landing_size(&self, layer: u32) -> u64 {
        let game = &self.game;
        let size = |layer| game.patterns(layer).patterns() as u64 * 2 * landing_bytes(&game.foxes, layer) as u64;
        let sizes = || (0..game.last_wanted).map(|layer| if game.is_looked_up(layer) { size(layer) } else { 0 });
        self.landing_sizes.get_or_init(|| sizes().collect()).get(layer as usize).copied().unwrap_or(0)
    }

    /// Bytes that stand beside the positions with more foxes, whose steps may be huffed: what is looked up in the layer, where
    /// the geese reach their goals and, until it is let go, what is looked up in the layer below.
    pub(in crate::tablebase::strips) fn kept_bytes(&self, layer: u32) -> u64 {
        let goals = self.game.patterns(layer).patterns() * 2 * size_of::<F::Set>();
        self.landing_size(layer - 1) + self.landing_size(layer) + goals as u64 + self.game.list_bytes()
    }

    /// What the build of a layer takes, whether or not the layers below are solved with it.
    pub(super) fn layer_cost(&self, layer: u32) -> LayerCost {
        let kept = |layer: u32| self.landing_size(layer);
        // While a layer is read again, that below it is kept, too.
        let reread = self.game.first_reread(layer)..layer;
        let reread = reread.map(|layer| kept(layer - 1) + kept(layer)).max().unwrap_or(0);
        let onward = if self.game.foxes.rules().onward.is_empty() { 0 } else { ONWARD_SETS };
        let needs = LevelNeeds {
            sets: LEVEL_SETS + onward,
            news: 2,
            bytes: 0,
            encoded: ENCODED_BYTES,
            nanoseconds: match self.game.foxes.rules().missed_jump {
                MissedJump::Allowed => NANOSECONDS,
                MissedJump::Forbidden | MissedJump::Huffed => NANOSECONDS_WITH_JUMPS,
            },
        };
        self.game.layer_cost(&self.game.patterns(layer), &needs, kept(layer - 1) + kept(layer), reread)
    }
}
