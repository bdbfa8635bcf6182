//! Static evaluation of positions, by weights that are options and can be tuned, or by learned weights.

mod goose;
mod hunt;
mod thegame;

pub use goose::GooseEvaluator;
pub use hunt::{
    GroupKind, HuntEvaluator, LearnedEvaluation, LearnedHuntEvaluator, LearnedWeights, Listener, PatternModel,
    WeightsError,
};
pub use thegame::TheGameEvaluator;

use serde::Serialize;

use crate::geometry::{PointSet, Word};
use crate::rules::solitaire::{Position, Solitaire};
use crate::rules::{Game, Seat};

/// The largest absolute value that an evaluator returns; beyond it lie proved results.
pub const MAX_EVALUATION: i32 = 20_000;

/// How a search combines the values of many positions into one. Minimax prefers lines whose values are too high; in a
/// mean such errors cancel out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Backup {
    /// By the value of the best line: alpha-beta.
    Minimax,
    /// By the mean over many positions: Monte Carlo tree search.
    Mean,
}

impl Backup {
    /// Every kind.
    pub const ALL: [Backup; 2] = [Backup::Minimax, Backup::Mean];
}

/// The terms of an evaluation by name.
pub(crate) type Terms = Vec<(String, i32)>;

/// The terms of an evaluation with a fixed list of terms, as owned text.
fn named<const N: usize>(terms: [(&'static str, i32); N]) -> Terms {
    terms.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The evaluation, which is the sum of these terms.
#[inline(always)]
fn total<const N: usize>(terms: [(&'static str, i32); N]) -> i32 {
    let sum: i32 = terms.iter().map(|(_, value)| value).sum();
    sum.clamp(-MAX_EVALUATION, MAX_EVALUATION)
}

/// Scores positions that are not over by static features, without a search.
pub trait Evaluator<G: Game>: Clone + Send + Sync + 'static {
    /// The evaluation in hundredths of a captured piece from `seat`'s point of view, within ±[`MAX_EVALUATION`].
    fn evaluate(&self, game: &G, position: &G::Position, seat: Seat) -> i32;

    /// The terms of the evaluation by name, from the point of view of seat 0; their sum is the evaluation.
    fn explain(&self, game: &G, position: &G::Position) -> Terms;
}

/// The name and range of one integer parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Parameter {
    /// The option's name, for example `FoxMobility`.
    pub name: &'static str,
    /// The value that holds until another is set.
    pub default: i32,
    /// The least value allowed.
    pub min: i32,
    /// The greatest value allowed.
    pub max: i32,
    /// What the parameter weighs, in one sentence with its unit.
    pub about: &'static str,
}

/// A set of named integer parameters; [`parameters!`](macro@parameters) writes the implementation.
pub trait Parameters: Clone + Default + Send + Sync + 'static {
    /// All parameters.
    const LIST: &'static [Parameter];

    /// Sets parameter `index` of [`LIST`](Parameters::LIST), clamped into its range.
    fn set(&mut self, index: usize, value: i32);
}

/// Declares a struct of `i32` fields with option names, defaults, ranges and explanations.
macro_rules! parameters {
    ($(#[$meta:meta])* $access:vis struct $name:ident {
        $(#[doc = $about:literal] $field:ident : $option:literal = $default:literal, $min:literal ..= $max:literal;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        $access struct $name { $(#[doc = $about] $access $field: i32,)* }

        impl Default for $name {
            fn default() -> Self {
                $name { $($field: $default,)* }
            }
        }

        impl $crate::eval::Parameters for $name {
            const LIST: &'static [$crate::eval::Parameter] = &[$($crate::eval::Parameter {
                name: $option, default: $default, min: $min, max: $max, about: $about.trim_ascii(),
            },)*];

            fn set(&mut self, index: usize, value: i32) {
                let range = Self::LIST[index];
                let fields: &mut [&mut i32] = &mut [$(&mut self.$field,)*];
                *fields[index] = value.clamp(range.min, range.max);
            }
        }
    };
}
pub(crate) use parameters;

/// A share of one, from the thousandths in which parameters have it.
pub(crate) fn share(thousandths: i32) -> f64 {
    f64::from(thousandths) / 1000.0
}

parameters! {
    /// Counts possible jumps, isolated pegs, and pegs in corners.
    ///
    /// The weights are in hundredths of a peg.
    pub struct SolitaireEvaluator {
        /// Solitaire: per jump that is possible.
        jump: "EvalSolitaireJump" = 10, -200..=200;
        /// Solitaire: penalty per peg off the target with no peg beside it to jump over.
        lonely: "EvalSolitaireLonely" = 40, -200..=400;
        /// Solitaire: penalty per peg off the target where no jump can take it.
        corner: "EvalSolitaireCorner" = 60, -200..=400;
    }
}

impl SolitaireEvaluator {
    /// The terms of the evaluation by name, from the player's point of view.
    #[inline]
    fn terms<W: Word>(&self, game: &Solitaire<W>, position: &Position<W>) -> [(&'static str, i32); 3] {
        let pegs = position.pegs;
        let astray = |set: PointSet<W>| (set - game.target()).len() as i32;
        [
            ("jumps", self.jump * game.count_jumps(pegs) as i32),
            ("lonely pegs", -self.lonely * astray(game.lonely(pegs))),
            ("corners", -self.corner * astray(pegs & game.corners())),
        ]
    }
}

impl<W: Word> Evaluator<Solitaire<W>> for SolitaireEvaluator {
    fn evaluate(&self, game: &Solitaire<W>, position: &Position<W>, seat: Seat) -> i32 {
        let value = total(self.terms(game, position));
        if seat == Seat::P1 { value } else { -value }
    }

    fn explain(&self, game: &Solitaire<W>, position: &Position<W>) -> Terms {
        named(self.terms(game, position))
    }
}

#[cfg(test)]
mod tests {
    use super::Parameters;

    parameters! {
        /// Weights of a toy evaluation.
        struct Toy {
            /// Points per step.
            step: "ToyStep" = 3, 0..=10;
        }
    }

    #[test]
    fn values_are_set_and_kept_in_range() {
        let mut toy = Toy::default();
        assert_eq!((toy.step, Toy::LIST[0].name), (3, "ToyStep"));
        toy.set(0, 99);
        assert_eq!(toy.step, 10);
    }
}
