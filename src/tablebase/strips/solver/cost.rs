//! What the build of a layer takes.

use super::{StripSolver, pieces_at_once};
use crate::geometry::Word;
use crate::tablebase::LayerCost;
use crate::tablebase::binomials::binomial;
use crate::tablebase::strips::foxes::Foxes;
use crate::tablebase::strips::landings::landing_bytes;

/// Bits on disk for a stored entry, cautiously: `catch-the-hare` takes nearly as much where geese may go back, and
/// where they may not tables of 13 geese take about half of it.
const DISK_BITS_PER_ENTRY: u64 = 4;
const ONWARD_DISK_BITS: u64 = 1;
/// Sets kept for a pattern while its level is solved: those of one goal.
const LEVEL_SETS: u64 = 3;
/// The same where geese never go back: onward moves, and the level above for both goals.
const ONWARD_SETS: u64 = 3;
/// Bytes of packed news for eight positions, cautiously.
const NEWS_BYTES: u64 = 3;
/// For a tail: its number, images and neighbours.
const TAIL_BYTES: u64 = 300;
/// For an entry while it is encoded: its value, mostly a byte, and what becomes of it.
const ENCODED_BYTES: u64 = 2;

impl<W: Word, F: Foxes> StripSolver<W, F> {
    /// Bytes of what is looked up in a layer.
    fn landing_size(&self, layer: u32) -> u64 {
        let size = |layer: u32| self.patterns(layer).patterns() as u64 * 2 * landing_bytes(&self.foxes, layer) as u64;
        let sizes = || (0..self.last_wanted).map(|layer| if self.is_looked_up(layer) { size(layer) } else { 0 });
        self.landing_sizes.get_or_init(|| sizes().collect()).get(layer as usize).copied().unwrap_or(0)
    }

    /// What the build of a layer takes, whether or not the layers below are solved with it.
    pub(super) fn layer_cost(&self, layer: u32) -> LayerCost {
        let (points, patterns) = (self.foxes.rules().points(), self.patterns(layer));
        let columns = u64::from(self.foxes.columns_beside(layer));
        let kept = |layer: u32| self.landing_size(layer);
        // While a layer is read again, that below it is kept, too.
        let reread = (self.first_reread(layer)..layer).map(|layer| kept(layer - 1) + kept(layer)).max().unwrap_or(0);
        let at_once = patterns.levels.iter().map(|level| level.patterns).max().unwrap_or(0) as u64;
        let tails = || self.numbering.tail_groups.iter().map(|group| group.tails.len() as u64);
        let longest_strip = tails().max().unwrap_or(0);
        let piece = F::PIECE_PATTERNS as u64 + longest_strip;
        let encoded = at_once.min(pieces_at_once() as u64 * piece) * 2 * columns * ENCODED_BYTES;
        let (onward, disk_bits) = match self.foxes.rules().onward.is_empty() {
            true => (0, DISK_BITS_PER_ENTRY),
            false => (ONWARD_SETS, ONWARD_DISK_BITS),
        };
        let sets = (LEVEL_SETS + onward) * size_of::<F::Set>() as u64;
        let news = 2 * columns * NEWS_BYTES / 8;
        let buffers = rayon::current_num_threads() * (size_of::<F::Jumpers>() + 2 * size_of::<F::Set>());
        let lists = tails().sum::<u64>() * TAIL_BYTES + longest_strip * buffers as u64;
        let placements = binomial(points, layer).saturating_mul(u128::from(2 * columns));
        LayerCost {
            positions: u64::try_from(placements).unwrap_or(u64::MAX),
            memory_bytes: reread.max(kept(layer - 1) + kept(layer) + at_once * (sets + news) + encoded)
                + lists
                + (16 << 20),
            disk_bytes: patterns.patterns() as u64 * 2 * columns * disk_bits / 8 + (1 << 20),
        }
    }
}
