//! Weights of the learned evaluation, fitted to positions whose value tables of perfect play or played games tell.
//!
//! `run` goes from round to round: `games` are played, at first by noisy perfect play, or by the engine as it is where
//! there are no tables, then by the engine with what it has learned; they give `samples`, among them positions that the
//! searches `heard` of, each with its value by the `truth` of the tables, else by its game and search; `fit` learns
//! from the samples of all rounds.

mod engine;
mod fit;
mod games;
mod heard;
mod run;
mod samples;
mod spec;
mod truth;

use std::path::PathBuf;

use thiserror::Error;

use crate::engine::registry::OpenError;
use crate::tablebase::TableError;
use crate::tournament::journal::HeaderDifference;

pub(crate) use run::{Learned, learn};
pub(crate) use spec::LearnSpec;

/// Why nothing was learned.
#[derive(Debug, Error)]
pub(crate) enum LearnError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("ruleset: the method learn needs a game of the hunt family")]
    Family,
    #[error("learn.model: this board has no such groups of points, or more patterns than can be numbered")]
    Model,
    #[error("tables: there are no tables of '{0}' in the folder")]
    NoTables(String),
    #[error(
        "the games of a round gave no position to learn from, or none to check the fit by; a new run with more `perfect_games`, and `games` in its rounds, gives more"
    )]
    NoSamples,
    #[error(transparent)]
    Table(#[from] TableError),
    #[error("{}: {message}", path.display())]
    File { path: PathBuf, message: String },
    /// With the first key that differs.
    #[error("{} holds the positions of another run: {difference}", dir.display())]
    OtherRun { dir: PathBuf, difference: Box<HeaderDifference> },
    #[error("{} holds positions already; --resume goes on with them", .0.display())]
    Exists(PathBuf),
}
