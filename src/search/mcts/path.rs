//! The line from the game's history down the tree: positions, and the endings that depend on them.

use crate::rules::{Counters, Game, Outcome, Record, Repetition, Seat, Turn, history_outcome};

/// Positions that may recur, the root among them, then those on the way down.
#[derive(Debug)]
pub(super) struct Path<G: Game> {
    positions: Vec<G::Position>,
    /// Parallel to `positions` from the root on.
    counters: Vec<Counters>,
    root: usize,
}

// Derived, it would ask the game itself to be `Clone`.
impl<G: Game> Clone for Path<G> {
    fn clone(&self) -> Self {
        Path { positions: self.positions.clone(), counters: self.counters.clone(), root: self.root }
    }
}

impl<G: Game> Path<G> {
    pub(super) fn from_record(record: &Record<G>) -> Self {
        let mut positions = record.repeatable().to_vec();
        positions.push(*record.position());
        let now = Counters { reversible_plies: record.reversible_plies(), idle_plies: record.idle_plies() };
        Path { root: positions.len() - 1, positions, counters: vec![now] }
    }

    pub(super) fn position(&self) -> &G::Position {
        &self.positions[self.positions.len() - 1]
    }

    /// Plies below the root.
    pub(super) fn depth(&self) -> usize {
        self.counters.len() - 1
    }

    /// Plies without progress up to the present position.
    pub(super) fn idle_plies(&self) -> u32 {
        self.counters[self.counters.len() - 1].idle_plies
    }

    #[inline]
    pub(super) fn push(&mut self, game: &G, mv: G::Move) {
        let before = *self.position();
        let last = self.counters[self.counters.len() - 1];
        self.counters.push(last.after(game, &before, mv));
        self.positions.push(game.play_unchecked(&before, mv));
    }

    /// Takes the last move back; the root stays.
    pub(super) fn pop(&mut self) {
        if self.depth() > 0 {
            self.positions.pop();
            self.counters.pop();
        }
    }

    pub(super) fn return_to_root(&mut self) {
        self.positions.truncate(self.root + 1);
        self.counters.truncate(1);
    }

    /// The earlier positions that can equal the present one.
    fn window(&self) -> std::ops::Range<usize> {
        let end = self.positions.len() - 1;
        let reversible = self.counters[self.counters.len() - 1].reversible_plies as usize;
        end - reversible.min(end)..end
    }

    /// The ending that the history brings about, by the letter of the rules.
    pub(super) fn history_outcome(&self, game: &G) -> Option<Outcome> {
        let occurrences = || {
            let now = self.position();
            1 + self.positions[self.window()].iter().filter(|&earlier| earlier == now).count()
        };
        history_outcome(game.history_rules(), occurrences, self.idle_plies())
    }

    /// Whose turn it is here, history included; a win on the same ply goes first.
    pub(super) fn turn(&self, game: &G) -> Turn {
        match game.turn(self.position()) {
            Turn::Over(outcome) => Turn::Over(outcome),
            turn => self.history_outcome(game).map_or(turn, Turn::Over),
        }
    }

    /// Who would win (`Some(None)`: nobody) if the line went round again, when this position has already
    /// stood on the line below the root: a guess at what the rules will say, not a proof.
    pub(super) fn cycle_winner(&self, game: &G) -> Option<Option<Seat>> {
        let winner = match game.history_rules().repetition {
            Repetition::Ignored => return None,
            Repetition::Draws => None,
            Repetition::Loses(seat) => Some(seat.other()),
        };
        let window = self.window();
        let inside = self.positions.get(window.start.max(self.root)..window.end)?;
        inside.contains(self.position()).then_some(winner)
    }
}
