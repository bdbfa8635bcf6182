//! The price of a layer for the fast method: memory, size of the file, and processor time.

use super::foxes::Foxes;
use super::landings::{Landings, landing_bytes};
use super::layer::Level;
use super::rules::MissedJump;
use super::solver::{StripSolver, chunks_at_once};
use crate::tablebase::sets::binomial;
use crate::tablebase::{LayerCost, Metric};

/// The sets held for each pattern while its level is solved for a goal, without those of forward steps.
const LEVEL_SETS: u64 = 3;
/// Size of a packed entry in eighths of a bit where geese may go back, cautiously, with one fox and with two:
/// `catch-the-hare` takes nearly as much for one fox, `siege` with 9 attackers two thirds of it for two.
const PACKED_EIGHTHS: [u64; 2] = [40, 24];
/// Size of a packed entry in eighths of a bit where geese never go back, with one fox and with two: `bell-17` with 17
/// geese takes nearly as much, tables of 13 geese half of it, and `halatafl` with 9 two thirds.
const ONWARD_PACKED_EIGHTHS: [u64; 2] = [6, 16];
/// Size of a packed distance to the end in eighths of a bit where geese never go back: `masters-15` with 15 takes
/// nearly as much.
const ONWARD_END_PACKED_EIGHTHS: u64 = 8;
/// Bytes of packed frontiers per sixteen positions, cautiously.
const FRONTIER_BYTES: u64 = 6;
/// Bytes of packed frontiers per sixteen positions of one fox where geese may go back: there are many rounds, each of
/// which decides little.
const REVERSIBLE_FRONTIER_BYTES: u64 = 11;
/// Bytes per tail for its number, images and neighbours.
const TAIL_BYTES: u64 = 300;
/// Processor time per position, in picoseconds: between the 3,000 of two foxes and the 17,000 of `catch-the-hare`.
/// `bell-13` takes 4,500; `masters-22` from `masters-15` on takes 12,000, much of it to read these tables again.
const PICOSECONDS: u64 = 10_000;
/// Processor time per position where steps depend on jumps, in picoseconds: between the 16,000 of `halatafl` and the
/// 21,000 of `siege`.
const PICOSECONDS_WITH_JUMPS: u64 = 18_000;
/// Processor time per position with its distance to the end, in picoseconds: between the 17,000 of `bell-13` and the
/// 26,000 of `catch-the-hare`.
const END_PICOSECONDS: u64 = 20_000;
/// Bytes of an unpacked [`EndCode`](super::ends).
const END_BYTES: u64 = 2;

impl<F: Foxes, L: Landings<F>> StripSolver<F, L> {
    fn is_onward(&self) -> bool {
        !self.game.foxes.rules().onward.is_empty()
    }

    /// Bytes of this many entries when packed.
    fn packed(&self, entries: u64) -> u64 {
        let eighths = match (L::METRIC, self.is_onward()) {
            (Metric::End, true) => ONWARD_END_PACKED_EIGHTHS,
            (Metric::Conversion, true) => ONWARD_PACKED_EIGHTHS[F::NUMBER as usize - 1],
            (_, false) => PACKED_EIGHTHS[F::NUMBER as usize - 1],
        };
        entries * eighths / 64
    }

    /// The number of positions with one side to move that this many patterns of a layer have.
    fn stored(&self, geese: u32, patterns: usize) -> u64 {
        patterns as u64 * u64::from(self.game.columns(geese))
    }

    /// Bytes that a level keeps for the next layer, with distances to conversion.
    fn verdict_bytes(&self, geese: u32, level: &Level, last: u32) -> u64 {
        let pattern = if self.is_needed_above(geese, last) { 2 * landing_bytes(&self.game.foxes, geese) } else { 0 };
        (level.patterns * pattern) as u64
    }

