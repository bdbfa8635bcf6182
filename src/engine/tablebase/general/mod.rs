//! The general solver: solves every ruleset of the hunt family by nothing but its legal moves.
//!
//! It takes several foxes, huffs, geese that come back or are dropped from a stock, forced captures and every other
//! switch. Each position of a layer has an entry of its own, for either side to move and for every duty that a huff
//! leaves. Most rulesets with one fox or two (for two: distances to conversion only) and games of drops have faster
//! solvers, for which this one is the reference.
//!
//! `scope` counts the positions that there are; `positions` numbers them, as they stand in a file; `predecessors`
//! undoes moves; `values` holds what is known of a layer and of those below; and `rounds` solves a layer.

mod positions;
mod predecessors;
mod rounds;
mod scope;
#[cfg(test)]
mod tests;
mod values;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use positions::{BLOCK_ENTRIES, LayerPositions, MaterialBlock, layout_name};
use predecessors::Predecessors;
use rounds::Retrograde;
use scope::{Scope, TurnType, mirrors};
use values::LowerLayers;

use super::format::{EncodedBlock, EntryAddress};
use super::method::check_wanted;
use super::sets::SetNumbering;
use super::{LayerCost, LayerSolver, LayerSummary, Method, Metric, NewLayer, Store, TableEntry, TableError, Tally};
use crate::geometry::Word;
use crate::parallel;
use crate::rules::Notation;
use crate::rules::hunt::{Hunt, Position};

/// Processor time per position, in picoseconds, as measured for the endings of `renard-1840`, where hens come back.
/// Those of `two-foxes-24` take 200,000: a build should announce too much time rather than too little.
const PICOSECONDS: u64 = 350_000;

/// The number of blocks that are compressed side by side before they are written.
const BLOCKS_AT_A_TIME: usize = 16;

/// Solves the layers of any ruleset of the hunt family.
pub(crate) struct GeneralSolver<W: Word> {
    game: Arc<Hunt<W>>,
    scope: Scope,
    /// The numbering of the positions of every layer, made when it is first needed, as it takes memory.
    layers: OnceLock<BTreeMap<u32, LayerPositions<W>>>,
    below: LowerLayers<W>,
}

impl<W: Word> GeneralSolver<W> {
    /// A solver for any ruleset; with too many foxes to number, its [`last_layer`](LayerSolver::last_layer) is below
    /// the first.
    pub(crate) fn new(game: Arc<Hunt<W>>, metric: Metric) -> Self {
        let scope = Scope::new(&game);
        GeneralSolver { game, scope, layers: OnceLock::new(), below: LowerLayers::new(metric) }
    }

    /// The layers whose positions can be numbered; none where there are too many foxes.
    fn layers(&self) -> &BTreeMap<u32, LayerPositions<W>> {
        self.layers.get_or_init(|| {
            let layers = self.scope.layers();
            if layers.is_empty() {
                return BTreeMap::new();
            }
            let numbering = Arc::new(SetNumbering::new(self.game.board(), mirrors(&self.game), self.scope.most_foxes));
            layers.map(|layer| (layer, LayerPositions::new(&self.scope, numbering.clone(), layer))).collect()
        })
    }

    /// Solves a layer, when all those below have been handed to [`keep`](Self::keep); returns its entries and summary.
    fn solve_known(&self, layer: u32, progress: &(dyn Fn(u64) + Sync)) -> Result<(Vec<u16>, LayerSummary), TableError> {
        let game = &self.game;
        let scope = self.scope;
        let space = &self.layers()[&layer];
        let rounds = Retrograde::new(game, space, Predecessors::new(game, scope), &self.below);
        let work = u128::from(rounds.work().max(1));
        let done = AtomicU64::new(0);
        let positions = scope.positions(layer);
        let share = |done: u64| (u128::from(done).saturating_mul(positions) / work) as u64;
        let entries = rounds.solve(&|count| {
            let before = done.fetch_add(count, Ordering::Relaxed);
            progress(share(before + count) - share(before));
        })?;
        let summary = summarise(game, &scope, space, &entries);
        Ok((entries, summary))
    }

    /// Keeps the entries of a layer, as far as the layers above need them.
    fn keep(&mut self, layer: u32, entries: Vec<u16>) {
        if self.scope.loses_geese() {
            self.below.add(self.layers()[&layer].clone(), entries);
        }
    }

    /// Reads the finished layers below that are not in memory from the store.
    fn reread(&mut self, layer: u32, store: &Store) -> Result<(), TableError> {
        for below in self.scope.first_layer()..layer {
            if self.scope.loses_geese() && !self.below.has(below) {
                let space = self.layers()[&below].clone();
                let entries = read(store, below, space.positions())?;
                self.below.add(space, entries);
            }
        }
        Ok(())
    }
}

