//! The fast method as a `LayerSolver`.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::block::{BlockInputs, FarthestWin, FarthestWins, FoxOutcomes, SolvedBlock, solve};
use super::index::{LayerPatterns, PatternNumbering};
use super::landings::{LandingSets, LandingTable, Packing, jumps};
use super::rules::{OneFoxRules, singles};
use crate::geometry::{PointSet, Word};
use crate::rules::Notation;
use crate::rules::hunt::{Hunt, Position, Side};
use crate::tablebase::binomials::binomial;
use crate::tablebase::format::{EncodedBlock, LayerFile};
use crate::tablebase::{
    LayerCost, LayerSolver, LayerSummary, LongestWin, NewLayer, ResultCounts, Store, TableEntry, TableError,
};

/// The method for one fox, on boards of at most 64 cells.
pub(crate) struct OneFoxSolver<W: Word> {
    game: Hunt<W>,
    rules: OneFoxRules,
    numbering: PatternNumbering,
    packing: Packing,
    /// The last layer that will be asked for: nothing need be kept for the one after it.
    last_wanted: u32,
    /// What jumps into a layer lead to, with the geese of that layer.
    landings: Option<(u32, LandingTable)>,
}

/// Bits on disk for a stored entry, cautiously: tables of 13 geese take about half of it.
const DISK_BITS_PER_ENTRY: u64 = 1;
/// Memory for a pattern while its block is solved, beside its entries.
const CELL_BYTES: u64 = 120;
/// Blocks that a thread has in hand: while it waits for a part of one it may take up another.
const BLOCKS_A_THREAD: u64 = 2;

impl<W: Word> OneFoxSolver<W> {
    /// `None` when the ruleset needs the general method. `last_wanted` is the greatest layer that will be solved.
    pub(crate) fn new(game: &Hunt<W>, last_wanted: u32) -> Option<Self> {
        let rules = OneFoxRules::of(game)?;
        let numbering = PatternNumbering::new(&rules)?;
        let packing = Packing::new(&rules, &numbering);
        Some(OneFoxSolver { game: game.clone(), rules, numbering, packing, last_wanted, landings: None })
    }

    fn index(&self, geese: u32) -> Result<Arc<LayerPatterns>, TableError> {
        let refuse = || TableError::Refused(format!("{geese} geese: more patterns than can be numbered on this board"));
        self.numbering.layer(geese).map(Arc::new).ok_or_else(refuse)
    }

    /// Has what jumps from a layer lead to at hand, reading the finished layers if need be.
    fn prepare(&mut self, layer: u32, below: &Store) -> Result<(), TableError> {
        let ready = self.landings.as_ref().is_some_and(|known| known.0 + 1 == layer);
        if ready || layer <= self.first_layer() || self.rules.jumps.is_empty() {
            return Ok(());
        }
        self.landings = None;
        for geese in self.first_layer()..layer {
            self.landings = Some((geese, self.reread(geese, below)?));
        }
        Ok(())
    }

    fn below(&self, layer: u32) -> Option<&LandingTable> {
        self.landings.as_ref().filter(|known| known.0 + 1 == layer).map(|known| &known.1)
    }

    /// The landing sets of a finished layer, those of the layer below it being at hand.
    fn reread(&self, geese: u32, store: &Store) -> Result<LandingTable, TableError> {
        let missing = || TableError::Refused(format!("the table of {geese} geese is missing; build it first"));
        let file = store.layer(geese).ok_or_else(missing)?;
        let index = self.index(geese)?;
        let blocks: Vec<u32> = (0..index.blocks.len() as u32).collect();
        let mut landings = LandingTable::new(index.clone(), self.packing.clone());
        for some in blocks.chunks(64) {
            let packed: Vec<Vec<u8>> = some
                .par_iter()
                .map(|&block| self.reread_block(geese, file, &index, block))
                .collect::<Result<_, _>>()?;
            some.iter().zip(&packed).for_each(|(&block, packed)| landings.fill(block, packed));
        }
        Ok(landings)
    }

