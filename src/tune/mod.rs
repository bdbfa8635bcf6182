//! Parameter search on top of tournaments.
//!
//! The way of a run: a [`TuneSpec`] says what is looked for; [`ResolvedTuneSpec`] has its names looked up, its files
//! read, and, by [`trial`], parameters that do nothing refused; [`spsa`] or a list chooses points of the [`space`] that
//! play matches in journaled [`games`], which all shards share; [`learn`] learns an evaluation instead; a
//! [`final_match`] decides whether what was found is any better than the start; [`trace`], [`result`], [`mod@text`] and
//! [`page`] are what a run leaves.

mod final_match;
mod games;
pub(crate) mod journals;
mod learn;
pub(crate) mod lesson;
mod page;
mod resolved;
mod result;
mod run;
mod space;
mod spec;
mod spsa;
mod text;
mod trace;
mod trial;

use thiserror::Error;

pub(crate) use games::{RunOptions, TuneEvent};
pub use resolved::ResolvedTuneSpec;
pub(crate) use run::run;
#[cfg(feature = "gui")]
pub(crate) use spec::FINAL_MATCH;
pub use spec::TuneSpec;
pub(crate) use text::text;
pub(crate) use trace::Trace;

use crate::tournament::journal::{JournalError, OutputError};
use crate::tournament::player::PreflightError;

/// Why a tuning run ends without a result.
#[derive(Debug, Error)]
pub(crate) enum TuneError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Learn(#[from] learn::LearnError),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error("the {0}")]
    Engine(PreflightError),
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

impl From<PreflightError> for TuneError {
    fn from(error: PreflightError) -> Self {
        match error {
            PreflightError::Shortage(message) => TuneError::Run(message),
            refused => TuneError::Engine(refused),
        }
    }
}
