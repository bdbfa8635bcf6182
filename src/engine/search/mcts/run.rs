//! One tree search from start to answer: workers that share the tree, reports, room made when it is full, and the
//! decision to stop.

use std::mem::take;
use std::sync::OnceLock;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

use super::MctsSettings;
use super::leaf_value::LeafValue;
use super::near_wins;
use super::report::RootView;
use super::tree::{Abandoned, SearchTree};
use super::uct::TreeStep;
use super::value::ProvedResult;
use super::worker::{SearchPhase, TreeWorker};
use crate::eval::Evaluator;
use crate::rules::{Game, Seat};
use crate::search::proof_number::{ForcedEnd, Prover};
use crate::search::report::Report;
use crate::search::{BestMove, Control, PvLine, Score, SearchInfo, SearchTask, TableProber};

/// Reports come after this many iterations, then each time their number has grown by a quarter.
const FIRST_REPORT: u64 = 1000;

/// The positions of the search for forced wins that count as much as an iteration.
const POSITIONS_PER_ITERATION: u64 = 8;
/// Beside other threads the search for forced wins looks after this many positions whether they have ended.
const POSITIONS_AT_A_TIME: u64 = 4096;

/// The visits of a node are 32 bits wide.
const MOST_ITERATIONS: u64 = 1 << 31;

/// Parts of the soft time bound at which a decided search may end early.
const EARLY: [f64; 5] = [0.9, 0.75, 0.6, 0.45, 0.3];
/// A forced move takes this part of the time.
const FORCED: f64 = 0.02;
/// A choice in doubt may take this much of the soft bound.
const IN_DOUBT: f64 = 1.5;

/// One search: its task, and what its threads share besides the tree.
pub(super) struct TreeSearch<'a, G: Game, E> {
    task: &'a SearchTask<'a, G>,
    settings: &'a MctsSettings<E>,
    /// Iterations taken on by all workers.
    taken: AtomicU64,
    /// Plies of the longest line that an iteration followed.
    deepest: AtomicU32,
    /// The win that the prover has found in this search.
    forced: OnceLock<ForcedEnd<G::Move>>,
    /// Ends that earlier searches have proved for moves at the root.
    known: Vec<ForcedEnd<G::Move>>,
}

impl<'a, G: Game, E: Evaluator<G>> TreeSearch<'a, G, E> {
    pub(super) fn new(task: &'a SearchTask<'a, G>, settings: &'a MctsSettings<E>, prover: &mut Prover) -> Self {
        TreeSearch {
            task,
            settings,
            taken: AtomicU64::new(0),
            deepest: AtomicU32::new(1),
            forced: OnceLock::new(),
            known: task.allowed_moves().into_iter().filter_map(|mv| prover.known_after(task, mv)).collect(),
        }
    }

    /// Searches in `tree` and gives it back, unless time ran out in the middle of tidying it up.
    pub(super) fn run<P: LeafValue>(
        &self,
        tree: SearchTree<G>,
        prover: &mut Prover,
        report: &mut Report<'_, G::Move>,
    ) -> (BestMove<G::Move>, Option<SearchTree<G>>) {
        let mut tree = self.plant::<P>(tree);
        tree.allow(self.task.root_moves);
        near_wins::prove(self.task, &tree);
        for end in &self.known {
            if let Some(child) = tree.child_after(end.line[0]).filter(|child| child.proof().is_none()) {
                child.set_proof(ProvedResult::of_forced_end(end));
            }
        }
        let mut workers: Vec<_> = (0..self.task.config.threads.max(1) as u64)
            .map(|number| TreeWorker::<_, _, P>::new(self.task, self.settings, number, tree.lend_stretch()))
            .collect();
        // Once tidying up brings no room the tree stays as it is, and the search goes on without growing it.
        let mut grows = true;
        let mut next_report = FIRST_REPORT;
        while !self.is_finished(&tree) {
            self.iterate(&tree, grows, &mut workers, prover, &mut next_report, report);
            // A search that is over leaves the tidying up to the next one, which may go on with this tree.
            if tree.arena.is_full() && grows && !self.is_finished(&tree) {
                let info = self.info(&tree);
                workers.iter_mut().for_each(|worker| tree.take_back(take(&mut worker.stretch)));
                match tree.make_room(|| self.task.control.must_stop()) {
                    Ok(room) => grows = room,
                    Err(Abandoned) => return (self.answer(info, report), None),
                }
            }
        }
        workers.iter_mut().for_each(|worker| tree.take_back(take(&mut worker.stretch)));
        drop(workers);
        (self.answer(self.info(&tree), report), Some(tree))
    }

