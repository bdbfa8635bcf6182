//! The price of a layer: bytes of memory and of the file, and processor time.

use super::foxes::Foxes;
use super::landings::{Landings, landing_bytes};
use super::layer::Level;
use super::rules::MissedJump;
use super::solver::{StripSolver, chunks_at_once};
use crate::tablebase::sets::binomial;
use crate::tablebase::{LayerCost, Metric};

/// Sets kept for a pattern while its level is solved: those of one goal.
const LEVEL_SETS: u64 = 3;
/// Eighths of a bit for a packed entry where geese may go back, cautiously, with one fox and with two: `catch-the-hare`
/// takes nearly as much of one fox, and `siege` with 9 attackers two thirds of it of two.
const PACKED_EIGHTHS: [u64; 2] = [40, 24];
/// Eighths of a bit for a packed entry where geese never go back, with one fox and with two: `bell-17` with 17 geese
/// takes nearly as much, tables of 13 geese half of it, and `halatafl` with 9 two thirds.
const ONWARD_PACKED_EIGHTHS: [u64; 2] = [6, 16];
/// Eighths of a bit for a packed distance to the end where geese never go back: `masters-15` with 15 takes nearly as
/// much.
const ONWARD_END_PACKED_EIGHTHS: u64 = 8;
/// Bytes of packed frontiers for sixteen positions, cautiously.
const FRONTIER_BYTES: u64 = 6;
/// Bytes of packed frontiers for sixteen positions of one fox where geese may go back: its many rounds decide little
/// each.
const REVERSIBLE_FRONTIER_BYTES: u64 = 11;
/// Bytes for a tail: its number, images and neighbours.
const TAIL_BYTES: u64 = 300;
/// Processor time for a position, in picoseconds: between the 3,000 of two foxes and the 17,000 of `catch-the-hare`;
/// 4,500 of `bell-13`, and 12,000 of `masters-22` from `masters-15` on, much of it to read these tables again.
const PICOSECONDS: u64 = 10_000;
/// Processor time for a position where steps depend on jumps, in picoseconds: between the 16,000 of `halatafl` and the
/// 21,000 of `siege`.
const PICOSECONDS_WITH_JUMPS: u64 = 18_000;
/// Processor time for a position with its distance to the end, in picoseconds: between the 17,000 of `bell-13` and the
/// 26,000 of `catch-the-hare`.
const END_PICOSECONDS: u64 = 20_000;
/// Bytes of an unpacked end of the game.
const END_BYTES: u64 = 2;

impl<F: Foxes, L: Landings<F>> StripSolver<F, L> {
    fn is_onward(&self) -> bool {
        !self.game.foxes.rules().onward.is_empty()
    }

    /// Bytes of packed entries.
    fn packed(&self, entries: u64) -> u64 {
        let eighths = match (L::METRIC, self.is_onward()) {
            (Metric::End, true) => ONWARD_END_PACKED_EIGHTHS,
            (Metric::Conversion, true) => ONWARD_PACKED_EIGHTHS[F::NUMBER as usize - 1],
            (_, false) => PACKED_EIGHTHS[F::NUMBER as usize - 1],
        };
        entries * eighths / 64
    }

    /// The number of positions with one side to move that some patterns of a layer have.
    fn stored(&self, geese: u32, patterns: usize) -> u64 {
        patterns as u64 * u64::from(self.game.columns(geese))
    }

    /// Bytes of what a layer keeps of a level for the layer after it, with distances to conversion.
    fn verdict_bytes(&self, geese: u32, level: &Level, last: u32) -> u64 {
        let pattern = if self.is_needed_above(geese, last) { 2 * landing_bytes(&self.game.foxes, geese) } else { 0 };
        (level.patterns * pattern) as u64
    }

    /// Bytes of the packed ends that a layer keeps for the layer after it, and of the unpacked ends of its largest
    /// level.
    fn end_bytes(&self, geese: u32, last: u32) -> [u64; 2] {
        if !self.is_needed_above(geese, last) {
            return [0; 2];
        }
        let layer = self.game.layer(geese);
        let largest = layer.levels.iter().map(|level| level.patterns).max().unwrap_or(0);
        [self.packed(self.stored(geese, layer.patterns())), self.stored(geese, largest) * END_BYTES]
    }

    /// Bytes kept of a layer and of the one below it while a level is solved.
    fn kept(&self, geese: u32, level: &Level, last: u32) -> u64 {
        match L::METRIC {
            // What jumps from the level and those after it lead to, and what is known of its layer, itself included.
            Metric::Conversion => {
                let below = self.game.layer(geese - 1).levels.iter().filter(|below| below.ranks <= level.ranks);
                let known = self.game.layer(geese).levels.iter().filter(|known| known.ranks >= level.ranks);
                let below: u64 = below.map(|below| self.verdict_bytes(geese - 1, below, last)).sum();
                below + known.map(|known| self.verdict_bytes(geese, known, last)).sum::<u64>()
            }
            // The ends of a solved level take the room of its sets and of the level below, which is packed by then.
            Metric::End => self.end_bytes(geese - 1, last).iter().sum::<u64>() + self.end_bytes(geese, last)[0],
        }
    }

