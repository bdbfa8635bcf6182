//! Positions and moves as text.

use crate::geometry::{Point, PointSet, Word};
use crate::rules::jumps::{MAX_MOVES, landings, only_chain};
use crate::rules::notation::{self, read_path, read_placement, refuse, write_placement};
use crate::rules::{Game, MoveError, PositionError};

use super::Solitaire;
use super::position::{Move, Position};

impl<W: Word> Solitaire<W> {
    pub(super) fn write_position(&self, position: &Position<W>) -> String {
        let letter = |point: Point| position.pegs().has(point).then_some('P');
        write_placement(self.board(), letter) + " p"
    }

    pub(super) fn read_position(&self, text: &str) -> Result<Position<W>, PositionError> {
        let fields = notation::fields(text);
        let [placement, turn, rest @ ..] = fields.as_slice() else {
            let end = text.chars().count() + 1;
            return refuse(
                end,
                "a placement and the turn 'p' are expected, as in 'PPP/PPP/PPPPPPP/PPP1PPP/PPPPPPP/PPP/PPP p'",
            );
        };
        if !turn.text.eq_ignore_ascii_case("p") {
            return refuse(turn.column, format!("turn '{}' is not 'p' (the player)", turn.text));
        }
        if let Some(key) = rest.first() {
            return refuse(key.column, format!("'{}': nothing follows the turn in this game", key.text));
        }
        let mut pegs = PointSet::EMPTY;
        read_placement(self.board(), *placement, &[('P', ())], |(), point| pegs |= PointSet::of(point))?;
        let position = Position::new(pegs);
        if self.has_too_many_moves(&position) {
            let message = format!("more than {MAX_MOVES} chains of jumps are possible, too many to play");
            return refuse(placement.column, message);
        }
        Ok(position)
    }

    fn has_too_many_moves(&self, position: &Position<W>) -> bool {
        let mut moves: Vec<Move<W>> = Vec::new();
        self.generate(position, &mut moves);
        moves.len() >= MAX_MOVES
    }

    pub(super) fn write_move(&self, position: &Position<W>, mv: Move<W>) -> String {
        let name = |point: Point| self.board().name(point);
        let path = self.path(position, mv);
        path.iter().fold(name(mv.from), |text, &landing| text + "x" + &name(landing))
    }

    /// The holes on which the peg comes down, of several ways the alphabetically smallest.
    pub(super) fn path(&self, position: &Position<W>, mv: Move<W>) -> Vec<Point> {
        self.landings(position, mv).unwrap_or_else(|| vec![mv.to])
    }

    pub(super) fn read_move(&self, position: &Position<W>, text: &str) -> Result<Move<W>, MoveError> {
        let refuse = |message: &str| MoveError { text: text.chars().take(80).collect(), message: message.into() };
        let path = read_path(self.board(), &text.to_ascii_lowercase()).ok_or_else(|| {
            refuse("is not of a known form: d6xd4 or 5-17 (a jump), e4xe6xc6 (a chain, every landing hole named)")
        })?;
        let [from, .., to] = path.points[..] else { return Err(refuse("needs an origin and a destination")) };
        if let Some(mv) = self.chain(position, &path.points).filter(|&mv| self.is_legal(position, mv)) {
            return Ok(mv);
        }
        if path.points.len() > 2 {
            return Err(refuse("is not legal here"));
        }
        let mut moves = Vec::new();
        self.legal_moves(position, &mut moves);
        only_chain(&moves, from, to).map_err(refuse)
    }

    /// The move of the peg on the first of these points that lands on all the others in turn, or `None` where the pegs
    /// do not allow it.
    pub fn chain(&self, position: &Position<W>, points: &[Point]) -> Option<Move<W>> {
        let (&from, landings) = points.split_first()?;
        let pegs = position.pegs();
        if pegs.has(from) { self.table.follow(from, landings, pegs, PointSet::EMPTY) } else { None }
    }

    /// The landing points of a move, the alphabetically smallest way; `None` if it cannot be made.
    pub fn landings(&self, position: &Position<W>, mv: Move<W>) -> Option<Vec<Point>> {
        landings(&self.table, (mv.from, mv.to, mv.captured), position.pegs(), PointSet::EMPTY)
    }
}
