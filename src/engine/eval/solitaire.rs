//! The evaluation of the solitaire family.

use super::{Evaluator, MAX_EVALUATION, Terms, named, parameters};
use crate::geometry::{PointSet, Word};
use crate::rules::Seat;
use crate::rules::solitaire::{Position, Solitaire};

parameters! {
    /// Counts possible jumps, pegs that are left alone, and pegs in the corners.
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
    /// The terms by name, from the player's point of view.
    #[inline]
    fn terms<W: Word>(&self, game: &Solitaire<W>, position: &Position<W>) -> [(&'static str, i32); 3] {
        let pegs = position.pegs();
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
        let value: i32 = self.terms(game, position).iter().map(|(_, value)| value).sum();
        let value = value.clamp(-MAX_EVALUATION, MAX_EVALUATION);
        if seat == Seat::P1 { value } else { -value }
    }

    fn explain(&self, game: &Solitaire<W>, position: &Position<W>) -> Terms {
        named(self.terms(game, position))
    }
}
