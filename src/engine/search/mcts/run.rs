//! One tree search from start to answer: workers that share the tree, reports, room made in a full tree, and the
//! decision to stop.

use std::mem::take;
use std::sync::OnceLock;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

use super::leaf_value::LeafValue;
use super::near_wins;
use super::report::RootView;
use super::tree::{Abandoned, SearchTree};
use super::uct::TreeStep;
use super::value::ProvedResult;
use super::worker::{SearchPhase, TreeWorker};
use super::{MctsParameters, MctsSettings};
use crate::eval::{Evaluator, share};
use crate::rules::{Game, Seat};
use crate::search::proof_number::{ForcedEnd, Prover};
use crate::search::report::Report;
use crate::search::{
    BestMove, Control, NO_MORE_MEMORY, PvLine, Score, SearchInfo, SearchTask, TableProber, start_helpers,
};

/// The number of iterations before the first report; each further report comes after a quarter more.
const FIRST_REPORT: u64 = 1000;

/// Positions after which the search for forced wins, beside other threads, looks whether they have ended.
const POSITIONS_AT_A_TIME: u64 = 4096;

/// The most iterations: the visits of a node are 32 bits wide.
const MOST_ITERATIONS: u64 = 1 << 31;

/// Parts of the soft time bound at which a search whose choice is decided may end early.
const EARLY: [f64; 5] = [0.9, 0.75, 0.6, 0.45, 0.3];

/// One search: its task, and the data besides the tree that its threads share.
pub(super) struct TreeSearch<'a, G: Game, E> {
    task: &'a SearchTask<'a, G>,
    settings: &'a MctsSettings<E>,
    /// Iterations that the workers have taken on so far.
    taken: AtomicU64,
    /// Plies of the longest line that an iteration followed.
    deepest: AtomicU32,
    /// The win that the prover has found in this search.
    forced: OnceLock<ForcedEnd<G::Move>>,
    /// Ends that earlier searches have proved for moves at the root.
    known: Vec<ForcedEnd<G::Move>>,
    /// Whether a report has said that the system refuses threads.
    lacks_threads: AtomicBool,
    /// Whether one has said that it refuses memory for the tree.
    lacks_memory: AtomicBool,
}

impl<'a, G: Game, E: Evaluator<G>> TreeSearch<'a, G, E> {
    pub(super) fn new(task: &'a SearchTask<'a, G>, settings: &'a MctsSettings<E>, prover: &mut Prover) -> Self {
        TreeSearch {
            task,
            settings,
            taken: AtomicU64::new(0),
            deepest: AtomicU32::new(1),
            forced: OnceLock::new(),
            lacks_threads: AtomicBool::new(false),
            lacks_memory: AtomicBool::new(false),
            known: task.allowed_moves().into_iter().filter_map(|mv| prover.known_after(task, mv)).collect(),
        }
    }

    /// Searches in `tree` and returns it, unless time ran out while room was being made in it.
    pub(super) fn run<P: LeafValue>(
        &self,
        tree: SearchTree<G>,
        prover: &mut Prover,
        report: &mut Report<'_, G::Move>,
    ) -> (BestMove<G::Move>, Option<SearchTree<G>>) {
        let mut tree = self.plant::<P>(tree);
        tree.allow(self.task.root_moves);
        near_wins::prove(self.task, &tree, self.settings.parameters.near_win_plies as u32);
        for end in &self.known {
            if let Some(child) = tree.child_after(end.line[0]).filter(|child| child.proof().is_none()) {
                child.set_proof(ProvedResult::of_forced_end(end));
            }
        }
        let mut workers: Vec<_> = (0..self.task.config.threads.max(1) as u64)
            .map(|number| TreeWorker::<_, _, P>::new(self.task, self.settings, number, tree.lend_stretch()))
            .collect();
        // When making room fails, the tree stays as it is, and the search goes on without growing it.
        let mut grows = true;
        let mut next_report = FIRST_REPORT;
        while !self.is_finished(&tree) {
            self.iterate(&tree, grows, &mut workers, prover, &mut next_report, report);
            // A search that is over leaves this to the next search, which may go on with the tree.
            if tree.arena.is_full() && grows && !self.is_finished(&tree) {
                let info = self.info(&tree);
                report(&info);
                workers.iter_mut().for_each(|worker| tree.take_back(take(&mut worker.stretch)));
                match tree.make_room(|| self.task.control.must_stop()) {
                    Ok(room) => grows = room,
                    Err(Abandoned) => return (BestMove::of_line(&info.lines[0].pv), None),
                }
            }
        }
        workers.iter_mut().for_each(|worker| tree.take_back(take(&mut worker.stretch)));
        drop(workers);
        (self.answer(self.info(&tree), report), Some(tree))
    }

