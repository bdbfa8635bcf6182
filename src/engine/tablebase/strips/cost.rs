//! What the build of a layer takes whatever its distances count to.

use std::time::Duration;

use super::foxes::Foxes;
use super::layer::{LayerPatterns, Level};
use super::strip_game::{StripGame, pieces_at_once};
use crate::tablebase::LayerCost;
use crate::tablebase::binomials::binomial;

/// Eighths of a bit for a packed entry, cautiously, with one fox and with two. Where geese may go back `catch-the-hare`
/// takes nearly as much of one fox, and `siege` with 9 attackers two thirds of it of two.
const PACKED_EIGHTHS: [u64; 2] = [40, 24];
/// Where they may not, `bell-17` with 17 geese takes nearly as much, tables of 13 geese half of it, and `halatafl` with
/// 9 two thirds.
const ONWARD_PACKED_EIGHTHS: [u64; 2] = [6, 16];
/// Bytes of packed news for sixteen positions, cautiously, and the same for one fox where geese may go back: its many
/// rounds leave much, in little pieces.
const NEWS_BYTES: u64 = 6;
const REVERSIBLE_NEWS_BYTES: u64 = 11;
/// For a tail: its number, images and neighbours.
const TAIL_BYTES: u64 = 300;

/// Bytes of so many packed entries of so many eighths of a bit.
pub(super) fn packed_bytes(entries: u64, eighths: u64) -> u64 {
    entries * eighths / 64
}

/// What a method keeps in memory for the positions of a level while it is solved.
pub(super) struct LevelNeeds {
    /// Sets of placements for each pattern.
    pub sets: u64,
    /// Of how many sides to move the news are kept.
    pub news: u64,
    /// Bytes for each pattern besides these.
    pub bytes: u64,
    /// Bytes of an entry while it is encoded: its value and what becomes of it.
    pub encoded: u64,
    /// Eighths of a bit of an entry when it is packed.
    pub packed_eighths: u64,
    /// Nanoseconds of processor time for a position.
    pub nanoseconds: u64,
}

impl<F: Foxes> StripGame<F> {
    /// The cost of a layer when levels need so much, and `kept` bytes stand beside a level. Never less than `reread`,
    /// the bytes for reading the layers below.
    pub(super) fn layer_cost(
        &self,
        patterns: &LayerPatterns,
        needs: &LevelNeeds,
        kept: impl Fn(&Level) -> u64,
        reread: u64,
    ) -> LayerCost {
        let columns = u64::from(self.foxes.columns_beside(patterns.geese));
        let longest_strip = self.tails().max().unwrap_or(0);
        let pieces = pieces_at_once() as u64 * (F::PIECE_PATTERNS as u64 + longest_strip);
        let is_reversible = F::NUMBER == 1 && self.foxes.rules().onward.is_empty();
        let news_bytes = if is_reversible { REVERSIBLE_NEWS_BYTES } else { NEWS_BYTES };
        let pattern = needs.sets * size_of::<F::Set>() as u64 + needs.news * columns * news_bytes / 16 + needs.bytes;
        let of_level = |level: &Level| {
            let at_once = level.patterns as u64;
            kept(level) + at_once * pattern + at_once.min(pieces) * 2 * columns * needs.encoded
        };
        let levels = patterns.levels.iter().map(of_level).max().unwrap_or(0);
        let buffers = rayon::current_num_threads() * (size_of::<F::Jumpers>() + 2 * size_of::<F::Set>());
        let lists = self.list_bytes() + longest_strip * buffers as u64;
        let placements = binomial(self.foxes.rules().points(), patterns.geese).saturating_mul(u128::from(2 * columns));
        let positions = u64::try_from(placements).unwrap_or(u64::MAX);
        LayerCost {
            positions,
            memory_bytes: reread.max(levels) + lists + (16 << 20),
            disk_bytes: packed_bytes(patterns.patterns() as u64 * 2 * columns, needs.packed_eighths) + (1 << 20),
            processor: Duration::from_nanos(positions.saturating_mul(needs.nanoseconds)),
        }
    }

    /// The numbers of tails, by group.
    fn tails(&self) -> impl Iterator<Item = u64> {
        self.numbering.tail_groups.iter().map(|group| group.tails.len() as u64)
    }

    /// Bytes of the lists of all tails.
    pub(super) fn list_bytes(&self) -> u64 {
        self.tails().sum::<u64>() * TAIL_BYTES
    }

    /// Eighths of a bit of a packed distance to conversion.
    pub(super) fn packed_eighths(&self) -> u64 {
        let eighths = if self.foxes.rules().onward.is_empty() { PACKED_EIGHTHS } else { ONWARD_PACKED_EIGHTHS };
        eighths[F::NUMBER as usize - 1]
    }
}
