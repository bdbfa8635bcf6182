//! Errors of results directories.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use reynard_engine::files;
use thiserror::Error;

use super::head::HeaderDifference;
use super::line::MAX_LINE_BYTES;

/// Every variant names the file or directory and, where there is one, the way out.
#[derive(Debug, Error)]
pub enum JournalError {
    #[error("{path}: {error}")]
    Io { path: PathBuf, error: io::Error },
    #[error("{0} holds no journal (no journal.jsonl)")]
    Missing(PathBuf),
    #[error("{0} is no tournament journal: its first line is not a journal's head")]
    Foreign(PathBuf),
    #[error("{0}: the journal ends within its first line; nothing is in it, delete it to begin again")]
    Unborn(PathBuf),
    #[error("{path} has the format version {found}, this program reads version {known}")]
    Version { path: PathBuf, found: u64, known: u32 },
    #[error("{path} has games of {what}, which this program does not play; read it with {program}")]
    Gone { path: PathBuf, what: String, program: String },
    #[error(
        "{path}, line {line} is damaged: {why}. Delete that line, and the game it was is played again with --resume"
    )]
    Damaged { path: PathBuf, line: u64, why: String },
    #[error(
        "{path}: line 1, the head, is damaged: {why}. Keep the file: the games behind it can be read again. Begin the \
         same spec in another directory with --out and put the first line of its journal in place of this one"
    )]
    DamagedHead { path: PathBuf, why: String },
    #[error(
        "{0} is a journal without its head: line 1 is a game. Keep the file: the games can be read again. Begin the \
         same spec in another directory with --out and put the first line of its journal before this one"
    )]
    NoHead(PathBuf),
    #[error("{path}, line {line} has more than {} MiB: nobody writes such lines into a journal", MAX_LINE_BYTES >> 20)]
    LongLine { path: PathBuf, line: u64 },
    #[error(
        "{path}, line {line}: game {game} differs from what line {first} says about it. Delete the wrong one of the two"
    )]
    Contradiction { path: PathBuf, game: u64, first: u64, line: u64 },
    #[error(
        "{0} already holds a journal: go on with --resume, choose another directory with --out, or delete it to \
         begin again"
    )]
    Exists(PathBuf),
    #[error("another process is writing in {0}")]
    Locked(PathBuf),
    #[error("{path} was played by {there}, this is {here}: other programs play other games; finish it with that one")]
    Program { path: PathBuf, there: String, here: String },
    #[error("{path} is the journal of another run: {difference}")]
    OtherSpec { path: PathBuf, difference: Box<HeaderDifference> },
    #[error("{path} and {first} are not of one tournament: {difference}")]
    OtherPart { path: PathBuf, first: PathBuf, difference: Box<HeaderDifference> },
    #[error("{path} was changed while it was read")]
    Changed { path: PathBuf },
    #[error("game {game} is not the same in {first} and in {second}: these are not parts of one run")]
    Overlap { game: u64, first: PathBuf, second: PathBuf },
    #[error("cannot write a journal line: {0}")]
    Encode(#[from] serde_json::Error),
}

impl JournalError {
    /// Whether another directory or another command would do, as opposed to a failure of the system.
    pub fn is_usage(&self) -> bool {
        match self {
            JournalError::Io { error, .. } => files::is_misnamed(error),
            other => !matches!(other, JournalError::Changed { .. } | JournalError::Encode(_)),
        }
    }

    /// For `map_err`: an input or output error at this path.
    pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> JournalError {
        move |error| JournalError::Io { path: path.to_owned(), error }
    }

    pub(super) fn damaged_head(path: &Path, why: impl Display) -> JournalError {
        JournalError::DamagedHead { path: path.to_owned(), why: why.to_string() }
    }

    pub(super) fn damaged(path: &Path, line: u64, why: impl Display) -> JournalError {
        JournalError::Damaged { path: path.to_owned(), line, why: why.to_string() }
    }
}
