//! A full-width search of a few plies at the root, so that no short win is missed or allowed: sampling alone could
//! leave a narrow line aside. It needs no tree and shares no code with the proofs of its nodes.

use std::ops::RangeInclusive;

use super::tree::SearchTree;
use super::value::ProvedResult;
use crate::rules::{Game, Record, Seat, Turn};
use crate::search::SearchTask;

/// The most positions looked at for each node that the search may have; the rest is left to the tree.
const POSITIONS_PER_NODE: u64 = 100;
/// The most positions looked at by searches of few nodes, and by any.
const MOST_POSITIONS: RangeInclusive<u64> = 20_000..=400_000;
const POSITIONS_PER_POLL: u64 = 1024;
/// The part of the soft time bound that this search may take.
const CHECK_PART: f64 = 0.25;

/// Proves the moves at the root after which a side wins within `plies`, counted from the root for its player and after
/// each of its moves for the others, and stores the proofs in the tree.
pub(super) fn prove<G: Game>(task: &SearchTask<'_, G>, tree: &SearchTree<G>, plies: u32) {
    let Some(seat) = tree.root_node().mover() else { return };
    let mut search = NearWinSearch::new(task, task.record.clone());
    for (index, child) in tree.allowed_children().filter(|(_, child)| child.proof().is_none()) {
        if let Some(proof) = tree.arena.mv(index).and_then(|mv| search.prove_move(mv, seat, plies)) {
            child.set_proof(proof);
        }
    }
}

/// Appends the moves of a proved win in `plies` plies: `winner` takes the soonest win, the others the latest loss.
pub(super) fn play_out<G: Game>(task: &SearchTask<'_, G>, winner: Seat, plies: u32, line: &mut Vec<G::Move>) {
    let mut record = task.record.clone();
    line.iter().for_each(|&mv| record.play(task.game, mv));
    let mut search = NearWinSearch::new(task, record);
    for left in (0..plies).rev() {
        let Turn::Player(mover) = search.record.turn(task.game) else { return };
        let moves = task.game.moves(search.record.position());
        let next = if mover == winner {
            moves.iter().find(|&&mv| search.forces_after(mv, winner, left))
        } else {
            let delays = |&&mv: &&G::Move| left == 0 || !search.forces_after(mv, winner, left - 1);
            moves.iter().find(delays).or(moves.first())
        };
        let Some(&mv) = next else { return };
        // A search that has used up its positions proves nothing.
        if search.exhausted {
            return;
        }
        line.push(mv);
        search.record.play(task.game, mv);
    }
}

/// A depth-limited proof search that looks at a limited number of positions.
struct NearWinSearch<'a, G: Game> {
    task: &'a SearchTask<'a, G>,
    record: Record<G>,
    /// Lists of moves, one for each ply, reused.
    lists: Vec<Vec<G::Move>>,
    positions: u64,
    most_positions: u64,
    exhausted: bool,
}

impl<'a, G: Game> NearWinSearch<'a, G> {
    fn new(task: &'a SearchTask<'a, G>, record: Record<G>) -> Self {
        let nodes = task.limits.nodes.unwrap_or(u64::MAX);
        let most_positions =
            nodes.saturating_mul(POSITIONS_PER_NODE).clamp(*MOST_POSITIONS.start(), *MOST_POSITIONS.end());
        NearWinSearch { task, record, lists: Vec::new(), positions: 0, most_positions, exhausted: false }
    }

    /// The result after `mv` at the root, where `seat` is to move, if it is certain within `plies`.
    fn prove_move(&mut self, mv: G::Move, seat: Seat, plies: u32) -> Option<ProvedResult> {
        self.record.play(self.task.game, mv);
        let mut others = (0..self.task.game.seats() as u8).map(Seat).filter(|&other| other != seat);
        let proof = self.win_of(seat, plies.saturating_sub(1));
        let proof = proof.or_else(|| others.find_map(|other| self.win_of(other, plies)));
        self.record.undo();
        proof
    }

    /// The shortest win that `seat` can force within `plies`.
    fn win_of(&mut self, seat: Seat, plies: u32) -> Option<ProvedResult> {
        (0..=plies)
            .find(|&limit| self.forces(seat, limit))
            .map(|limit| ProvedResult { winner: Some(seat), plies: limit as u16 })
    }

    /// Whether `seat` can force a win within `plies` plies.
    fn forces(&mut self, seat: Seat, plies: u32) -> bool {
        self.count();
        let mover = match self.record.turn(self.task.game) {
            Turn::Over(outcome) => return outcome.winner == Some(seat),
            _ if plies == 0 || self.exhausted => return false,
            Turn::Chance => return false,
            Turn::Player(mover) => mover,
        };
        let mut moves = self.lists.pop().unwrap_or_default();
        moves.clear();
        self.task.game.legal_moves(self.record.position(), &mut moves);
        let wins = if mover == seat {
            moves.iter().any(|&mv| self.forces_after(mv, seat, plies - 1))
        } else {
            moves.iter().all(|&mv| self.forces_after(mv, seat, plies - 1))
        };
        self.lists.push(moves);
        wins && !self.exhausted
    }

    fn forces_after(&mut self, mv: G::Move, seat: Seat, plies: u32) -> bool {
        self.record.play(self.task.game, mv);
        let wins = self.forces(seat, plies);
        self.record.undo();
        wins
    }

    fn count(&mut self) {
        self.positions += 1;
        if self.positions.is_multiple_of(POSITIONS_PER_POLL) {
            self.exhausted |= self.positions > self.most_positions || !self.task.control.may_continue(CHECK_PART);
        }
    }
}
