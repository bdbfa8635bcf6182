//! Positions and moves as text.

use std::fmt::Write as _;

use crate::rules::{Game, MoveError, PositionError};

use super::TheGame;
use super::position::{Army, BASIS_LIMIT, ENTRY_TURNS, MAX_PIECES, Move, Piece, Position};
use super::squares::{Square, Squares};

/// The longest part of a refused text that an error repeats.
const MAX_ECHO: usize = 80;

fn refuse<T>(column: usize, message: impl Into<String>) -> Result<T, PositionError> {
    Err(PositionError { column, message: message.into() })
}

/// A word of the text and the column where it begins, counted in characters from 1.
#[derive(Clone, Copy)]
struct Field<'a> {
    column: usize,
    text: &'a str,
}

/// Splits at blanks and keeps the columns.
fn fields(text: &str) -> Vec<Field<'_>> {
    let mut fields = Vec::new();
    let mut column = 1;
    for text in text.split(' ') {
        if !text.is_empty() {
            fields.push(Field { column, text });
        }
        column += text.chars().count() + 1;
    }
    fields
}

/// The counters that every position text carries, for player 1 and player 2.
#[derive(Clone, Copy)]
enum Counter {
    Hand,
    Turns,
    Basis,
}

impl Counter {
    const ALL: [(&'static str, Counter); 3] =
        [("hand", Counter::Hand), ("turns", Counter::Turns), ("basis", Counter::Basis)];

    fn most(self) -> u8 {
        match self {
            Counter::Hand => MAX_PIECES as u8,
            Counter::Turns => ENTRY_TURNS,
            Counter::Basis => u8::MAX,
        }
    }

    /// A Basis counter that somebody else let run on means no more than one that has reached its limit.
    fn kept(self, number: u8) -> u8 {
        if matches!(self, Counter::Basis) { number.min(BASIS_LIMIT) } else { number }
    }

    fn of(self, army: &mut Army) -> &mut u8 {
        match self {
            Counter::Hand => &mut army.hand,
            Counter::Turns => &mut army.turns,
            Counter::Basis => &mut army.basis,
        }
    }
}

impl<S: Squares> TheGame<S> {
    pub(super) fn write_position(&self, position: &Position) -> String {
        let mut text = self.write_placement(position);
        text.push_str(if position.turn == 0 { " a" } else { " b" });
        let mut armies = position.armies;
        let [a, b] = &mut armies;
        for (key, counter) in Counter::ALL {
            let _ = write!(text, " {key}={},{}", counter.of(a), counter.of(b));
        }
        text
    }

    fn write_placement(&self, position: &Position) -> String {
        let row = |rank: u8| {
            let mut text = String::new();
            let mut empty = 0;
            for square in (0..self.size()).map(|file| self.square(file, rank)) {
                let stack = self.stack_text(position, square);
                if stack.is_empty() {
                    empty += 1;
                    continue;
                }
                push_run(&mut text, &mut empty);
                text.push_str(&if stack.len() == 1 { stack } else { format!("({stack})") });
            }
            push_run(&mut text, &mut empty);
            text
        };
        (0..self.size()).rev().map(row).collect::<Vec<_>>().join("/")
    }

    /// Each side and how many pieces of it stand on a square, bottom to top.
    pub(super) fn stack(&self, position: &Position, square: Square) -> [(usize, usize); 2] {
        let is_under = position.armies[1].pieces().contains(&Piece::under(square));
        let sides = if is_under { [1, 0] } else { [0, 1] };
        sides.map(|side| (side, position.armies[side].count(square)))
    }

    /// The letters of the pieces on a square, bottom to top.
    pub(super) fn stack_text(&self, position: &Position, square: Square) -> String {
        self.stack(position, square).map(|(side, count)| ["A", "B"][side].repeat(count)).concat()
    }

    pub(super) fn read_position(&self, text: &str) -> Result<Position, PositionError> {
        let lower = text.to_ascii_lowercase();
        let fields = fields(&lower);
        let end = text.chars().count() + 1;
        let [placement, turn, counters @ ..] = fields.as_slice() else {
            let example = "'5/5/2A2/5/5 b hand=4,5 turns=1,0 basis=0,0'";
            return refuse(end, format!("a placement, a turn and three counters are expected, as in {example}"));
        };
        let mut position = Position { armies: [Army::new(0); 2], turn: 0 };
        self.read_placement(*placement, &mut position)?;
        position.turn = match turn.text {
            "a" => 0,
            "b" => 1,
            other => return refuse(turn.column, format!("turn '{other}' is not 'a' (player 1) or 'b' (player 2)")),
        };
        read_counters(counters, end, &mut position)?;
        for army in &position.armies {
            if army.pieces().len() + usize::from(army.hand) > MAX_PIECES {
                let message = format!("a player has more than {MAX_PIECES} pieces on the board and in hand");
                return refuse(placement.column, message);
            }
        }
        Ok(position)
    }

    fn read_placement(&self, field: Field<'_>, position: &mut Position) -> Result<(), PositionError> {
        let size = self.size();
        let mut column = field.column;
        let mut rank = size;
        for row in field.text.split('/') {
            let Some(below) = rank.checked_sub(1) else {
                return refuse(column, format!("more than the {size} ranks of this board"));
            };
            rank = below;
            self.read_row(Field { column, text: row }, rank, position)?;
            column += row.chars().count() + 1;
        }
        match rank {
            0 => Ok(()),
            _ => refuse(column - 1, format!("{} ranks are given, but the board has {size}", size - rank)),
        }
    }

    fn read_row(&self, row: Field<'_>, rank: u8, position: &mut Position) -> Result<(), PositionError> {
        let size = self.size();
        let mut file = 0;
        let mut rest = row.text;
        while let Some(first) = rest.chars().next() {
            let column = row.column + row.text.chars().count() - rest.chars().count();
            let length = token_length(rest, first);
            let (token, tail) = rest.split_at(length);
            rest = tail;
            if first.is_ascii_digit() {
                let run = token.parse::<u8>().ok().filter(|&run| run > 0 && run <= size - file);
                let Some(run) = run else {
                    return refuse(
                        column,
                        format!("{token} empty squares do not fit here: rank {} has {size} squares", rank + 1),
                    );
                };
                file += run;
                continue;
            }
            if file >= size {
                return refuse(column, format!("rank {} has only {size} squares", rank + 1));
            }
            self.place(Field { column, text: token }, self.square(file, rank), position)?;
            file += 1;
        }
        if file != size {
            let column = row.column + row.text.chars().count();
            return refuse(column, format!("rank {} has {size} squares, but {file} are given", rank + 1));
        }
        Ok(())
    }

    /// Puts the pieces of a token such as `a` or `(ab)` on a square.
    fn place(&self, token: Field<'_>, square: Square, position: &mut Position) -> Result<(), PositionError> {
        let column = token.column;
        let inner = token.text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        let letters = inner.unwrap_or(token.text);
        let is_many = letters.len() > 1;
        if inner.is_some() != is_many || letters.is_empty() || !letters.bytes().all(|letter| b"ab".contains(&letter)) {
            let message = format!("'{}' is neither A, B, a stack such as (AB) nor a number", token.text);
            return refuse(column, message);
        }
        let mixed = letters.contains('a') && letters.contains('b');
        if mixed && letters.len() > 2 {
            return refuse(column, "a stack with pieces of both players has one of each");
        }
        if !self.playable.has(square) {
            return refuse(column, format!("square {} is blocked", self.name(square)));
        }
        for (at, letter) in letters.bytes().enumerate() {
            let army = &mut position.armies[usize::from(letter == b'b')];
            if army.pieces().len() >= MAX_PIECES {
                return refuse(column, format!("more than {MAX_PIECES} pieces of a player"));
            }
            army.add(if mixed && at == 0 { Piece::under(square) } else { Piece::free(square) });
        }
        Ok(())
    }

    pub(super) fn write_move(&self, mv: Move) -> String {
        match mv {
            Move::Enter(to) => format!("@{}", self.name(to)),
            Move::Go { from, to } => self.name(from) + &self.name(to),
            Move::Pass => "pass".into(),
        }
    }

    pub(super) fn read_move(&self, position: &Position, text: &str) -> Result<Move, MoveError> {
        let refuse = |message: &str| MoveError { text: text.chars().take(MAX_ECHO).collect(), message: message.into() };
        let lower = text.to_ascii_lowercase();
        let square = |name: &str| self.parse(name).ok_or_else(|| refuse("names no square of the board"));
        let mv = if lower == "pass" {
            Move::Pass
        } else if let Some(name) = lower.strip_prefix('@') {
            Move::Enter(square(name)?)
        } else {
            let (from, to) =
                ends(&lower).ok_or_else(|| refuse("is not of a known form: b3d6 (a move), @d3 (an entry) or pass"))?;
            Move::Go { from: square(from)?, to: square(to)? }
        };
        if self.is_legal(position, mv) { Ok(mv) } else { Err(refuse("is not legal here")) }
    }
}

/// The bytes of the number, stack or letter with which a row goes on.
fn token_length(rest: &str, first: char) -> usize {
    match first {
        '0'..='9' => rest.bytes().take_while(u8::is_ascii_digit).count(),
        '(' => rest.find(')').map_or(rest.len(), |at| at + 1),
        other => other.len_utf8(),
    }
}

/// Reads `hand=5,5 turns=0,0 basis=0,0` in any order; all must be there.
fn read_counters(words: &[Field<'_>], end: usize, position: &mut Position) -> Result<(), PositionError> {
    let mut missing = Counter::ALL.to_vec();
    for word in words {
        let Some((key, value)) = word.text.split_once('=') else {
            return refuse(word.column, format!("'{}' is not of the form key=value", word.text));
        };
        let Some(at) = missing.iter().position(|(name, _)| *name == key) else {
            let known = Counter::ALL.iter().any(|(name, _)| *name == key);
            let what = if known { "stands twice" } else { "is unknown; hand, turns and basis are allowed" };
            return refuse(word.column, format!("key '{key}' {what}"));
        };
        let (_, counter) = missing.remove(at);
        read_counter(Field { column: word.column + key.chars().count() + 1, text: value }, counter, position)?;
    }
    match missing.first() {
        Some((key, _)) => refuse(end, format!("key '{key}' is missing; hand, turns and basis are always written")),
        None => Ok(()),
    }
}

fn read_counter(value: Field<'_>, counter: Counter, position: &mut Position) -> Result<(), PositionError> {
    let most = counter.most();
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<u8>().ok().filter(|&number| digits && number <= most)
    };
    let numbers = value.text.split_once(',').and_then(|(a, b)| Some((number(a)?, number(b)?)));
    let Some((a, b)) = numbers else {
        let message = format!("'{}' is not a pair of numbers from 0 to {most}, as in 0,0", value.text);
        return refuse(value.column, message);
    };
    let [first, second] = &mut position.armies;
    (*counter.of(first), *counter.of(second)) = (counter.kept(a), counter.kept(b));
    Ok(())
}

/// Splits `b3d6` or `b3-d6` into its two squares.
fn ends(text: &str) -> Option<(&str, &str)> {
    let second = text.bytes().rposition(|byte| byte.is_ascii_lowercase()).filter(|&at| at > 0)?;
    let (from, to) = (text.get(..second)?, text.get(second..)?);
    Some((from.strip_suffix('-').unwrap_or(from), to))
}

fn push_run(text: &mut String, empty: &mut u32) {
    if *empty > 0 {
        let _ = write!(text, "{empty}");
        *empty = 0;
    }
}
