//! One build in a folder at a time.

use std::fs::{File, TryLockError};
use std::path::Path;

use crate::tablebase::TableError;

/// Held while a build is at work; the system lets go of it however the program ends.
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// # Errors
    /// Another build holds it, or the folder cannot be written to.
    pub(super) fn take(folder: &Path) -> Result<Lock, TableError> {
        let path = folder.join("build.lock");
        let file = File::create(&path).map_err(|error| TableError::file(&path, error))?;
        match file.try_lock() {
            Ok(()) => Ok(Lock { _file: file }),
            Err(TryLockError::WouldBlock) => {
                let message = "another build is at work in this folder; wait for it, or use another folder";
                Err(TableError::file(&path, message))
            }
            Err(TryLockError::Error(error)) => Err(TableError::file(&path, error)),
        }
    }
}
