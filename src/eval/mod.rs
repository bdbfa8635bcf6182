//! Static evaluation of positions, by weights that options set and tuning changes, or that were learned.

mod goose;
mod hunt;
mod parameters;
mod solitaire;
mod thegame;

pub use goose::GooseEvaluator;
pub use hunt::HuntEvaluator;
pub(crate) use hunt::{GroupKind, LearnedEvaluation, LearnedHuntEvaluator, LearnedWeights, PatternModel, WeightsError};
pub(crate) use parameters::{Parameter, Parameters, parameters};
pub(crate) use solitaire::SolitaireEvaluator;
pub(crate) use thegame::TheGameEvaluator;

use std::borrow::Cow;

use crate::rules::{Game, Seat};

/// The largest absolute value that an evaluator returns; beyond it lie proved results.
pub(crate) const MAX_EVALUATION: i32 = 20_000;

/// How a search makes one value of those of many positions: its best line, which picks whatever is valued too highly, or
/// their mean, in which such faults cancel out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Backup {
    Minimax,
    Mean,
}

/// The terms of an evaluation by name.
pub(crate) type Terms = Vec<(Cow<'static, str>, i32)>;

/// Terms with names that are known beforehand.
fn named<const N: usize>(terms: [(&'static str, i32); N]) -> Terms {
    terms.into_iter().map(|(name, value)| (Cow::Borrowed(name), value)).collect()
}

/// Scores positions that are not over, without a search.
pub trait Evaluator<G: Game>: Clone + Send + Sync + 'static {
    /// Hundredths of a captured piece from the point of view of `seat`, within ±[`MAX_EVALUATION`].
    fn evaluate(&self, game: &G, position: &G::Position, seat: Seat) -> i32;

    /// The terms of the evaluation by name, from the point of view of seat 0, for people; their sum is the evaluation.
    fn explain(&self, game: &G, position: &G::Position) -> Terms;
}
