//! What a position is worth: by tables of perfect play, and where these end, by the game that was played.

use std::collections::HashMap;
use std::sync::Arc;

use super::spec::Targets;
use crate::geometry::Word;
use crate::rules::hunt::{Hunt, Move, Position, Side};
use crate::rules::{Game, Seat, Turn};
use crate::search::{WDL_SCALE, logistic};
use crate::tablebase::{TableError, TableValue, Tables};

/// What a position is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Label {
    /// `None` is a draw.
    pub winner: Option<Side>,
    /// To the end of a game between perfect sides; 0 for draws.
    pub plies: u16,
    /// Where nobody knows perfect play: what a search thought of the position, in hundredths of a piece from the geese
    /// side's point of view. Winner and plies are then those of the game.
    pub opinion: Option<i16>,
}

impl Label {
    /// What perfect play makes of it.
    pub(super) fn known(winner: Option<Side>, plies: u16) -> Self {
        Label { winner, plies, opinion: None }
    }

    /// The expected result for the geese.
    pub(super) fn target(self, targets: &Targets) -> f32 {
        let result = self.result(targets);
        let target = match self.opinion {
            Some(opinion) => {
                let thought = logistic(f64::from(opinion) / WDL_SCALE);
                targets.result * result + (1.0 - targets.result) * thought
            }
            None => result,
        };
        target.clamp(0.002, 0.998) as f32
    }

    fn result(self, targets: &Targets) -> f64 {
        let near = libm::exp(-f64::from(self.plies) / targets.plies);
        match self.winner {
            Some(Side::Geese) => targets.won + targets.slope * near,
            None => targets.drawn,
            Some(Side::Fox) => targets.lost * (1.0 - near),
        }
    }
}

/// The tables of a game, with the lengths of lines that were followed.
///
/// Tables are asked for plies to the next conversion only, as few tell those to the end. So the line of perfect play is
/// followed to the end of the game: always the first of the best moves by the tables, which never goes in circles where
/// somebody wins.
pub(super) struct Truth<'a, W: Word> {
    game: &'a Hunt<W>,
    tables: Option<Arc<dyn Tables<Hunt<W>>>>,
    /// By key of a won position.
    plies: HashMap<u64, u16>,
}

/// More lengths are not kept, to bound the memory.
const MOST_KEPT: usize = 3 << 20;
/// No perfect line is longer.
const MOST_PLIES: usize = 5000;

/// A move and the value of the position before it, should it be played.
pub(super) type ValuedMove<W> = (Move<W>, TableValue);

impl<'a, W: Word> Truth<'a, W> {
    pub(super) fn new(game: &'a Hunt<W>, tables: Option<Arc<dyn Tables<Hunt<W>>>>) -> Self {
        Truth { game, tables, plies: HashMap::new() }
    }

    /// # Errors
    /// A table is damaged or cannot be read.
    pub(super) fn value(&self, position: &Position<W>) -> Result<Option<TableValue>, TableError> {
        self.tables.as_ref().map_or(Ok(None), |tables| tables.probe(self.game, position))
    }

    /// Every move with its value, the best for `seat` first; `None` when the tables do not know them all.
    ///
    /// # Errors
    /// A table is damaged or cannot be read.
    pub(super) fn moves(&self, position: &Position<W>, seat: Seat) -> Result<Option<Vec<ValuedMove<W>>>, TableError> {
        let mut moves = Vec::new();
        self.game.legal_moves(position, &mut moves);
        let mut valued = Vec::with_capacity(moves.len());
        for mv in moves {
            let Some(after) = self.value(&self.game.play_unchecked(position, mv))? else { return Ok(None) };
            valued.push((mv, after.before(self.game.is_irreversible(position, mv))));
        }
        valued.sort_by_key(|(_, value)| std::cmp::Reverse(value.rank(seat)));
        Ok(Some(valued))
    }

    /// `None` when the tables do not cover the position, or it is over.
    ///
    /// # Errors
    /// A table is damaged or cannot be read.
    pub(super) fn label(&mut self, position: &Position<W>) -> Result<Option<Label>, TableError> {
        if self.game.turn(position).outcome().is_some() {
            return Ok(None);
        }
        let Some(value) = self.value(position)? else { return Ok(None) };
        let Some(winner) = value.winner else { return Ok(Some(Label::known(None, 0))) };
        let plies = self.plies_to_end(position)?;
        Ok(plies.map(|plies| Label::known(Some(self.game.side(winner)), plies)))
    }

    fn plies_to_end(&mut self, position: &Position<W>) -> Result<Option<u16>, TableError> {
        if self.plies.len() > MOST_KEPT {
            self.plies.clear();
        }
        let (mut line, mut position) = (Vec::new(), *position);
        let mut plies = loop {
            let key = self.game.key(&position);
            if let Some(&known) = self.plies.get(&key) {
                break known;
            }
            let Turn::Player(seat) = self.game.turn(&position) else { break 0 };
            let best = self.moves(&position, seat)?.and_then(|moves| moves.first().copied());
            let Some((mv, _)) = best.filter(|_| line.len() < MOST_PLIES) else { return Ok(None) };
            line.push(key);
            position = self.game.play_unchecked(&position, mv);
        };
        for key in line.into_iter().rev() {
            plies += 1;
            self.plies.insert(key, plies);
        }
        Ok(Some(plies))
    }
}
