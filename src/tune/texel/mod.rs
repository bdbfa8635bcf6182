//! Evaluation weights fitted by logistic regression on labelled positions.

mod fit;
mod labels;
mod positions;
mod run;
mod weights;

use std::path::PathBuf;

pub use fit::{LabelledSample, Problem};
pub use labels::Labels;
use reynard_engine::tablebase::TableError;
pub(crate) use run::fit;
use thiserror::Error;

use super::space::ParameterPoint;
use super::trace::TraceRow;
use crate::tournament::journal::JournalError;

/// What a regression found.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Fit {
    /// Hundredths of a piece that multiply the odds of winning by e.
    pub scale: f64,
    /// Positions of training and validation.
    pub positions: [u64; 2],
    /// Parameters that changed no evaluation and keep their start values.
    pub without_influence: Vec<String>,
    /// The start, every step, and the rounded weights.
    pub steps: Vec<TraceRow>,
    pub tuned: ParameterPoint,
}

/// Why weights were not fitted.
#[derive(Debug, Error)]
pub enum TexelError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("{0}")]
    Option(String),
    #[error("{}: game {game}: {message}", dir.display())]
    Game { dir: PathBuf, game: u64, message: String },
    #[error(
        "no positions for training in {games} game(s) of {ruleset}; are the journals those of other rules, or their \
         positions beyond the tables?"
    )]
    NoPositions { games: u64, ruleset: String },
    #[error("texel.labels: there are no tables of '{ruleset}' in the folder of `tables`")]
    NoTables { ruleset: String },
    #[error(transparent)]
    Table(#[from] TableError),
    #[error("{name}: the evaluation is not linear in it, so it cannot be fitted by regression: {text}")]
    NotLinear { name: String, text: String },
    #[error("{name}: the range from {min} to {max} leaves too little room around the start value")]
    Narrow { name: String, min: i64, max: i64 },
}
