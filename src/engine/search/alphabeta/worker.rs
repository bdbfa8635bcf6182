//! One search thread: its nodes, its line from the root and the step from a node to a child.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::ordering::{Frame, History};
use super::window::{Perspective, Window};
use super::{AlphaBetaParameters, Reductions};
use crate::eval::Evaluator;
use crate::rules::{Counters, Game, HistoryRules, Record, SearchHints, Seat, Turn, history_outcome};
use crate::search::transposition::{TranspositionTable, TtEntry};
use crate::search::{Score, SearchTask};

/// The deepest iteration, in plies.
pub(super) const MAX_DEPTH: i32 = 120;
/// The longest line that is followed, in plies.
pub(super) const MAX_PLY: usize = 192;
/// Nodes between two checks of the clock.
const POLL_NODES: u64 = 1024;
/// Nodes between two checks whether the table should grow.
const GROWTH_NODES: u64 = 4096;
/// Stored scores are not trusted where the plies to the no-progress limit are at most the depth and this margin.
const NO_PROGRESS_MARGIN: u32 = 8;

/// A position of the search tree in which the game is not over.
pub(super) struct Node<G: Game> {
    pub(super) position: G::Position,
    /// The seat to move, or before a roll of the dice the seat that moved last.
    pub(super) seat: Seat,
    pub(super) key: u64,
    pub(super) ply: usize,
    /// Counters of the whole game, plies before the root included.
    pub(super) counters: Counters,
}

impl<G: Game> Node<G> {
    /// The node of a record's last position.
    pub(super) fn root(game: &G, record: &Record<G>) -> Self {
        Node {
            position: *record.position(),
            seat: record.turn(game).seat().unwrap_or(Seat::P1),
            key: game.key(record.position()),
            ply: 0,
            counters: record.counters(),
        }
    }
}

/// The child of a node after a move.
pub(super) enum Child<G: Game> {
    /// An ending or a table value, scored for the seat that moved.
    Settled(Score),
    Open(Node<G>),
    /// A roll of the dice comes next.
    Chance(Node<G>),
}

/// Repetition and lack of progress along the line from the root, joined to the game before it.
///
/// It compares keys, and counts a first repetition within the line as an ending, whereas `mcts` compares positions and
/// follows the rules exactly.
pub(super) struct SearchPath {
    rules: HistoryRules,
    /// Keys of the positions on the line under search.
    keys: Vec<u64>,
    /// Keys of the positions that have occurred twice in the game: their next occurrence ends it.
    exhausted: Vec<u64>,
    /// A part of every key in the table: the value of a position depends on which other positions are exhausted, and on
    /// whose draws have a score.
    salt: u64,
    /// The seat at the root, and the score of a draw for it.
    draw: (Option<Seat>, Score),
}

impl SearchPath {
    fn new<G: Game>(game: &G, record: &Record<G>, draw: Score) -> Self {
        let rules = game.history_rules();
        let root = game.key(record.position());
        let exhausted: Vec<u64> = record.exhausted(game).map(|position| game.key(position)).collect();
        let seat = record.turn(game).seat();
        let whose_draw = seat.filter(|_| draw != Score::DRAW).map_or(0, |seat| 1 + seat.index() as u64);
        let parts = exhausted.iter().copied().chain([whose_draw]);
        let salt = parts.fold(0, |salt, part| salt ^ part.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        SearchPath { rules, keys: vec![root; MAX_PLY + 2], exhausted, salt, draw: (seat, draw) }
    }

    /// The score for `seat` of a finished game, `ply` plies from the root.
    fn score(&self, winner: Option<Seat>, seat: Seat, ply: usize) -> Score {
        match self.draw {
            (own, draw) if winner.is_none() => {
                if own == Some(seat) {
                    draw
                } else {
                    -draw
                }
            }
            _ => Score::of_outcome(winner, seat, ply as u32),
        }
    }

    /// The key of a node in the transposition table.
    pub(super) fn table_key(&self, key: u64) -> u64 {
        key ^ self.salt
    }

    /// The score for the node's seat, if repetition or lack of progress ends the game there.
    ///
    /// A position that is already on the path counts as its third occurrence: a line that came back once can do so
    /// again. That is a guess about the players, so a loss by it is the worst opinion, not a proved result.
    fn ending<G: Game>(&self, node: &Node<G>) -> Option<Score> {
        let mut is_guess = false;
        let occurrences = || {
            let reversible = node.counters.reversible as usize;
            if reversible > node.ply && self.exhausted.contains(&node.key) {
                return 3;
            }
            is_guess = self.keys[node.ply.saturating_sub(reversible)..node.ply].contains(&node.key);
            if is_guess { 3 } else { 1 }
        };
        let outcome = history_outcome(self.rules, occurrences, node.counters.idle)?;
        let score = self.score(outcome.winner, node.seat, node.ply);
        Some(if is_guess { score.clamp_opinion() } else { score })
    }

    /// Whether the no-progress rule may end the game within `depth` plies after `idle` ones, so that scores depend on
    /// the path.
    pub(super) fn is_near_draw(&self, idle: u32, depth: i32) -> bool {
        let limit = self.rules.no_progress_plies;
        limit > 0 && idle + depth.max(0) as u32 + NO_PROGRESS_MARGIN >= limit
    }
}

/// The data that all threads of one search share.
pub(super) struct Shared<'a> {
    pub(super) table: &'a TranspositionTable,
    pub(super) parameters: &'a AlphaBetaParameters,
    pub(super) reductions: &'a Reductions,
    pub(super) nodes: AtomicU64,
    /// Whether the leading thread has its answer.
    pub(super) is_finished: AtomicBool,
}