    /// Gives the root children, in a fresh tree if the old one has no room for them.
    fn plant<P: LeafValue>(&self, tree: SearchTree<G>) -> SearchTree<G> {
        let tree = self.with_root::<P>(tree);
        if tree.root_node().block().is_some() {
            return tree;
        }
        self.with_root::<P>(tree.renew(self.task))
    }

    fn with_root<P: LeafValue>(&self, mut tree: SearchTree<G>) -> SearchTree<G> {
        let mut worker = TreeWorker::<_, _, P>::new(self.task, self.settings, 0, tree.lend_stretch());
        let SearchTask { game, record, .. } = *self.task;
        if tree.arena.used() == 0 {
            tree.root = tree.arena.allocate(&mut worker.stretch, 1).unwrap_or(0);
            let opinion = worker.opinion(record.position(), record.counters().idle).rate_for(Seat::P1);
            tree.root_node().begin(game.turn(record.position()).seat(), opinion, None);
        }
        worker.expand(&tree.arena, tree.root_node(), &TreeStep::root(tree.root, record));
        tree.take_back(worker.stretch);
        tree
    }

    /// Iterates until something ends the search or the tree is full. The first worker also reports, next after
    /// `next_report` iterations of the search, and looks for forced wins: beside the others, or in turn with its own
    /// iterations if it is alone.
    fn iterate<P: LeafValue>(
        &self,
        tree: &SearchTree<G>,
        grows: bool,
        workers: &mut [TreeWorker<'a, G, E, P>],
        prover: &mut Prover,
        next_report: &mut u64,
        report: &mut Report<'_, G::Move>,
    ) {
        let target = self.limit();
        let ended = AtomicBool::new(false);
        let phase = SearchPhase { tree, target, taken: &self.taken, deepest: &self.deepest, ended };
        let must_end = || (grows && tree.arena.is_full()) || self.is_finished(tree);
        let [first, others @ ..] = workers else { return };
        let positions_at_a_time = if others.is_empty() { u64::MAX } else { POSITIONS_AT_A_TIME };
        // A new thread may wait some milliseconds for a processor of its own, so that none is begun for a report only.
        std::thread::scope(|scope| {
            for worker in others {
                scope.spawn(|| worker.run(&phase, target, &must_end));
            }
            while !phase.ended.load(Relaxed) {
                first.run(&phase, *next_report, &must_end);
                let iterations = self.iterations();
                while self.prove(prover, tree, iterations, positions_at_a_time) && !phase.ended.load(Relaxed) {}
                if self.is_finished(tree) {
                    // What was found may decide the search, which the others do not know of.
                    phase.ended.store(true, Relaxed);
                } else if iterations >= *next_report {
                    let info = self.info(tree);
                    while *next_report <= info.nodes {
                        *next_report += (*next_report / 4).max(FIRST_REPORT);
                    }
                    report(&info);
                }
            }
        });
    }

    /// Lets the prover look at its share of positions for `iterations` iterations, but at no more than `most`. Returns
    /// whether more may be left to do.
    fn prove(&self, prover: &mut Prover, tree: &SearchTree<G>, iterations: u64, most: u64) -> bool {
        let before = prover.positions;
        let Some(win) = prover.prove(self.task, iterations * POSITIONS_PER_ITERATION, most) else {
            return prover.positions > before;
        };
        if let Some(child) = tree.child_after(win.line[0]) {
            child.set_proof(ProvedResult::of_forced_end(&win));
        }
        let _ = self.forced.set(win);
        false
    }

    fn limit(&self) -> u64 {
        self.task.limits.nodes.unwrap_or(MOST_ITERATIONS).min(MOST_ITERATIONS)
    }

    fn iterations(&self) -> u64 {
        self.taken.load(Relaxed)
    }

    /// Whether the search is over.
    fn is_finished(&self, tree: &SearchTree<G>) -> bool {
        let view = self.view(tree);
        let is_reached = |depth| self.iterations() > 0 && self.deepest.load(Relaxed) >= depth;
        self.iterations() >= self.limit()
            || self.task.control.must_stop()
            || view.proof().is_some()
            || self.task.limits.depth.is_some_and(is_reached)
            || has_thought_enough(self.task.control, self.iterations(), || view.lead(), || view.is_in_doubt())
    }

    fn view<'m>(&'m self, tree: &'m SearchTree<G>) -> RootView<'m, G> {
        RootView { task: self.task, tree, forced: self.forced.get(), known: &self.known }
    }

    /// A report of the best lines. A root that has no room for its children gets a legal move without an opinion.
    fn info(&self, tree: &SearchTree<G>) -> SearchInfo<G::Move> {
        let mut lines = self.view(tree).lines();
        if lines.is_empty() {
            let line = |&mv| PvLine { visits: Some(0), ..PvLine::new(self.task.game.seats(), Score(1), vec![mv]) };
            lines.extend(self.task.allowed_moves().first().map(line));
        }
        let depth = self.deepest.load(Relaxed);
        let info = SearchInfo::new(depth, self.iterations(), self.task.control.elapsed(), lines);
        let tbhits = self.task.tables.map_or(0, TableProber::hits);
        SearchInfo { seldepth: depth, hashfull: tree.arena.fill(), tbhits, ..info }
    }

    /// The last report, and the move it recommends.
    fn answer(&self, info: SearchInfo<G::Move>, report: &mut Report<'_, G::Move>) -> BestMove<G::Move> {
        report(&info);
        // A task's position is not over, so there is a line; that is the caller's part of the contract.
        BestMove::of_line(&info.lines[0].pv)
    }
}

/// Whether to answer now after `iterations`: the soft bound has passed, or nothing can change the choice before it.
///
/// Asked only when it matters: by how many visits the best move leads (`u64::MAX` if there is no other), and whether
/// the choice is in doubt.
pub(super) fn has_thought_enough(
    control: &Control,
    iterations: u64,
    lead: impl FnOnce() -> u64,
    is_in_doubt: impl FnOnce() -> bool,
) -> bool {
    if control.may_continue(FORCED) {
        return false;
    }
    if !control.may_continue(1.0) {
        return !(control.may_continue(IN_DOUBT) && is_in_doubt());
    }
    let lead = lead();
    let cannot_be_overtaken = |part: &f64| lead as f64 > iterations as f64 * (1.0 - part) / part;
    lead == u64::MAX || EARLY.iter().find(|&&part| !control.may_continue(part)).is_some_and(cannot_be_overtaken)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::search::TimeBounds;

    fn enough(elapsed_ms: u64, lead: u64, doubt: bool) -> bool {
        let control = Control::new(move || Duration::from_millis(elapsed_ms));
        control.set_time(TimeBounds { soft: Duration::from_millis(1000), hard: Duration::from_millis(3000) });
        has_thought_enough(&control, 1000, || lead, || doubt)
    }

    #[test]
    fn a_forced_move_is_quick_and_a_doubtful_one_slow() {
        assert!(!enough(10, u64::MAX, false));
        assert!(enough(30, u64::MAX, false));
        assert!(enough(1000, 0, false));
        assert!(!enough(1000, 0, true));
        assert!(enough(1500, 0, true));
    }

    #[test]
    fn a_lead_ends_the_search_once_the_rest_cannot_make_it_up() {
        assert!(!enough(600, 600, false));
        assert!(enough(600, 700, false));
    }

    #[test]
    fn without_a_clock_there_is_no_end() {
        assert!(!has_thought_enough(&Control::timeless(), 1, || u64::MAX, || false));
    }
}
