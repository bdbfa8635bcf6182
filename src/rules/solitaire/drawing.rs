//! The board for people and for GUIs.

use serde_json::{Value, json};

use crate::geometry::{Board, Point, PointSet, Word};
use crate::rules::drawing;
use crate::rules::ruleset::names_of;

use super::position::Position;
use super::{Jump, Solitaire};

impl<W: Word> Solitaire<W> {
    /// The board without the lines along which no peg jumps.
    fn jump_board(&self) -> Board {
        self.board().with_lines(|vector| self.ruleset.may_jump(vector))
    }

    /// Ranks from the top, pegs `P`, holes `.`, the lines along which pegs jump.
    pub(super) fn draw_board(&self, position: &Position<W>) -> String {
        drawing::draw(&self.jump_board(), |point| if position.pegs().has(point) { 'P' } else { '.' })
    }

    pub(super) fn board_data(&self) -> Value {
        let board = self.board();
        let region = |set: PointSet<W>| names_of(board, set.widen());
        let jump = |jump: &Jump| [jump.from, jump.over, jump.to].map(|point| board.name(point));
        let number = |&point: &Point| Some((board.name(point), board.number(point)?.into()));
        let mut data = drawing::board_data(&self.ruleset.heading.name, &self.ruleset.rules.board, &self.jump_board());
        data["jumps"] = json!(self.jumps.iter().map(jump).collect::<Vec<_>>());
        data["numbers"] = Value::Object(board.points().iter().filter_map(number).collect());
        data["regions"] = json!({"start": region(self.start_pegs), "target": region(self.target)});
        data["pieces"] = json!({"P": "peg"});
        data
    }
}
