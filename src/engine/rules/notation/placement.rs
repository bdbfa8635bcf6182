//! Placements: ranks from the top down, a letter for a piece, brackets around a stack, a number for a run of empty
//! points.

use std::fmt::Write as _;

use super::{Field, refuse};
use crate::geometry::{Board, Point};
use crate::rules::PositionError;

/// The placement of the pieces whose letters `letter` tells.
pub(crate) fn write_pieces(board: &Board, letter: impl Fn(Point) -> Option<char>) -> String {
    let text = |point| letter(point).map(String::from);
    write_placement((0..board.height()).rev().map(|rank| board.rank_points(rank).iter().map(text)))
}

/// The placement whose ranks, from the top down, have these texts on their points, `None` for an empty one.
pub(crate) fn write_placement<R: Iterator<Item = Option<String>>>(ranks: impl Iterator<Item = R>) -> String {
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

/// Reads a placement of pieces with these capital letters, in any case: each piece and its point go to `put`.
///
/// # Errors
/// As [`read_placement`], or a letter is unknown.
pub(crate) fn read_pieces<P: Copy>(
    board: &Board,
    field: Field<'_>,
    pieces: &[(char, P)],
    mut put: impl FnMut(P, Point),
) -> Result<(), PositionError> {
    let ranks: Vec<Vec<Point>> = (0..board.height()).map(|rank| board.rank_points(rank).iter().collect()).collect();
    let sizes: Vec<usize> = ranks.iter().map(Vec::len).collect();
    read_placement(field, ("points", &sizes), |rank, index, token| {
        let is_meant = |(letter, _): &&(char, P)| token.text.eq_ignore_ascii_case(letter.encode_utf8(&mut [0; 4]));
        let Some(&(_, piece)) = pieces.iter().find(is_meant) else {
            let known: Vec<String> = pieces.iter().map(|(known, _)| known.to_string()).collect();
            let message = format!("'{}' is neither {} nor a number of empty points", token.shown(), known.join(", "));
            return refuse(token.column, message);
        };
        put(piece, ranks[rank][index]);
        Ok(())
    })
}

/// Reads a placement on ranks of these sizes, the lowest first, of `points` as errors call them: the text of each piece or stack goes to `put` with its
/// rank and its index on the rank, both from 0.
///
/// # Errors
/// Ranks or points are missing or too many, or `put` refuses a text.
pub(crate) fn read_placement(
    field: Field<'_>,
    (points, sizes): (&str, &[usize]),
    mut put: impl FnMut(usize, usize, Field<'_>) -> Result<(), PositionError>,
) -> Result<(), PositionError> {
    let mut rank = sizes.len();
    for text in field.split('/') {
        if rank == 0 {
            return refuse(text.column, format!("more than the {} ranks of this board", sizes.len()));
        }
        rank -= 1;
        read_rank(text, rank, (points, sizes[rank]), &mut put)?;
    }
    match rank {
        0 => Ok(()),
        _ => refuse(field.end(), format!("{} ranks are given, but the board has {}", sizes.len() - rank, sizes.len())),
    }
}

fn read_rank(
    text: Field<'_>,
    rank: usize,
    (points, size): (&str, usize),
    put: &mut impl FnMut(usize, usize, Field<'_>) -> Result<(), PositionError>,
) -> Result<(), PositionError> {
    let (mut next, number) = (0, rank + 1);
    let mut rest = text;
    while let Some(first) = rest.text.chars().next() {
        let (token, tail) = rest.text.split_at(token_length(rest.text, first));
        let token = Field { text: token, ..rest };
        rest = Field { column: token.end(), text: tail };
        if first.is_ascii_digit() {
            let run = token.text.parse().ok().filter(|&run: &usize| run > 0 && run <= size - next);
            let Some(run) = run else {
                let message =
                    format!("{} empty {points} do not fit here: rank {number} has {size} {points}", token.shown());
                return refuse(token.column, message);
            };
            next += run;
        } else if next == size {
            return refuse(token.column, format!("rank {number} has only {size} {points}"));
        } else {
            put(rank, next, token)?;
            next += 1;
        }
    }
    match next == size {
        true => Ok(()),
        false => refuse(text.end(), format!("rank {number} has {size} {points}, but {next} are given")),
    }
}

/// The bytes of the number, stack or letter with which a rank goes on.
fn token_length(rest: &str, first: char) -> usize {
    match first {
        '0'..='9' => rest.bytes().take_while(u8::is_ascii_digit).count(),
        '(' => rest.find(')').map_or(rest.len(), |at| at + 1),
        other => other.len_utf8(),
    }
}
