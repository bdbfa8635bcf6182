//! Surveys who wins from the start with best play, for every point of the fox, and lists the longest wins.

use std::sync::Arc;

use super::format::LayerFile;
use super::{LongestWin, Store, TableError, TableValue, Tables};
use crate::geometry::{Point, PointSet, Word};
use crate::rules::hunt::{First, Hunt, Placing, Position, Side};
use crate::rules::{Game, view};

/// The values of all starts of a ruleset: its set-up of geese, with the fox on each point.
#[derive(Clone, PartialEq, Debug)]
pub struct Survey {
    /// The geese side's pieces, on the board and in hand.
    pub geese: u32,
    /// The points of the geese, in board order.
    pub set_up: Vec<String>,
    /// The side that moves first once the fox stands.
    pub first: Side,
    /// Whether the first goose move must be straight forward.
    pub first_move_forward: bool,
    /// The point of the fox at the start (the points, of several foxes); `None` where the fox side chooses.
    pub fox_start: Option<String>,
    /// Each point of the fox with the value of the game from there; with several foxes only the ruleset's start.
    pub points: Vec<(String, TableValue<Side>)>,
    /// The board as text: who wins from each point of the fox, `F`, `G` or `=`, and `o` for geese. Empty with several
    /// foxes.
    pub board: String,
}

impl Survey {
    /// Whether both surveys have the same geese, side to move and rule for the first move.
    pub fn begins_like(&self, other: &Survey) -> bool {
        let begin = |survey: &Survey| (survey.first_move_forward, survey.first);
        begin(self) == begin(other) && self.set_up == other.set_up
    }

    /// The value of the ruleset's start; where the fox may choose its point, with the best choice.
    pub fn value(&self) -> Option<TableValue<Side>> {
        self.start().map(|(_, value)| *value)
    }

    /// The fox's point at the start and its value; where the fox may choose, the first of the best points.
    pub fn start(&self) -> Option<&(String, TableValue<Side>)> {
        match &self.fox_start {
            Some(point) => self.points.iter().find(|(name, _)| name == point),
            // From the end, as `max_by_key` returns the last of the best.
            None => self.points.iter().rev().max_by_key(|(_, value)| value.rank(Side::Fox)),
        }
    }

    /// The numbers of the fox's points from which the fox wins, draws, and loses.
    pub fn counts(&self) -> [usize; 3] {
        [Some(Side::Fox), None, Some(Side::Geese)]
            .map(|winner| self.points.iter().filter(|(_, value)| value.winner == winner).count())
    }
}

/// Surveys the starts with the fox on every empty point; `None` when the tables do not cover them, or where several
/// foxes choose their points.
///
/// # Errors
/// A table is damaged or cannot be read.
pub(crate) fn survey<W: Word>(game: &Hunt<W>, tables: &dyn Tables<Hunt<W>>) -> Result<Option<Survey>, TableError> {
    let (ruleset, board) = (game.ruleset(), game.board());
    let rules = &ruleset.rules;
    let is_chosen = rules.places_foxes();
    if rules.placing != Placing::FoxFirst {
        return Ok(None);
    }
    let geese: PointSet<W> = PointSet::narrow(ruleset.board.points_named(&rules.geese));
    let home = game.start().foxes();
    let places: Vec<PointSet<W>> = match rules.foxes {
        1 if is_chosen => (game.geometry().fox_zone - geese).iter().map(PointSet::of).collect(),
        1 => (game.all() - geese).iter().map(PointSet::of).collect(),
        _ if is_chosen => return Ok(None),
        _ => vec![home],
    };
    let first = if rules.first == First::Fox { Side::Fox } else { Side::Geese };
    let start = |foxes| Position {
        hand: rules.drops as u8,
        first: rules.first_move_forward,
        ..Position::new(foxes, geese, first)
    };
    let mut found: Vec<(PointSet<W>, TableValue<Side>)> = Vec::new();
    for &foxes in &places {
        let Some(value) = tables.probe(game, &start(foxes))? else { return Ok(None) };
        found.push((foxes, value.map(|seat| game.side(seat))));
    }
    let mark = |point: Point| match found.iter().find(|(fox, _)| *fox == PointSet::of(point)) {
        Some((_, value)) => value.winner.map_or('=', |side| if side == Side::Fox { 'F' } else { 'G' }),
        None => 'o',
    };
    let name = |foxes: PointSet<W>| foxes.iter().map(|point| board.name(point)).collect::<Vec<_>>().join(" ");
    Ok(Some(Survey {
        geese: geese.len() + rules.drops,
        set_up: rules.geese.to_vec(),
        first,
        first_move_forward: rules.first_move_forward,
        fox_start: Some(name(home)).filter(|_| !is_chosen),
        board: if rules.foxes == 1 { view::draw(board, mark) } else { String::new() },
        points: found.into_iter().map(|(foxes, value)| (name(foxes), value)).collect(),
    }))
}

/// The longest win of the geese and that of the fox in each layer, if there are any, with its number of geese.
pub fn longest_wins(store: &Store) -> Vec<(u32, LongestWin)> {
    let of_layer = |(&geese, file): (&u32, &Arc<LayerFile>)| {
        let wins = &file.header.summary.longest;
        let of_side = |winner| wins.iter().filter(|win| win.winner == winner).max_by_key(|win| win.plies).cloned();
        ['g', 'f'].into_iter().filter_map(of_side).map(|win| (geese, win)).collect::<Vec<_>>()
    };
    store.layers().iter().flat_map(of_layer).collect()
}
