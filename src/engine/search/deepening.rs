//! Iterative deepening over the moves at the root, for alpha-beta.

use std::cmp::Reverse;
use std::time::Duration;

use super::continuation::complete;
use super::{BestMove, CurrentMove, PvLine, Score, SearchInfo, SearchTask};
use crate::rules::Game;

/// Iterations end here.
pub(super) const MAX_DEPTH: i32 = 120;
/// No line is followed further than this.
pub(super) const MAX_PLY: usize = 192;
/// No clock ends the deepening before this depth, unless its hard bound has passed: an end by the next reply is seen.
const MIN_DEPTH: u32 = 2;
/// The part of the soft time bound that is spent on the only legal move.
const STRETCH_WITHOUT_CHOICE: f64 = 0.02;

/// The move in hand is reported from this time on: before it, lines come thick and fast.
const QUIET: Duration = Duration::from_secs(1);

/// A move at the root with what is known about it.
#[derive(Clone)]
pub(super) struct RootMove<M> {
    pub(super) mv: M,
    /// The score of this iteration, once the move was searched and turned out to be among the best so far.
    pub(super) score: Option<Score>,
    /// Some iteration proved that the move loses.
    pub(super) loses: bool,
    pub(super) pv: Vec<M>,
}

impl<M: Copy> RootMove<M> {
    fn new(mv: M) -> Self {
        RootMove { mv, score: None, loses: false, pv: vec![mv] }
    }

    /// Takes the score of a search and the best line below the move.
    pub(super) fn learn(&mut self, score: Score, below: &[M]) {
        self.score = Some(score);
        set_line(&mut self.pv, self.mv, below);
    }
}

/// Makes `pv` the line of `mv` and what follows it.
pub(super) fn set_line<M: Copy>(pv: &mut Vec<M>, mv: M, below: &[M]) {
    pv.clear();
    pv.push(mv);
    pv.extend_from_slice(below);
}

/// Puts the best scores first; moves without one keep their order behind them.
pub(super) fn sort<M>(moves: &mut [RootMove<M>]) {
    moves.sort_by_key(|root| Reverse(root.score));
}

/// Hears of each move at the root before it is searched, with the nodes so far.
pub(super) type MoveListener<'a, M> = dyn FnMut(CurrentMove<M>, u64) + 'a;

/// The search of a root to a given depth, which the deepening repeats. Scores are those of the player to move there.
pub(super) trait RootSearch<G: Game> {
    /// Searches the moves `depth` plies deep and puts the best `multi_pv` of them first, in order, with exact scores.
    ///
    /// Where it was cut short it returns the best line so far, if that can be compared with those of other iterations.
    fn search(
        &mut self,
        moves: &mut [RootMove<G::Move>],
        depth: i32,
        multi_pv: usize,
        begin_move: &mut MoveListener<'_, G::Move>,
    ) -> Option<RootMove<G::Move>>;

    /// Whether the search has to end; what was searched since then means nothing.
    fn is_halted(&self) -> bool;

    /// The static evaluation of the root.
    fn evaluate(&self) -> Score;

    /// The static evaluation after a move.
    fn evaluate_after(&mut self, mv: G::Move) -> Score;

    /// What earlier searches have proved about a move, and how it goes on.
    fn proof_of(&mut self, _mv: G::Move) -> Option<(Score, Vec<G::Move>)> {
        None
    }

    /// The index of the reply that some search of a position found best.
    fn known_reply(&self, position: &G::Position) -> Option<u16>;

    /// A report of these lines with the counts of the search.
    fn info(&self, depth: u32, lines: Vec<PvLine<G::Move>>) -> SearchInfo<G::Move>;
}

/// A search through growing depths.
pub(super) struct Deepening<'a, G: Game, S> {
    search: S,
    task: &'a SearchTask<'a, G>,
    moves: Vec<RootMove<G::Move>>,
    multi_pv: usize,
    /// The best lines of the last completed iteration, or better ones of the iteration that was cut short.
    lines: Vec<RootMove<G::Move>>,
    /// The best win that earlier searches have proved.
    known_win: Option<RootMove<G::Move>>,
    /// Iterations since the best move last changed.
    steady: u32,
}

impl<'a, G: Game, S: RootSearch<G>> Deepening<'a, G, S> {
    pub(super) fn new(search: S, task: &'a SearchTask<'a, G>) -> Self {
        let moves: Vec<_> = task.allowed_moves().into_iter().map(RootMove::new).collect();
        let multi_pv = task.config.multi_pv.clamp(1, moves.len().max(1));
        let mut deepening = Deepening { search, task, moves, multi_pv, lines: Vec::new(), known_win: None, steady: 0 };
        deepening.recall();
        deepening
    }

