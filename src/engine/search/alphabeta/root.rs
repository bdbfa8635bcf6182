//! The root of an alpha-beta search: aspiration windows, one for each of the best lines.

use super::node::{Child, Node};
use super::window::{Perspective, Window};
use super::worker::SearchWorker;
use crate::eval::Evaluator;
use crate::rules::{Game, SearchHints, Seat};
use crate::search::deepening::{MoveListener, RootMove, RootSearch, sort};
use crate::search::proof_number::{ForcedWin, Prover};
use crate::search::transposition::TtEntry;
use crate::search::{CurrentMove, PvLine, Score, SearchInfo, TableProber};

/// From this depth on the last score is a good guess at the next.
const ASPIRATION_DEPTH: i32 = 4;
/// A window that had to grow beyond this is opened.
const WIDEST_WINDOW: i32 = 2_000;
const WINDOW_GROWTH: i32 = 3;

/// A worker at the root.
pub(super) struct Root<'a, G: Game, E> {
    pub(super) worker: SearchWorker<'a, G, E>,
    pub(super) node: Node<G>,
    /// With the leader.
    pub(super) prover: Option<&'a mut Prover>,
    /// What it has proved.
    pub(super) forced: Option<ForcedWin<G::Move>>,
}

impl<G: SearchHints, E: Evaluator<G>> Root<'_, G, E> {
    /// Lets the search for forced wins take its part of the nodes.
    fn prove(&mut self) {
        let Root { worker, prover: Some(prover), .. } = self else { return };
        let before = prover.positions();
        if let Some(win) = prover.prove(worker.task, worker.total_nodes(), worker.nodes_left()) {
            self.forced = Some(win);
        }
        worker.count(prover.positions() - before);
    }

    /// Searches for the best of the moves and puts it first; `partial` takes every line better than its window's
    /// lower edge.
    fn aspirate(
        &mut self,
        moves: &mut [RootMove<G::Move>],
        depth: i32,
        expected: Option<Score>,
        partial: &mut Option<RootMove<G::Move>>,
        begin_move: &mut MoveListener<'_, G::Move>,
    ) {
        let mut half = self.worker.shared.settings.parameters.aspiration_window;
        let mut window = match expected {
            Some(score) if depth >= ASPIRATION_DEPTH && !score.is_decided() => Window::around(score, half),
            _ => Window::FULL,
        };
        loop {
            let score = self.search_within(moves, depth, window, begin_move);
            sort(moves);
            if moves[0].score.is_some_and(|best| best > window.alpha) {
                *partial = Some(moves[0].clone());
            }
            if self.worker.halted || window.contains(score) {
                return;
            }
            half *= WINDOW_GROWTH;
            window = if half > WIDEST_WINDOW || score.is_decided() { Window::FULL } else { widen(window, score, half) };
        }
    }

    /// Searches the moves and returns the best score; exact within the window, a bound outside.
    fn search_within(
        &mut self,
        moves: &mut [RootMove<G::Move>],
        depth: i32,
        window: Window,
        begin_move: &mut MoveListener<'_, G::Move>,
    ) -> Score {
        moves.iter_mut().for_each(|root| root.score = None);
        let (mut best, mut alpha) = (-Score::INFINITE, window.alpha);
        for (tried, candidate) in moves.iter_mut().enumerate() {
            self.prove();
            if self.worker.halted {
                break;
            }
            begin_move(CurrentMove { mv: candidate.mv, number: tried as u32 + 1 }, self.worker.total_nodes());
            let score = self.worker.try_move(&self.node, depth, Window { alpha, ..window }, tried, candidate.mv);
            if self.worker.halted {
                break;
            }
            let proof = self.better_proof(candidate.mv, score);
            let score = proof.as_ref().map_or(score, |(proof, _)| *proof);
            candidate.loses |= score.is_loss();
            if tried == 0 || score > alpha {
                candidate.learn(score, proof.as_ref().map_or(&self.worker.frames[1].pv, |(_, line)| line));
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= window.beta {
                break;
            }
        }
        best
    }

    /// A proof about a move that this search scored so: its score, and how it goes on.
    fn better_proof(&mut self, mv: G::Move, score: Score) -> Option<(Score, Vec<G::Move>)> {
        if let Some(win) = self.forced.as_ref().filter(|win| win.line[0] == mv && score < win.score()) {
            return Some((win.score(), win.line[1..].to_vec()));
        }
        if score.is_certain() {
            return None;
        }
        if let Some(proof) = self.proof_after(mv) {
            return Some((proof, self.line_of_proof(mv, proof)));
        }
        let known = self.prover.as_mut()?.known_after(self.worker.task, mv)?;
        Some((known.score(self.node.seat), known.line[1..].to_vec()))
    }

    /// A proof that an earlier search, or a deeper look at another line, has left of the position after a move. It
    /// stays true however short this search is; only draws by lack of progress could come in between.
    fn proof_after(&self, mv: G::Move) -> Option<Score> {
        let Root { worker, node, .. } = self;
        let position = worker.game.play_unchecked(&node.position, mv);
        let seat = worker.game.turn(&position).seat()?;
        let key = worker.path.table_key(worker.game.key(&position));
        let proof = worker.shared.table.probe(key, 1).filter(TtEntry::is_proof)?.score;
        let plies = proof.plies_to_end()?.abs();
        let is_near_draw = worker.path.is_near_draw(node.idle, plies);
        (!is_near_draw).then(|| Perspective::between(node.seat, seat).score(proof))
    }

    /// How a proof goes on after its first move, as far as the table still knows: the line of this search is not its. The
    /// last two plies are not stored: where the loser is to move any move allows the last one.
    fn line_of_proof(&self, mv: G::Move, proof: Score) -> Vec<G::Move> {
        let Root { worker, node, .. } = self;
        let mut position = worker.game.play_unchecked(&node.position, mv);
        let (mut line, mut moves) = (Vec::new(), Vec::new());
        for left in (1..proof.plies_to_end().unwrap_or(0).abs()).rev() {
            let key = worker.path.table_key(worker.game.key(&position));
            let best = worker.shared.table.probe(key, 1).filter(TtEntry::is_proof).and_then(|entry| entry.best);
            moves.clear();
            worker.game.legal_moves(&position, &mut moves);
            let is_of_winner = |seat: Option<Seat>| (seat == Some(node.seat)) == (proof > Score::DRAW);
            let is_last = |mv: &&G::Move| {
                let end = worker.game.turn(&worker.game.play_unchecked(&position, **mv)).outcome();
                end.is_some_and(|end| is_of_winner(end.winner))
            };
            let next = match best {
                Some(best) => moves.get(usize::from(best)),
                None if left == 1 => moves.iter().find(is_last),
                None if left == 2 && !is_of_winner(worker.game.turn(&position).seat()) => moves.first(),
                None => None,
            };
            let Some(&next) = next else { break };
            line.push(next);
            position = worker.game.play_unchecked(&position, next);
            if worker.game.turn(&position).seat().is_none() {
                break;
            }
        }
        line
    }
}

