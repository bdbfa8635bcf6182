//! Reads a results directory, and warns on standard error of what is not as it should be.

use std::path::Path;

use crate::cli::exit::complain;
use crate::tournament::journal::{Archive, JournalError};

/// See [`Archive::read`].
///
/// # Errors
/// Those of [`Archive::read`].
pub(super) fn read(dir: &Path) -> Result<Archive, JournalError> {
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
