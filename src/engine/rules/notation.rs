//! Texts common to all board games: blank-separated fields; moves written as points, such as `d4d5`, `d4xd6xb6`,
//! `17-10`; and placements: ranks from the top down, a letter for a piece, brackets around a stack, a number for a run
//! of empty points.

use std::fmt::Write as _;
use std::ops::RangeInclusive;

use super::game::PositionError;
use crate::geometry::{Board, Point};

/// A word of a position text and the column where it begins, counted in characters from 1.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    pub column: usize,
    pub text: &'a str,
}

impl<'a> Field<'a> {
    /// A whole text as one field.
    pub(super) fn whole(text: &'a str) -> Self {
        Field { column: 1, text }
    }

    /// The empty word behind the last character.
    pub(super) fn end(self) -> Self {
        Field { column: self.column + self.text.chars().count(), text: "" }
    }

    /// The parts between separators, empty ones included.
    pub(super) fn split(self, separator: char) -> impl Iterator<Item = Field<'a>> {
        let mut column = self.column;
        self.text.split(separator).map(move |text| {
            let field = Field { column, text };
            column = field.end().column + 1;
            field
        })
    }

    /// The parts before and after the first separator.
    pub(super) fn split_once(self, separator: char) -> Option<(Field<'a>, Field<'a>)> {
        let (before, after) = self.text.split_once(separator)?;
        let before = Field { text: before, ..self };
        Some((before, Field { column: before.end().column + 1, text: after }))
    }

    /// Splits a field of the form `key=value`.
    pub(super) fn key_value(self) -> Result<(Field<'a>, Field<'a>), PositionError> {
        let refuse = || self.error(format!("'{}' is not of the form key=value", self.shown()));
        self.split_once('=').ok_or_else(refuse)
    }

    /// The field as a number written in digits alone, with or without a minus sign; `None` if it is none.
    pub(super) fn number(self) -> Option<i64> {
        let digits = self.text.strip_prefix('-').unwrap_or(self.text);
        let is_plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if is_plain { self.text.parse().ok() } else { None }
    }

    /// The field as a number within a range; `None` if it is none.
    pub(super) fn number_in<T: TryFrom<i64> + PartialOrd>(self, range: RangeInclusive<T>) -> Option<T> {
        self.number().and_then(|number| T::try_from(number).ok()).filter(|number| range.contains(number))
    }

    /// An error about this field of a position text.
    pub(super) fn error(self, message: impl Into<String>) -> PositionError {
        PositionError { column: self.column, message: message.into() }
    }

    /// Refuses the field if this is wrong with it.
    pub(super) fn refuse_if(self, is_wrong: bool, message: impl Into<String>) -> Result<(), PositionError> {
        if is_wrong { Err(self.error(message)) } else { Ok(()) }
    }

    /// The first 40 characters of the field, for messages.
    pub(super) fn shown(self) -> String {
        self.text.chars().take(40).collect()
    }
}

/// The blank-separated fields of a text, with their columns.
pub(super) fn fields(text: &str) -> Vec<Field<'_>> {
    Field::whole(text).split(' ').filter(|field| !field.text.is_empty()).collect()
}

/// Splits words of the form `key=value`, each key at most once.
pub(super) fn pairs<'a>(words: &[Field<'a>]) -> Result<Vec<(Field<'a>, Field<'a>)>, PositionError> {
    let pairs = words.iter().map(|word| word.key_value()).collect::<Result<Vec<_>, _>>()?;
    let is_known = |index: usize| pairs[..index].iter().any(|(key, _)| key.text == pairs[index].0.text);
    match (0..pairs.len()).find(|&index| is_known(index)).map(|index| pairs[index].0) {
        Some(key) => Err(key.error(format!("key '{}' stands twice", key.shown()))),
        None => Ok(pairs),
    }
}

/// The points of a move text, at least two.
pub(super) struct Path {
    pub points: Vec<Point>,
    /// Whether an `x` in the text says that the move jumps.
    pub jumps: bool,
}

/// The canonical text of a chain of jumps.
pub(super) fn path_text(board: &Board, from: Point, landings: &[Point]) -> String {
    landings.iter().fold(board.name(from), |text, &landing| text + "x" + &board.name(landing))
}

/// Splits a move text in lower case, such as `d4xd6xb6`, `d4d5`, `d4-d5` or `17-10`, into points.
pub(super) fn read_path(board: &Board, text: &str) -> Option<Path> {
    let mut points = Vec::new();
    let mut joints = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        if !points.is_empty() {
            let joint = joint(board, rest);
            rest = &rest[usize::from(joint.is_some())..];
            joints.push(joint);
        }
        let letters = usize::from(rest.starts_with(|letter: char| letter.is_ascii_alphabetic()));
        let digits = rest[letters..].bytes().take_while(u8::is_ascii_digit).count();
        points.push(board.parse(&rest[..letters + digits])?);
        rest = &rest[letters + digits..];
    }
    // Only the two points of a step, and not two numbers, may stand side by side without a joint.
    let may_touch = joints.len() == 1 && text.starts_with(|letter: char| letter.is_ascii_alphabetic());
    let is_path = points.len() >= 2 && (may_touch || !joints.contains(&None));
    is_path.then(|| Path { points, jumps: joints.contains(&Some(b'x')) })
}

