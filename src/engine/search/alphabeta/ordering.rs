//! Move ordering: hash move, captures, killers, history.

use super::AlphaBetaParameters;
use super::window::RollBounds;
use crate::rules::{Game, SearchHints, Seat};

const HASH_RANK: i32 = 1 << 30;
const CAPTURE_RANK: i32 = 1 << 24;
const KILLER_RANK: i32 = 1 << 20;
/// More than any history value, and less than any killer's rank.
const LATE_RANK: i32 = KILLER_RANK / 2;

/// The history heuristic (Schaeffer 1989): how often moves caused cuts, by the seat that made them and their slot.
pub(super) struct History {
    values: Vec<i32>,
    slots: usize,
    /// The greatest absolute value of an entry.
    limit: i32,
    /// The most that one cut changes an entry.
    most: i32,
}

impl History {
    pub(super) fn new<G: SearchHints>(game: &G, parameters: &AlphaBetaParameters) -> Self {
        let slots = game.move_slots();
        let values = vec![0; slots * game.seats().max(1)];
        let limit = parameters.history_limit;
        History { values, slots, limit, most: parameters.history_bonus.min(limit) }
    }

    fn value(&self, seat: Seat, slot: usize) -> i32 {
        self.values.get(seat.index() * self.slots + slot).copied().unwrap_or(0)
    }

    /// Adds a bonus to a history value; the nearer the value is to its limit, the less it changes.
    fn nudge(&mut self, seat: Seat, slot: usize, bonus: i32) {
        if let Some(value) = self.values.get_mut(seat.index() * self.slots + slot) {
            *value += bonus - *value * bonus.abs() / self.limit;
        }
    }
}

/// A move, as its index in the list of legal moves, with its rank; higher ranks are tried earlier.
#[derive(Clone, Copy)]
struct RankedMove {
    rank: i32,
    index: u16,
}

/// The lists of moves, killers and the line of one ply, allocated once and used by every node on that ply.
pub(super) struct Frame<G: Game> {
    pub(super) moves: Vec<G::Move>,
    /// The moves in order: those already tried, then the others, not yet sorted.
    order: Vec<RankedMove>,
    killers: [Option<G::Move>; 2],
    /// The best line from this ply on.
    pub(super) pv: Vec<G::Move>,
    /// The rolls of a chance node on this ply.
    pub(super) rolls: Vec<RollBounds<G::Move>>,
}

impl<G: SearchHints> Frame<G> {
    pub(super) fn new() -> Self {
        Frame { moves: Vec::new(), order: Vec::new(), killers: [None; 2], pv: Vec::new(), rolls: Vec::new() }
    }

    /// Ranks the listed moves of a position: hash move, captures by the number of pieces taken, killers, history.
    pub(super) fn rank(&mut self, game: &G, position: &G::Position, seat: Seat, hash: Option<u16>, history: &History) {
        let killers = self.killers;
        self.order.clear();
        for (index, &mv) in self.moves.iter().enumerate() {
            let captured = game.gain(position, mv) as i32;
            let mut rank = history.value(seat, game.move_slot(mv));
            if captured > 0 {
                rank += CAPTURE_RANK + captured * KILLER_RANK;
            } else if killers.contains(&Some(mv)) {
                rank += KILLER_RANK;
            }
            self.order.push(RankedMove { rank, index: index as u16 });
        }
        if let Some(entry) = hash.and_then(|index| self.order.get_mut(usize::from(index))) {
            entry.rank = HASH_RANK;
        }
    }

    /// The `tried`-th move in order, with its index in the list of legal moves.
    pub(super) fn pick(&mut self, tried: usize) -> Option<(G::Move, u16)> {
        let untried = self.order.get_mut(tried..)?;
        let mut best = 0;
        let mut highest = untried.first()?.rank;
        for (at, ranked) in untried.iter().enumerate().skip(1) {
            if ranked.rank > highest {
                best = at;
                highest = ranked.rank;
            }
        }
        untried.swap(0, best);
        let index = untried[0].index;
        Some((self.moves[usize::from(index)], index))
    }

    /// Whether the `tried`-th move is neither hash move, capture nor killer.
    pub(super) fn is_late(&self, tried: usize) -> bool {
        self.order[tried].rank < LATE_RANK
    }

    /// Updates killers and history after a cut by the `tried`-th move, if it is quiet: its value rises, and quiet moves
    /// tried before it lose value.
    pub(super) fn reward(
        &mut self,
        game: &G,
        position: &G::Position,
        seat: Seat,
        tried: usize,
        depth: i32,
        history: &mut History,
    ) {
        let mv = self.moves[usize::from(self.order[tried].index)];
        if game.is_tactical(position, mv) {
            return;
        }
        if self.killers[0] != Some(mv) {
            self.killers = [Some(mv), self.killers[0]];
        }
        let bonus = (depth * depth).clamp(1, history.most);
        history.nudge(seat, game.move_slot(mv), bonus);
        for ranked in &self.order[..tried] {
            let worse = self.moves[usize::from(ranked.index)];
            if !game.is_tactical(position, worse) {
                history.nudge(seat, game.move_slot(worse), -bonus);
            }
        }
    }
}
