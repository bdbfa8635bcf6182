//! The files of a results directory: their names, the lock, and what else may be written among them.

use std::fs::{self, File, TryLockError};
use std::io;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use reynard_engine::files;
use thiserror::Error;

use super::error::JournalError;
use crate::tournament::live;
use crate::tournament::record::GameTimes;

/// The files of a results directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    dir: PathBuf,
}

impl Layout {
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Layout { dir: dir.into() }
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    pub fn journal(&self) -> PathBuf {
        self.dir.join("journal.jsonl")
    }

    pub fn times(&self) -> PathBuf {
        self.dir.join("times.jsonl")
    }

    /// When its first game began; before one has ended, when the run did.
    pub(crate) fn began(&self) -> Option<SystemTime> {
        let first_game = || {
            let mut line = String::new();
            BufReader::new(File::open(self.times()).ok()?).read_line(&mut line).ok()?;
            let started = serde_json::from_str::<GameTimes>(&line).ok()?.started()?;
            Some(SystemTime::UNIX_EPOCH + Duration::from_millis(started))
        };
        let changed = |path: &Path| path.metadata().and_then(|about| about.modified()).ok();
        first_game().or_else(|| changed(&self.machines())).or_else(|| changed(&self.dir))
    }

    pub fn machines(&self) -> PathBuf {
        self.dir.join("machines.jsonl")
    }

    /// Games that were played at the same time as the one that decided a sequential test, and after it in order.
    pub fn surplus(&self) -> PathBuf {
        self.dir.join("surplus.jsonl")
    }

    /// Its presence asks the run of this directory to end; it says why.
    pub fn stop(&self) -> PathBuf {
        self.dir.join("stop")
    }

    pub fn lock(&self) -> PathBuf {
        self.dir.join("lock")
    }

    pub fn spec(&self) -> PathBuf {
        self.dir.join("spec.json")
    }

    pub fn events(&self) -> PathBuf {
        self.dir.join("events.jsonl")
    }

    pub fn logs(&self) -> PathBuf {
        self.dir.join("logs")
    }

    /// Takes the lock, so that one process at a time writes here; the directory is made where it is missing. The lock
    /// is held as long as the file is open; the system releases it when the process ends, however it ends.
    ///
    /// # Errors
    /// Another process has it, or the system refuses the directory or the file.
    pub(super) fn take_lock(&self) -> Result<File, JournalError> {
        fs::create_dir_all(&self.dir).map_err(no_folder).map_err(JournalError::at(&self.dir))?;
        let path = self.lock();
        let file = lock(&path).map_err(JournalError::at(&path))?;
        file.ok_or_else(|| JournalError::Locked(self.dir.clone()))
    }

    /// Refuses an output, for people beside the run, that would replace what the run needs.
    ///
    /// # Errors
    /// The path leads to one of the run's own files.
    pub(crate) fn check_output(&self, path: &Path) -> Result<(), OutputError> {
        if self.owns(path) { Err(OutputError::OwnFile(path.to_owned())) } else { Ok(()) }
    }

    /// Whether a path leads, through whatever links, to a file without which a run cannot go on or be understood.
    fn owns(&self, path: &Path) -> bool {
        let own = [
            self.journal(),
            self.times(),
            self.machines(),
            self.surplus(),
            self.stop(),
            self.lock(),
            self.spec(),
            self.events(),
            live::path(self.dir(), None),
        ];
        let path = files::resolved(path);
        path.starts_with(files::resolved(&self.logs())) || own.iter().any(|own| files::resolved(own) == path)
    }
}

/// Locks a file, which is made where it is missing, as long as it is open; `None` where another process has the lock.
pub(crate) fn lock(path: &Path) -> io::Result<Option<File>> {
    let file = files::append_to(path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        // Some file systems of clusters know no locks: then it is for the user to start only one.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(Some(file)),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// The system says only that something exists.
fn no_folder(error: io::Error) -> io::Error {
    match error.kind() {
        kind @ io::ErrorKind::AlreadyExists => io::Error::new(kind, "not a folder"),
        _ => error,
    }
}

/// An output that cannot be written.
#[derive(Debug, Error)]
pub(crate) enum OutputError {
    #[error("{} belongs to the run and would be lost; choose another file", .0.display())]
    OwnFile(PathBuf),
    #[error("cannot write {}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
}

impl OutputError {
    /// Whether another path would do, as opposed to a failure of the system.
    pub(crate) fn is_usage(&self) -> bool {
        match self {
            OutputError::OwnFile(_) => true,
            OutputError::File { error, .. } => files::is_misnamed(error),
        }
    }

    /// For `map_err`: the file at this path failed.
    pub(crate) fn at(path: &Path) -> impl Fn(io::Error) -> OutputError {
        move |error| OutputError::File { path: path.to_owned(), error }
    }
}