    /// Makes all moves at the root its children, in a fresh tree if the old one has no room for them.
    fn plant<P: LeafValue>(&self, mut tree: SearchTree<G>) -> SearchTree<G> {
        if !self.complete_root::<P>(&mut tree) {
            drop(tree);
            tree = SearchTree::new(self.task);
            self.complete_root::<P>(&mut tree);
        }
        tree
    }

    /// Gives a tree a root with all its children. Returns whether there is room for them.
    fn complete_root<P: LeafValue>(&self, tree: &mut SearchTree<G>) -> bool {
        let mut worker = TreeWorker::<_, _, P>::new(self.task, self.settings, 0, tree.lend_stretch());
        let SearchTask { game, record, .. } = *self.task;
        if tree.arena.is_empty() {
            tree.root = tree.arena.allocate(&mut worker.stretch).unwrap_or(0);
            let opinion = worker.opinion(record.position(), record.counters().idle).rate_for(Seat::P1);
            tree.root_node().begin(game.turn(record.position()).seat(), opinion, None);
        }
        let (arena, root, step) = (&tree.arena, tree.root_node(), TreeStep::root(tree.root, record));
        worker.expand(arena, root, &step);
        while worker.begin_next(arena, root, &step).is_some() {}
        let is_complete = root.is_expanded() && arena.untried(root).next().is_none();
        tree.take_back(worker.stretch);
        is_complete
    }

