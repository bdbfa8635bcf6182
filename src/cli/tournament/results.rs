//! Reads a results directory, warns on standard error of what is not as it should be, and keeps the spec in it.

use std::path::Path;

use anyhow::Context;
use reynard_engine::files;

use crate::cli::exit::complain;
use crate::tournament::journal::{Archive, JournalError, Layout};
use crate::tournament::spec::{self, Change};

/// See [`Archive::read`].
///
/// # Errors
/// Those of [`Archive::read`].
pub(in crate::cli) fn read(dir: &Path) -> Result<Archive, JournalError> {
    let archive = Archive::read(dir)?;
    warn(&archive);
    Ok(archive)
}

/// Tells of a torn journal, whose last game does not count, and of times that cannot be read.
pub(super) fn warn(archive: &Archive) {
    if archive.is_torn() {
        let path = archive.layout.journal();
        complain(&format!(
            "warning: {}: the last line is incomplete and does not count; with --resume its game is played again",
            path.display()
        ));
    }
    if let Some(first) = archive.damaged_times.first() {
        let (path, lines) = (archive.layout.times(), archive.damaged_times.len());
        complain(&format!(
            "warning: {}: {lines} damaged line(s), the first is line {first}; the times of those games are not known",
            path.display()
        ));
    }
}

/// Keeps the spec as its author wrote it, for people; the journal has its own account of it.
///
/// # Errors
/// It cannot be read or written.
pub(super) fn keep_spec(spec: &Path, changes: &[Change], layout: &Layout) -> anyhow::Result<()> {
    let path = layout.spec();
    let text = spec::text(spec, changes)?;
    files::write(&path, text.as_bytes()).with_context(|| path.display().to_string())
}
