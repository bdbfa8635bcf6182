//! One search from start to answer: rounds of iterations with a report after each.

use std::marker::PhantomData;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

use super::clock::{Choice, has_thought_enough};
use super::expand::{Expander, worker_rng};
use super::ledger::Ledger;
use super::memory::{Memory, allowed_children};
use super::node::Mover;
use super::parameters::MctsParameters;
use super::path::Path;
use super::payoff::Payoff;
use super::rate::Curve;
use super::reclaim::{Abandoned, reclaim};
use super::report::RootView;
use super::shallow::Shallow;
use super::worker::{Round, Worker};
use crate::eval::Evaluator;
use crate::rules::{Game, Seat};
use crate::search::{Control, Found, Info, Line, Probing, Score, Task};

/// Reports come after this many iterations, then each time their number has grown by a quarter.
const FIRST_REPORT: u64 = 1000;

/// The check for near wins takes at most this part of the soft time bound.
const CHECK_PART: f64 = 0.25;

/// The visits of a node are 32 bits wide.
const MOST_ITERATIONS: u64 = 1 << 31;

/// What stays the same during one search.
pub(super) struct Run<'a, G: Game, E, P> {
    task: &'a Task<'a, G>,
    control: &'a Control,
    evaluator: &'a E,
    curve: &'a Curve,
    parameters: MctsParameters,
    path: Path<G>,
    taken: AtomicU64,
    deepest: AtomicU32,
    payoff: PhantomData<P>,
}

impl<G: Game> Choice for RootView<'_, G> {
    fn lead(&self) -> u64 {
        RootView::lead(self)
    }
    fn is_in_doubt(&self) -> bool {
        RootView::is_in_doubt(self)
    }
}

impl<'a, G: Game, E: Evaluator<G>, P: Payoff> Run<'a, G, E, P> {
    pub(super) fn new(
        task: &'a Task<'a, G>,
        control: &'a Control,
        evaluator: &'a E,
        curve: &'a Curve,
        parameters: MctsParameters,
    ) -> Self {
        let path = Path::from_record(task.record);
        let (taken, deepest) = (AtomicU64::new(0), AtomicU32::new(1));
        Run { task, control, evaluator, curve, parameters, path, taken, deepest, payoff: PhantomData }
    }

    /// Searches in `memory` and gives it back, unless time ran out in the middle of tidying it up.
    pub(super) fn search(
        &self,
        memory: Memory<G>,
        report: &mut dyn FnMut(&Info<G::Move>),
    ) -> (Found<G::Move>, Option<Memory<G>>) {
        let mut memory = self.plant(memory);
        let allowed = allowed_children(&memory, self.task.root_moves);
        self.check_near_wins(&memory, &allowed);
        let mut workers: Vec<_> = (0..self.task.config.threads.max(1) as u64).map(|n| self.worker(n)).collect();
        // Once tidying up brings no room the tree stays as it is, and the search goes on without growing it.
        let mut grows = true;
        let mut next_report = FIRST_REPORT;
        while !self.is_finished(&self.view(&memory, &allowed), true) {
            self.round(&memory, &allowed, grows, next_report, &mut workers);
            if memory.tree.is_full() && grows {
                let lines = self.lines(&memory, &allowed);
                match self.make_room(&mut memory) {
                    Ok(room) => grows = room,
                    Err(Abandoned) => return (self.answer(lines, FULL, report), None),
                }
            }
            if self.iterations() >= next_report && self.iterations() < self.limit() {
                next_report += (next_report / 4).max(FIRST_REPORT);
                report(&self.info(self.lines(&memory, &allowed), fill(&memory)));
            }
        }
        let found = self.answer(self.lines(&memory, &allowed), fill(&memory), report);
        (found, Some(memory))
    }

    /// Sees to it that the root has children, in a fresh tree if the old one has no room for them.
    fn plant(&self, memory: Memory<G>) -> Memory<G> {
        let memory = self.with_root(memory);
        if memory.tree.node(memory.root).block().is_some() {
            return memory;
        }
        self.with_root(memory.renew(self.task))
    }

    fn with_root(&self, mut memory: Memory<G>) -> Memory<G> {
        let (position, mut expander) = (self.path.position(), self.expander());
        if memory.tree.used() == 0 {
            memory.root = memory.tree.allocate(1).unwrap_or(0);
            let mover = Mover::of_turn(self.task.game.turn(position)).unwrap_or(Mover::Chance);
            let opinion = P::of_opinion(&expander, position, self.path.idle_plies()).booked(Seat::P1);
            memory.tree.node(memory.root).begin(mover, opinion, None);
        }
        expander.expand::<P>(&memory.tree, memory.tree.node(memory.root), &self.path, Seat::P1);
        memory
    }