impl<G: SearchHints, E: Evaluator<G>> RootSearch<G> for Root<'_, G, E> {
    fn search(
        &mut self,
        moves: &mut [RootMove<G::Move>],
        depth: i32,
        multi_pv: usize,
        begin_move: &mut MoveListener<'_, G::Move>,
    ) -> Option<RootMove<G::Move>> {
        self.worker.iteration = depth;
        let expected: Vec<_> = moves[..multi_pv].iter().map(|root| root.score).collect();
        let mut partial = None;
        for (line, expected) in expected.into_iter().enumerate() {
            let mut begin_move = |current: CurrentMove<_>, nodes| {
                begin_move(CurrentMove { number: current.number + line as u32, ..current }, nodes);
            };
            self.aspirate(&mut moves[line..], depth, expected, &mut partial, &mut begin_move);
            if self.worker.halted {
                // With several lines half an iteration is of no use: its scores do not compare with those of the last.
                return partial.filter(|_| multi_pv == 1);
            }
        }
        sort(&mut moves[..multi_pv]);
        None
    }

    fn is_halted(&self) -> bool {
        self.worker.halted
    }

    fn evaluate(&self) -> Score {
        self.worker.evaluate(&self.node)
    }

    fn evaluate_after(&mut self, mv: G::Move) -> Score {
        match self.worker.enter(&self.node, mv, 0) {
            Child::Settled(score) => score,
            Child::Open(node) | Child::Chance(node) => {
                Perspective::between(self.node.seat, node.seat).score(self.worker.evaluate(&node))
            }
        }
    }

    fn proof_of(&mut self, mv: G::Move) -> Option<(Score, Vec<G::Move>)> {
        self.better_proof(mv, Score::DRAW)
    }

    fn known_reply(&self, position: &G::Position) -> Option<u16> {
        let key = self.worker.path.table_key(self.worker.game.key(position));
        self.worker.shared.table.probe(key, 1).and_then(|entry| entry.best)
    }

    fn info(&self, depth: u32, lines: Vec<PvLine<G::Move>>) -> SearchInfo<G::Move> {
        let Root { worker, .. } = self;
        let info = SearchInfo::new(depth, worker.total_nodes(), worker.task.control.elapsed(), lines);
        SearchInfo {
            seldepth: info.seldepth.max(worker.seldepth as u32),
            hashfull: worker.shared.table.fill(),
            tbhits: worker.task.tables.map_or(0, TableProber::hits),
            ..info
        }
    }
}

/// Moves the edge that failed and a little beyond the score that crossed it.
fn widen(window: Window, score: Score, half: i32) -> Window {
    let wide = Window::around(score, half);
    if score <= window.alpha { Window { alpha: wide.alpha, ..window } } else { Window { beta: wide.beta, ..window } }
}