    /// Takes what is proved already: wins go first, losses last.
    fn recall(&mut self) {
        for root in &mut self.moves {
            if let Some((score, line)) = self.search.proof_of(root.mv) {
                root.learn(score, &line);
                root.loses = score.is_loss();
            }
        }
        self.moves.sort_by_key(|root| Reverse(root.score.unwrap_or(Score::DRAW)));
        let is_won = |root: &&RootMove<G::Move>| root.score.is_some_and(|score| score > Score::DRAW);
        self.known_win = self.moves.first().filter(is_won).cloned();
    }

    /// Searches until a limit, the clock or a proof ends it, with a report after every iteration.
    pub(super) fn run(mut self, report: &mut dyn FnMut(&SearchInfo<G::Move>)) -> BestMove<G::Move> {
        let last = self.task.limits.depth.unwrap_or(u32::MAX).clamp(1, MAX_DEPTH as u32);
        let mut told: Option<SearchInfo<G::Move>> = None;
        for depth in 1..=last {
            let control = self.task.control;
            let mut begin_move = |current, nodes| {
                let elapsed = control.elapsed();
                if let Some(told) = told.as_ref().filter(|_| elapsed >= QUIET) {
                    report(&SearchInfo { current: Some(current), nodes, elapsed, ..told.clone() });
                }
            };
            let cut_short = self.search.search(&mut self.moves, depth as i32, self.multi_pv, &mut begin_move);
            if self.search.is_halted() {
                self.salvage(cut_short);
                report(&self.info((depth - 1).max(1)));
                break;
            }
            self.complete();
            report(told.insert(self.info(depth)));
            if self.is_enough(depth) {
                break;
            }
        }
        BestMove::of_line(&self.line(&self.lines[0]).pv)
    }

    fn complete(&mut self) {
        let changed = self.lines.first().is_none_or(|line| self.moves[0].mv != line.mv);
        self.steady = if changed { 0 } else { self.steady + 1 };
        self.lines = self.moves[..self.multi_pv].to_vec();
    }

    /// What there is when the search was cut short within an iteration.
    fn salvage(&mut self, best: Option<RootMove<G::Move>>) {
        if let Some(line) = best {
            self.lines = vec![line];
        }
        if self.lines.is_empty() {
            for root in &mut self.moves {
                let (score, line) = match self.search.proof_of(root.mv) {
                    Some(proof) => proof,
                    None => (self.search.evaluate_after(root.mv), Vec::new()),
                };
                root.learn(score, &line);
                root.loses |= score.is_loss();
            }
            sort(&mut self.moves);
            self.lines = self.moves[..self.multi_pv].to_vec();
        }
        let is_better = |known: &&RootMove<G::Move>| self.multi_pv == 1 && known.score > self.lines[0].score;
        if let Some(known) = self.known_win.as_ref().filter(is_better) {
            self.lines = vec![known.clone()];
        }
        self.avoid_loss();
    }

    /// A best line that was refuted just now is worse than any move that was not: its replacement had no time to show.
    fn avoid_loss(&mut self) {
        let is_lost = self.multi_pv == 1 && self.lines[0].score.is_some_and(Score::is_loss);
        if let Some(other) = self.moves.iter().find(|other| is_lost && !other.loses) {
            self.lines = vec![RootMove { score: Some(self.search.evaluate()), ..RootMove::new(other.mv) }];
        }
    }

    fn is_enough(&self, depth: u32) -> bool {
        let proved = |line: &RootMove<G::Move>| {
            line.score.and_then(Score::plies_to_end).is_some_and(|plies| plies.unsigned_abs() <= depth)
        };
        let control = self.task.control;
        let is_late = control.must_stop() || depth >= MIN_DEPTH && !control.may_continue(self.stretch());
        self.lines.iter().all(proved) || self.has_mate() || is_late
    }

    /// Whether the win that the limits ask for is found.
    fn has_mate(&self) -> bool {
        let moves = self.lines[0].score.and_then(|score| score.mate_moves(self.task.game.seats()));
        matches!((self.task.limits.mate, moves), (Some(limit), Some(moves)) if moves > 0 && moves as u32 <= limit)
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

    fn info(&self, depth: u32) -> SearchInfo<G::Move> {
        self.search.info(depth, self.lines.iter().map(|line| self.line(line)).collect())
    }

    fn line(&self, root: &RootMove<G::Move>) -> PvLine<G::Move> {
        let reply = |position: &G::Position| self.search.known_reply(position);
        complete(self.task.game, self.task.record, root.score.unwrap_or(Score::DRAW), root.pv.clone(), reply)
    }
}
