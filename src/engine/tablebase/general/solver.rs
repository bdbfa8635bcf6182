//! The general method as a `LayerSolver`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::layout::{BLOCK_ENTRIES, layout_name};
use super::lower_layers::LowerLayers;
use super::numbering::SetNumbering;
use super::positions::LayerPositions;
use super::predecessors::Predecessors;
use super::rounds::Rounds;
use super::scope::Scope;
use super::summary::summarise;
use crate::geometry::Word;
use crate::parallel;
use crate::rules::hunt::Hunt;
use crate::tablebase::format::{EncodedBlock, LayerWriter};
use crate::tablebase::{LayerCost, LayerSolver, LayerSummary, Metric, NewLayer, Store, TableError};

/// What endings of `renard-1840`, where hens come back, take for a position. Those of `two-foxes-24` take 200: their builds
/// are announced too long rather than the others too short.
const NANOSECONDS: u64 = 350;

/// Blocks of a file that are compressed side by side before they are written.
const BLOCKS_AT_A_TIME: usize = 16;

/// Solves the layers of any ruleset of the hunt family.
pub(crate) struct GeneralSolver<W: Word> {
    game: Arc<Hunt<W>>,
    scope: Scope,
    metric: Metric,
    /// Made when the first layer is solved.
    data: Option<SolverData<W>>,
}

/// The structures that take memory.
struct SolverData<W: Word> {
    numbering: Arc<SetNumbering<W>>,
    before: Predecessors<W>,
    below: LowerLayers<W>,
}

impl<W: Word> GeneralSolver<W> {
    /// Takes any ruleset; with too many foxes to number, [`last_layer`](LayerSolver::last_layer) is below the first.
    pub(crate) fn new(game: Arc<Hunt<W>>, metric: Metric) -> Self {
        let scope = Scope::new(&game);
        GeneralSolver { game, scope, metric, data: None }
    }

    /// Solves a layer, all those below it from the first being known; for those above it [`keep`](Self::keep) must be
    /// told.
    pub(super) fn solve_known(
        &mut self,
        layer: u32,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(Vec<u16>, LayerSummary), TableError> {
        let (game, scope) = (self.game.clone(), self.scope);
        let data = self.data();
        let space = LayerPositions::new(&scope, data.numbering.clone(), layer);
        let rounds = Rounds::new(&game, &space, &data.before, &data.below);
        let (work, done) = (u128::from(rounds.work().max(1)), AtomicU64::new(0));
        let positions = scope.positions(layer);
        let share = |done: u64| (u128::from(done).saturating_mul(positions) / work) as u64;
        let entries = rounds.solve(&|count| {
            let before = done.fetch_add(count, Ordering::Relaxed);
            progress(share(before + count) - share(before));
        })?;
        let summary = summarise(&game, &scope, &space, &entries);
        Ok((entries, summary))
    }

    /// Keeps the entries of a layer, as far as those above it need them.
    pub(super) fn keep(&mut self, layer: u32, entries: Vec<u16>) {
        let scope = self.scope;
        if scope.loses_geese() {
            let data = self.data();
            let space = LayerPositions::new(&scope, data.numbering.clone(), layer);
            data.below.add(space, entries);
        }
    }

    fn data(&mut self) -> &mut SolverData<W> {
        let (game, scope, metric) = (&self.game, self.scope, self.metric);
        self.data.get_or_insert_with(|| SolverData {
            numbering: Arc::new(SetNumbering::new(game, scope.most_foxes)),
            before: Predecessors::new(game, scope),
            below: LowerLayers::new(metric),
        })
    }

    /// Reads the layers below that are not in memory.
    fn recall(&mut self, layer: u32, store: &Store) -> Result<(), TableError> {
        let scope = self.scope;
        let data = self.data();
        for below in scope.first_layer()..layer {
            if scope.loses_geese() && !data.below.has(below) {
                let space = LayerPositions::new(&scope, data.numbering.clone(), below);
                let entries = read(store, below, space.positions())?;
                data.below.add(space, entries);
            }
        }
        Ok(())
    }

    fn refuse(&self, layer: u32) -> Result<(), TableError> {
        let (first, last) = (self.scope.first_layer(), self.scope.last_layer());
        if (first..=last).contains(&layer) {
            return Ok(());
        }
        let message = format!("there is no layer of {layer} geese to solve; there are those from {first} to {last}");
        Err(TableError::Refused(message))
    }
}

impl<W: Word> LayerSolver for GeneralSolver<W> {
    fn layout(&self) -> &'static str {
        layout_name(&self.scope)
    }

    fn first_layer(&self) -> u32 {
        self.scope.first_layer()
    }

    /// Those that nothing but memory forbids, too.
    fn last_layer(&self) -> u32 {
        self.scope.most_geese()
    }

    fn cost(&self, layer: u32) -> LayerCost {
        let number = |count: u128| u64::try_from(count).unwrap_or(u64::MAX);
        let (positions, entries) = (self.scope.positions(layer), self.scope.entries(layer));
        let below = self.scope.first_layer()..layer;
        let below = below.map(|layer| self.scope.entries(layer)).fold(0, u128::saturating_add);
        let kept = LowerLayers::<W>::bytes(self.metric, below, entries);
        let kept = if self.scope.loses_geese() { kept } else { 0 };
        // Two bytes an entry, what is kept of this layer and those below, and what sets of foxes and compression take.
        let rest = self.scope.fox_sets().saturating_mul(64).saturating_add(1 << 26);
        let memory = entries.saturating_mul(2).saturating_add(kept).saturating_add(rest);
        LayerCost {
            positions: number(positions),
            memory_bytes: number(memory),
            disk_bytes: number(entries + 4096),
            processor: Duration::from_nanos(number(positions).saturating_mul(NANOSECONDS)),
        }
    }

    fn solve(
        &mut self,
        layers: &mut [NewLayer],
        below: &Store,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), TableError> {
        for layer in layers {
            self.refuse(layer.geese)?;
            self.recall(layer.geese, below)?;
            let (entries, summary) = self.solve_known(layer.geese, progress)?;
            write(&mut layer.writer, &entries)?;
            layer.summary = summary;
            self.keep(layer.geese, entries);
        }
        Ok(())
    }
}

fn write(writer: &mut LayerWriter, entries: &[u16]) -> Result<(), TableError> {
    for group in entries.chunks(BLOCKS_AT_A_TIME * BLOCK_ENTRIES as usize) {
        let encode = |block: &[u16]| EncodedBlock::new(1, block);
        let encoded = parallel::try_map(group.chunks(BLOCK_ENTRIES as usize), encode);
        let encoded = encoded.map_err(|error| TableError::Refused(format!("a block cannot be compressed: {error}")))?;
        encoded.iter().try_for_each(|block| writer.append(block))?;
    }
    Ok(())
}

/// The entries of a layer that was written before.
fn read(store: &Store, layer: u32, positions: u64) -> Result<Vec<u16>, TableError> {
    let file = store.needed(layer)?;
    let mut entries = Vec::with_capacity(positions as usize);
    for block in 0..file.blocks() {
        entries.extend(file.block(block)?.into_iter().map(|entry| entry.0));
    }
    if entries.len() as u64 != positions {
        let message = format!("{} positions instead of {positions}", entries.len());
        return Err(TableError::damaged(file.path(), "blocks", message));
    }
    Ok(entries)
}
