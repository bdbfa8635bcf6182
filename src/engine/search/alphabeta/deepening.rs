//! Iterative deepening: a search of the root, one ply deeper each time, until a limit, the clock or a proof ends it.

use std::cmp::Reverse;

use super::root::{MoveScore, Root, RootMove, sort};
use super::worker::MAX_DEPTH;
use crate::eval::{Evaluator, share};
use crate::rules::SearchHints;
use crate::search::report::Report;
use crate::search::{BestMove, PvLine, Score, SearchInfo, SearchTask, TableProber};

/// The least depth at which the clock ends the deepening, unless its hard bound has passed: at this depth an end of the
/// game by the next reply is seen.
const MIN_DEPTH: u32 = 2;

impl<G: SearchHints, E: Evaluator<G>> Root<'_, G, E> {
    /// Searches until a limit, the clock or a proof ends it, with a report after every iteration.
    pub(super) fn run(mut self, report: &mut Report<'_, G::Move>) -> BestMove<G::Move> {
        self.recall();
        let last = self.worker.task.limits.depth.unwrap_or(u32::MAX).clamp(1, MAX_DEPTH as u32);
        for depth in 1..=last {
            let cut_short = self.search(depth as i32, report);
            if self.worker.halted {
                self.salvage(cut_short);
                report(&self.info((depth - 1).max(1)));
                break;
            }
            self.complete();
            report(self.last_report.insert(self.info(depth)));
            if self.is_enough(depth) {
                break;
            }
        }
        BestMove::of_line(&self.line(&self.lines[0]).pv)
    }

    /// Gives moves at the root the results that earlier searches have proved, and puts wins first, losses last.
    fn recall(&mut self) {
        for index in 0..self.moves.len() {
            if let Some(proof) = self.better_proof(self.moves[index].mv, Score::DRAW) {
                self.moves[index].learn(proof.score, &proof.below);
                self.moves[index].loses = proof.score.is_loss();
            }
        }
        self.moves.sort_by_key(|root| Reverse(root.score.unwrap_or(Score::DRAW)));
        let is_won = |root: &&RootMove<G::Move>| root.score.is_some_and(|score| score > Score::DRAW);
        self.known_win = self.moves.first().filter(is_won).cloned();
    }

    fn complete(&mut self) {
        let changed = self.lines.first().is_none_or(|line| self.moves[0].mv != line.mv);
        self.steady = if changed { 0 } else { self.steady + 1 };
        self.lines = self.moves[..self.multi_pv].to_vec();
    }

    /// Sets the lines to report when the search was cut short within an iteration whose best line so far is `best`.
    fn salvage(&mut self, best: Option<RootMove<G::Move>>) {
        if let Some(line) = best {
            self.lines = vec![line];
        }
        if self.lines.is_empty() {
            for index in 0..self.moves.len() {
                let mv = self.moves[index].mv;
                let proof = self.better_proof(mv, Score::DRAW);
                let known = proof.unwrap_or_else(|| MoveScore { score: self.evaluate_after(mv), below: Vec::new() });
                self.moves[index].learn(known.score, &known.below);
                self.moves[index].loses |= known.score.is_loss();
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

    /// Replaces a best line that was refuted just before the search was cut short by one that is not known to lose.
    fn avoid_loss(&mut self) {
        let is_lost = self.multi_pv == 1 && self.lines[0].score.is_some_and(Score::is_loss);
        if let Some(other) = self.moves.iter().find(|other| is_lost && !other.loses) {
            self.lines = vec![RootMove { score: Some(self.worker.evaluate(&self.node)), ..RootMove::new(other.mv) }];
        }
    }

    fn is_enough(&self, depth: u32) -> bool {
        let proved = |line: &RootMove<G::Move>| {
            line.score.and_then(Score::plies_to_end).is_some_and(|plies| plies.unsigned_abs() <= depth)
        };
        let control = self.worker.task.control;
        let is_late = control.must_stop() || (depth >= MIN_DEPTH && !control.may_continue(self.stretch()));
        self.lines.iter().all(proved) || self.has_mate() || is_late
    }

    /// Whether a win as short as the limits ask for has been found.
    fn has_mate(&self) -> bool {
        let SearchTask { game, limits, .. } = self.worker.task;
        let moves = self.lines[0].score.and_then(|score| score.mate_moves(game.seats()));
        matches!((limits.mate, moves), (Some(limit), Some(moves)) if moves > 0 && moves as u32 <= limit)
    }

    /// The factor on the soft time bound: above 1 while the best move changes, below 1 when it has long been the same.
    fn stretch(&self) -> f64 {
        let parameters = self.worker.shared.parameters;
        share(match self.steady {
            _ if self.moves.len() == 1 => parameters.time_forced,
            0 => parameters.time_changed,
            1..=2 => parameters.time_fresh,
            3..=5 => parameters.time_steady,
            _ => parameters.time_settled,
        })
    }

    fn info(&self, depth: u32) -> SearchInfo<G::Move> {
        let worker = &self.worker;
        let lines = self.lines.iter().map(|line| self.line(line)).collect();
        let info = SearchInfo::new(depth, worker.total_nodes(), worker.task.control.elapsed(), lines);
        SearchInfo {
            seldepth: info.seldepth.max(worker.seldepth as u32),
            hashfull: worker.shared.table.fill(),
            tbhits: worker.task.tables.map_or(0, TableProber::hits),
            ..info
        }
    }

    fn line(&self, root: &RootMove<G::Move>) -> PvLine<G::Move> {
        let SearchTask { game, record, .. } = *self.worker.task;
        let reply = |position: &G::Position| self.known_reply(position);
        PvLine::completed(game, record, root.score.unwrap_or(Score::DRAW), root.pv.clone(), reply)
    }
}
