//! What a ply does, and when the game is decided.

use crate::rules::{Outcome, Seat, Turn};

use super::TheGame;
use super::position::{Army, BASIS_LIMIT, ENTRY_TURNS, Move, Piece, Position};
use super::squares::{Square, Squares};

pub(super) const BASIS_TAKEN: &str = "basis taken";
pub(super) const ALL_NEUTRALISED: &str = "all pieces neutralised";

impl<S: Squares> TheGame<S> {
    pub(super) fn start_position(&self) -> Position {
        Position { armies: [Army::new(super::position::PIECES); 2], turn: 0 }
    }

    pub(super) fn turn_of(&self, position: &Position) -> Turn {
        match self.decided(position) {
            Some(outcome) => Turn::Over(outcome),
            None => Turn::Player(Seat(position.turn)),
        }
    }

    /// The ending that the ply before has brought about, if any. Only the player who made it can have won.
    pub(super) fn decided(&self, position: &Position) -> Option<Outcome> {
        let winner = Some(Seat(position.turn ^ 1));
        let goal = self.basis[usize::from(position.turn)];
        if position.enemy().holds(goal) && !position.own().holds(goal) {
            return Some(Outcome { winner, reason: BASIS_TAKEN });
        }
        let lost = self.ruleset.rules.immobile_loses && self.is_immobile(position);
        lost.then_some(Outcome { winner, reason: ALL_NEUTRALISED })
    }

    /// Whether the side to move has pieces on the board, all of them neutralised, and cannot bring in another.
    fn is_immobile(&self, position: &Position) -> bool {
        let side = usize::from(position.turn);
        let pieces = position.own().pieces();
        !pieces.is_empty()
            && !pieces.iter().any(|piece| piece.is_free())
            && self.entries(position, side, self.scene(position, side)).is_empty()
    }

    /// The position after a legal move.
    pub(super) fn after(&self, position: &Position, mv: Move) -> Position {
        let mut next = *position;
        let side = usize::from(position.turn);
        let [a, b] = &mut next.armies;
        let (own, enemy) = if side == 0 { (a, b) } else { (b, a) };
        match mv {
            Move::Enter(_) => own.hand -= 1,
            Move::Go { from, .. } => {
                own.remove(from);
                // Whoever lay under the piece that left is free.
                enemy.mark(from, Piece::free(from));
            }
            Move::Pass => {}
        }
        if let Some(to) = mv.to() {
            arrive(own, enemy, to);
        }
        own.turns = (own.turns + 1).min(ENTRY_TURNS);
        own.basis = basis_count(position.own(), own, self.basis[side], mv);
        if !enemy.holds(self.basis[side ^ 1]) {
            enemy.basis = 0;
        }
        next.turn ^= 1;
        next
    }
}

/// Puts an arriving piece on a square and settles what that does to the pieces there.
fn arrive(own: &mut Army, enemy: &mut Army, to: Square) {
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
fn basis_count(before: &Army, after: &Army, basis: Square, mv: Move) -> u8 {
    let left = matches!(mv, Move::Go { from, .. } if from == basis);
    let arrived = mv.to() == Some(basis);
    match before.holds(basis) && after.holds(basis) && !left && !arrived {
        true => (before.basis + 1).min(BASIS_LIMIT),
        false => 0,
    }
}
