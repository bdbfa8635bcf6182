//! Errors of tables that cannot be built, read or asked.

use std::path::{Path, PathBuf};

use thiserror::Error;

/// What is wrong with a table, its file, or the wish for one.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TableError {
    /// A file cannot be read or written.
    #[error("{}: {message}", path.display())]
    File {
        /// The file in question.
        path: PathBuf,
        /// What went wrong.
        message: String,
    },
    /// A checksum, a length or a value inside a file does not fit.
    #[error("{}, {block}: {message}; delete the file and build it anew", path.display())]
    Damaged {
        /// The damaged file.
        path: PathBuf,
        /// The damaged part, for example `block 12`.
        block: String,
        /// What does not fit.
        message: String,
    },
    /// What is named like a table is no file, or cannot be read.
    #[error("{}: {message}", path.display())]
    Unreadable {
        /// What stands where a table should.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// There is no such folder.
    #[error("{}: no such folder; a folder of tables is expected", .0.display())]
    NoFolder(PathBuf),
    /// What was asked for cannot be had, in a whole sentence.
    #[error("{0}")]
    Refused(String),
}

impl TableError {
    /// A file and what is wrong with it.
    pub fn file(path: &Path, message: impl ToString) -> Self {
        TableError::File { path: path.to_owned(), message: message.to_string() }
    }

    /// Whether a table is not what it should be, as opposed to a failure of the system.
    pub fn is_of_table(&self) -> bool {
        matches!(self, TableError::Damaged { .. } | TableError::Unreadable { .. })
    }

    /// `block` names the damaged part: `header`, `block 12`, `frame 3 of block 12`.
    pub fn damaged(path: &Path, block: impl ToString, message: impl ToString) -> Self {
        TableError::Damaged { path: path.to_owned(), block: block.to_string(), message: message.to_string() }
    }
}
