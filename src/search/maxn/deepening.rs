//! Iterations of growing depth over the moves at the root.

use crate::eval::Evaluator;
use crate::rules::{Game, Seat};
use crate::search::continuation::complete;
use crate::search::{PvLine, Score, SearchInfo, SearchTask};

use super::MAX_DEPTH;
use super::tree::{ShareBound, Tree};
use super::value::Value;

/// The part of the soft time bound that is spent on the only legal move.
const STRETCH_WITHOUT_CHOICE: f64 = 0.02;

/// A move at the root with what the iteration says about it.
#[derive(Clone)]
struct RootMove<M> {
    mv: M,
    /// `None` when the move is not among the best so many.
    value: Option<Value>,
    pv: Vec<M>,
}

pub(super) struct Deepening<'t, 'a, G: Game, E> {
    tree: Tree<'a, G, E>,
    task: &'t SearchTask<'a, G>,
    seat: Seat,
    moves: Vec<RootMove<G::Move>>,
    multi_pv: usize,
    /// The best lines of the last completed iteration, or better ones of the iteration that was cut short.
    lines: Vec<RootMove<G::Move>>,
}

impl<'t, 'a, G: Game, E: Evaluator<G>> Deepening<'t, 'a, G, E> {
    pub(super) fn new(tree: Tree<'a, G, E>, task: &'t SearchTask<'a, G>) -> Self {
        // At a roll nobody chooses; the first seat's view is as good as any.
        let seat = task.record.turn(task.game).seat().unwrap_or(Seat::P1);
        let fresh = |mv| RootMove { mv, value: None, pv: vec![mv] };
        let moves: Vec<_> = task.allowed_moves().into_iter().map(fresh).collect();
        let multi_pv = task.config.multi_pv.clamp(1, moves.len().max(1));
        Deepening { tree, task, seat, moves, multi_pv, lines: Vec::new() }
    }

    /// Searches until a limit, the clock or a proof ends it; returns the best line, as it was reported.
    pub(super) fn run(&mut self, report: &mut dyn FnMut(&SearchInfo<G::Move>)) -> Vec<G::Move> {
        let last = self.task.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let mut completed = 0;
        for depth in 1..=last {
            self.iterate(depth);
            if self.tree.halted {
                break;
            }
            completed = depth;
            self.lines = self.moves[..self.multi_pv].to_vec();
            report(&self.info(depth));
            if self.is_enough(depth) {
                break;
            }
        }
        if self.tree.halted {
            self.salvage();
            report(&self.info(completed.max(1)));
        }
        self.line(&self.lines[0]).pv
    }

    fn iterate(&mut self, depth: u32) {
        self.tree.begin_iteration(depth);
        self.moves.iter_mut().for_each(|root| root.value = None);
        let mut best: Vec<f64> = Vec::new();
        for index in 0..self.moves.len() {
            // A move has to beat the last of the best so many.
            let bound = match best.get(self.multi_pv - 1) {
                Some(&share) => ShareBound { seat: self.seat, share },
                None => ShareBound::none(self.seat),
            };
            let mv = self.moves[index].mv;
            let value = self.tree.after(mv, depth as i32 - 1, bound);
            if self.tree.halted {
                break;
            }
            let share = value.share(self.seat);
            if share > bound.share {
                let root = &mut self.moves[index];
                root.value = Some(value);
                root.pv.clear();
                root.pv.push(mv);
                root.pv.extend_from_slice(self.tree.line());
                best.insert(best.partition_point(|&other| other >= share), share);
            }
        }
        self.sort();
    }

    /// Puts the highest shares first; moves without a value keep their order behind them.
    fn sort(&mut self) {
        let seat = self.seat;
        let share = |root: &RootMove<G::Move>| root.value.map_or(-1.0, |value| value.share(seat));
        self.moves.sort_by(|one, other| share(other).total_cmp(&share(one)));
    }

    /// What there is when the search was cut short within an iteration: the first moves are the best of the last one,
    /// so that a single best line may be trusted.
    fn salvage(&mut self) {
        if self.lines.is_empty() {
            for root in &mut self.moves {
                root.value = Some(self.tree.glance(root.mv));
                root.pv = vec![root.mv];
            }
            self.sort();
            self.lines = self.moves[..self.multi_pv].to_vec();
        } else if self.multi_pv == 1 && self.moves[0].value.is_some() {
            self.lines = self.moves[..1].to_vec();
        }
    }

    fn is_enough(&self, depth: u32) -> bool {
        let near = |score: Score| score.plies_to_end().is_some_and(|plies| plies.unsigned_abs() <= depth);
        let proved = self.lines.iter().all(|line| near(self.score(line)));
        let stretch = if self.moves.len() == 1 { STRETCH_WITHOUT_CHOICE } else { 1.0 };
        proved || self.has_mate() || !self.tree.control.may_continue(stretch)
    }

    fn has_mate(&self) -> bool {
        let moves = self.score(&self.lines[0]).mate_moves(self.tree.game.seats());
        matches!((self.task.limits.mate, moves), (Some(limit), Some(moves)) if moves > 0 && moves as u32 <= limit)
    }

    fn score(&self, root: &RootMove<G::Move>) -> Score {
        root.value.map_or(Score(1), |value| value.score(self.tree.curve, self.seat))
    }

    fn line(&self, root: &RootMove<G::Move>) -> PvLine<G::Move> {
        complete(self.tree.game, self.task.record, self.score(root), root.pv.clone(), |_| None)
    }

    fn info(&self, depth: u32) -> SearchInfo<G::Move> {
        let lines: Vec<_> = self.lines.iter().map(|line| self.line(line)).collect();
        let info = SearchInfo::new(depth, self.tree.nodes, self.tree.control.elapsed(), lines);
        let seldepth = info.seldepth.max(self.tree.seldepth as u32);
        SearchInfo { seldepth, hashfull: self.tree.cache.fill(), ..info }
    }
}
