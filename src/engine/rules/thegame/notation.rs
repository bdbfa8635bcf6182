//! Texts of positions and moves, the drawn board, and the changes that moves make on it.

use std::fmt::Write as _;

use serde_json::{Map, json};

use super::TheGame;
use super::position::{self, Army, BASIS_LIMIT, ENTRY_TURNS, MAX_PIECES, Move, Position};
use super::squares::Square;
use crate::rules::notation::{Field, fields, pairs, read_placement, write_placement};
use crate::rules::{
    BoardView, Capabilities, Change, Game, GameInfo, MoveError, Notation, Piece, PieceKind, PieceType, PointView,
    PositionError, Seat,
};

impl<const N: usize> Notation for TheGame<N> {
    fn info(&self) -> GameInfo {
        GameInfo::new(self, &self.ruleset, self.board_view(), self.capabilities())
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        self.read_position(text)
    }

    fn position_text(&self, position: &Position) -> String {
        let stack = |square| Some(self.stack_text(position, square)).filter(|text| !text.is_empty());
        let in_brackets = |stack: String| if stack.len() == 1 { stack } else { format!("({stack})") };
        let rank = |rank: u8| (0..self.size()).map(move |file| stack(self.square(file, rank)).map(in_brackets));
        let mut text = write_placement((0..self.size()).rev().map(rank));
        text.push_str(if position.turn == 0 { " a" } else { " b" });
        let [mut a, mut b] = position.armies;
        for (key, _, counter) in COUNTERS {
            let _ = write!(text, " {key}={},{}", counter(&mut a), counter(&mut b));
        }
        text
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, MoveError> {
        let refuse = |message: &str| MoveError::new(text, message);
        let lower = text.to_ascii_lowercase();
        let square = |name: &str| self.parse(name).ok_or_else(|| refuse("names no square of the board"));
        let mv = if lower == "pass" {
            Move::Pass
        } else if let Some(name) = lower.strip_prefix('@') {
            Move::Enter(square(name)?)
        } else {
            let (from, to) =
                ends(&lower).ok_or_else(|| refuse("cannot be read; expected b3d6 (a move), @d3 (an entry) or pass"))?;
            Move::Go { from: square(from)?, to: square(to)? }
        };
        if self.is_legal(position, mv) { Ok(mv) } else { Err(refuse("is not legal here")) }
    }

    fn move_text(&self, _position: &Position, mv: Move) -> String {
        match mv {
            Move::Enter(to) => format!("@{}", self.square_name(to)),
            Move::Go { from, to } => self.square_name(from) + &self.square_name(to),
            Move::Pass => "pass".into(),
        }
    }

    /// Draws the ranks from the top: stacks from bottom to top, `.` empty squares, `*` an empty Basis, `#` blocked
    /// squares; then the counters.
    fn draw(&self, position: &Position) -> String {
        let size = self.size();
        let cells: Vec<String> = self.squares().map(|square| self.cell(position, square)).collect();
        let width = cells.iter().map(String::len).max().unwrap_or(1) + 1;
        let mut rows = Vec::new();
        for rank in (0..usize::from(size)).rev() {
            let row = &cells[rank * usize::from(size)..][..usize::from(size)];
            let row: String = row.iter().map(|cell| format!("{cell:<width$}")).collect();
            rows.push(format!("{:>3}  {row}", rank + 1));
        }
        let files: String = (0..size).map(|file| format!("{:<width$}", char::from(b'a' + file))).collect();
        rows.push(format!("\n     {files}"));
        for (name, army) in ["A, player 1", "B, player 2"].iter().zip(&position.armies) {
            rows.push(format!("     {name}: {} in hand, Basis counter {}", army.hand, army.basis));
        }
        rows.iter().map(|row| row.trim_end().to_string() + "\n").collect()
    }

    /// The pieces on the board, those of a stack from bottom to top.
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
            Move::Go { from, to } => Change::travel(self.square_name(from), vec![self.square_name(to)]),
            Move::Pass => Change::default(),
        };
        Change { mover: Some(Seat(position.turn)), captured: captured.into_iter().collect(), ..change }
    }

    fn route(&self, position: &Position, mv: Move) -> Option<Vec<String>> {
        let (from, to) = match mv {
            Move::Enter(to) => (self.basis[usize::from(position.turn)], to),
            Move::Go { from, to } => (from, to),
            Move::Pass => return None,
        };
        let route = self.route_between(position, from, to)?;
        Some(route.into_iter().map(|square| self.square_name(square)).collect())
    }
}

