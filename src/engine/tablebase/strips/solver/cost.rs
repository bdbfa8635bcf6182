//! What the build of a layer takes.

use super::StripSolver;
use crate::tablebase::LayerCost;
use crate::tablebase::strips::cost::LevelNeeds;
use crate::tablebase::strips::foxes::Foxes;
use crate::tablebase::strips::landings::landing_bytes;
use crate::tablebase::strips::layer::Level;
use crate::tablebase::strips::rules::MissedJump;

/// Sets kept for a pattern while its level is solved: those of one goal.
const LEVEL_SETS: u64 = 3;
/// The same where geese never go back: onward moves, and the level above for both goals.
const ONWARD_SETS: u64 = 3;
/// For an entry while it is encoded: its value, mostly a byte, and what becomes of it.
const ENCODED_BYTES: u64 = 2;
/// Between the 3 of two foxes and the 17 of `catch-the-hare`; 4.5 of `bell-13`, and 12 of `masters-22` from
/// `masters-15` on, much of it to read these tables again.
const NANOSECONDS: u64 = 10;
/// The same where steps depend on jumps: between the 16 of `halatafl` and the 21 of `siege`.
const NANOSECONDS_WITH_JUMPS: u64 = 18;

/// By layer, then level: its sum of ranks, and the bytes of what is looked up in it for both goals.
pub(super) type LandingSizes = Vec<Vec<(u32, u64)>>;

impl<F: Foxes> StripSolver<F> {
    /// The bytes of what is looked up in the levels of a layer.
    fn landing_sizes(&self, layer: u32) -> &[(u32, u64)] {
        let game = &self.game;
        let of_layer = |layer: u32| {
            if !game.is_looked_up(layer) {
                return Vec::new();
            }
            let pattern = 2 * landing_bytes(&game.foxes, layer) as u64;
            let levels = game.patterns(layer).levels.into_iter();
            levels.map(|level| (level.ranks, level.patterns as u64 * pattern)).collect()
        };
        let sizes = self.landing_sizes.get_or_init(|| (0..game.last_wanted).map(of_layer).collect());
        sizes.get(layer as usize).map_or(&[], Vec::as_slice)
    }

    /// Bytes of what is looked up while a level is solved or read again: what jumps from it and from the levels after
    /// it lead to in the layer below, and what is known of its layer, itself included.
    fn looked_up(&self, layer: u32, ranks: u32) -> u64 {
        let below = self.landing_sizes(layer - 1).iter().filter(|level| level.0 <= ranks);
        let known = self.landing_sizes(layer).iter().filter(|level| level.0 >= ranks);
        below.chain(known).map(|level| level.1).sum()
    }

    /// Bytes that stand beside the positions with more foxes, whose steps may be huffed: what is looked up in the
    /// layer, where the geese reach their goals and, until it is let go, what is looked up in the layer below.
    pub(in crate::tablebase::strips) fn kept_bytes(&self, layer: u32) -> u64 {
        let goals = self.game.patterns(layer).patterns() * 2 * size_of::<F::Set>();
        let sizes = [layer - 1, layer].into_iter().flat_map(|layer| self.landing_sizes(layer));
        sizes.map(|level| level.1).sum::<u64>() + goals as u64 + self.game.list_bytes()
    }

    /// What the build of a layer takes, whether or not the layers below are solved with it.
    pub(super) fn layer_cost(&self, layer: u32) -> LayerCost {
        let reread = (self.game.first_reread(layer)..layer)
            .flat_map(|layer| self.landing_sizes(layer).iter().map(move |&(ranks, _)| self.looked_up(layer, ranks)));
        let onward = if self.game.foxes.rules().onward.is_empty() { 0 } else { ONWARD_SETS };
        let needs = LevelNeeds {
            sets: LEVEL_SETS + onward,
            news: 2,
            bytes: 0,
            encoded: ENCODED_BYTES,
            packed_eighths: self.game.packed_eighths(),
            nanoseconds: match self.game.foxes.rules().missed_jump {
                MissedJump::Allowed => NANOSECONDS,
                MissedJump::Forbidden | MissedJump::Huffed => NANOSECONDS_WITH_JUMPS,
            },
        };
        let patterns = self.game.patterns(layer);
        let kept = |level: &Level| self.looked_up(layer, level.ranks);
        self.game.layer_cost(&patterns, &needs, kept, reread.max().unwrap_or(0))
    }
}
