//! The root and its moves: a search to one depth with aspiration windows, for each of the best lines, and the forced
//! wins that the prover finds beside it.

use std::cmp::Reverse;
use std::time::Duration;

use super::window::{Perspective, Window};
use super::worker::{Child, Node, SearchWorker, Shared, set_line};
use crate::eval::Evaluator;
use crate::rules::{Game, SearchHints, Seat};
use crate::search::proof_number::{ForcedEnd, Prover};
use crate::search::report::{Report, follow};
use crate::search::transposition::TtEntry;
use crate::search::{CurrentMove, Score, SearchInfo, SearchTask};

/// The time before which the current move is not reported: until then iterations end every few milliseconds.
const QUIET: Duration = Duration::from_secs(1);

/// A move at the root with its score and its line.
#[derive(Clone)]
pub(super) struct RootMove<M> {
    pub(super) mv: M,
    /// The score of this iteration; `None` until the move is searched, and for a move that is only known to be no
    /// better than those before it.
    pub(super) score: Option<Score>,
    /// Whether some iteration has proved that the move loses.
    pub(super) loses: bool,
    pub(super) pv: Vec<M>,
}

impl<M: Copy> RootMove<M> {
    pub(super) fn new(mv: M) -> Self {
        RootMove { mv, score: None, loses: false, pv: vec![mv] }
    }

    /// Sets the score that a search found and the best line below the move.
    pub(super) fn learn(&mut self, score: Score, below: &[M]) {
        self.score = Some(score);
        set_line(&mut self.pv, self.mv, below);
    }
}

/// A score of a move at the root, with the line below the move.
pub(super) struct MoveScore<M> {
    pub(super) score: Score,
    pub(super) below: Vec<M>,
}

/// Sorts the moves by falling score; moves without a score come last, in their old order.
pub(super) fn sort<M>(moves: &mut [RootMove<M>]) {
    moves.sort_by_key(|root| Reverse(root.score));
}

/// The root as one thread searches it. Scores are from the point of view of the player to move there.
pub(super) struct Root<'a, G: Game, E> {
    pub(super) worker: SearchWorker<'a, G, E>,
    pub(super) node: Node<G>,
    /// The prover of forced wins; only the thread whose answer counts has it.
    prover: Option<&'a mut Prover>,
    /// The win that the prover has found in this search.
    forced: Option<ForcedEnd<G::Move>>,
    pub(super) moves: Vec<RootMove<G::Move>>,
    pub(super) multi_pv: usize,
    /// The best lines of the last completed iteration, or better ones of the iteration that was cut short.
    pub(super) lines: Vec<RootMove<G::Move>>,
    /// The best win that earlier searches have proved.
    pub(super) known_win: Option<RootMove<G::Move>>,
    /// Iterations since the best move last changed.
    pub(super) steady: u32,
    /// The report of the last completed iteration.
    pub(super) last_report: Option<SearchInfo<G::Move>>,
}

impl<'a, G: SearchHints, E: Evaluator<G>> Root<'a, G, E> {
    /// The root of a task. A thread without a prover only helps another one.
    pub(super) fn new(
        task: &'a SearchTask<'a, G>,
        evaluator: &'a E,
        shared: &'a Shared<'a>,
        prover: Option<&'a mut Prover>,
    ) -> Self {
        let moves: Vec<_> = task.allowed_moves().into_iter().map(RootMove::new).collect();
        Root {
            worker: SearchWorker::new(task, evaluator, shared, prover.is_some()),
            node: Node::root(task.game, task.record),
            prover,
            forced: None,
            multi_pv: task.config.multi_pv.clamp(1, moves.len().max(1)),
            moves,
            lines: Vec::new(),
            known_win: None,
            steady: 0,
            last_report: None,
        }
    }

    /// Searches the moves `depth` plies deep and puts the best lines first, in order, with exact scores.
    ///
    /// If it is cut short, it returns the best line so far, provided that its score can be compared with those of
    /// earlier iterations.
    pub(super) fn search(&mut self, depth: i32, report: &mut Report<'_, G::Move>) -> Option<RootMove<G::Move>> {
        self.worker.iteration = depth;
        let expected: Vec<_> = self.moves[..self.multi_pv].iter().map(|root| root.score).collect();
        let mut partial = None;
        for (first, expected) in expected.into_iter().enumerate() {
            self.aspirate(first, depth, expected, &mut partial, report);
            if self.worker.halted {
                // With several lines half an iteration is of no use: its scores do not compare with older ones.
                return partial.filter(|_| self.multi_pv == 1);
            }
        }
        sort(&mut self.moves[..self.multi_pv]);
        None
    }

    /// Puts the best of the moves from index `first` on in place `first`; `partial` takes every line that is better
    /// than the lower edge of its window.
    fn aspirate(
        &mut self,
        first: usize,
        depth: i32,
        expected: Option<Score>,
        partial: &mut Option<RootMove<G::Move>>,
        report: &mut Report<'_, G::Move>,
    ) {
        let parameters = self.worker.shared.parameters;
        let mut half = parameters.aspiration_window;
        let mut window = match expected {
            Some(score) if depth >= parameters.aspiration_depth && !score.is_decided() => Window::around(score, half),
            _ => Window::FULL,
        };
        loop {
            let score = self.search_within(first, depth, window, report);
            sort(&mut self.moves[first..]);
            if self.moves[first].score.is_some_and(|best| best > window.alpha) {
                *partial = Some(self.moves[first].clone());
            }
            if self.worker.halted || window.contains(score) {
                return;
            }
            half *= parameters.aspiration_growth;
            let is_too_wide = half > parameters.aspiration_widest;
            window = if is_too_wide || score.is_decided() { Window::FULL } else { window.widened(score, half) };
        }
    }

