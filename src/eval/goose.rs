//! The evaluation of the goose family.

use crate::rules::Seat;
use crate::rules::goose::{Goose, Position};

use super::{Evaluator, parameters};

parameters! {
    /// Weights in hundredths of the way of one counter.
    pub struct GooseWeights {
        /// Per field that a counter has advanced.
        advance: "EvalGooseTeamField" = 10, 0..=200;
    }
}

/// How far a player's counters are ahead of the best other player's.
#[derive(Clone, Default, Debug)]
pub struct GooseEvaluator {
    weights: GooseWeights,
}

impl GooseEvaluator {
    pub fn new(weights: GooseWeights) -> Self {
        GooseEvaluator { weights }
    }
}

impl Evaluator<Goose> for GooseEvaluator {
    fn evaluate(&self, game: &Goose, position: &Position, seat: Seat) -> i32 {
        let way = |seat: Seat| game.fields(position, seat).iter().map(|&field| i32::from(field)).sum::<i32>();
        let others = (0..game.rules().players).map(Seat).filter(|&other| other != seat);
        self.weights.advance * (way(seat) - others.map(way).max().unwrap_or(0))
    }

    fn explain(&self, game: &Goose, position: &Position) -> Vec<(&'static str, i32)> {
        vec![("way", self.evaluate(game, position, Seat::P1))]
    }
}
