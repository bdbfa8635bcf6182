//! Moves as text.

use crate::geometry::{Point, Word};
use crate::rules::jumps::{landings, only_chain};
use crate::rules::notation::{Path, read_path};
use crate::rules::{Game, MoveError};

use super::Hunt;
use super::position::{Move, MoveKind, Position};

impl<W: Word> Hunt<W> {
    pub(super) fn write_move(&self, position: &Position<W>, mv: Move<W>) -> String {
        let name = |point: Point| self.board().name(point);
        match mv.kind {
            MoveKind::Step => name(mv.from) + &name(mv.to),
            MoveKind::Put => format!("@{}", name(mv.to)),
            MoveKind::TakeOff => format!("~{}", name(mv.to)),
            MoveKind::Pass => "pass".into(),
            MoveKind::Jump => {
                let path = self.path(position, mv);
                path.iter().fold(name(mv.from), |text, &landing| text + "x" + &name(landing))
            }
        }
    }

    /// The points on which the piece comes down, of several ways the alphabetically smallest.
    pub(super) fn path(&self, position: &Position<W>, mv: Move<W>) -> Vec<Point> {
        let jump = (mv.from, mv.to, mv.captured);
        let landings = landings(&self.tables.jumps, jump, position.geese(), position.foxes());
        landings.filter(|_| mv.kind == MoveKind::Jump).unwrap_or_else(|| vec![mv.to])
    }

    pub(super) fn read_move(&self, position: &Position<W>, text: &str) -> Result<Move<W>, MoveError> {
        let refuse = |message: &str| MoveError { text: text.chars().take(80).collect(), message: message.into() };
        let lower = text.to_ascii_lowercase();
        let point = |name: &str| self.board().parse(name).ok_or_else(|| refuse("names no point of the board"));
        let mv = if lower == "pass" {
            Move::pass()
        } else if let Some(name) = lower.strip_prefix('@') {
            Move::put(point(name)?)
        } else if let Some(name) = lower.strip_prefix('~') {
            Move::take_off(point(name)?)
        } else {
            let path = read_path(self.board(), &lower).ok_or_else(|| {
                refuse("is not of a known form: d4d5 (step), d4xd6xb6 (jumps), @d4 (put), ~c5 (take off) or pass")
            })?;
            return self.find_path(position, &path).map_err(refuse);
        };
        if self.is_legal(position, mv) { Ok(mv) } else { Err(refuse("is not legal here")) }
    }

    fn find_path(&self, position: &Position<W>, path: &Path) -> Result<Move<W>, &'static str> {
        let [from, .., to] = path.points[..] else { return Err("needs an origin and a destination") };
        let step = Move::step(from, to);
        let is_pair = path.points.len() == 2;
        if is_pair && !path.jumps && self.is_legal(position, step) {
            return Ok(step);
        }
        let landings = &path.points[1..];
        let followed = self.tables.jumps.follow(from, landings, position.geese(), position.foxes());
        if let Some(jump) = followed.filter(|&jump: &Move<W>| self.is_legal(position, jump)) {
            return Ok(jump);
        }
        if !is_pair {
            return Err("is not legal here");
        }
        let mut moves = Vec::new();
        self.legal_moves(position, &mut moves);
        only_chain(&moves, from, to)
    }
}
