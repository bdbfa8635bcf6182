//! Plays moves, and says when the game is decided.

use crate::rules::{Outcome, Reason, Seat};

use super::TheGame;
use super::position::{Army, BASIS_LIMIT, Move, Piece, Position};
use super::squares::{Square, Squares};

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

/// Puts an arriving piece on a square and settles what that does to the pieces there.
pub(super) fn arrive(own: &mut Army, enemy: &mut Army, to: Square) {
    if enemy.holds(to) {
        if own.holds(to) {
            enemy.remove(to);
            own.mark(to, Piece::free(to));
        } else {
            enemy.mark(to, Piece::under(to));
        }
    }
    own.add(Piece::free(to));
}

/// The counter of the own Basis after an own turn: up when the Basis was held throughout and nothing came or went.
pub(super) fn basis_count(before: &Army, after: &Army, basis: Square, mv: Move) -> u8 {
    let left = matches!(mv, Move::Go { from, .. } if from == basis);
    let arrived = mv.to() == Some(basis);
    match before.holds(basis) && after.holds(basis) && !left && !arrived {
        true => (before.basis + 1).min(BASIS_LIMIT),
        false => 0,
    }
}
