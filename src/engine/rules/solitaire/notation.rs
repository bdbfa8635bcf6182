//! Texts of positions and moves, the drawn board, and the changes that moves make on it.

use serde_json::json;

use super::{Move, Position, Solitaire};
use crate::geometry::{Point, PointSet, StraightJump, Vector, Word};
use crate::rules::jumps::refuse_too_many;
use crate::rules::notation::{Field, fields, path_text, read_path, read_pieces, write_pieces};
use crate::rules::{
    BoardView, Capabilities, Change, Game, GameInfo, MoveError, Notation, Piece, PieceKind, PieceType, PositionError,
    Seat, SeatInfo, view,
};

impl<W: Word> Notation for Solitaire<W> {
    fn info(&self) -> GameInfo {
        GameInfo {
            seats: vec![SeatInfo { name: "player".into(), role: Seat::P1.name() }],
            legend: "P for a peg".into(),
            ..GameInfo::new(self, &self.ruleset, self.board_view(), self.capabilities())
        }
    }

    fn parse_position(&self, text: &str) -> Result<Position<W>, PositionError> {
        let [placement, turn, ref rest @ ..] = fields(text)[..] else {
            let example = "'PPP/PPP/PPPPPPP/PPP1PPP/PPPPPPP/PPP/PPP p'";
            let message = format!("a placement and the turn 'p' are expected, as in {example}");
            return Err(Field::whole(text).end().error(message));
        };
        if !turn.text.eq_ignore_ascii_case("p") {
            return Err(turn.error(format!("turn '{}' is not 'p' (the player)", turn.text)));
        }
        if let Some(key) = rest.first() {
            return Err(key.error(format!("'{}': nothing follows the turn in this game", key.text)));
        }
        let mut pegs = PointSet::EMPTY;
        read_pieces(self.board(), placement, &[('P', ())], |(), point, count| {
            pegs |= PointSet::of(point);
            if count == 1 { Ok(()) } else { Err("a hole has room for one peg".into()) }
        })?;
        let position = Position { pegs };
        let mut chains = Vec::new();
        self.generate(&position, &mut chains);
        refuse_too_many(&chains, placement)?;
        Ok(position)
    }

    fn position_text(&self, position: &Position<W>) -> String {
        write_pieces(self.board(), |point| position.pegs.has(point).then_some('P')) + " p"
    }

    fn parse_move(&self, position: &Position<W>, text: &str) -> Result<Move<W>, MoveError> {
        let refuse = |message: &str| MoveError::new(text, message);
        let path = read_path(self.board(), &text.to_ascii_lowercase()).ok_or_else(|| {
            refuse("cannot be read; expected d6xd4 or 5-17 (a jump), e4xe6xc6 (a chain, every landing hole named)")
        })?;
        self.jumper(position.pegs, path.points[0]).named(&path.points, &self.moves(position)).map_err(refuse)
    }

    fn move_text(&self, position: &Position<W>, mv: Move<W>) -> String {
        path_text(self.board(), mv.from, &self.path(position, mv))
    }

    /// Draws the ranks from the top, with pegs `P`, holes `.`, and the lines along which pegs jump.
    fn draw(&self, position: &Position<W>) -> String {
        view::draw(self.board(), |point| if position.pegs.has(point) { 'P' } else { '.' })
    }

    fn pieces(&self, position: &Position<W>) -> Vec<Piece> {
        position.pegs.iter().map(|point| self.peg(point)).collect()
    }

    fn change(&self, position: &Position<W>, mv: Move<W>) -> Change {
        let path = self.path(position, mv);
        let captured = self.chains.points_between(mv.from, &path).map(|point| self.peg(point)).collect();
        let name = |point: Point| self.board().name(point);
        let travel = Change::travel(name(mv.from), path.iter().copied().map(name).collect());
        Change { mover: Some(Seat::P1), captured, ..travel }
    }
}

impl<W: Word> Solitaire<W> {
    fn board_view(&self) -> BoardView {
        let board = self.board();
        let region = |set: PointSet<W>| board.names(set.widen());
        let jump = |jump: StraightJump| [jump.from, jump.over, jump.to].map(|point| board.name(point));
        let jumps = json!(board.jumps().map(jump).collect::<Vec<_>>());
        let regions = json!({"start": region(self.start_pegs()), "target": region(self.target())});
        let name = &self.ruleset.heading.name;
        let written = &self.ruleset.rules.board;
        let pieces = json!({"P": "peg"});
        let mut view = BoardView::of(name, written, board, regions, pieces);
        view.more.insert("jumps".to_owned(), jumps);
        view
    }

    fn capabilities(&self) -> Capabilities {
        let board = self.board();
        let peg = PieceKind {
            letter: Some('P'),
            jumps: board.vectors().into_iter().map(|Vector { files, ranks }| (files, ranks)).collect(),
            has_chains: true,
            ..PieceKind::new(PieceType::Peg, Seat::P1)
        };
        Capabilities {
            seats: 1,
            is_rectangular: board.is_rectangular(),
            most_captures: (board.all() - self.corners().widen()).len(),
            pieces: vec![peg],
            ..Capabilities::default()
        }
    }

    /// The move of the peg on the first of these points that lands on all the others in turn, or `None` where the pegs
    /// do not allow it.
    pub fn chain(&self, position: &Position<W>, points: &[Point]) -> Option<Move<W>> {
        let (&from, landings) = points.split_first()?;
        let pegs = position.pegs;
        if pegs.has(from) { self.jumper(pegs, from).follow(landings) } else { None }
    }

    /// The landing points of a move by the alphabetically smallest way; `None` if the move cannot be made.
    pub fn landings(&self, position: &Position<W>, mv: Move<W>) -> Option<Vec<Point>> {
        self.jumper(position.pegs, mv.from).landings(mv)
    }

    /// The holes on which the peg of a move comes down.
    fn path(&self, position: &Position<W>, mv: Move<W>) -> Vec<Point> {
        self.landings(position, mv).unwrap_or_else(|| vec![mv.to])
    }

    fn peg(&self, point: Point) -> Piece {
        Piece { point: self.board().name(point), owner: Some(Seat::P1), kind: PieceType::Peg, count: 1 }
    }
}