    /// Iterates until the search ends or the tree is full. The first worker also reports, next after `next_report`
    /// iterations of the search, and looks for forced wins: while other workers iterate, or in turn with its own
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
        // A new thread may wait some milliseconds for a processor of its own, so none is started just for a report.
        std::thread::scope(|scope| {
            let (phase, must_end) = (&phase, &must_end);
            let runs = others.iter_mut().map(|worker| move || worker.run(phase, target, must_end));
            if let Some(refusal) = start_helpers(scope, runs)
                && !self.lacks_threads.swap(true, Relaxed)
            {
                let info = self.info(tree);
                if info.remark.is_some() {
                    report(&info);
                }
                report(&SearchInfo { remark: Some(refusal), ..info });
            }
            while !phase.ended.load(Relaxed) {
                first.run(phase, *next_report, must_end);
                let iterations = self.iterations();
                while self.prove(prover, tree, iterations, positions_at_a_time) && !phase.ended.load(Relaxed) {}
                if self.is_finished(tree) {
                    // The win found may decide the search, and the other workers do not know of it.
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
    /// whether it may have more to do.
    fn prove(&self, prover: &mut Prover, tree: &SearchTree<G>, iterations: u64, most: u64) -> bool {
        let before = prover.positions;
        let worth = self.settings.parameters.proof_positions as u64;
        let Some(win) = prover.prove(self.task, iterations * worth, most) else {
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
        let parameters = &self.settings.parameters;
        let is_reached = |depth| self.iterations() > 0 && self.deepest.load(Relaxed) >= depth;
        self.iterations() >= self.limit()
            || self.task.control.must_stop()
            || view.proof().is_some()
            || self.task.limits.depth.is_some_and(is_reached)
            || has_thought_enough(
                self.task.control,
                parameters,
                self.iterations(),
                || view.lead(),
                || view.is_in_doubt(),
            )
    }

    fn view<'m>(&'m self, tree: &'m SearchTree<G>) -> RootView<'m, G> {
        let near_win_plies = self.settings.parameters.near_win_plies as u32;
        RootView { task: self.task, tree, forced: self.forced.get(), known: &self.known, near_win_plies }
    }

    /// A report of the best lines. If the arena has no room for the root's children, its line is any legal move.
    fn info(&self, tree: &SearchTree<G>) -> SearchInfo<G::Move> {
        let mut lines = self.view(tree).lines();
        if lines.is_empty() {
            let line = |&mv| PvLine { visits: Some(0), ..PvLine::new(self.task.game.seats(), Score(1), vec![mv]) };
            lines.extend(self.task.allowed_moves().first().map(line));
        }
        let depth = self.deepest.load(Relaxed);
        let info = SearchInfo::new(depth, self.iterations(), self.task.control.elapsed(), lines);
        let tbhits = self.task.tables.map_or(0, TableProber::hits);
        let is_news = tree.arena.was_refused() && !self.lacks_memory.swap(true, Relaxed);
        let remark = is_news.then(|| NO_MORE_MEMORY.to_owned());
        SearchInfo { seldepth: depth, hashfull: tree.arena.fill(), tbhits, remark, ..info }
    }

    /// Reports a last time and returns the move that the report recommends.
    fn answer(&self, info: SearchInfo<G::Move>, report: &mut Report<'_, G::Move>) -> BestMove<G::Move> {
        report(&info);
        // The position of a task is not over, so there is a line.
        BestMove::of_line(&info.lines[0].pv)
    }
}

/// Whether to answer now, after `iterations`: the soft bound has passed, or nothing can change the choice by then.
///
/// The two closures are called only when needed: by how many visits the best move leads (`u64::MAX` if it is the only
/// one), and whether the choice is in doubt.
pub(super) fn has_thought_enough(
    control: &Control,
    parameters: &MctsParameters,
    iterations: u64,
    lead: impl FnOnce() -> u64,
    is_in_doubt: impl FnOnce() -> bool,
) -> bool {
    if control.may_continue(share(parameters.time_forced)) {
        return false;
    }
    if !control.may_continue(1.0) {
        return !(control.may_continue(share(parameters.time_in_doubt)) && is_in_doubt());
    }
    let lead = lead();
    let cannot_be_overtaken = |part: &f64| lead as f64 > iterations as f64 * (1.0 - part) / part;
    let mut parts = EARLY.iter().filter(|&&part| part >= share(parameters.time_earliest));
    lead == u64::MAX || parts.find(|&&part| !control.may_continue(part)).is_some_and(cannot_be_overtaken)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::search::TimeBounds;

    fn enough(elapsed_ms: u64, lead: u64, doubt: bool) -> bool {
        enough_by(&MctsParameters::default(), elapsed_ms, lead, doubt)
    }

    fn enough_by(parameters: &MctsParameters, elapsed_ms: u64, lead: u64, doubt: bool) -> bool {
        let control = Control::new(move || Duration::from_millis(elapsed_ms));
        control.set_time(TimeBounds { soft: Duration::from_millis(1000), hard: Duration::from_millis(3000) });
        has_thought_enough(&control, parameters, 1000, || lead, || doubt)
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
    fn shares_of_the_time_are_parameters() {
        let usual = MctsParameters::default();
        assert!(!enough_by(&MctsParameters { time_forced: 40, ..usual }, 30, u64::MAX, false));
        assert!(!enough_by(&MctsParameters { time_in_doubt: 2000, ..usual }, 1500, 0, true));
        assert!(!enough_by(&MctsParameters { time_earliest: 700, ..usual }, 600, 700, false));
    }

    #[test]
    fn without_a_clock_there_is_no_end() {
        assert!(!has_thought_enough(&Control::timeless(), &MctsParameters::default(), 1, || u64::MAX, || false));
    }
}
