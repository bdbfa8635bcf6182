//! Surveys who wins from the start with best play, wherever the fox stands.

use super::{TableError, TableValue, Tables};
use crate::geometry::{Point, PointSet, Word};
use crate::rules::hunt::{First, FoxStart, Hunt, Position, Side};

/// What the tables say of one set-up of one ruleset.
#[derive(Clone, PartialEq, Debug)]
pub struct Survey {
    /// The geese side's pieces, on the board and in hand.
    pub geese: u32,
    /// Where they stand, in board order.
    pub set_up: Vec<String>,
    /// The side that moves first once the fox stands.
    pub first: Side,
    /// The first goose move must be straight forward.
    pub first_move_forward: bool,
    /// The point on which the ruleset puts the fox; `None` where the fox side chooses.
    pub fox_start: Option<String>,
    /// Every empty point with the value of the game that starts with the fox there.
    pub points: Vec<(String, TableValue<Side>)>,
    /// The board: `F`, `G` or `=` where the fox may start, by who wins then; `o` for geese.
    pub board: String,
}

impl Survey {
    /// The value of the game as the ruleset starts it: from the fox's point, or from the best one for it.
    pub fn value(&self) -> Option<TableValue<Side>> {
        self.start().map(|(_, value)| *value)
    }

    /// The point where the fox starts, or one of the best where it may choose, and its value.
    pub fn start(&self) -> Option<&(String, TableValue<Side>)> {
        match &self.fox_start {
            Some(point) => self.points.iter().find(|(name, _)| name == point),
            // The first of the best ones.
            None => self.points.iter().rev().max_by_key(|(_, value)| value.rank(Side::Fox)),
        }
    }

    /// On how many points the fox wins, draws, and loses.
    pub fn counts(&self) -> [usize; 3] {
        [Some(Side::Fox), None, Some(Side::Geese)]
            .map(|winner| self.points.iter().filter(|(_, value)| value.winner == winner).count())
    }
}

/// The value of the start with the fox on every empty point; `None` when the tables do not cover it, or the ruleset has
/// more than one fox.
///
/// # Errors
/// A table is damaged or cannot be read.
pub(crate) fn survey<W: Word>(game: &Hunt<W>, tables: &dyn Tables<Hunt<W>>) -> Result<Option<Survey>, TableError> {
    let (ruleset, board) = (game.ruleset(), game.board());
    let rules = &ruleset.rules;
    if rules.foxes != 1 {
        return Ok(None);
    }
    let geese: PointSet<W> = PointSet::narrow(ruleset.points(&rules.geese));
    let first = if rules.first == First::Fox { Side::Fox } else { Side::Geese };
    let mut found: Vec<(Point, TableValue<Side>)> = Vec::new();
    for fox in game.all() - geese {
        let start = Position::new(PointSet::of(fox), geese, first).with_hand(rules.drops as u8);
        let Some(value) = tables.probe(game, &start.with_first(rules.first_move_forward))? else { return Ok(None) };
        found.push((fox, value.map(|seat| game.side(seat))));
    }
    let mark = |point: Point| match found.iter().find(|(fox, _)| *fox == point).map(|(_, value)| value.winner) {
        Some(Some(Side::Fox)) => 'F',
        Some(Some(Side::Geese)) => 'G',
        Some(None) => '=',
        None => 'o',
    };
    let chosen = rules.fox_start == FoxStart::Choose;
    Ok(Some(Survey {
        geese: geese.len() + rules.drops,
        set_up: rules.geese.to_vec(),
        first,
        first_move_forward: rules.first_move_forward,
        fox_start: ruleset.fox_points().first().filter(|_| !chosen).map(|point| board.name(point)),
        board: game.draw_marks(mark),
        points: found.into_iter().map(|(point, value)| (board.name(point), value)).collect(),
    }))
}