    /// Bytes of the packed ends that a layer keeps for the next one, then bytes of the unpacked ends of its largest
    /// level.
    fn end_bytes(&self, geese: u32, last: u32) -> [u64; 2] {
        if !self.is_needed_above(geese, last) {
            return [0; 2];
        }
        let layer = self.game.layer(geese);
        let largest = layer.levels.iter().map(|level| level.patterns).max().unwrap_or(0);
        [self.packed(self.stored(geese, layer.patterns())), self.stored(geese, largest) * END_BYTES]
    }

    /// Bytes kept of a layer and of the one below it while `level` is solved.
    fn kept(&self, geese: u32, level: &Level, last: u32) -> u64 {
        match L::METRIC {
            // Of the layer below, the levels to which jumps from this level and later ones lead; of this layer, those
            // already solved.
            Metric::Conversion => {
                let below = self.game.layer(geese - 1).levels.iter().filter(|below| below.ranks <= level.ranks);
                let known = self.game.layer(geese).levels.iter().filter(|known| known.ranks >= level.ranks);
                let below: u64 = below.map(|below| self.verdict_bytes(geese - 1, below, last)).sum();
                below + known.map(|known| self.verdict_bytes(geese, known, last)).sum::<u64>()
            }
            // The ends of a solved level use the memory of its sets and of the level below, which is packed by then.
            Metric::End => self.end_bytes(geese - 1, last).iter().sum::<u64>() + self.end_bytes(geese, last)[0],
        }
    }

    /// The most bytes in use while a finished layer is read again.
    fn reread(&self, geese: u32, last: u32) -> u64 {
        let levels = self.game.layer(geese).levels.iter();
        let kept = levels.map(|level| self.kept(geese, level, last)).max().unwrap_or(0);
        kept + if L::METRIC == Metric::End { 2 * self.end_bytes(geese, last)[1] } else { 0 }
    }

    /// Bytes of the sets and frontiers for a pattern while its level is solved.
    fn pattern_bytes(&self, columns: u64) -> u64 {
        // Where geese never go back there are sets for forward steps and for the level above. That level and the jumps
        // have frontiers, besides those of both sides to move.
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

    /// The price of a layer with all foxes, whether or not the layers below are solved by the same build.
    pub(super) fn layer_cost(&self, geese: u32, last: u32) -> LayerCost {
        let game = &self.game;
        let layer = self.game.layer(geese);
        let columns = u64::from(self.game.columns(geese));
        let longest_strip = self.tails().max().unwrap_or(0);
        let chunks = chunks_at_once() as u64 * (F::CHUNK_PATTERNS as u64 + longest_strip);
        // The bytes of an entry while it is encoded: its value, mostly one byte, and its compressed form.
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

    /// Bytes kept of a layer with fewer foxes while the layer with more foxes is solved, whose steps may be huffed: the
    /// outcomes of jumps into the layer, the placements that reach the goals and, until they are dropped, the outcomes
    /// of jumps into the layer below.
    pub(super) fn bytes_kept_for_more_foxes(&self, geese: u32, last: u32) -> u64 {
        let goals = self.game.layer(geese).patterns() * 2 * size_of::<F::Set>();
        let of_layer = |geese: u32| {
            let levels = self.game.layer(geese).levels.iter();
            levels.map(|level| self.verdict_bytes(geese, level, last)).sum::<u64>()
        };
        of_layer(geese - 1) + of_layer(geese) + goals as u64 + self.list_bytes(geese)
    }

    /// The number of tails in each group.
    fn tails(&self) -> impl Iterator<Item = u64> {
        self.game.numbering.tail_groups.iter().map(|group| group.len() as u64)
    }

    /// Bytes of the lists of all tails, and of the patterns of all layers up to this one, taken to be as large as its
    /// own.
    fn list_bytes(&self, geese: u32) -> u64 {
        self.tails().sum::<u64>() * TAIL_BYTES + u64::from(geese + 1) * self.game.layer(geese).bytes()
    }
}