    /// Searches the moves from index `first` on and returns the best score; exact within the window, a bound outside.
    fn search_within(&mut self, first: usize, depth: i32, window: Window, report: &mut Report<'_, G::Move>) -> Score {
        self.moves[first..].iter_mut().for_each(|root| root.score = None);
        let mut best = -Score::INFINITE;
        let mut alpha = window.alpha;
        for index in first..self.moves.len() {
            self.prove();
            if self.worker.halted {
                break;
            }
            let mv = self.moves[index].mv;
            self.report_current(mv, index + 1, report);
            let score = self.worker.try_move(&self.node, depth, Window { alpha, ..window }, index - first, mv);
            if self.worker.halted {
                break;
            }
            let proof = self.better_proof(mv, score);
            let score = proof.as_ref().map_or(score, |proof| proof.score);
            let root = &mut self.moves[index];
            root.loses |= score.is_loss();
            if index == first || score > alpha {
                root.learn(score, proof.as_ref().map_or(&self.worker.frames[1].pv, |proof| &proof.below));
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= window.beta {
                break;
            }
        }
        best
    }

    /// Reports that the search has come to `mv`, the `number`-th move of this iteration, if it has lasted some time.
    fn report_current(&self, mv: G::Move, number: usize, report: &mut Report<'_, G::Move>) {
        let elapsed = self.worker.task.control.elapsed();
        if let Some(last) = self.last_report.as_ref().filter(|_| elapsed >= QUIET) {
            let current = Some(CurrentMove { mv, number: number as u32 });
            report(&SearchInfo { current, nodes: self.worker.total_nodes(), elapsed, ..last.clone() });
        }
    }

    /// Lets the prover search its share of the nodes.
    fn prove(&mut self) {
        let Root { worker, prover: Some(prover), .. } = self else { return };
        let before = prover.positions;
        if let Some(win) = prover.prove(worker.task, worker.total_nodes(), worker.nodes_left()) {
            self.forced = Some(win);
        }
        worker.count(prover.positions - before);
    }

    /// A proved score of a move that says more than the `score` of a search: a better win, or any proof where the
    /// search has only an opinion.
    pub(super) fn better_proof(&mut self, mv: G::Move, score: Score) -> Option<MoveScore<G::Move>> {
        let seat = self.node.seat;
        let of_end = |end: &ForcedEnd<G::Move>| MoveScore { score: end.score(seat), below: end.line[1..].to_vec() };
        if let Some(win) = self.forced.as_ref().filter(|win| win.line[0] == mv && score < win.score(seat)) {
            return Some(of_end(win));
        }
        if score.is_certain() {
            return None;
        }
        if let Some(score) = self.proof_after(mv) {
            return Some(MoveScore { score, below: self.line_of_proof(mv, score) });
        }
        self.prover.as_mut()?.known_after(self.worker.task, mv).as_ref().map(of_end)
    }

    /// The proved score of a move that an earlier search, or a deeper search of another line, has left in the table. It
    /// holds at any depth; only draws by lack of progress could intervene.
    fn proof_after(&self, mv: G::Move) -> Option<Score> {
        let Root { worker, node, .. } = self;
        let position = worker.game.play_unchecked(&node.position, mv);
        let seat = worker.game.turn(&position).seat()?;
        let proof = self.remembered(&position).filter(TtEntry::is_proof)?.score;
        let plies = proof.plies_to_end()?.abs();
        let is_near_draw = worker.path.is_near_draw(node.counters.idle, plies);
        (!is_near_draw).then(|| Perspective::between(node.seat, seat).score(proof))
    }

    /// The line of a proof after its first move, as far as the transposition table still has it. The last two plies are
    /// not stored by default: where the loser is to move, any move allows the last one.
    fn line_of_proof(&self, mv: G::Move, proof: Score) -> Vec<G::Move> {
        let Root { worker, node, .. } = self;
        let game = worker.game;
        let is_of_winner = |seat: Option<Seat>| (seat == Some(node.seat)) == (proof > Score::DRAW);
        let mut left = proof.plies_to_end().unwrap_or(0).unsigned_abs().saturating_sub(1);
        follow(game, game.play_unchecked(&node.position, mv), left as usize, |position, mover, moves| {
            let best = self.remembered(position).filter(TtEntry::is_proof).and_then(|entry| entry.best);
            let wins = |&mv: &G::Move| {
                let end = game.turn(&game.play_unchecked(position, mv)).outcome();
                end.is_some_and(|end| is_of_winner(end.winner))
            };
            left -= 1;
            match best {
                Some(best) => moves.get(usize::from(best)).copied(),
                None if left == 0 => moves.iter().copied().find(wins),
                None if left == 1 && !is_of_winner(Some(mover)) => moves.first().copied(),
                None => None,
            }
        })
    }

    /// The entry in the transposition table of a position one ply below the root.
    fn remembered(&self, position: &G::Position) -> Option<TtEntry> {
        let key = self.worker.path.table_key(self.worker.game.key(position));
        self.worker.shared.table.probe(key, 1)
    }

    /// The index of the reply that some search of a position found best, from the transposition table.
    pub(super) fn known_reply(&self, position: &G::Position) -> Option<u16> {
        self.remembered(position)?.best
    }

    /// The static evaluation after a move, or the score of the end of the game.
    pub(super) fn evaluate_after(&mut self, mv: G::Move) -> Score {
        match self.worker.enter(&self.node, mv, 0) {
            Child::Settled(score) => score,
            Child::Open(node) | Child::Chance(node) => {
                Perspective::between(self.node.seat, node.seat).score(self.worker.evaluate(&node))
            }
        }
    }
}
