//! The board for people and for GUIs.

use serde_json::{Value, json};

use super::TheGame;
use super::position::Position;
use super::squares::{Square, Squares};

impl<S: Squares> TheGame<S> {
    /// Ranks from the top: stacks bottom to top, `.` empty squares, `*` an empty Basis, `#` blocked squares; then the
    /// counters.
    pub(super) fn draw_board(&self, position: &Position) -> String {
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

    fn cell(&self, position: &Position, square: Square) -> String {
        let stack = self.stack_text(position, square);
        let ground = match square {
            _ if !self.playable.has(square) => "#",
            _ if self.basis.contains(&square) => "*",
            _ => ".",
        };
        if stack.is_empty() { ground.into() } else { stack }
    }

    pub(super) fn board_data(&self) -> Value {
        let size = self.size();
        let point = |square| json!({"name": self.name(square), "x": self.file(square), "y": self.rank(square)});
        let mut lines = Vec::new();
        for (file, rank) in self.squares().map(|square| (self.file(square), self.rank(square))) {
            let from = self.square(file, rank);
            let next = [(file + 1, rank), (file, rank + 1)].into_iter().filter(|&(x, y)| x < size && y < size);
            let open = |square: &Square| self.playable.has(from) && self.playable.has(*square);
            let ends = next.map(|(x, y)| self.square(x, y)).filter(open);
            lines.extend(ends.map(|to| json!([self.name(from), self.name(to)])));
        }
        json!({
            "ruleset": self.ruleset.heading.name,
            "board": format!("grid({size},{size})"),
            "width": size,
            "height": size,
            "points": self.squares().map(point).collect::<Vec<_>>(),
            "lines": lines,
            "regions": {
                "basis_1": [self.name(self.basis[0])],
                "basis_2": [self.name(self.basis[1])],
                "blocked": self.ruleset.rules.blocked,
            },
            "pieces": {"A": super::SEAT_NAMES[0], "B": super::SEAT_NAMES[1]},
        })
    }
}
