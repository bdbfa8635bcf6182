//! The files that a run leaves in its directory, and the table that it prints.

mod html;
mod result_files;
mod rows;
mod text;

use std::fs;
use std::path::Path;

use reynard_engine::eval::LearnedWeights;
use reynard_engine::files;
pub(crate) use text::table;

use super::resolved::ResolvedTuneSpec;
use super::trace::Trace;
use crate::tournament::journal::{Layout, OutputError};

/// Writes the trace: `trace.jsonl`, `trace.csv` and `trace.html`. The same rows give the same bytes.
///
/// # Errors
/// The system refuses.
pub(crate) fn write_trace(dir: &Path, trace: &Trace) -> Result<(), OutputError> {
    replace(dir, "trace.jsonl", rows::jsonl(trace))?;
    let csv = rows::csv(trace).map_err(OutputError::at(&dir.join("trace.csv")))?;
    replace(dir, "trace.csv", &csv)?;
    replace(dir, "trace.html", html::page(trace))
}

/// Writes the result: `tuned.json` and `sprt.json`.
///
/// # Errors
/// The system refuses.
pub(crate) fn write_result(dir: &Path, resolved: &ResolvedTuneSpec, trace: &Trace) -> Result<(), OutputError> {
    let Some(tuned) = &trace.tuned else { return Ok(()) };
    replace(dir, "tuned.json", result_files::tuned(resolved, tuned))?;
    replace(dir, "sprt.json", result_files::sprt(resolved))
}

/// Writes learned weights: `learned.weights`.
///
/// # Errors
/// The system refuses.
pub(crate) fn write_weights(dir: &Path, weights: &LearnedWeights) -> Result<(), OutputError> {
    replace(dir, WEIGHTS, weights.encode())
}

/// Learned weights in the folder of a run.
const WEIGHTS: &str = "learned.weights";

/// Readers see the old file or the new one, never a part.
fn replace(dir: &Path, name: &str, bytes: impl AsRef<[u8]>) -> Result<(), OutputError> {
    let path = dir.join(name);
    fs::create_dir_all(dir).map_err(OutputError::at(dir))?;
    Layout::new(dir).open_output(&path, |path| files::write(path, bytes.as_ref()))
}