/// The `-` or `x` at the beginning of a text that joins two points; `None` if there is none. On boards wide enough to
/// have a file x, the letter is a joint only before another letter.
fn joint(board: &Board, rest: &str) -> Option<u8> {
    match *rest.as_bytes() {
        [b'x', next, ..] if board.width() < 24 || next.is_ascii_alphabetic() => Some(b'x'),
        [b'-', ..] => Some(b'-'),
        _ => None,
    }
}

/// Writes a placement; `text` gives the letter or the stack on a point, `None` for an empty one.
pub(super) fn write_pieces<T: Into<String>>(board: &Board, text: impl Fn(Point) -> Option<T>) -> String {
    let text = |point| text(point).map(T::into);
    write_placement((0..board.height()).rev().map(|rank| board.rank_points(rank).iter().map(text)))
}

/// Writes a placement from the texts on each point of its ranks, given from the top down; `None` is an empty point.
pub(super) fn write_placement<R: Iterator<Item = Option<String>>>(ranks: impl Iterator<Item = R>) -> String {
    ranks.map(write_rank).collect::<Vec<_>>().join("/")
}

fn write_rank(points: impl Iterator<Item = Option<String>>) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for piece in points.map(Some).chain([None]) {
        if piece == Some(None) {
            empty += 1;
            continue;
        }
        if empty > 0 {
            let _ = write!(text, "{empty}");
            empty = 0;
        }
        text.extend(piece.flatten());
    }
    text
}

/// Reads a placement of pieces with these capital letters, in any case: each piece, its point and how many of them are
/// stacked there go to `put`.
///
/// # Errors
/// The errors of [`read_placement`], or a letter is unknown, or `put` refuses a piece.
pub(super) fn read_pieces<P: Copy>(
    board: &Board,
    field: Field<'_>,
    pieces: &[(char, P)],
    mut put: impl FnMut(P, Point, u32) -> Result<(), String>,
) -> Result<(), PositionError> {
    let ranks: Vec<Vec<Point>> = (0..board.height()).map(|rank| board.rank_points(rank).iter().collect()).collect();
    let sizes: Vec<usize> = ranks.iter().map(Vec::len).collect();
    read_placement(field, "points", &sizes, |rank, index, token| {
        let stack = token.text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(token.text);
        let is_meant = |(letter, _): &&(char, P)| {
            !stack.is_empty() && stack.chars().all(|other| other.eq_ignore_ascii_case(letter))
        };
        let Some(&(_, piece)) = pieces.iter().find(is_meant) else {
            let known: Vec<String> = pieces.iter().map(|(known, _)| known.to_string()).collect();
            let message = format!("'{}' is neither {} nor a number of empty points", token.shown(), known.join(", "));
            return Err(token.error(message));
        };
        put(piece, ranks[rank][index], stack.len() as u32).map_err(|message| token.error(message))
    })
}

/// Reads a placement on ranks of these sizes, given from the lowest up. Each piece or stack goes to `put` with its
/// rank, its index on the rank, both from 0, and its text. `points` is the word for places in errors.
///
/// # Errors
/// Ranks or points are missing or too many, or `put` refuses a text.
pub(super) fn read_placement(
    field: Field<'_>,
    points: &str,
    sizes: &[usize],
    mut put: impl FnMut(usize, usize, Field<'_>) -> Result<(), PositionError>,
) -> Result<(), PositionError> {
    let mut rank = sizes.len();
    for text in field.split('/') {
        if rank == 0 {
            return Err(text.error(format!("more than the {} ranks of this board", sizes.len())));
        }
        rank -= 1;
        read_rank(text, rank, points, sizes[rank], &mut put)?;
    }
    if rank > 0 {
        let message = format!("{} ranks are given, but the board has {}", sizes.len() - rank, sizes.len());
        return Err(field.end().error(message));
    }
    Ok(())
}

fn read_rank(
    text: Field<'_>,
    rank: usize,
    points: &str,
    size: usize,
    put: &mut impl FnMut(usize, usize, Field<'_>) -> Result<(), PositionError>,
) -> Result<(), PositionError> {
    let number = rank + 1;
    let mut next = 0;
    let mut rest = text;
    while let Some(first) = rest.text.chars().next() {
        let (token, tail) = rest.text.split_at(token_length(rest.text, first));
        let token = Field { text: token, ..rest };
        rest = Field { text: tail, ..token.end() };
        if first.is_ascii_digit() {
            let run = token.text.parse().ok().filter(|&run: &usize| run > 0 && run <= size - next);
            let Some(run) = run else {
                let message =
                    format!("{} empty {points} do not fit here: rank {number} has {size} {points}", token.shown());
                return Err(token.error(message));
            };
            next += run;
        } else if next == size {
            return Err(token.error(format!("rank {number} has only {size} {points}")));
        } else {
            put(rank, next, token)?;
            next += 1;
        }
    }
    if next < size {
        return Err(text.end().error(format!("rank {number} has {size} {points}, but {next} are given")));
    }
    Ok(())
}

/// The length in bytes of the number, stack or letter at the beginning of `rest`.
fn token_length(rest: &str, first: char) -> usize {
    match first {
        '0'..='9' => rest.bytes().take_while(u8::is_ascii_digit).count(),
        '(' => rest.find(')').map_or(rest.len(), |at| at + 1),
        other => other.len_utf8(),
    }
}
