//! The files that a run leaves in its directory, and the table that it prints.

mod chart;
mod html;
mod result_files;
mod rows;
mod text;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::outcome::Trace;
use super::plan::Plan;

pub(crate) use text::table;

/// A file that could not be written.
#[derive(Debug, Error)]
#[error("cannot write {path}: {error}")]
pub(crate) struct OutputError {
    path: PathBuf,
    error: io::Error,
}

/// Writes the trace: `trace.jsonl`, `trace.csv` and `trace.html`. The same rows give the same bytes.
///
/// `writer` tells processes apart that write into one directory at the same time.
///
/// # Errors
/// The system refuses.
pub(crate) fn write_trace(dir: &Path, trace: &Trace, writer: u64) -> Result<(), OutputError> {
    replace(dir, "trace.jsonl", &rows::jsonl(trace), writer)?;
    replace(dir, "trace.csv", &rows::csv(trace), writer)?;
    replace(dir, "trace.html", &html::page(trace), writer)
}

/// Writes the result: `tuned.json` and `sprt.json`.
///
/// # Errors
/// The system refuses.
pub(crate) fn write_result(dir: &Path, plan: &Plan, trace: &Trace, writer: u64) -> Result<(), OutputError> {
    let Some(tuned) = &trace.tuned else { return Ok(()) };
    replace(dir, "tuned.json", &result_files::tuned(plan, tuned), writer)?;
    replace(dir, "sprt.json", &result_files::sprt(plan), writer)
}

/// Readers see the old file or the new one, never a part.
fn replace(dir: &Path, name: &str, text: &str, writer: u64) -> Result<(), OutputError> {
    let (path, draft) = (dir.join(name), dir.join(format!(".{name}.{writer}")));
    let written = fs::create_dir_all(dir).and_then(|()| fs::write(&draft, text));
    written.and_then(|()| fs::rename(&draft, &path)).map_err(|error| OutputError { path, error })
}