pub(super) struct SearchWorker<'a, G: Game, E> {
    pub(super) game: &'a G,
    pub(super) task: &'a SearchTask<'a, G>,
    pub(super) shared: &'a Shared<'a>,
    pub(super) path: SearchPath,
    /// The frames, one for each ply.
    pub(super) frames: Vec<Frame<G>>,
    pub(super) history: History,
    pub(super) nodes: u64,
    pub(super) seldepth: usize,
    /// Whether the search has to end; scores that come back from then on mean nothing.
    pub(super) halted: bool,
    /// Depth of the present iteration.
    pub(super) iteration: i32,
    /// A buffer for the rolls that the game lists.
    pub(super) outcomes: Vec<(G::Move, f64)>,
    /// Whether late moves are reduced: not in games of one player, so that the first solution found is a shortest one.
    pub(super) reduces: bool,
    /// The most plies left at which a position may be pruned by its evaluation.
    pub(super) futility_depth: i32,
    evaluator: &'a E,
    /// Whether this thread leads: its answer counts, and it lets the table grow.
    is_leader: bool,
    next_check: u64,
    next_growth: u64,
    /// The nodes of this thread that are already in the common count.
    flushed: u64,
}

impl<'a, G: SearchHints, E: Evaluator<G>> SearchWorker<'a, G, E> {
    pub(super) fn new(task: &'a SearchTask<'a, G>, evaluator: &'a E, shared: &'a Shared<'a>, is_leader: bool) -> Self {
        let game = task.game;
        let mut worker = SearchWorker {
            game,
            task,
            shared,
            path: SearchPath::new(game, task.record, Score(shared.parameters.draw_score)),
            frames: (0..MAX_PLY + 2).map(|_| Frame::new()).collect(),
            history: History::new(game, shared.parameters),
            nodes: 0,
            seldepth: 0,
            halted: false,
            iteration: 0,
            outcomes: Vec::new(),
            reduces: game.seats() > 1,
            futility_depth: if game.is_steady() { shared.parameters.futility_depth } else { 0 },
            evaluator,
            is_leader,
            next_check: 0,
            next_growth: 0,
            flushed: 0,
        };
        worker.next_check = worker.stride().min(worker.left(0));
        worker
    }

