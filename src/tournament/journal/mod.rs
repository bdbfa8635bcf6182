//! The results directory: what has been played, durably, and how it is read again.
//!
//! `journal.jsonl` begins with the [`JournalHeader`](super::header::JournalHeader); every further line is one
//! [`GameRecord`](super::GameRecord). `times.jsonl` holds what the clock measured, and
//! `machines.jsonl` where, in the same form. A line counts only
//! with its line end and a right checksum (see [`mod@line`]), so that a write that was cut off is recognised: the
//! [`Journal`] cuts it away when it goes on, and the game is played again.

mod archive;
mod compare;
mod copy;
mod error;
mod extend;
pub(crate) mod line;
mod lock;
mod machines;
mod merge;
mod output;
mod scan;
mod tail;
mod verify;
mod writer;

use std::path::{Path, PathBuf};

pub use archive::Archive;
#[cfg(feature = "gui")]
pub(crate) use archive::read_header;
pub(crate) use error::JournalError;
pub(crate) use extend::extend;
pub(crate) use merge::{Merged, merge};
pub(crate) use output::OutputError;
pub(crate) use tail::{JournalTail, ShardTails};
pub use writer::Journal;

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
}

#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;