    fn reread_block(
        &self,
        geese: u32,
        file: &LayerFile,
        index: &LayerPatterns,
        block: u32,
    ) -> Result<Vec<u8>, TableError> {
        let patterns = index.patterns(&self.numbering, block);
        let columns = self.rules.points() - geese;
        let stored = stored_block(block, Side::Geese);
        if file.extent(stored) != (patterns.len() as u64, columns) {
            return Err(TableError::damaged(
                file.path(),
                format!("block {stored}"),
                "it has another size than it must",
            ));
        }
        let entries = file.block(stored)?;
        let mut packed = Vec::with_capacity(patterns.len() * self.packing.bytes());
        for (&pattern, row) in patterns.iter().zip(entries.chunks_exact(columns.max(1) as usize)) {
            let key = self.numbering.key(pattern);
            let jumps = jumps(&self.rules, &self.numbering, self.below(geese), key, pattern);
            let words = geese_to_move(self.rules.all & !pattern, row);
            self.packing.write(LandingSets::of_landing(&self.rules, pattern, words, jumps), &mut packed);
        }
        Ok(packed)
    }

    fn text(&self, example: FarthestWin, turn: Side) -> String {
        let set = |word: u64| PointSet::<W>::narrow(PointSet::from_word(u128::from(word)));
        self.game.position_text(&Position::new(set(example.fox), set(example.pattern), turn))
    }

    fn summary(&self, results: [ResultCounts; 2], examples: &FarthestWins) -> LayerSummary {
        let mut longest = Vec::new();
        for (turn, letter) in [(Side::Geese, 'g'), (Side::Fox, 'f')] {
            for (winner, name) in [(Side::Fox, 'f'), (Side::Geese, 'g')] {
                if let Some(example) = examples[turn as usize][winner as usize] {
                    let position = self.text(example, turn);
                    longest.push(LongestWin { turn: letter, winner: name, plies: example.plies, position });
                }
            }
        }
        let [fox_to_move, geese_to_move] = results;
        LayerSummary { geese_to_move, fox_to_move, longest }
    }
}

/// The number of the file's block with one side to move for a block of patterns.
pub(super) fn stored_block(block: u32, turn: Side) -> u32 {
    2 * block + u32::from(turn == Side::Fox)
}

/// The fox points won and lost for the fox side in a row of entries.
fn geese_to_move(empty: u64, row: &[TableEntry]) -> FoxOutcomes {
    let mut words = (0, 0);
    for (point, entry) in singles(empty).zip(row) {
        match entry.winner() {
            Some(Side::Fox) => words.0 |= point,
            Some(Side::Geese) => words.1 |= point,
            None => {}
        }
    }
    words
}

impl<W: Word> LayerSolver for OneFoxSolver<W> {
    fn layout(&self) -> &'static str {
        "lone"
    }

    fn first_layer(&self) -> u32 {
        self.rules.fox_wins_below.max(1)
    }

    fn last_layer(&self) -> u32 {
        self.rules.points().saturating_sub(1)
    }

    fn cost(&self, layer: u32) -> LayerCost {
        let points = self.rules.points();
        let patterns = |geese: u32| {
            let all = ways(points, geese);
            // A few more than half are symmetric or the first of a pair.
            if self.rules.mirrors { all / 2 + all / 100 + 64 } else { all }
        };
        let (columns, packed) = (u64::from(points.saturating_sub(layer)), self.packing.bytes() as u64);
        let has_jumps = !self.rules.jumps.is_empty();
        let kept =
            |geese: u32, needed: bool| if needed && has_jumps { patterns(geese).saturating_mul(packed) } else { 0 };
        let landings =
            kept(layer - 1, layer > self.first_layer()).saturating_add(kept(layer, layer < self.last_wanted));
        let blocks = BLOCKS_A_THREAD * rayon::current_num_threads() as u64;
        // About one pattern in twenty has the most frequent sum of ranks, one in a hundred the most frequent profile.
        let at_once = if self.rules.onward.is_empty() { patterns(layer) } else { patterns(layer) / 100 * blocks };
        let window = if self.rules.onward.is_empty() { 0 } else { patterns(layer) / 8 * 24 };
        LayerCost {
            positions: ways(points, layer).saturating_mul(2 * columns),
            memory_bytes: landings
                .saturating_add(at_once.saturating_mul(CELL_BYTES + 2 * columns))
                .saturating_add(window)
                .saturating_add(64 << 20),
            disk_bytes: patterns(layer).saturating_mul(2 * columns) / 8 * DISK_BITS_PER_ENTRY + (1 << 20),
        }
    }

    fn solve(
        &mut self,
        layers: &mut [NewLayer],
        below: &Store,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), TableError> {
        layers.iter_mut().try_for_each(|layer| self.solve_layer(layer, below, progress))
    }
}

