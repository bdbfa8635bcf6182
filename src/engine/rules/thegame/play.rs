//! Plays moves, and says when the game is decided.

use super::TheGame;
use super::position::Position;
use super::squares::Squares;
use crate::rules::{Outcome, Reason, Seat};

impl<S: Squares> TheGame<S> {
    /// The ending that the ply before has brought about, if any. Only the player who made it can have won.
    pub(super) fn decided(&self, position: &Position) -> Option<Outcome> {
        let winner = Some(Seat(position.turn ^ 1));
        let goal = self.basis[usize::from(position.turn)];
        if position.enemy().holds(goal) && !position.own().holds(goal) {
            return Some(Outcome { winner, reason: Reason::BasisTaken });
        }
        let lost = self.ruleset.rules.immobile_loses && self.is_immobile(position);
        lost.then_some(Outcome { winner, reason: Reason::AllNeutralised })
    }

    /// Whether the side to move has pieces on the board, all of them neutralised, and cannot bring in another.
    fn is_immobile(&self, position: &Position) -> bool {
        let side = usize::from(position.turn);
        let pieces = position.own().pieces();
        !pieces.is_empty()
            && !pieces.iter().any(|piece| piece.is_free())
            && self.entries(position, side, self.scene(position, side)).is_empty()
    }
}
