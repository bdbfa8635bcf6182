//! The board for people and for GUIs.

use serde_json::{Value, json};

use crate::geometry::{Point, Word};
use crate::rules::drawing;
use crate::rules::ruleset::names_of;

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
        drawing::draw(board, piece)
    }

    /// The board with a mark of one's own on every point.
    pub fn draw_marks(&self, mark: impl Fn(Point) -> char) -> String {
        drawing::draw(self.board(), mark)
    }

    pub(super) fn board_data(&self) -> Value {
        let board = self.board();
        let region = |set: crate::geometry::PointSet<W>| names_of(board, set.widen());
        let mut data = drawing::board_data(&self.ruleset.heading.name, &self.ruleset.rules.board, board);
        data["regions"] = json!({
                "fortress": region(self.tables.fortress),
                "geese_home": region(self.tables.home),
                "fox_goal": if self.ruleset.rules.fox_home_wins { region(self.tables.lowest_rank) } else { Vec::new() },
        });
        data["pieces"] = json!({"F": self.ruleset.rules.fox_side, "G": self.ruleset.rules.geese_side});
        data
    }
}
