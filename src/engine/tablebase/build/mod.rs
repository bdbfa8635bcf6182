//! Builds the tables of a ruleset layer by layer, from few geese to many.
//!
//! A folder holds complete layers only, whatever happens: a layer is written under another name until it is whole, and
//! the next build deletes unfinished files and goes on after the last complete layer.

mod plan;

use std::fs::{self, File, TryLockError};
use std::ops::RangeInclusive;
use std::path::Path;

pub use plan::{BuildPlan, LayerLimit, Resources, size_text};

use super::format::{LayerFile, LayerWriter, TableHeader};
use super::store::partial_files;
use super::{Identity, LayerSolver, LayerSummary, NewLayer, Store, TableError};
use crate::files;

/// A request for a build: the last layer to make, and the memory and disk that it may use.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BuildRequest {
    /// The number of geese of the last layer.
    pub limit: LayerLimit,
    /// The memory and disk that the build may take.
    pub resources: Resources,
}

/// Receives the progress of a build or a check; called from any thread.
pub trait LayerProgress: Sync {
    /// A build begins, with this plan.
    fn planned(&self, _plan: &BuildPlan) {}

    /// Solving or checking begins for these layers, mostly one; `positions` is the work to do.
    fn begin(&self, layers: RangeInclusive<u32>, positions: u64);

    /// `positions` more of the present layers are solved or checked.
    fn advance(&self, positions: u64);

    /// A build has completed these layers, in files of `bytes` in total.
    fn end(&self, _layers: RangeInclusive<u32>, _bytes: u64) {}
}

/// Ignores all progress.
impl LayerProgress for () {
    fn begin(&self, _layers: RangeInclusive<u32>, _positions: u64) {}
    fn advance(&self, _positions: u64) {}
}

/// Builds the missing layers in a folder, on the threads of the calling thread's pool, and returns the plan.
///
/// # Errors
/// Memory, disk or the method do not suffice for the request; another build is at work in the folder; a layer in the
/// folder is damaged; the disk is full or fails.
pub fn build(
    folder: &Path,
    identity: &Identity,
    solver: &mut dyn LayerSolver,
    request: &BuildRequest,
    progress: &dyn LayerProgress,
) -> Result<BuildPlan, TableError> {
    // An impossible request is refused before anything is written.
    let plan = BuildPlan::new(solver, &Store::open(folder, identity.clone())?, request)?;
    if plan.last == 0 {
        progress.planned(&plan);
        return Ok(plan);
    }
    fs::create_dir_all(folder).map_err(|error| TableError::file(folder, error))?;
    let _lock = lock(folder)?;
    remove_partial_files(folder, identity)?;
    // Another build may have been at work until now.
    let mut store = Store::open(folder, identity.clone())?;
    let plan = BuildPlan::new(solver, &store, request)?;
    progress.planned(&plan);
    let at_a_time = if solver.solves_together() { plan.missing.len() } else { 1 };
    for batch in plan.missing.chunks(at_a_time.max(1)) {
        let layers: Vec<u32> = batch.iter().map(|&(layer, _)| layer).collect();
        let (first, last) = (layers[0], layers[layers.len() - 1]);
        progress.begin(first..=last, batch.iter().map(|(_, cost)| cost.positions).sum());
        build_layers(&mut store, solver, &layers, plan.last, progress)?;
        let bytes = layers.iter().filter_map(|&layer| store.layer(layer)).map(LayerFile::size).sum();
        progress.end(first..=last, bytes);
    }
    Ok(plan)
}

/// Deletes the unfinished files of a ruleset; no build may be at work.
///
/// # Errors
/// The folder cannot be read, or a file cannot be deleted.
pub fn remove_partial_files(folder: &Path, identity: &Identity) -> Result<(), TableError> {
    for path in partial_files(folder, identity)? {
        fs::remove_file(&path).map_err(|error| TableError::file(&path, error))?;
    }
    Ok(())
}

fn build_layers(
    store: &mut Store,
    solver: &mut dyn LayerSolver,
    layers: &[u32],
    last: u32,
    progress: &dyn LayerProgress,
) -> Result<(), TableError> {
    let begun = |&geese: &u32| {
        let writer = LayerWriter::create(&store.path(geese))?;
        Ok(NewLayer { geese, writer, summary: LayerSummary::default() })
    };
    let new: Result<Vec<NewLayer>, TableError> = layers.iter().map(begun).collect();
    let solved = new.and_then(|mut new| {
        solver.solve(&mut new, last, store, &|done| progress.advance(done))?;
        new.into_iter().try_for_each(|NewLayer { geese, writer, summary }| {
            writer.finish(&header(store.identity(), solver.layout(), geese, summary))
        })
    });
    if solved.is_err() {
        // Unfinished files must not keep a full disk full. The error to report is the first one.
        let _ = remove_partial_files(store.folder(), store.identity());
    }
    solved?;
    layers.iter().try_for_each(|&geese| store.add(&store.path(geese)))
}

fn header(identity: &Identity, layout: &str, layer: u32, summary: LayerSummary) -> TableHeader {
    TableHeader {
        ruleset: identity.name.clone(),
        fingerprint: format!("{:016x}", identity.fingerprint),
        geese: layer,
        metric: identity.metric,
        layout: layout.to_owned(),
        rules: identity.rules.clone(),
        program: concat!("reynard ", env!("CARGO_PKG_VERSION")).to_owned(),
        summary,
    }
}

/// Locks a folder until the returned file is dropped; the system releases the lock however the program ends.
///
/// # Errors
/// Another build holds the lock, or the folder cannot be written to.
fn lock(folder: &Path) -> Result<File, TableError> {
    let path = folder.join("build.lock");
    let file = files::append_to(&path).map_err(|error| TableError::file(&path, error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            let message = "another build is at work in this folder; wait for it, or use another folder";
            Err(TableError::file(&path, message))
        }
        Err(TryLockError::Error(error)) => Err(TableError::file(&path, error)),
    }
}
