//! Texts of positions and moves, the drawn board, and what moves change on it.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::Hunt;
use super::keys::{FoxStart, GeeseStuck, Huff};
use super::move_geometry::{may_jump, may_step};
use super::position::{Move, MoveKind, Phase, Position, Side};
use crate::geometry::{Point, PointSet, Vector, Word};
use crate::rules::jumps::{named_jump, points_between};
use crate::rules::notation::{self, path_text, read_path, write_pieces};
use crate::rules::ruleset::names_of;
use crate::rules::{
    BoardView, Capabilities, Change, Game, MoveError, Notation, Piece, PieceKind, PieceType, PositionError, Seat, view,
};

impl<W: Word> Notation for Hunt<W> {
    fn name(&self) -> &str {
        &self.ruleset.heading.name
    }

    fn seat_name(&self, seat: Seat) -> &str {
        match self.side(seat) {
            Side::Fox => &self.ruleset.rules.fox_side,
            Side::Geese => &self.ruleset.rules.geese_side,
        }
    }

    fn role(&self, seat: Seat) -> &'static str {
        self.side(seat).role()
    }

    fn parse_position(&self, text: &str) -> Result<Position<W>, PositionError> {
        self.read_position(text)
    }

    fn position_text(&self, position: &Position<W>) -> String {
        let mut text = write_pieces(self.board(), |point| letter(position, point));
        text.push_str(if position.turn == Side::Fox { " f" } else { " g" });
        if position.phase == Phase::Place {
            text.push_str(" phase=place");
        } else if position.first {
            text.push_str(" first=1");
        }
        if position.hand > 0 {
            let _ = write!(text, " hand={}", position.hand);
        }
        match position.phase {
            Phase::Drop => text.push_str(" owed=drop"),
            Phase::Remove => {
                let mut names: Vec<String> = position.owed.iter().map(|point| self.board().name(point)).collect();
                names.sort();
                let _ = write!(text, " owed={}", names.join(","));
            }
            _ => {}
        }
        text
    }

    fn parse_move(&self, position: &Position<W>, text: &str) -> Result<Move<W>, MoveError> {
        let refuse = |message: &str| MoveError::new(text, message);
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
                refuse("cannot be read; expected d4d5 (a step), d4xd6xb6 (jumps), @d4 (put), ~c5 (take off) or pass")
            })?;
            return self.named_move(position, &path).map_err(refuse);
        };
        if self.is_legal(position, mv) { Ok(mv) } else { Err(refuse("is not legal here")) }
    }

    fn move_text(&self, position: &Position<W>, mv: Move<W>) -> String {
        let name = |point: Point| self.board().name(point);
        match mv.kind {
            MoveKind::Step => name(mv.from) + &name(mv.to),
            MoveKind::Put => format!("@{}", name(mv.to)),
            MoveKind::TakeOff => format!("~{}", name(mv.to)),
            MoveKind::Pass => "pass".into(),
            MoveKind::Jump => path_text(self.board(), mv.from, &self.path(position, mv)),
        }
    }

    /// Ranks from the top, pieces `F` and `G`, empty points `.`, lines between neighbours.
    fn draw(&self, position: &Position<W>) -> String {
        self.draw_marks(|point| letter(position, point).unwrap_or('.'))
    }

    fn legend(&self) -> String {
        format!("F for {}, G for {}", self.ruleset.rules.fox_side, self.ruleset.rules.geese_side)
    }

    fn board_view(&self) -> BoardView {
        let (board, rules) = (self.board(), &self.ruleset.rules);
        let region = |set: PointSet<W>| names_of(board, set.widen());
        let regions = json!({
            "fortress": region(self.geometry.fortress),
            "geese_home": region(self.geometry.home),
            "fox_goal": if rules.fox_home_wins { region(self.geometry.lowest_rank) } else { Vec::new() },
        });
        let pieces = json!({"F": rules.fox_side, "G": rules.geese_side});
        BoardView { regions, pieces, ..BoardView::of(self.name(), &rules.board, board) }
    }

    fn rules_json(&self) -> Value {
        self.ruleset.to_json()
    }

    fn pieces(&self, position: &Position<W>) -> Vec<Piece> {
        let foxes = position.foxes().iter().map(|point| self.piece(Side::Fox, point));
        foxes.chain(position.geese().iter().map(|point| self.piece(Side::Geese, point))).collect()
    }

    fn change(&self, position: &Position<W>, mv: Move<W>) -> Change {
        let side = position.side_to_move();
        let change = match mv.kind {
            MoveKind::Step | MoveKind::Jump => self.travel(position, mv),
            MoveKind::Put => Change { placed: vec![self.piece(side, mv.to)], ..Change::default() },
            MoveKind::TakeOff => Change { captured: vec![self.piece(Side::Fox, mv.to)], ..Change::default() },
            MoveKind::Pass => Change::default(),
        };
        Change { mover: Some(self.seat(side)), ..change }
    }

    fn capabilities(&self) -> Capabilities {
        let rules = &self.ruleset.rules;
        let has_placement = rules.fox_start == FoxStart::Choose;
        let placement_alternates = !has_placement || (rules.foxes == 1 && self.first_side == Side::Geese);
        Capabilities {
            seats: 2,
            is_rectangular: self.board().points().len() == self.board().cells(),
            alternates: rules.huff == Huff::None && placement_alternates,
            most_captures: self.most_jumps() + u32::from(rules.huff == Huff::RemoveFox),
            has_placement,
            has_drops: self.has_hand(),
            has_huff: self.has_huff(),
            has_forced_chains: rules.chain && rules.forced_chain,
            has_passes: rules.geese_stuck == GeeseStuck::Pass,
            pieces: vec![self.fox_kind(), self.goose_kind()],
            ..Capabilities::default()
        }
    }
}

