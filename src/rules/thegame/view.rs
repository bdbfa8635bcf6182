//! The board and its changes for clients that know no rules.

use crate::rules::{Capabilities, Change, Notation, Piece, PieceKind, Seat};

use super::TheGame;
use super::position::{Move, Position};
use super::squares::{Square, Squares};

const PIECE: &str = "piece";

impl<S: Squares> TheGame<S> {
    fn pieces_of(&self, side: usize, square: Square, count: usize) -> Piece {
        Piece { point: self.name(square), owner: Some(Seat(side as u8)), kind: PIECE, count: count as u32 }
    }
}

impl<S: Squares> Notation for TheGame<S> {
    fn pieces(&self, position: &Position) -> Vec<Piece> {
        let on = |square: Square| {
            let stack = self.stack(position, square).into_iter().filter(|&(_, count)| count > 0);
            stack.map(move |(side, count)| self.pieces_of(side, square, count))
        };
        self.squares().flat_map(on).collect()
    }

    fn change(&self, position: &Position, mv: Move) -> Change {
        let side = usize::from(position.turn);
        let captured = mv.to().filter(|_| self.captured(position, mv)).map(|to| self.pieces_of(side ^ 1, to, 1));
        let change = match mv {
            Move::Enter(to) => Change { placed: vec![self.pieces_of(side, to, 1)], ..Change::default() },
            Move::Go { from, to } => {
                let to = self.name(to);
                Change { from: Some(self.name(from)), path: vec![to.clone()], to: Some(to), ..Change::default() }
            }
            Move::Pass => Change::default(),
        };
        Change { mover: Some(Seat(position.turn)), captured: captured.into_iter().collect(), ..change }
    }

    fn capabilities(&self) -> Capabilities {
        let kind = |(side, letter): (usize, char)| PieceKind {
            kind: PIECE,
            owner: Seat(side as u8),
            letter: Some(letter),
            steps: Vec::new(),
            jumps: Vec::new(),
            has_chains: false,
        };
        Capabilities {
            seats: 2,
            is_rectangular: true,
            alternates: true,
            most_captures: 1,
            has_dice: false,
            has_placement: false,
            has_drops: true,
            has_huff: false,
            has_forced_chains: false,
            has_passes: true,
            has_stacks: true,
            pieces: ['A', 'B'].into_iter().enumerate().map(kind).collect(),
        }
    }
}
