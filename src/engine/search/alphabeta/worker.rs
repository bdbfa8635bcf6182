//! One search thread: its node counter, its path and the step from a node to a child.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::node::{Child, Node};
use super::ordering::{Frame, History};
use super::parameters::AlphaBetaSettings;
use super::path::SearchPath;
use super::window::{Perspective, Window};
use crate::eval::Evaluator;
use crate::rules::{Game, SearchHints, Seat, Turn};
use crate::search::deepening::{MAX_PLY, set_line};
use crate::search::transposition::TranspositionTable;
use crate::search::{Score, SearchTask};

/// Nodes between two looks at the clock.
const POLL_NODES: u64 = 1024;
/// Nodes between two looks at the filling of the table.
const GROWTH_NODES: u64 = 4096;
/// With fewer plies left before a move of the tree, tables are not asked about what it leads to: the few nodes below cost
/// less than a probe. Moves of the root are always asked about.
const MIN_PROBE_DEPTH: i32 = 3;

/// What all threads of one search share.
pub(super) struct Shared<'a> {
    pub(super) table: &'a TranspositionTable,
    pub(super) settings: &'a AlphaBetaSettings,
    pub(super) nodes: AtomicU64,
    /// The leader has its answer.
    pub(super) is_finished: AtomicBool,
}

/// What a thread is for: the leader's answer counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ThreadRole {
    Leader,
    Helper,
}

pub(super) struct SearchWorker<'a, G: Game, E> {
    pub(super) game: &'a G,
    pub(super) task: &'a SearchTask<'a, G>,
    pub(super) shared: &'a Shared<'a>,
    pub(super) path: SearchPath,
    /// One for each ply.
    pub(super) frames: Vec<Frame<G>>,
    pub(super) history: History,
    pub(super) nodes: u64,
    pub(super) seldepth: usize,
    /// The search has to end; scores that come back from now on mean nothing.
    pub(super) halted: bool,
    /// Depth of the iteration in hand.
    pub(super) iteration: i32,
    /// The rolls as the game lists them.
    pub(super) outcomes: Vec<(G::Move, f64)>,
    /// In games of one player no move is searched less deeply, so that the first solution found is a shortest one.
    pub(super) reduces: bool,
    /// With more plies left no position is pruned by its evaluation.
    pub(super) futility_depth: i32,
    evaluator: &'a E,
    next_check: u64,
    flushed: u64,
    role: ThreadRole,
    next_growth: u64,
}

impl<'a, G: SearchHints, E: Evaluator<G>> SearchWorker<'a, G, E> {
    pub(super) fn new(task: &'a SearchTask<'a, G>, evaluator: &'a E, shared: &'a Shared<'a>, role: ThreadRole) -> Self {
        let game = task.game;
        let mut worker = SearchWorker {
            game,
            task,
            shared,
            path: SearchPath::new(game, task.record),
            frames: (0..MAX_PLY + 2).map(|_| Frame::new()).collect(),
            history: History::new(game),
            nodes: 0,
            seldepth: 0,
            halted: false,
            iteration: 0,
            outcomes: Vec::new(),
            reduces: game.seats() > 1,
            futility_depth: if game.is_steady() { shared.settings.parameters.futility_depth } else { 0 },
            evaluator,
            next_check: 0,
            flushed: 0,
            role,
            next_growth: 0,
        };
        worker.next_check = worker.stride().min(worker.left(0));
        worker
    }

    /// Plays a move and asks whether the game goes on, with so many plies left before it; counts a node.
    pub(super) fn enter(&mut self, parent: &Node<G>, mv: G::Move, depth: i32) -> Child<G> {
        self.nodes += 1;
        if self.nodes >= self.next_check {
            self.check();
        }
        let ply = parent.ply + 1;
        self.frames[ply].pv.clear();
        let position = self.game.play_unchecked(&parent.position, mv);
        let turn = self.game.turn(&position);
        let seat = match turn {
            Turn::Over(outcome) => {
                return Child::Settled(Score::of_outcome(outcome.winner, parent.seat, ply as u32));
            }
            Turn::Player(seat) => seat,
            Turn::Chance => parent.seat,
        };
        let count = |reset: bool, plies: u32| if reset { 0 } else { plies + 1 };
        let node = Node {
            position,
            seat,
            key: self.game.key(&position),
            ply,
            reversible: count(self.game.is_irreversible(&parent.position, mv), parent.reversible),
            idle: count(self.game.is_progress(&parent.position, mv), parent.idle),
        };
        if let Some(score) = self.path.ending(&node).or_else(|| self.ask_tables(&node, depth)) {
            return Child::Settled(Perspective::between(parent.seat, seat).score(score));
        }
        self.path.enter(&node);
        if turn == Turn::Chance { Child::Chance(node) } else { Child::Open(node) }
    }