    /// Plays a move, with `depth` plies left before it, and counts a node. The child is settled if its game has ended,
    /// by the rules or by the history, or if the tables know its value.
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
                return Child::Settled(self.path.score(outcome.winner, parent.seat, ply));
            }
            Turn::Player(seat) => seat,
            Turn::Chance => parent.seat,
        };
        let counters = parent.counters.after(self.game, &parent.position, mv);
        let node = Node { position, seat, key: self.game.key(&position), ply, counters };
        if let Some(score) = self.path.ending(&node).or_else(|| self.ask_tables(&node, depth)) {
            return Child::Settled(Perspective::between(parent.seat, seat).score(score));
        }
        self.path.keys[ply] = node.key;
        if turn == Turn::Chance { Child::Chance(node) } else { Child::Open(node) }
    }

    /// The score by the tables for the seat of a node; `None` unless an irreversible move has just led to the node and
    /// the tables cover it. Where few plies are left a search costs less than to ask; after moves of the root they are
    /// always asked.
    fn ask_tables(&self, node: &Node<G>, depth: i32) -> Option<Score> {
        let is_deep = depth >= self.shared.parameters.table_depth || node.ply == 1;
        let is_asked = node.counters.reversible == 0 && is_deep;
        let tables = self.task.tables.filter(|_| is_asked)?;
        let verdict = tables.probe_inside(self.game, &node.position, node.counters.idle)?;
        Some(Score::of_verdict(verdict, node.seat, node.ply as u32))
    }

    /// The value of a child for `seat`, which moved.
    pub(super) fn value(&mut self, seat: Seat, child: &Child<G>, depth: i32, window: Window) -> Score {
        match child {
            Child::Settled(score) => *score,
            Child::Open(node) => {
                let perspective = Perspective::between(seat, node.seat);
                perspective.score(self.search(node, depth, window.seen_from(perspective)))
            }
            Child::Chance(node) => self.expect(node, depth, window),
        }
    }

    /// The entry of a node in the transposition table.
    pub(super) fn probe(&self, node: &Node<G>) -> Option<TtEntry> {
        self.shared.table.probe(self.path.table_key(node.key), node.ply)
    }

    pub(super) fn store(&self, node: &Node<G>, entry: TtEntry) {
        self.shared.table.store(self.path.table_key(node.key), node.ply, entry);
    }

    /// The static evaluation for the node's seat.
    pub(super) fn evaluate(&self, node: &Node<G>) -> Score {
        Score(self.evaluator.evaluate(self.game, &node.position, node.seat)).clamp_opinion()
    }

    /// Makes `mv` and the line below it the best line of `ply`.
    pub(super) fn update_pv(&mut self, ply: usize, mv: G::Move) {
        let (above, below) = self.frames.split_at_mut(ply + 1);
        set_line(&mut above[ply].pv, mv, &below[0].pv);
    }

    /// Nodes of all threads together, as of their last reports.
    pub(super) fn total_nodes(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed) + self.nodes - self.flushed
    }

    /// The nodes that the limit still allows.
    pub(super) fn nodes_left(&self) -> u64 {
        self.left(self.total_nodes())
    }

    /// Counts nodes that another search, such as the prover's, has used within this one.
    pub(super) fn count(&mut self, nodes: u64) {
        self.nodes += nodes;
        self.check();
    }

    /// Adds this thread's nodes to the common count, and halts the search when a limit, the clock or a stop ends it.
    fn check(&mut self) {
        let before = self.shared.nodes.fetch_add(self.nodes - self.flushed, Ordering::Relaxed);
        let left = self.left(before + self.nodes - self.flushed);
        self.flushed = self.nodes;
        self.next_check = self.nodes + self.stride().min(left);
        if left == 0 || self.shared.is_finished.load(Ordering::Relaxed) || self.task.control.must_stop() {
            self.halted = true;
        }
        // The table grows with the search; one worker is enough for that.
        if self.is_leader && self.nodes >= self.next_growth {
            self.next_growth = self.nodes + GROWTH_NODES;
            self.shared.table.grow();
        }
    }

    /// The nodes between two checks: fewer when threads share a limit, which is overrun by at most that number.
    fn stride(&self) -> u64 {
        let threads = self.task.config.threads as u64;
        match self.task.limits.nodes {
            Some(limit) if threads > 1 => (limit / (16 * threads)).clamp(1, POLL_NODES),
            _ => POLL_NODES,
        }
    }

    /// The part of the node limit that is left after `nodes` nodes.
    fn left(&self, nodes: u64) -> u64 {
        self.task.limits.nodes.unwrap_or(u64::MAX).saturating_sub(nodes)
    }
}

/// Sets `pv` to the move `mv` followed by the moves `below` it.
pub(super) fn set_line<M: Copy>(pv: &mut Vec<M>, mv: M, below: &[M]) {
    pv.clear();
    pv.push(mv);
    pv.extend_from_slice(below);
}
