//! The board and its changes for clients that know no rules.

use crate::geometry::{Point, Vector, Word};
use crate::rules::jumps::points_between;
use crate::rules::{Capabilities, Change, Notation, Piece, PieceKind, Seat};

use super::Solitaire;
use super::position::{Move, Position};

const PEG: &str = "peg";

impl<W: Word> Solitaire<W> {
    fn peg(&self, point: Point) -> Piece {
        Piece { point: self.board().name(point), owner: Some(Seat::P1), kind: PEG, count: 1 }
    }
}

impl<W: Word> Notation for Solitaire<W> {
    fn pieces(&self, position: &Position<W>) -> Vec<Piece> {
        position.pegs().iter().map(|point| self.peg(point)).collect()
    }

    fn change(&self, position: &Position<W>, mv: Move<W>) -> Change {
        let path = self.path(position, mv);
        let name = |point: Point| self.board().name(point);
        Change {
            mover: Some(Seat::P1),
            from: Some(name(mv.from)),
            captured: points_between(mv.from, &path).map(|point| self.peg(point)).collect(),
            path: path.into_iter().map(name).collect(),
            to: Some(name(mv.to)),
            placed: Vec::new(),
        }
    }

    fn capabilities(&self) -> Capabilities {
        let board = self.board();
        let jumps = board.vectors().into_iter().filter(|&vector| self.ruleset.may_jump(vector));
        let overs = board.all() - self.corners.widen();
        Capabilities {
            seats: 1,
            is_rectangular: board.points().len() == board.cells(),
            alternates: false,
            most_captures: overs.len(),
            has_dice: false,
            has_placement: false,
            has_drops: false,
            has_huff: false,
            has_forced_chains: false,
            has_passes: false,
            has_stacks: false,
            pieces: vec![PieceKind {
                kind: PEG,
                owner: Seat::P1,
                letter: Some('P'),
                steps: Vec::new(),
                jumps: jumps.map(|Vector { files, ranks }| (files, ranks)).collect(),
                has_chains: true,
            }],
        }
    }
}