impl<W: Word> OneFoxSolver<W> {
    fn solve_layer(
        &mut self,
        NewLayer { geese, writer, summary }: &mut NewLayer,
        below: &Store,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), TableError> {
        let layer = *geese;
        self.prepare(layer, below)?;
        let index = self.index(layer)?;
        let packing = (layer < self.last_wanted && !self.rules.jumps.is_empty()).then_some(&self.packing);
        let mut landings =
            packing.map(|packing| self.index(layer).map(|index| LandingTable::new(index, packing.clone())));
        let mut landings = landings.take().transpose()?;
        let mut above: Vec<Option<Vec<FoxOutcomes>>> = vec![None; index.blocks.len()];
        let (mut results, mut examples) = ([ResultCounts::default(); 2], FarthestWins::default());
        let mut last = 0..0;
        for level in levels(&index) {
            let inputs = BlockInputs {
                rules: &self.rules,
                numbering: &self.numbering,
                layer: &index,
                above: &above,
                below: self.below(layer),
            };
            let solve = |block: usize| {
                let ([fox, geese], solved) = solve(&inputs, block as u32, packing);
                progress(solved.results.iter().map(ResultCounts::total).sum());
                Ok(([geese.encode()?, fox.encode()?], solved))
            };
            let done: io::Result<Vec<([EncodedBlock; 2], SolvedBlock)>> =
                level.clone().into_par_iter().with_max_len(1).map(solve).collect();
            let done = done.map_err(|error| TableError::Refused(error.to_string()))?;
            for (block, (encoded, solved)) in level.clone().zip(done) {
                encoded.iter().try_for_each(|encoded| writer.append(encoded))?;
                results.iter_mut().zip(solved.results).for_each(|(all, more)| all.add(more));
                merge(&mut examples, solved.examples);
                above[block] = Some(solved.fox_to_move);
                if let Some(landings) = &mut landings {
                    landings.fill(block as u32, &solved.landings);
                }
            }
            // Forward moves lead to the next sum of ranks only.
            above[last].iter_mut().for_each(|words| *words = None);
            last = level;
        }
        self.landings = landings.map(|landings| (layer, landings));
        *summary = self.summary(results, &examples);
        Ok(())
    }
}

/// The blocks of equal rank sum, which do not depend on each other, from high sums to low.
fn levels(index: &LayerPatterns) -> Vec<Range<usize>> {
    let mut levels = Vec::<Range<usize>>::new();
    for block in 0..index.blocks.len() {
        match levels.last_mut() {
            Some(level) if index.rank_sum(level.start as u32) == index.rank_sum(block as u32) => level.end = block + 1,
            _ => levels.push(block..block + 1),
        }
    }
    levels
}

fn merge(all: &mut FarthestWins, more: FarthestWins) {
    for (best, example) in all.iter_mut().flatten().zip(more.into_iter().flatten()) {
        if example.is_some_and(|example| best.is_none_or(|best| best.plies < example.plies)) {
            *best = example;
        }
    }
}

/// `n` choose `k`, or the greatest number if that is greater.
fn ways(n: u32, k: u32) -> u64 {
    u64::try_from(binomial(n, k)).unwrap_or(u64::MAX)
}
