//! The board and its changes for clients that know no rules.

use crate::geometry::{Point, PointSet, Word};
use crate::rules::jumps::points_between;
use crate::rules::{Capabilities, Change, Game, Notation, Piece, PieceKind};

use super::Hunt;
use super::keys::{FoxStart, GeeseStuck, Huff};
use super::position::{Move, MoveKind, Position, Side};

impl<W: Word> Hunt<W> {
    fn piece(&self, side: Side, point: Point) -> Piece {
        Piece { point: self.board().name(point), owner: Some(self.seat(side)), kind: kind(side), count: 1 }
    }

    /// A step or a chain of jumps, with the pieces that huffing takes off at once.
    fn travel(&self, position: &Position<W>, mv: Move<W>) -> Change {
        let path = self.path(position, mv);
        let side = position.side_to_move();
        let jumped = points_between(mv.from, &path).filter(|&point| mv.captured.has(point));
        let mut captured: Vec<Piece> = jumped.map(|point| self.piece(Side::Geese, point)).collect();
        if side == Side::Fox {
            let moved = position.foxes().without(mv.from).with(mv.to);
            let huffed = moved - self.after(position, mv).foxes();
            captured.extend(huffed.iter().map(|fox| self.piece(Side::Fox, fox)));
        }
        let name = |point: Point| self.board().name(point);
        Change {
            from: Some(name(mv.from)),
            path: path.into_iter().map(name).collect(),
            to: Some(name(mv.to)),
            captured,
            ..Change::default()
        }
    }

    fn fox_kind(&self) -> PieceKind {
        PieceKind {
            kind: kind(Side::Fox),
            owner: self.seat(Side::Fox),
            letter: Some('F'),
            steps: self.tables.fox_vectors.clone(),
            jumps: self.tables.jump_vectors.clone(),
            has_chains: self.ruleset.rules.chain,
        }
    }

    fn goose_kind(&self) -> PieceKind {
        PieceKind {
            kind: kind(Side::Geese),
            owner: self.seat(Side::Geese),
            letter: Some('G'),
            steps: self.tables.goose_vectors.clone(),
            jumps: Vec::new(),
            has_chains: false,
        }
    }
}

fn kind(side: Side) -> &'static str {
    match side {
        Side::Fox => "fox",
        Side::Geese => "goose",
    }
}

impl<W: Word> Notation for Hunt<W> {
    fn pieces(&self, position: &Position<W>) -> Vec<Piece> {
        let foxes = position.foxes().iter().map(|point| self.piece(Side::Fox, point));
        foxes.chain(position.geese().iter().map(|point| self.piece(Side::Geese, point))).collect()
    }

    fn change(&self, position: &Position<W>, mv: Move<W>) -> Change {
        let change = match mv.kind {
            MoveKind::Step | MoveKind::Jump => self.travel(position, mv),
            MoveKind::Put => Change { placed: vec![self.piece(position.side_to_move(), mv.to)], ..Change::default() },
            MoveKind::TakeOff => Change { captured: vec![self.piece(Side::Fox, mv.to)], ..Change::default() },
            MoveKind::Pass => Change::default(),
        };
        Change { mover: Some(self.seat(position.side_to_move())), ..change }
    }

    fn capabilities(&self) -> Capabilities {
        let rules = &self.ruleset.rules;
        let jumped = match (self.tables.jump_axes.is_empty(), rules.chain) {
            (true, _) => 0,
            (_, false) => 1,
            _ => self.tables.jump_axes.iter().fold(PointSet::EMPTY, |all, axis| all | axis.middles).len(),
        };
        let has_placement = rules.fox_start == FoxStart::Choose;
        let placement_alternates = !has_placement || (rules.foxes == 1 && self.first_side == Side::Geese);
        Capabilities {
            seats: self.seats(),
            is_rectangular: self.board().points().len() == self.board().cells(),
            alternates: rules.huff == Huff::None && placement_alternates,
            most_captures: jumped + u32::from(rules.huff == Huff::RemoveFox),
            has_dice: false,
            has_placement,
            has_drops: self.has_hand(),
            has_huff: self.has_huff(),
            has_forced_chains: rules.chain && rules.forced_chain,
            has_passes: rules.geese_stuck == GeeseStuck::Pass,
            has_stacks: false,
            pieces: vec![self.fox_kind(), self.goose_kind()],
        }
    }
}
