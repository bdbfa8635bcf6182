//! Derives the value of a position from those of the positions after it.

use crate::geometry::Word;
use crate::rules::hunt::{Hunt, Move, Position};
use crate::rules::{Game, Turn};
use crate::tablebase::{Metric, TableError, TableValue, Tables};

/// A power of two: some megabytes for each thread.
const SLOTS: usize = 1 << 16;

/// Asks the tables for the positions after a position, and remembers what they said: neighbouring positions lead to
/// the same ones again and again.
pub(super) struct Deriver<W: Word> {
    metric: Metric,
    moves: Vec<Move<W>>,
    /// By the low bits of the key.
    known: Vec<Option<(Position<W>, Option<TableValue>)>>,
}

impl<W: Word> Deriver<W> {
    pub(super) fn new(metric: Metric) -> Self {
        Deriver { metric, moves: Vec::new(), known: vec![None; SLOTS] }
    }

    /// What the rules and the tables make of the positions after it: the shortest win, else a draw, else the longest
    /// loss; `None` when no table covers one of them.
    pub(super) fn derive(
        &mut self,
        game: &Hunt<W>,
        tables: &dyn Tables<Hunt<W>>,
        position: &Position<W>,
    ) -> Result<Option<TableValue>, TableError> {
        let mover = match game.turn(position) {
            Turn::Player(seat) => seat,
            over => return Ok(over.outcome().map(|outcome| TableValue::of_end(outcome.winner))),
        };
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        game.legal_moves(position, &mut moves);
        let mut best: Option<TableValue> = None;
        let mut covered = true;
        for &mv in &moves {
            let Some(after) = self.after(game, tables, &game.play_unchecked(position, mv))? else {
                covered = false;
                continue;
            };
            let value = after.before(self.metric.restarts(game.is_irreversible(position, mv)));
            best = best.filter(|best| best.rank(mover) >= value.rank(mover)).or(Some(value));
        }
        self.moves = moves;
        Ok(best.filter(|_| covered))
    }

    fn after(
        &mut self,
        game: &Hunt<W>,
        tables: &dyn Tables<Hunt<W>>,
        position: &Position<W>,
    ) -> Result<Option<TableValue>, TableError> {
        if let Some(outcome) = game.turn(position).outcome() {
            return Ok(Some(TableValue::of_end(outcome.winner)));
        }
        let slot = position.key() as usize % SLOTS;
        match self.known[slot] {
            Some((known, value)) if known == *position => Ok(value),
            _ => {
                let value = tables.probe(game, position)?;
                self.known[slot] = Some((*position, value));
                Ok(value)
            }
        }
    }
}