    /// Proves the moves at the root whose near future is certain.
    fn check_near_wins(&self, memory: &Memory<G>, allowed: &[bool]) {
        let root = memory.tree.node(memory.root);
        let (Mover::Seat(seat), Some((first, count))) = (root.mover(), root.block()) else { return };
        let mut shallow = Shallow::new(self.task.game, self.path.clone(), || !self.control.may_continue(CHECK_PART));
        for offset in 0..u32::from(count) {
            let child = memory.tree.node(first + offset);
            let wanted = allowed.get(offset as usize).is_none_or(|&allowed| allowed) && child.proof().is_none();
            if let Some(mv) = memory.tree.mv(first + offset).filter(|_| wanted)
                && let Some(proof) = shallow.judge(mv, seat)
            {
                child.set_proof(proof);
            }
        }
    }

    fn expander(&self) -> Expander<'a, G, E> {
        Expander::new(self.task, self.evaluator, self.curve, &self.parameters)
    }

    fn worker(&self, number: u64) -> Worker<'a, G, E, P> {
        let rng = worker_rng(self.task.config.seed, self.task.record.plies(), number);
        let ledger = Ledger::new(self.parameters.virtual_loss as u32, self.task.config.threads);
        Worker::new(self.expander(), self.parameters, ledger, self.path.clone(), rng)
    }

    /// Iterates until the next report is due or something ends the search.
    fn round(
        &self,
        memory: &Memory<G>,
        allowed: &[bool],
        grows: bool,
        next_report: u64,
        workers: &mut [Worker<'a, G, E, P>],
    ) {
        let round = Round {
            root: memory.root,
            allowed,
            depth_limit: self.task.limits.depth.map_or(usize::MAX, |depth| depth.max(1) as usize),
            target: next_report.min(self.limit()),
            taken: &self.taken,
            deepest: &self.deepest,
            ended: AtomicBool::new(false),
        };
        let view = self.view(memory, allowed);
        let must_end = |proved: bool| (grows && memory.tree.is_full()) || self.is_finished(&view, proved);
        match workers {
            [worker] => worker.run(&memory.tree, &round, &must_end),
            many => std::thread::scope(|scope| {
                for worker in many {
                    scope.spawn(|| worker.run(&memory.tree, &round, &must_end));
                }
            }),
        }
    }

    /// Makes room in a full tree; says whether that was worth the while.
    fn make_room(&self, memory: &mut Memory<G>) -> Result<bool, Abandoned> {
        reclaim(&mut memory.tree, memory.root, || self.control.must_stop())?;
        memory.root = 0;
        Ok(memory.tree.used() < memory.tree.capacity() / 10 * 9)
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
            || has_thought_enough(self.control, self.iterations(), view)
    }

    fn is_deep_enough(&self) -> bool {
        let reached = |depth| self.iterations() > 0 && self.deepest.load(Relaxed) >= depth;
        self.task.limits.depth.is_some_and(reached)
    }

    fn view<'m>(&self, memory: &'m Memory<G>, allowed: &'m [bool]) -> RootView<'m, G>
    where
        'a: 'm,
    {
        RootView { game: self.task.game, tree: &memory.tree, curve: self.curve, root: memory.root, allowed }
    }

    fn lines(&self, memory: &Memory<G>, allowed: &[bool]) -> Vec<Line<G::Move>> {
        let lines = self.view(memory, allowed).lines(self.task.config.multi_pv, &self.path);
        if lines.is_empty() { self.any_line() } else { lines }
    }

    /// A legal move without an opinion, for a root that has no room for its children.
    fn any_line(&self) -> Vec<Line<G::Move>> {
        let mut moves = self.task.root_moves.to_vec();
        if moves.is_empty() {
            self.task.game.legal_moves(self.path.position(), &mut moves);
        }
        let line = |&mv| Line { score: Score(1), wdl: Score(1).wdl(), pv: vec![mv], visits: Some(0) };
        moves.first().map(line).into_iter().collect()
    }

    fn info(&self, lines: Vec<Line<G::Move>>, hashfull: u32) -> Info<G::Move> {
        let depth = self.deepest.load(Relaxed);
        let (nodes, elapsed) = (self.iterations(), self.control.elapsed());
        let tbhits = self.task.tables.map_or(0, Probing::hits);
        Info { depth, seldepth: depth, nodes, elapsed, hashfull, tbhits, lines, remark: None }
    }

    /// The last report, and the move it recommends.
    fn answer(
        &self,
        lines: Vec<Line<G::Move>>,
        hashfull: u32,
        report: &mut dyn FnMut(&Info<G::Move>),
    ) -> Found<G::Move> {
        // A task's position is not over, so there is a line; that is the caller's part of the contract.
        let found = Found { best: lines[0].pv[0], ponder: lines[0].pv.get(1).copied() };
        report(&self.info(lines, hashfull));
        found
    }
}

/// A full tree, in thousandths.
const FULL: u32 = 1000;

fn fill<G: Game>(memory: &Memory<G>) -> u32 {
    (u64::from(memory.tree.used()) * u64::from(FULL) / u64::from(memory.tree.capacity())) as u32
}