impl<W: Word> Hunt<W> {
    /// The board with a mark of one's own on every point.
    pub fn draw_marks(&self, mark: impl Fn(Point) -> char) -> String {
        view::draw(self.board(), mark)
    }

    /// The legal move along a path, of which a jump may name its ends alone.
    fn named_move(&self, position: &Position<W>, path: &notation::Path) -> Result<Move<W>, &'static str> {
        let mut moves = Vec::new();
        self.legal_moves(position, &mut moves);
        match path.points[..] {
            [from, to] if !path.jumps && moves.contains(&Move::step(from, to)) => Ok(Move::step(from, to)),
            _ => named_jump(&self.geometry.jumps, &path.points, position.geese(), position.foxes(), &moves),
        }
    }

    /// The points on which the piece comes down, of several ways the alphabetically smallest.
    fn path(&self, position: &Position<W>, mv: Move<W>) -> Vec<Point> {
        match mv.kind {
            MoveKind::Jump => self.geometry.jumps.landings(mv, position.geese(), position.foxes()),
            _ => None,
        }
        .unwrap_or_else(|| vec![mv.to])
    }

    fn piece(&self, side: Side, point: Point) -> Piece {
        Piece { point: self.board().name(point), owner: Some(self.seat(side)), kind: kind(side), count: 1 }
    }

    /// A step or a chain of jumps, with the pieces that huffing takes off at once.
    fn travel(&self, position: &Position<W>, mv: Move<W>) -> Change {
        let path = self.path(position, mv);
        let jumped = points_between(mv.from, &path).filter(|&point| mv.captured.has(point));
        let mut captured: Vec<Piece> = jumped.map(|point| self.piece(Side::Geese, point)).collect();
        if position.side_to_move() == Side::Fox {
            let moved = position.foxes().without(mv.from).with(mv.to);
            let huffed = moved - self.play_unchecked(position, mv).foxes();
            captured.extend(huffed.iter().map(|fox| self.piece(Side::Fox, fox)));
        }
        let name = |point: Point| self.board().name(point);
        Change { captured, ..Change::travel(name(mv.from), path.into_iter().map(name).collect()) }
    }

    /// The most geese that one move can jump over.
    fn most_jumps(&self) -> u32 {
        let middles = self.geometry.jump_axes.iter().fold(PointSet::EMPTY, |all, axis| all | axis.points).len();
        if self.ruleset.rules.chain { middles } else { middles.min(1) }
    }

    /// Files and ranks of some of the board's lines.
    fn vectors(&self, is_meant: impl Fn(Vector) -> bool) -> Vec<(i8, i8)> {
        let vectors = self.board().vectors().into_iter().filter(|&vector| is_meant(vector));
        vectors.map(|vector| (vector.files, vector.ranks)).collect()
    }

    fn fox_kind(&self) -> PieceKind {
        let rules = &self.ruleset.rules;
        let jumps = self.vectors(|vector| may_jump(rules, vector));
        PieceKind {
            letter: Some('F'),
            steps: self.vectors(|vector| may_step(rules, vector)),
            has_chains: rules.chain && !jumps.is_empty(),
            jumps,
            ..PieceKind::new(kind(Side::Fox), self.seat(Side::Fox))
        }
    }

    fn goose_kind(&self) -> PieceKind {
        PieceKind {
            letter: Some('G'),
            steps: self.vectors(|vector| self.goose_steps().iter().any(|direction| direction.vector == vector)),
            ..PieceKind::new(kind(Side::Geese), self.seat(Side::Geese))
        }
    }
}

fn kind(side: Side) -> PieceType {
    match side {
        Side::Fox => PieceType::Fox,
        Side::Geese => PieceType::Goose,
    }
}

/// The letter of the piece on a point.
fn letter<W: Word>(position: &Position<W>, point: Point) -> Option<char> {
    match (position.foxes().has(point), position.geese().has(point)) {
        (true, _) => Some('F'),
        (_, true) => Some('G'),
        _ => None,
    }
}
