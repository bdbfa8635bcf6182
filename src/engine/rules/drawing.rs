//! Draws boards of points and lines as text, and lists them as data.

use serde_json::{Value, json};

use super::ruleset::RulesetBoard;
use crate::geometry::{Board, Point, Vector};

/// Ranks from the top with their numbers, `piece` on every point, lines between neighbours.
pub(super) fn draw(board: &Board, piece: impl Fn(Point) -> char) -> String {
    let mut rows = Vec::new();
    for rank in (0..board.height()).rev() {
        rows.push(format!("{:>3}  {}", rank + 1, piece_row(board, rank, &piece)));
        if rank > 0 {
            rows.push(format!("     {}", line_row(board, rank)));
        }
    }
    let files: Vec<String> = (0..board.width()).map(|file| char::from(b'a' + file).to_string()).collect();
    rows.push(format!("\n     {}", files.join("   ")));
    rows.iter().map(|row| row.trim_end().to_string() + "\n").collect()
}

/// What every board tells: its ruleset, size, points and lines.
pub(super) fn board_data(ruleset: &str, written: &RulesetBoard, board: &Board) -> Value {
    let point = |&point: &Point| json!({"name": board.name(point), "x": board.file(point), "y": board.rank(point)});
    let line = |(a, b): (Point, Point)| json!([board.name(a), board.name(b)]);
    json!({
        "ruleset": ruleset,
        "board": written,
        "width": board.width(),
        "height": board.height(),
        "points": board.points().iter().map(point).collect::<Vec<_>>(),
        "lines": board.lines().map(line).collect::<Vec<_>>(),
    })
}

fn has_line(board: &Board, file: u8, rank: u8, vector: Vector) -> bool {
    board.at(file, rank).is_some_and(|point| board.step(point, vector).is_some())
}

fn piece_row(board: &Board, rank: u8, piece: impl Fn(Point) -> char) -> String {
    let cell = |file: u8| {
        let letter = board.at(file, rank).map_or(' ', &piece);
        let line = has_line(board, file, rank, Vector { files: 1, ranks: 0 });
        format!("{letter}{}", if line { "---" } else { "   " })
    };
    (0..board.width()).map(cell).collect()
}

/// The lines from this rank down to the next.
fn line_row(board: &Board, rank: u8) -> String {
    let cell = |file: u8| {
        let down = has_line(board, file, rank, Vector { files: 0, ranks: -1 });
        let falling = has_line(board, file, rank, Vector { files: 1, ranks: -1 });
        let rising = file + 1 < board.width() && has_line(board, file + 1, rank, Vector { files: -1, ranks: -1 });
        let between = match (falling, rising) {
            (true, true) => 'X',
            (true, false) => '\\',
            (false, true) => '/',
            (false, false) => ' ',
        };
        format!("{} {between} ", if down { '|' } else { ' ' })
    };
    (0..board.width()).map(cell).collect()
}
