//! Locks a results directory, so that one process at a time writes to it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;

use super::Layout;
use super::error::JournalError;

/// Held by whoever writes in a results directory; the system releases it when the process ends, however it ends.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of a directory that exists.
    ///
    /// # Errors
    /// Another process has it, or the file cannot be made.
    pub(super) fn take(layout: &Layout) -> Result<Lock, JournalError> {
        let path = layout.lock();
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(JournalError::at(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(Lock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(JournalError::Locked(layout.dir().to_owned())),
            // Some file systems of clusters know no locks: then it is for the user to start only one.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(Lock { _file: file }),
            Err(TryLockError::Error(error)) => Err(JournalError::Io { path, error }),
        }
    }
}
