//! Files that are written for people beside a run, and never over what the run needs.

use std::io;
use std::path::{Path, PathBuf};

use reynard_engine::files;
use thiserror::Error;

use super::Layout;
use crate::tournament::live;

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

impl Layout {
    /// Opens an output by `open`, wherever it is.
    ///
    /// # Errors
    /// The path leads to one of the run's own files, or the system refuses.
    pub(crate) fn open_output<T>(
        &self,
        path: &Path,
        open: impl FnOnce(&Path) -> io::Result<T>,
    ) -> Result<T, OutputError> {
        if self.owns(path) {
            return Err(OutputError::OwnFile(path.to_owned()));
        }
        open(path).map_err(OutputError::at(path))
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
