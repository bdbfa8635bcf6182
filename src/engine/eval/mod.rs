//! Static evaluation of positions, by weights that options set and tuning changes, or that were learned.

mod goose;
mod hunt;
mod parameters;
mod solitaire;
mod thegame;

use std::borrow::Cow;

pub use goose::GooseEvaluator;
pub use hunt::{
    GroupKind, HuntEvaluator, LearnedEvaluation, LearnedHuntEvaluator, LearnedWeights, Listener, PatternModel,
    WeightsError,
};
pub(crate) use parameters::parameters;
pub use parameters::{Parameter, Parameters};
pub use solitaire::SolitaireEvaluator;
pub use thegame::TheGameEvaluator;

use crate::rules::{Game, Seat};

/// The largest absolute value that an evaluator returns; beyond it lie proved results.
pub const MAX_EVALUATION: i32 = 20_000;

/// How a search makes one value of those of many positions: its best line, which picks whatever is valued too highly, or
/// their mean, in which such faults cancel out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Backup {
    /// The value of the best line: alpha-beta.
    Minimax,
    /// The mean of many positions: tree search.
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
