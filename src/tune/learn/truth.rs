//! What perfect play makes of a position, by tables: who wins, and in how many plies.

use std::collections::HashMap;
use std::sync::Arc;

use super::spec::Targets;
use crate::geometry::Word;
use crate::rules::hunt::{Hunt, Move, Position, Side};
use crate::rules::{Game, Seat, Turn};
use crate::tablebase::{TableError, TableValue, Tables};

/// What a position is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Label {
    /// `None` is a draw.
    pub winner: Option<Side>,
    /// To the end of a game between perfect sides; 0 for draws.
    pub plies: u16,
}

impl Label {
    /// The expected result for the geese.
    pub(super) fn target(self, targets: &Targets) -> f32 {
        let near = libm::exp(-f64::from(self.plies) / targets.plies);
        let share = match self.winner {
            Some(Side::Geese) => targets.won + targets.slope * near,
            None => targets.drawn,
            Some(Side::Fox) => targets.lost * (1.0 - near),
        };
        share.clamp(0.002, 0.998) as f32
    }
}

/// The tables of a game, with the lengths of lines that were followed.
///
/// Tables count plies to the next conversion only. So the line of perfect play is followed to the end of the game: always
/// the first of the best moves by the tables, which never goes in circles where somebody wins.
pub(super) struct Truth<'a, W: Word> {
    game: &'a Hunt<W>,
    tables: Arc<dyn Tables<Hunt<W>>>,
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
    pub(super) fn new(game: &'a Hunt<W>, tables: Arc<dyn Tables<Hunt<W>>>) -> Self {
        Truth { game, tables, plies: HashMap::new() }
    }

    /// # Errors
    /// A table is damaged or cannot be read.
    pub(super) fn value(&self, position: &Position<W>) -> Result<Option<TableValue>, TableError> {
        self.tables.probe(self.game, position)
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
        let Some(winner) = value.winner else { return Ok(Some(Label { winner: None, plies: 0 })) };
        let plies = self.plies_to_end(position)?;
        Ok(plies.map(|plies| Label { winner: Some(self.game.side(winner)), plies }))
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