    /// Bytes for reading a finished layer again.
    fn reread(&self, geese: u32, last: u32) -> u64 {
        let levels = self.game.layer(geese).levels.iter();
        let kept = levels.map(|level| self.kept(geese, level, last)).max().unwrap_or(0);
        kept + if L::METRIC == Metric::End { 2 * self.end_bytes(geese, last)[1] } else { 0 }
    }

    /// Bytes of the sets and frontiers of a pattern while its level is solved.
    fn pattern_bytes(&self, columns: u64) -> u64 {
        // Where geese never go back there are sets for onward moves and of the level above; of it and of jumps there
        // are frontiers besides those of both sides to move.
        let (onward_sets, frontiers, best_jumps) = match (L::METRIC, self.is_onward()) {
            (Metric::Conversion, true) => (3, 2, 0),
            (Metric::Conversion, false) => (0, 2, 0),
            (Metric::End, true) => (2, 4, columns * END_BYTES),
            (Metric::End, false) => (0, 3, columns * END_BYTES),
        };
        let is_reversible = F::NUMBER == 1 && !self.is_onward();
        let frontier = columns * if is_reversible { REVERSIBLE_FRONTIER_BYTES } else { FRONTIER_BYTES };
        (LEVEL_SETS + onward_sets) * size_of::<F::Set>() as u64 + frontiers * frontier / 16 + best_jumps
    }

    fn picoseconds(&self) -> u64 {
        match (L::METRIC, self.game.foxes.rules().missed_jump) {
            (Metric::End, _) => END_PICOSECONDS,
            (Metric::Conversion, MissedJump::Allowed) => PICOSECONDS,
            (Metric::Conversion, MissedJump::Forbidden | MissedJump::Huffed) => PICOSECONDS_WITH_JUMPS,
        }
    }

    /// What the build of a layer with all foxes takes, whether or not the layers below are solved with it.
    pub(super) fn layer_cost(&self, geese: u32, last: u32) -> LayerCost {
        let game = &self.game;
        let layer = self.game.layer(geese);
        let columns = u64::from(self.game.columns(geese));
        let longest_strip = self.tails().max().unwrap_or(0);
        let chunks = chunks_at_once() as u64 * (F::CHUNK_PATTERNS as u64 + longest_strip);
        // For an entry while it is encoded: its value, mostly a byte, and what becomes of it.
        let encoded = if L::METRIC == Metric::End { 4 } else { 2 };
        let of_level = |level: &Level| {
            let at_once = level.patterns as u64;
            self.kept(geese, level, last)
                + at_once * self.pattern_bytes(columns)
                + at_once.min(chunks) * 2 * columns * encoded
        };
        let levels = layer.levels.iter().map(of_level).max().unwrap_or(0);
        let reread = (self.first_reread(geese)..geese).map(|geese| self.reread(geese, last)).max().unwrap_or(0);
        let buffers = rayon::current_num_threads() * (size_of::<F::Jumpers>() + 2 * size_of::<F::Set>());
        let lists = self.list_bytes(geese) + longest_strip * buffers as u64;
        let placements = binomial(game.foxes.rules().points(), geese).saturating_mul(u128::from(2 * columns));
        let memory = reread.max(levels) + lists + (16 << 20);
        let disk = self.packed(2 * self.stored(geese, layer.patterns())) + (1 << 20);
        LayerCost::new(placements, self.picoseconds(), memory.into(), disk.into())
    }

    /// Bytes kept of a layer with fewer foxes while that with more, whose steps may be huffed, is solved: the outcomes of
    /// jumps into the layer, the placements that reach the goals and, until they are let go, the outcomes of jumps into
    /// the layer below.
    pub(super) fn bytes_kept_for_more_foxes(&self, geese: u32, last: u32) -> u64 {
        let goals = self.game.layer(geese).patterns() * 2 * size_of::<F::Set>();
        let of_layer = |geese: u32| {
            let levels = self.game.layer(geese).levels.iter();
            levels.map(|level| self.verdict_bytes(geese, level, last)).sum::<u64>()
        };
        of_layer(geese - 1) + of_layer(geese) + goals as u64 + self.list_bytes(geese)
    }

    /// The numbers of tails, by group.
    fn tails(&self) -> impl Iterator<Item = u64> {
        self.game.numbering.tail_groups.iter().map(|group| group.len() as u64)
    }

    /// Bytes of the lists of all tails, and of the layouts of all layers up to this one, each as large as its own.
    fn list_bytes(&self, geese: u32) -> u64 {
        self.tails().sum::<u64>() * TAIL_BYTES + u64::from(geese + 1) * self.game.layer(geese).bytes()
    }
}
