//! Locks a folder, so that one build works in it at a time.

use std::fs::{File, TryLockError};
use std::path::Path;

use crate::files;
use crate::tablebase::TableError;

/// Locks a folder until the file is dropped; the system lets go of it however the program ends.
///
/// # Errors
/// Another build holds the lock, or the folder cannot be written to.
pub(super) fn take(folder: &Path) -> Result<File, TableError> {
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
