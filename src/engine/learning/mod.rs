//! Weights of the learned evaluation, fitted to positions whose value tables of perfect play or played games tell.
//!
//! A [`Learner`] goes from round to round: `games` are played, at first by noisy perfect play, or by the engine as it is
//! where there are no tables, then by the engine with what it has learned; they give `samples`, among them positions that
//! the searches evaluated, each with its value by the `truth` of the tables, else by its game and search; `fit` learns
//! from the samples of all rounds.

mod engine;
mod fit;
mod games;
mod learner;
mod samples;
mod spec;
mod truth;

use std::path::PathBuf;

pub(crate) use learner::HuntLearner;
pub use learner::Learner;
pub use spec::{LearnPlayer, LearnSearcher, LearnSpec, OutOfRange, Targets};
use thiserror::Error;

use crate::tablebase::TableError;

/// Why nothing was learned.
#[derive(Debug, Error)]
pub enum LearningError {
    /// Only hunts have weights that are learned.
    #[error("ruleset: the method learn needs a game of the hunt family")]
    Family,
    /// The board does not have the groups of points that the model asks for.
    #[error("learn.model: this board has no such groups of points, or more patterns than can be numbered")]
    Model,
    /// The folder has no tables of this ruleset.
    #[error("tables: there are no tables of '{0}' in the folder")]
    NoTables(String),
    /// Nothing to fit to, or nothing to check the fit by.
    #[error(
        "the games of a round gave no position to learn from, or none to check the fit by; a new run with more `perfect_games`, and `games` in its rounds, gives more"
    )]
    NoSamples,
    /// A table is damaged or cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A file of samples or weights is damaged, or the system refuses it.
    #[error("{}: {message}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
}