    /// Nodes that the limit still allows, as far as all threads have told theirs.
    pub(super) fn nodes_left(&self) -> u64 {
        self.left(self.total_nodes())
    }

    /// Counts nodes that another search has taken for this one.
    pub(super) fn count(&mut self, nodes: u64) {
        self.nodes += nodes;
        self.check();
    }

    /// What the tables say of a node that an irreversible move has just led to, for its seat.
    fn ask_tables(&self, node: &Node<G>, depth: i32) -> Option<Score> {
        let is_asked = node.reversible == 0 && (depth >= MIN_PROBE_DEPTH || node.ply == 1);
        let tables = self.task.tables.filter(|_| is_asked)?;
        let verdict = tables.probe_inside(self.game, &node.position, node.idle)?;
        Some(Score::of_verdict(verdict, node.seat, node.ply as u32))
    }

    /// The value of an unsettled child for `seat`.
    pub(super) fn value(&mut self, seat: Seat, child: &Child<G>, depth: i32, window: Window) -> Score {
        match child {
            _ if self.halted => Score::DRAW,
            Child::Settled(score) => *score,
            Child::Open(node) => self.search_for(seat, node, depth, window),
            Child::Chance(node) => self.expect(node, depth, window),
        }
    }

    /// The value of a node for `seat`.
    pub(super) fn search_for(&mut self, seat: Seat, node: &Node<G>, depth: i32, window: Window) -> Score {
        let perspective = Perspective::between(seat, node.seat);
        perspective.score(self.search(node, depth, window.seen_from(perspective)))
    }

    /// The static opinion for the seat to move.
    pub(super) fn evaluate(&self, node: &Node<G>) -> Score {
        Score(self.evaluator.evaluate(self.game, &node.position, node.seat)).clamp_opinion()
    }

    /// Makes `mv` and the line below it the best line of `ply`.
    pub(super) fn update_pv(&mut self, ply: usize, mv: G::Move) {
        let (above, below) = self.frames.split_at_mut(ply + 1);
        set_line(&mut above[ply].pv, mv, &below[0].pv);
    }

    /// Nodes of all threads, as far as they are told.
    pub(super) fn total_nodes(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed) + self.nodes - self.flushed
    }

    /// Halts the search when it is time.
    pub(super) fn check(&mut self) {
        let before = self.shared.nodes.fetch_add(self.nodes - self.flushed, Ordering::Relaxed);
        let total = before + self.nodes - self.flushed;
        self.flushed = self.nodes;
        let left = self.left(total);
        self.next_check = self.nodes + self.stride().min(left);
        if left == 0 || self.shared.is_finished.load(Ordering::Relaxed) || self.task.control.must_stop() {
            self.halted = true;
        }
        // The table grows with the search; one worker is enough for that.
        if self.role == ThreadRole::Leader && self.nodes >= self.next_growth {
            self.next_growth = self.nodes + GROWTH_NODES;
            self.shared.table.grow();
        }
    }

    /// Nodes between two checks: few when the limit is shared by threads, for it is overrun by at most that.
    fn stride(&self) -> u64 {
        let threads = self.task.config.threads as u64;
        match self.task.limits.nodes {
            Some(limit) if threads > 1 => (limit / (16 * threads)).clamp(1, POLL_NODES),
            _ => POLL_NODES,
        }
    }

    /// Nodes that are left when so many have been searched.
    fn left(&self, nodes: u64) -> u64 {
        self.task.limits.nodes.unwrap_or(u64::MAX).saturating_sub(nodes)
    }
}
