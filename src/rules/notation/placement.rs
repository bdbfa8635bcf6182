//! Placements: ranks from the top down, a letter for a piece, a number for a run of empty points.

use std::fmt::Write as _;

use crate::geometry::{Board, Point};
use crate::rules::PositionError;

use super::{Field, refuse};

/// The placement of the pieces whose letters `letter` tells.
pub(crate) fn write_placement(board: &Board, letter: impl Fn(Point) -> Option<char>) -> String {
    let row = |rank: u8| {
        let mut text = String::new();
        let mut empty = 0;
        for point in board.rank_points(rank) {
            match letter(point) {
                None => empty += 1,
                Some(letter) => {
                    push_run(&mut text, &mut empty);
                    text.push(letter);
                }
            }
        }
        push_run(&mut text, &mut empty);
        text
    };
    (0..board.height()).rev().map(row).collect::<Vec<_>>().join("/")
}

fn push_run(text: &mut String, empty: &mut u32) {
    if *empty > 0 {
        let _ = write!(text, "{empty}");
        *empty = 0;
    }
}

/// Reads a placement of pieces with these capital letters, in any case: each piece and its point go to `put`.
///
/// # Errors
/// A letter is unknown, or ranks or points are missing or too many.
pub(crate) fn read_placement<P: Copy>(
    board: &Board,
    field: Field<'_>,
    pieces: &[(char, P)],
    mut put: impl FnMut(P, Point),
) -> Result<(), PositionError> {
    let mut column = field.column;
    let mut rank = board.height();
    for text in field.text.split('/') {
        let Some(below) = rank.checked_sub(1) else {
            return refuse(column, format!("more than the {} ranks of this board", board.height()));
        };
        rank = below;
        let row = Row { rank, column, points: board.rank_points(rank).iter().collect() };
        row.read(text, pieces, &mut put)?;
        column += text.chars().count() + 1;
    }
    if rank > 0 {
        let (given, expected) = (board.height() - rank, board.height());
        return refuse(column - 1, format!("{given} ranks are given, but the board has {expected}"));
    }
    Ok(())
}

/// One rank of the board and the column where its text begins.
struct Row {
    rank: u8,
    column: usize,
    points: Vec<Point>,
}

impl Row {
    fn read<P: Copy>(
        &self,
        text: &str,
        pieces: &[(char, P)],
        put: &mut impl FnMut(P, Point),
    ) -> Result<(), PositionError> {
        let (rank, total) = (self.rank + 1, self.points.len());
        let (mut next, mut run) = (0, 0);
        for (column, letter) in (self.column..).zip(text.chars()) {
            if let Some(digit) = letter.to_digit(10) {
                run = run * 10 + digit as usize;
                if run == 0 || next + run > total {
                    return refuse(
                        column,
                        format!("{run} empty points do not fit here: rank {rank} has {total} points"),
                    );
                }
                continue;
            }
            next += std::mem::take(&mut run);
            let Some(&(_, piece)) = pieces.iter().find(|(known, _)| known.eq_ignore_ascii_case(&letter)) else {
                let known: Vec<String> = pieces.iter().map(|(known, _)| known.to_string()).collect();
                let message = format!("'{letter}' is neither {} nor a number of empty points", known.join(", "));
                return refuse(column, message);
            };
            let Some(&point) = self.points.get(next) else {
                return refuse(column, format!("rank {rank} has only {total} points"));
            };
            put(piece, point);
            next += 1;
        }
        if next + run != total {
            let end = self.column + text.chars().count();
            return refuse(end, format!("rank {rank} has {total} points, but {} are given", next + run));
        }
        Ok(())
    }
}