impl<const N: usize> TheGame<N> {
    fn board_view(&self) -> BoardView {
        let size = self.size();
        let point = |square| PointView {
            name: self.square_name(square),
            x: self.file(square).into(),
            y: self.rank(square).into(),
            kind: None,
        };
        let mut lines = Vec::new();
        for (file, rank) in self.squares().map(|square| (self.file(square), self.rank(square))) {
            let from = self.square(file, rank);
            let next = [(file + 1, rank), (file, rank + 1)].into_iter().filter(|&(x, y)| x < size && y < size);
            let open = |square: &Square| self.playable.has(from) && self.playable.has(*square);
            let ends = next.map(|(x, y)| self.square(x, y)).filter(open);
            lines.extend(ends.map(|to| [self.square_name(from), self.square_name(to)]));
        }
        BoardView {
            ruleset: self.ruleset.heading.name.clone(),
            board: format!("grid({size},{size})").into(),
            width: size.into(),
            height: size.into(),
            points: self.squares().map(point).collect(),
            lines,
            more: Map::new(),
            regions: json!({
                "basis_1": [self.square_name(self.basis[0])],
                "basis_2": [self.square_name(self.basis[1])],
                "blocked": self.ruleset.rules.blocked,
            }),
            pieces: json!({"A": "player 1", "B": "player 2"}),
        }
    }

    fn capabilities(&self) -> Capabilities {
        let kind = |(seat, letter)| PieceKind { letter: Some(letter), ..PieceKind::new(PieceType::Piece, seat) };
        Capabilities {
            seats: 2,
            is_rectangular: true,
            alternates: true,
            most_captures: 1,
            has_drops: true,
            has_passes: true,
            has_stacks: true,
            pieces: [(Seat::P1, 'A'), (Seat::P2, 'B')].map(kind).into(),
            ..Capabilities::default()
        }
    }

    fn pieces_of(&self, side: usize, square: Square, count: usize) -> Piece {
        let owner = Some(Seat(side as u8));
        Piece { point: self.square_name(square), owner, kind: PieceType::Piece, count: count as u32 }
    }

    /// Both sides with their numbers of pieces on a square, the lower side first.
    fn stack(&self, position: &Position, square: Square) -> [(usize, usize); 2] {
        let is_under = position.armies[1].pieces().contains(&position::Piece::under(square));
        let sides = if is_under { [1, 0] } else { [0, 1] };
        sides.map(|side| (side, position.armies[side].count(square)))
    }

    /// The letters of the pieces on a square, from bottom to top.
    fn stack_text(&self, position: &Position, square: Square) -> String {
        self.stack(position, square).map(|(side, count)| ["A", "B"][side].repeat(count)).concat()
    }

    fn cell(&self, position: &Position, square: Square) -> String {
        let stack = self.stack_text(position, square);
        let ground = match square {
            _ if !self.playable.has(square) => "#",
            _ if self.basis.contains(&square) => "*",
            _ => ".",
        };
        if stack.is_empty() { ground.into() } else { stack }
    }
}

/// Splits `b3d6` or `b3-d6` into its two squares.
fn ends(text: &str) -> Option<(&str, &str)> {
    let second = text.bytes().rposition(|byte| byte.is_ascii_lowercase()).filter(|&at| at > 0)?;
    let from = text.get(..second)?;
    let to = text.get(second..)?;
    Some((from.strip_suffix('-').unwrap_or(from), to))
}

