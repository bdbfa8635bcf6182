//! Locks a results directory, so that one process at a time writes to it.

use std::fs::{self, File, TryLockError};
use std::io;

use reynard_engine::files;

use super::Layout;
use super::error::JournalError;

/// Takes the lock of a directory, which is made where it is missing. It is held as long as the file is open; the system
/// releases it when the process ends, however it ends.
///
/// # Errors
/// Another process has it, or the system refuses the directory or the file.
pub(super) fn lock(layout: &Layout) -> Result<File, JournalError> {
    fs::create_dir_all(layout.dir()).map_err(no_folder).map_err(JournalError::at(layout.dir()))?;
    let path = layout.lock();
    let file = files::append_to(&path).map_err(JournalError::at(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(JournalError::Locked(layout.dir().to_owned())),
        // Some file systems of clusters know no locks: then it is for the user to start only one.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(file),
        Err(TryLockError::Error(error)) => Err(JournalError::Io { path, error }),
    }
}

/// The system says only that something exists.
fn no_folder(error: io::Error) -> io::Error {
    match error.kind() {
        kind @ io::ErrorKind::AlreadyExists => io::Error::new(kind, "not a folder"),
        _ => error,
    }
}
