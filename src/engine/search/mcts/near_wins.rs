//! A full-width search of a few plies at the root, so that a short win is never missed and never allowed: sampling
//! alone could leave a narrow line aside. It needs no tree, so that it shares no code with the proofs of its nodes.

use super::tree::SearchTree;
use super::value::ProvedResult;
use crate::rules::{Game, Record, Seat, Turn};
use crate::search::SearchTask;

/// Wins this near are found for certain, from the root for its player and after each of its moves for the others.
const WIN_PLIES: u32 = 3;

/// Positions after which the check leaves the rest to the tree; a 100-fold branching stays well below it.
const MOST_POSITIONS: u64 = 400_000;
const POSITIONS_PER_POLL: u64 = 1024;
/// The search takes at most this part of the soft time bound.
const CHECK_PART: f64 = 0.25;

/// Proves the moves at the root whose near future is certain.
pub(super) fn prove<G: Game>(task: &SearchTask<'_, G>, tree: &SearchTree<G>) {
    let Some(seat) = tree.root_node().mover() else { return };
    let mut search = NearWinSearch::new(task, task.record.clone());
    for (index, child) in tree.allowed_children().filter(|(_, child)| child.proof().is_none()) {
        if let Some(proof) = tree.root_move(index).and_then(|mv| search.prove_move(mv, seat)) {
            child.set_proof(proof);
        }
    }
}

/// Appends the moves of a proved win in `plies` plies to a line: the soonest win for `winner`, the latest loss for the
/// others.
pub(super) fn play_out<G: Game>(task: &SearchTask<'_, G>, winner: Seat, plies: u32, line: &mut Vec<G::Move>) {
    if plies > WIN_PLIES {
        return;
    }
    let mut record = task.record.clone();
    line.iter().for_each(|&mv| record.play(task.game, mv));
    let mut search = NearWinSearch::new(task, record);
    for left in (0..plies).rev() {
        let Turn::Player(mover) = search.record.turn(task.game) else { return };
        let mut moves = Vec::new();
        task.game.legal_moves(search.record.position(), &mut moves);
        let next = if mover == winner {
            moves.iter().find(|&&mv| search.forces_after(mv, winner, left))
        } else {
            let delays = |&&mv: &&G::Move| left == 0 || !search.forces_after(mv, winner, left - 1);
            moves.iter().find(delays).or(moves.first())
        };
        let Some(&mv) = next else { return };
        // A search that ran out of positions proves nothing.
        if search.exhausted {
            return;
        }
        line.push(mv);
        search.record.play(task.game, mv);
    }
}

/// A depth-limited proof search with a budget.
struct NearWinSearch<'a, G: Game> {
    task: &'a SearchTask<'a, G>,
    record: Record<G>,
    /// One list of moves per ply, reused.
    lists: Vec<Vec<G::Move>>,
    positions: u64,
    exhausted: bool,
}

impl<'a, G: Game> NearWinSearch<'a, G> {
    fn new(task: &'a SearchTask<'a, G>, record: Record<G>) -> Self {
        NearWinSearch { task, record, lists: Vec::new(), positions: 0, exhausted: false }
    }

    /// The result after `mv` at the root, where `seat` is to move, if it is certain.
    fn prove_move(&mut self, mv: G::Move, seat: Seat) -> Option<ProvedResult> {
        self.record.play(self.task.game, mv);
        let mut others = (0..self.task.game.seats() as u8).map(Seat).filter(|&other| other != seat);
        let proof = self.win_of(seat, WIN_PLIES - 1);
        let proof = proof.or_else(|| others.find_map(|other| self.win_of(other, WIN_PLIES)));
        self.record.undo();
        proof
    }

    /// The shortest win that `seat` can force within `plies`.
    fn win_of(&mut self, seat: Seat, plies: u32) -> Option<ProvedResult> {
        (0..=plies)
            .find(|&limit| self.forces(seat, limit))
            .map(|limit| ProvedResult { winner: Some(seat), plies: limit as u16 })
    }

    /// Whether `seat` wins within `plies` against everything.
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
            self.exhausted |= self.positions > MOST_POSITIONS || !self.task.control.may_continue(CHECK_PART);
        }
    }
}
