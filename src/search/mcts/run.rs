//! One search from start to answer: rounds of iterations with a report after each.

use std::marker::PhantomData;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

use super::clock::has_thought_enough;
use super::expand::{Expander, worker_rng};
use super::leaf_value::LeafValue;
use super::near_wins::NearWinSearch;
use super::node::Mover;
use super::parameters::MctsParameters;
use super::reclaim::{Abandoned, reclaim};
use super::report::RootView;
use super::tree::{SearchTree, allowed_children};
use super::visits::VisitRecorder;
use super::worker::{Phase, TreeWorker};
use crate::eval::Evaluator;
use crate::rules::{Game, Seat};
use crate::search::wdl_curve::WdlCurve;
use crate::search::{BestMove, Control, PvLine, Score, SearchInfo, SearchTask, TableProber};

/// Reports come after this many iterations, then each time their number has grown by a quarter.
const FIRST_REPORT: u64 = 1000;

/// The visits of a node are 32 bits wide.
const MOST_ITERATIONS: u64 = 1 << 31;

/// What stays the same during one search.
pub(super) struct TreeSearch<'a, G: Game, E, P> {
    task: &'a SearchTask<'a, G>,
    control: &'a Control,
    evaluator: &'a E,
    curve: &'a WdlCurve,
    parameters: MctsParameters,
    taken: AtomicU64,
    deepest: AtomicU32,
    value_type: PhantomData<P>,
}

impl<'a, G: Game, E: Evaluator<G>, P: LeafValue> TreeSearch<'a, G, E, P> {
    pub(super) fn new(
        task: &'a SearchTask<'a, G>,
        control: &'a Control,
        evaluator: &'a E,
        curve: &'a WdlCurve,
        parameters: MctsParameters,
    ) -> Self {
        let (taken, deepest) = (AtomicU64::new(0), AtomicU32::new(1));
        TreeSearch { task, control, evaluator, curve, parameters, taken, deepest, value_type: PhantomData }
    }

    /// Searches in `memory` and gives it back, unless time ran out in the middle of tidying it up.
    pub(super) fn search(
        &self,
        tree: SearchTree<G>,
        report: &mut dyn FnMut(&SearchInfo<G::Move>),
    ) -> (BestMove<G::Move>, Option<SearchTree<G>>) {
        let mut tree = self.plant(tree);
        let allowed = allowed_children(&tree, self.task.root_moves);
        self.check_near_wins(&tree, &allowed);
        let mut workers: Vec<_> = (0..self.task.config.threads.max(1) as u64).map(|n| self.worker(n)).collect();
        // Once tidying up brings no room the tree stays as it is, and the search goes on without growing it.
        let mut grows = true;
        let mut next_report = FIRST_REPORT;
        while !self.is_finished(&self.view(&tree, &allowed), true) {
            self.phase(&tree, &allowed, grows, next_report, &mut workers);
            if tree.arena.is_full() && grows {
                let lines = self.lines(&tree, &allowed);
                match self.make_room(&mut tree) {
                    Ok(room) => grows = room,
                    Err(Abandoned) => return (self.answer(lines, FULL, report), None),
                }
            }
            if self.iterations() >= next_report && self.iterations() < self.limit() {
                next_report += (next_report / 4).max(FIRST_REPORT);
                report(&self.info(self.lines(&tree, &allowed), fill(&tree)));
            }
        }
        let found = self.answer(self.lines(&tree, &allowed), fill(&tree), report);
        (found, Some(tree))
    }

    /// Sees to it that the root has children, in a fresh tree if the old one has no room for them.
    fn plant(&self, tree: SearchTree<G>) -> SearchTree<G> {
        let tree = self.with_root(tree);
        if tree.arena.node(tree.root).block().is_some() {
            return tree;
        }
        self.with_root(tree.renew(self.task))
    }

    fn with_root(&self, mut tree: SearchTree<G>) -> SearchTree<G> {
        let (record, mut expander) = (self.task.record, self.expander());
        if tree.arena.used() == 0 {
            tree.root = tree.arena.allocate(1).unwrap_or(0);
            let mover = Mover::of_turn(self.task.game.turn(record.position())).unwrap_or(Mover::Chance);
            let opinion = expander.opinion::<P>(record.position(), record.idle_plies()).booked(Seat::P1);
            tree.arena.node(tree.root).begin(mover, opinion, None);
        }
        expander.expand::<P>(&tree.arena, tree.arena.node(tree.root), record, Seat::P1);
        tree
    }

    /// Proves the moves at the root whose near future is certain.
    fn check_near_wins(&self, tree: &SearchTree<G>, allowed: &[bool]) {
        let root = tree.arena.node(tree.root);
        let (Mover::Seat(seat), Some((first, count))) = (root.mover(), root.block()) else { return };
        let mut near_wins = NearWinSearch::new(self.task.game, self.task.record.clone(), self.control);
        for offset in 0..u32::from(count) {
            let child = tree.arena.node(first + offset);
            let wanted = allowed.get(offset as usize).is_none_or(|&allowed| allowed) && child.proof().is_none();
            if let Some(mv) = tree.arena.mv(first + offset).filter(|_| wanted)
                && let Some(proof) = near_wins.judge(mv, seat)
            {
                child.set_proof(proof);
            }
        }
    }