impl<W: Word> LayerSolver for GeneralSolver<W> {
    fn layout(&self) -> &'static str {
        layout_name(&self.scope)
    }

    /// The most geese that the board holds, including layers for which only memory is lacking.
    fn last_layer(&self) -> u32 {
        self.scope.most_geese()
    }

    fn cost(&self, layer: u32, _last: u32) -> LayerCost {
        let stored = self.scope.entries(layer);
        let below = (self.scope.first_layer()..layer).map(|layer| self.scope.entries(layer));
        let below = below.fold(0, u128::saturating_add);
        let kept = if self.scope.loses_geese() { self.below.bytes(below, stored) } else { 0 };
        // Two bytes for each entry, this layer and those below as they are kept, then sets of foxes and compression.
        let rest = self.scope.fox_sets().saturating_mul(64).saturating_add(1 << 26);
        let memory = stored.saturating_mul(2).saturating_add(kept).saturating_add(rest);
        LayerCost::new(self.scope.positions(layer), PICOSECONDS, memory, stored.saturating_add(4096))
    }

    fn solve(
        &mut self,
        layers: &mut [NewLayer],
        _last: u32,
        below: &Store,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), TableError> {
        for layer in layers {
            check_wanted(layer.geese, self.scope.layers())?;
            self.reread(layer.geese, below)?;
            let (entries, summary) = self.solve_known(layer.geese, progress)?;
            let encode = |block| Ok(vec![EncodedBlock::new(1, block)?]);
            layer.writer.append_encoded(entries.chunks(BLOCK_ENTRIES as usize), BLOCKS_AT_A_TIME, encode)?;
            layer.summary = summary;
            self.keep(layer.geese, entries);
        }
        Ok(())
    }
}

impl<W: Word> Method<W> for GeneralSolver<W> {
    fn place(&self, position: &Position<W>) -> Option<EntryAddress> {
        let space = self.layers().get(&(position.geese().len() + u32::from(position.hand)))?;
        let flat = space.number(position)?;
        Some(EntryAddress { block: (flat / BLOCK_ENTRIES) as u32, row: flat % BLOCK_ENTRIES, column: 0 })
    }
}

/// Reads the entries of a layer in the store.
fn read(store: &Store, layer: u32, positions: u64) -> Result<Vec<u16>, TableError> {
    let file = store.needed(layer)?;
    let mut entries = Vec::with_capacity(positions as usize);
    for block in 0..file.blocks() {
        entries.extend(file.block(block)?.into_iter().map(|entry| entry.0));
    }
    if entries.len() as u64 != positions {
        let message = format!("{} positions instead of {positions}", entries.len());
        return Err(TableError::damaged(&file.path, "blocks", message));
    }
    Ok(entries)
}

/// Sums up all positions of a layer in which nothing is owed, with every number of foxes and of geese in hand that the
/// rules allow, mirrored ones counted separately.
fn summarise<W: Word>(game: &Hunt<W>, scope: &Scope, space: &LayerPositions<W>, entries: &[u16]) -> LayerSummary {
    let decided = u64::try_from(scope.placements_won_by_foxes(space.layer)).unwrap_or(u64::MAX);
    let tallies = [TurnType::GeeseToMove, TurnType::FoxToMove].map(|kind| {
        let mut tally = Tally::default();
        let counted = |block: &&MaterialBlock| block.material.kind == kind && !block.material.first;
        for block in space.blocks.iter().filter(counted) {
            tally_block(space, block, entries).iter().for_each(|run| tally.add(run));
        }
        tally.results.fox_wins = tally.results.fox_wins.saturating_add(decided);
        tally
    });
    LayerSummary::new(&tallies, |flat, _| game.position_text(&space.position(flat)))
}

/// Tallies the positions of a block by their number in the layer, one tally for each set of foxes.
fn tally_block<W: Word>(space: &LayerPositions<W>, block: &MaterialBlock, entries: &[u16]) -> Vec<Tally<u64>> {
    let of_block = &entries[block.start as usize..(block.start + block.positions) as usize];
    let starts = (block.start..).step_by(block.goose_sets as usize);
    parallel::map(starts.zip(of_block.chunks(block.goose_sets as usize)), |(start, run)| {
        let (mut tally, weight) = (Tally::default(), space.weight(start));
        (start..).zip(run).for_each(|(flat, &entry)| tally.count(TableEntry(entry), weight, flat));
        tally
    })
}
