//! The files that a run leaves in its directory, and the table that it prints.

mod html;
mod result_files;
mod rows;
mod text;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::resolved::ResolvedTuneSpec;
use super::trace::Trace;
use crate::files;
use crate::tournament::journal::Layout;

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
/// # Errors
/// The system refuses.
pub(crate) fn write_trace(dir: &Path, trace: &Trace) -> Result<(), OutputError> {
    replace(dir, "trace.jsonl", &rows::jsonl(trace))?;
    let csv = rows::csv(trace).map_err(|error| OutputError { path: dir.join("trace.csv"), error })?;
    replace(dir, "trace.csv", &csv)?;
    replace(dir, "trace.html", &html::page(trace))
}

/// Writes the result: `tuned.json` and `sprt.json`.
///
/// # Errors
/// The system refuses.
pub(crate) fn write_result(dir: &Path, resolved: &ResolvedTuneSpec, trace: &Trace) -> Result<(), OutputError> {
    let Some(tuned) = &trace.tuned else { return Ok(()) };
    replace(dir, "tuned.json", &result_files::tuned(resolved, tuned))?;
    replace(dir, "sprt.json", &result_files::sprt(resolved))
}

/// Readers see the old file or the new one, never a part.
fn replace(dir: &Path, name: &str, text: &str) -> Result<(), OutputError> {
    let path = dir.join(name);
    let written = match Layout::new(dir).owns(&path) {
        true => Err(io::Error::other("it is a link to a file that the run needs")),
        false => fs::create_dir_all(dir).and_then(|()| files::write(&path, text.as_bytes())),
    };
    written.map_err(|error| OutputError { path, error })
}
