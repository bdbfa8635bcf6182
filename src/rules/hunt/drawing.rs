//! The board for people and for GUIs.

use serde_json::{Value, json};

use crate::geometry::{Board, Point, Vector, Word};
use crate::rules::ruleset::{Family, names_of};

use super::Hunt;
use super::position::Position;

impl<W: Word> Hunt<W> {
    /// Ranks from the top, pieces `F` and `G`, empty points `.`, lines between neighbours.
    pub(super) fn draw_board(&self, position: &Position<W>) -> String {
        let board = self.board();
        let piece = |point: Point| match (position.foxes().has(point), position.geese().has(point)) {
            (true, _) => 'F',
            (_, true) => 'G',
            _ => '.',
        };
        let mut rows = Vec::new();
        for rank in (0..board.height()).rev() {
            rows.push(format!("{:>3}  {}", rank + 1, piece_row(board, rank, piece)));
            if rank > 0 {
                rows.push(format!("     {}", line_row(board, rank)));
            }
        }
        let files: Vec<String> = (0..board.width()).map(|file| char::from(b'a' + file).to_string()).collect();
        rows.push(format!("\n     {}", files.join("   ")));
        rows.iter().map(|row| row.trim_end().to_string() + "\n").collect()
    }

    pub(super) fn board_data(&self) -> Value {
        let board = self.board();
        let point = |&point: &Point| json!({"name": board.name(point), "x": board.file(point), "y": board.rank(point)});
        let line = |(a, b): (Point, Point)| json!([board.name(a), board.name(b)]);
        let region = |set: crate::geometry::PointSet<W>| names_of(board, set.widen());
        json!({
            "ruleset": self.ruleset.heading.name,
            "board": self.ruleset.rules.board,
            "width": board.width(),
            "height": board.height(),
            "points": board.points().iter().map(point).collect::<Vec<_>>(),
            "lines": board.lines().map(line).collect::<Vec<_>>(),
            "regions": {
                "fortress": region(self.tables.fortress),
                "geese_home": region(self.tables.home),
                "fox_goal": if self.ruleset.rules.fox_home_wins { region(self.tables.lowest_rank) } else { Vec::new() },
            },
            "pieces": {"F": self.ruleset.rules.fox_side, "G": self.ruleset.rules.geese_side},
        })
    }

    pub(super) fn rules_data(&self) -> Value {
        self.ruleset.heading.with_rules(Family::Hunt, self.fingerprint, &self.ruleset.rules)
    }
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