    fn expander(&self) -> Expander<'a, G, E> {
        Expander::new(self.task, self.evaluator, self.curve, &self.parameters)
    }

    fn worker(&self, number: u64) -> TreeWorker<'a, G, E, P> {
        let rng = worker_rng(self.task.config.seed, self.task.record.plies(), number);
        let visits = VisitRecorder::new(self.parameters.virtual_loss as u32, self.task.config.threads);
        TreeWorker::new(self.expander(), self.parameters, visits, self.task.record.clone(), rng)
    }

    /// Iterates until the next report is due or something ends the search.
    fn phase(
        &self,
        tree: &SearchTree<G>,
        allowed: &[bool],
        grows: bool,
        next_report: u64,
        workers: &mut [TreeWorker<'a, G, E, P>],
    ) {
        let phase = Phase {
            root: tree.root,
            allowed,
            depth_limit: self.task.limits.depth.map_or(usize::MAX, |depth| depth.max(1) as usize),
            target: next_report.min(self.limit()),
            taken: &self.taken,
            deepest: &self.deepest,
            ended: AtomicBool::new(false),
        };
        let view = self.view(tree, allowed);
        let must_end = |proved: bool| (grows && tree.arena.is_full()) || self.is_finished(&view, proved);
        match workers {
            [worker] => worker.run(&tree.arena, &phase, &must_end),
            many => std::thread::scope(|scope| {
                for worker in many {
                    scope.spawn(|| worker.run(&tree.arena, &phase, &must_end));
                }
            }),
        }
    }

    /// Makes room in a full tree; says whether that was worth the while.
    fn make_room(&self, tree: &mut SearchTree<G>) -> Result<bool, Abandoned> {
        reclaim(&mut tree.arena, tree.root, || self.control.must_stop())?;
        tree.root = 0;
        Ok(tree.arena.used() < tree.arena.capacity() / 10 * 9)
    }

    fn limit(&self) -> u64 {
        self.task.limits.nodes.unwrap_or(MOST_ITERATIONS).min(MOST_ITERATIONS)
    }

    fn iterations(&self) -> u64 {
        self.taken.load(Relaxed)
    }

    /// Whether the search is over; the root is asked for an exact result only when one of its moves was `proved`.
    fn is_finished(&self, view: &RootView<'_, G>, proved: bool) -> bool {
        self.iterations() >= self.limit()
            || self.control.must_stop()
            || (proved && view.proof().is_some())
            || self.is_deep_enough()
            || has_thought_enough(self.control, self.iterations(), || view.lead(), || view.is_in_doubt())
    }

    fn is_deep_enough(&self) -> bool {
        let reached = |depth| self.iterations() > 0 && self.deepest.load(Relaxed) >= depth;
        self.task.limits.depth.is_some_and(reached)
    }

    fn view<'m>(&self, tree: &'m SearchTree<G>, allowed: &'m [bool]) -> RootView<'m, G>
    where
        'a: 'm,
    {
        RootView { game: self.task.game, arena: &tree.arena, curve: self.curve, root: tree.root, allowed }
    }

    fn lines(&self, tree: &SearchTree<G>, allowed: &[bool]) -> Vec<PvLine<G::Move>> {
        let lines = self.view(tree, allowed).lines(self.task.config.multi_pv, self.task.record);
        if lines.is_empty() { self.any_line() } else { lines }
    }

    /// A legal move without an opinion, for a root that has no room for its children.
    fn any_line(&self) -> Vec<PvLine<G::Move>> {
        let line = |&mv| PvLine { visits: Some(0), ..PvLine::new(self.task.game.seats(), Score(1), vec![mv]) };
        self.task.allowed_moves().first().map(line).into_iter().collect()
    }

    fn info(&self, lines: Vec<PvLine<G::Move>>, hashfull: u32) -> SearchInfo<G::Move> {
        let depth = self.deepest.load(Relaxed);
        let tbhits = self.task.tables.map_or(0, TableProber::hits);
        let info = SearchInfo::new(depth, self.iterations(), self.control.elapsed(), lines);
        SearchInfo { seldepth: depth, hashfull, tbhits, ..info }
    }

    /// The last report, and the move it recommends.
    fn answer(
        &self,
        lines: Vec<PvLine<G::Move>>,
        hashfull: u32,
        report: &mut dyn FnMut(&SearchInfo<G::Move>),
    ) -> BestMove<G::Move> {
        // A task's position is not over, so there is a line; that is the caller's part of the contract.
        let answer = BestMove::of_line(&lines[0].pv);
        report(&self.info(lines, hashfull));
        answer
    }
}

/// A full tree, in thousandths.
const FULL: u32 = 1000;

fn fill<G: Game>(tree: &SearchTree<G>) -> u32 {
    (u64::from(tree.arena.used()) * u64::from(FULL) / u64::from(tree.arena.capacity())) as u32
}