/// A counter that every position text carries for both players: its key, its highest value and where it is kept.
type Counter = (&'static str, u8, fn(&mut Army) -> &mut u8);

const COUNTERS: [Counter; 3] = [
    ("hand", MAX_PIECES as u8, |army| &mut army.hand),
    ("turns", ENTRY_TURNS, |army| &mut army.turns),
    ("basis", u8::MAX, |army| &mut army.basis),
];

impl<const N: usize> TheGame<N> {
    pub(super) fn read_position(&self, text: &str) -> Result<Position, PositionError> {
        let lower = text.to_ascii_lowercase();
        let end = Field::whole(text).end();
        let [placement, turn, ref counters @ ..] = fields(&lower)[..] else {
            let example = "'5/5/2A2/5/5 b hand=4,5 turns=1,0 basis=0,0'";
            return Err(end.error(format!("a placement, a turn and three counters are expected, as in {example}")));
        };
        let mut position = Position { armies: [Army::new(0); 2], turn: 0 };
        let sizes = vec![usize::from(self.size()); usize::from(self.size())];
        read_placement(placement, "squares", &sizes, |rank, file, token| {
            self.place(token, self.square(file as u8, rank as u8), &mut position)
        })?;
        position.turn = match turn.text {
            "a" => 0,
            "b" => 1,
            other => return Err(turn.error(format!("turn '{other}' is not 'a' (player 1) or 'b' (player 2)"))),
        };
        read_counters(counters, end, &mut position)?;
        if position.armies.iter().any(|army| army.pieces().len() + usize::from(army.hand) > MAX_PIECES) {
            let message = format!("a player has more than {MAX_PIECES} pieces on the board and in hand");
            return Err(placement.error(message));
        }
        Ok(position)
    }

    /// Puts the pieces of a token such as `a` or `(ab)` on a square.
    fn place(&self, token: Field<'_>, square: Square, position: &mut Position) -> Result<(), PositionError> {
        let inner = token.text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        let letters = inner.unwrap_or(token.text);
        let is_many = letters.len() > 1;
        if inner.is_some() != is_many || letters.is_empty() || !letters.bytes().all(|letter| b"ab".contains(&letter)) {
            let message = format!("'{}' is neither A, B, a stack such as (AB) nor a number", token.shown());
            return Err(token.error(message));
        }
        let mixed = letters.contains('a') && letters.contains('b');
        if mixed && letters.len() > 2 {
            return Err(token.error("a stack with pieces of both players has one of each"));
        }
        if !self.playable.has(square) {
            return Err(token.error(format!("square {} is blocked", self.square_name(square))));
        }
        for (at, letter) in letters.bytes().enumerate() {
            let army = &mut position.armies[usize::from(letter == b'b')];
            if army.pieces().len() >= MAX_PIECES {
                return Err(token.error(format!("more than {MAX_PIECES} pieces of a player")));
            }
            army.add(if mixed && at == 0 { position::Piece::under(square) } else { position::Piece::free(square) });
        }
        Ok(())
    }
}

/// Reads `hand=5,5 turns=0,0 basis=0,0` in any order; all three must be given.
fn read_counters(words: &[Field<'_>], end: Field<'_>, position: &mut Position) -> Result<(), PositionError> {
    let pairs = pairs(words)?;
    for &(key, value) in &pairs {
        let unknown = || key.error(format!("key '{}' is unknown; hand, turns and basis are allowed", key.shown()));
        let (_, most, counter) = COUNTERS.into_iter().find(|(name, ..)| *name == key.text).ok_or_else(unknown)?;
        let numbers = value.split_once(',').and_then(|(a, b)| Some([a.number_in(0..=most)?, b.number_in(0..=most)?]));
        let refuse =
            || value.error(format!("'{}' is not a pair of numbers from 0 to {most}, as in 0,0", value.shown()));
        for (army, number) in position.armies.iter_mut().zip(numbers.ok_or_else(refuse)?) {
            *counter(army) = number;
            // A Basis counter that another program let run on means no more than one at its limit.
            army.basis = army.basis.min(BASIS_LIMIT);
        }
    }
    match COUNTERS.iter().find(|(name, ..)| pairs.iter().all(|(key, _)| key.text != *name)) {
        Some((key, ..)) => Err(end.error(format!("key '{key}' is missing; hand, turns and basis are always written"))),
        None => Ok(()),
    }
}
