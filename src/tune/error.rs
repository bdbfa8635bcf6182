//! Why a tuning run ends without a result.

use thiserror::Error;

use super::learn::LearnError;
use crate::tournament::journal::{JournalError, OutputError};
use crate::tournament::player::PreflightError;

/// Why a run, or a meeting of it, was not finished.
#[derive(Debug, Error)]
pub(crate) enum TuneError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Learn(#[from] LearnError),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error("the {0}")]
    Engine(#[from] PreflightError),
    #[error("the method learn has nothing to share among processes: leave the shard out")]
    NoShards,
    #[error("{0}")]
    Run(String),
    #[error("all {games} games were forfeits, from which nothing can be learned; the last one: {example}")]
    AllForfeits { games: u64, example: String },
    /// Somebody asked for it; what was played is in the journal.
    #[error("stopped")]
    Stopped,
}
