//! Iterative deepening: aspiration, several best lines, and when enough is enough.

use crate::eval::Evaluator;
use crate::rules::{Game, Record};
use crate::search::{Score, SearchInfo};

use super::MAX_DEPTH;
use super::report;
use super::root::{RootMove, sort};
use super::window::Window;
use super::worker::{Node, Worker};

/// From this depth on the last score is a good guess at the next.
const ASPIRATION_DEPTH: i32 = 4;
/// A window that had to grow beyond this is opened.
const WIDEST_WINDOW: i32 = 2_000;
const WINDOW_GROWTH: i32 = 3;
/// The part of the soft time bound that is spent on the only legal move.
const STRETCH_WITHOUT_CHOICE: f64 = 0.02;

/// One worker's search through growing depths.
pub(super) struct Deepening<'w, 'a, G: Game, E> {
    worker: &'w mut Worker<'a, G, E>,
    record: &'w Record<G>,
    root: Node<G>,
    moves: Vec<RootMove<G::Move>>,
    multi_pv: usize,
    /// The best lines of the last completed iteration, or better ones of the iteration that was cut short.
    lines: Vec<RootMove<G::Move>>,
    /// The best line of the iteration in hand, if a move proved better than the window's lower edge.
    partial: Option<RootMove<G::Move>>,
    /// Iterations since the best move last changed.
    steady: u32,
}

impl<'w, 'a, G: Game, E: Evaluator<G>> Deepening<'w, 'a, G, E> {
    pub(super) fn new(
        worker: &'w mut Worker<'a, G, E>,
        record: &'w Record<G>,
        root: Node<G>,
        moves: &[G::Move],
        multi_pv: usize,
    ) -> Self {
        let moves: Vec<_> = moves.iter().copied().map(RootMove::new).collect();
        let multi_pv = multi_pv.clamp(1, moves.len().max(1));
        Deepening { worker, record, root, moves, multi_pv, lines: Vec::new(), partial: None, steady: 0 }
    }

    /// Searches until a limit, the clock or a proof ends it; returns the best line, as it was reported.
    pub(super) fn run(&mut self, report: &mut dyn FnMut(&SearchInfo<G::Move>)) -> Vec<G::Move> {
        let limit = self.worker.shared.limits.depth.unwrap_or(u32::MAX);
        let last = limit.clamp(1, MAX_DEPTH as u32) as i32;
        let mut completed = 0;
        for depth in 1..=last {
            self.iterate(depth);
            if self.worker.halted {
                break;
            }
            completed = depth;
            self.complete();
            report(&self.info(depth));
            if self.is_enough(depth) {
                break;
            }
        }
        if self.worker.halted {
            self.salvage();
            report(&self.info(completed.max(1)));
        }
        report::line(self.worker, self.record, &self.lines[0]).pv
    }

    fn iterate(&mut self, depth: i32) {
        self.worker.iteration = depth;
        self.partial = None;
        for line in 0..self.multi_pv {
            self.aspirate(depth, line);
            if self.worker.halted {
                return;
            }
        }
        sort(&mut self.moves[..self.multi_pv]);
    }

    /// Searches for the best of the moves from `line` on and puts it there.
    fn aspirate(&mut self, depth: i32, line: usize) {
        let mut half = self.worker.shared.parameters.aspiration_window;
        let mut window = match self.lines.get(line).and_then(|last| last.score) {
            Some(score) if depth >= ASPIRATION_DEPTH && !score.is_decided() => Window::around(score, half),
            _ => Window::FULL,
        };
        loop {
            let score = self.worker.search_root(&self.root, &mut self.moves[line..], depth, window);
            sort(&mut self.moves[line..]);
            self.keep_partial(window);
            if self.worker.halted || window.contains(score) {
                return;
            }
            half *= WINDOW_GROWTH;
            window = if half > WIDEST_WINDOW || score.is_decided() { Window::FULL } else { widen(window, score, half) };
        }
    }

    /// With several lines half an iteration is of no use: its scores do not compare with those of the last one.
    fn keep_partial(&mut self, window: Window) {
        let best = &self.moves[0];
        if self.multi_pv == 1 && best.score.is_some_and(|score| score > window.alpha) {
            self.partial = Some(best.clone());
        }
    }

    fn complete(&mut self) {
        let changed = self.lines.first().is_none_or(|line| self.moves[0].pv[0] != line.pv[0]);
        self.steady = if changed { 0 } else { self.steady + 1 };
        self.lines = self.moves[..self.multi_pv].to_vec();
    }

    /// What there is when the search was cut short within an iteration.
    fn salvage(&mut self) {
        if let Some(line) = self.partial.take() {
            self.lines = vec![line];
        }
        if self.lines.is_empty() {
            self.worker.glance(&self.root, &mut self.moves);
            self.lines = self.moves[..self.multi_pv].to_vec();
        }
        self.avoid_loss();
    }

    /// A best line that was refuted just now is worse than any move that was not: its replacement had no time to show.
    fn avoid_loss(&mut self) {
        let is_lost = self.multi_pv == 1 && self.lines[0].score.is_some_and(Score::is_loss);
        if let Some(other) = self.moves.iter().find(|other| is_lost && !other.loses) {
            self.lines = vec![RootMove::unsearched(other.mv, self.worker.evaluate(&self.root))];
        }
    }

    fn is_enough(&self, depth: i32) -> bool {
        let proved = |line: &RootMove<G::Move>| {
            line.score.and_then(Score::plies_to_end).is_some_and(|plies| plies.abs() <= depth)
        };
        self.lines.iter().all(proved) || self.has_mate() || !self.worker.shared.control.may_continue(self.stretch())
    }

    /// Whether the win that the limits ask for is found.
    fn has_mate(&self) -> bool {
        let seats = self.worker.game.seats();
        let moves = self.lines[0].score.and_then(|score| score.mate_moves(seats));
        match (self.worker.shared.limits.mate, moves) {
            (Some(limit), Some(moves)) => moves > 0 && moves as u32 <= limit,
            _ => false,
        }
    }

    /// More time while the best move changes, less when it has long been the same.
    fn stretch(&self) -> f64 {
        match self.steady {
            _ if self.moves.len() == 1 => STRETCH_WITHOUT_CHOICE,
            0 => 1.6,
            1..=2 => 1.2,
            3..=5 => 0.8,
            _ => 0.6,
        }
    }

    fn info(&self, depth: i32) -> SearchInfo<G::Move> {
        let lines = self.lines.iter().map(|line| report::line(self.worker, self.record, line)).collect();
        report::info(self.worker, depth as u32, lines)
    }
}

/// Moves the edge that failed and a little beyond the score that crossed it.
fn widen(window: Window, score: Score, half: i32) -> Window {
    let wide = Window::around(score, half);
    if score <= window.alpha { Window { alpha: wide.alpha, ..window } } else { Window { beta: wide.beta, ..window } }
}
