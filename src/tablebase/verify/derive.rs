//! The value of a position from those of the positions after it.

use std::sync::Mutex;

use crate::geometry::Word;
use crate::rules::hunt::{Hunt, Move, Position};
use crate::rules::{Game, Seat, Turn};
use crate::tablebase::{TableError, TableValue, Tables};

/// A power of two: some megabytes for each thread.
const SLOTS: usize = 1 << 16;

/// Asks the tables for the positions after a position, and remembers what they said: neighbouring positions lead to
/// the same ones again and again.
pub(super) struct Deriver<W: Word> {
    moves: Vec<Move<W>>,
    /// By the low bits of the key.
    known: Vec<Option<(Position<W>, Option<TableValue>)>>,
}

impl<W: Word> Deriver<W> {
    fn new() -> Self {
        Deriver { moves: Vec::new(), known: vec![None; SLOTS] }
    }

    /// What the rules and the tables make of the positions after it; `None` when no table covers one of them.
    pub(super) fn derive(
        &mut self,
        game: &Hunt<W>,
        tables: &dyn Tables<Hunt<W>>,
        position: &Position<W>,
    ) -> Result<Option<TableValue>, TableError> {
        let mover = match game.turn(position) {
            Turn::Player(seat) => seat,
            over => return Ok(over.outcome().map(|outcome| TableValue { winner: outcome.winner, distance: 0 })),
        };
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        game.legal_moves(position, &mut moves);
        let mut best = Best::new(mover);
        let mut covered = true;
        for &mv in &moves {
            match self.after(game, tables, &game.play_unchecked(position, mv))? {
                None => covered = false,
                Some(verdict) if game.is_irreversible(position, mv) => best.add(verdict.winner, 1),
                Some(verdict) => best.add(verdict.winner, 1 + verdict.distance),
            }
        }
        self.moves = moves;
        Ok(covered.then(|| best.verdict()))
    }

    fn after(
        &mut self,
        game: &Hunt<W>,
        tables: &dyn Tables<Hunt<W>>,
        position: &Position<W>,
    ) -> Result<Option<TableValue>, TableError> {
        if let Some(outcome) = game.turn(position).outcome() {
            return Ok(Some(TableValue { winner: outcome.winner, distance: 0 }));
        }
        let slot = position.key() as usize % SLOTS;
        match self.known[slot] {
            Some((known, verdict)) if known == *position => Ok(verdict),
            _ => {
                let verdict = tables.probe(game, position)?;
                self.known[slot] = Some((*position, verdict));
                Ok(verdict)
            }
        }
    }
}

/// The best of the moves so far: the shortest win, else a draw, else the longest loss.
struct Best {
    mover: Seat,
    win: Option<u32>,
    draws: bool,
    loss: u32,
}

impl Best {
    fn new(mover: Seat) -> Self {
        Best { mover, win: None, draws: false, loss: 0 }
    }

    fn add(&mut self, winner: Option<Seat>, plies: u32) {
        match winner {
            None => self.draws = true,
            Some(seat) if seat == self.mover => self.win = Some(self.win.map_or(plies, |least| least.min(plies))),
            Some(_) => self.loss = self.loss.max(plies),
        }
    }

    fn verdict(&self) -> TableValue {
        match (self.win, self.draws) {
            (Some(distance), _) => TableValue { winner: Some(self.mover), distance },
            (None, true) => TableValue::DRAW,
            (None, false) => TableValue { winner: Some(self.mover.other()), distance: self.loss },
        }
    }
}

/// DeriverPool that wait for a thread with something to check; what they remember is worth keeping.
pub(super) struct DeriverPool<W: Word>(Mutex<Vec<Deriver<W>>>);

impl<W: Word> DeriverPool<W> {
    pub(super) fn new() -> Self {
        DeriverPool(Mutex::new(Vec::new()))
    }

    pub(super) fn take(&self) -> Deriver<W> {
        let waiting = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).pop();
        waiting.unwrap_or_else(Deriver::new)
    }

    pub(super) fn give_back(&self, deriver: Deriver<W>) {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(deriver);
    }
}
