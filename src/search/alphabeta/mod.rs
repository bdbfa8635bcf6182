//! Alpha-beta: principal-variation search with iterative deepening over a shared transposition table.
//!
//! A node's life is in `node` (probe, order, recurse, store) and `quiescence`; `worker` steps from node to node,
//! `path` knows what repeats, `deepening` and `root` lead the iterations. With several threads every worker runs
//! the same search on its own, and they help each other through the table alone.

mod chance;
mod deepening;
#[cfg(test)]
mod dice_tests;
mod node;
mod ordering;
mod parameters;
mod path;
mod quiescence;
mod report;
mod root;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod toys;
mod window;
mod worker;

use std::marker::PhantomData;
use std::thread;

use super::maxn;
use super::transposition::TranspositionTable;
use super::wdl_curve::WdlCurve;
use super::{BestMove, Control, SearchInfo, SearchTask, Searcher};
use crate::eval::Evaluator;
use crate::rules::{Game, Seat};

use deepening::Deepening;
use parameters::Reductions;
use worker::{Shared, ThreadRole, Worker};

pub(crate) use parameters::AlphaBetaParameters;

/// Iterations end here.
const MAX_DEPTH: i32 = 120;
/// No line is followed further than this.
const MAX_PLY: usize = 192;
/// Moves at the first plies are searched in full from the iteration of this depth on.
const FULL_WIDTH_PLIES: i32 = 4;

/// The alpha-beta searcher with the opinions of `E`. Games of more than two seats are searched by max^n.
pub struct AlphaBeta<G: Game, E: Evaluator<G>> {
    evaluator: E,
    parameters: AlphaBetaParameters,
    reductions: Reductions,
    curve: WdlCurve,
    /// Built at the first search, for only a task knows how large it may be.
    table: Option<TranspositionTable>,
    game: PhantomData<fn(&G)>,
}

impl<G: Game, E: Evaluator<G>> AlphaBeta<G, E> {
    pub fn new(evaluator: E, parameters: AlphaBetaParameters) -> Self {
        let reductions = Reductions::new(&parameters);
        AlphaBeta { evaluator, parameters, reductions, curve: WdlCurve::new(), table: None, game: PhantomData }
    }
}

/// Makes room in the table as the task allows, and begins a new generation in it.
fn prepare(table: &mut Option<TranspositionTable>, hash_mib: usize) -> &TranspositionTable {
    let table = table.get_or_insert_with(|| TranspositionTable::new(hash_mib));
    table.resize(hash_mib);
    table.next_generation();
    table
}

/// One worker's whole search.
fn work<G: Game, E: Evaluator<G>>(
    task: &SearchTask<'_, G>,
    evaluator: &E,
    shared: &Shared<'_>,
    role: ThreadRole,
    report: &mut dyn FnMut(&SearchInfo<G::Move>),
) -> BestMove<G::Move> {
    let moves = task.allowed_moves();
    let seat = task.record.turn(task.game).seat().unwrap_or(Seat::P1);
    let mut worker = Worker::new(task, evaluator, shared, role);
    let root = worker.root(task.record, seat);
    let pv = Deepening::new(&mut worker, task.record, root, &moves, task.config.multi_pv).run(report);
    BestMove::of_line(&pv)
}

impl<G: Game, E: Evaluator<G>> Searcher<G> for AlphaBeta<G, E> {
    fn search(
        &mut self,
        task: &SearchTask<'_, G>,
        control: &Control,
        report: &mut dyn FnMut(&SearchInfo<G::Move>),
    ) -> BestMove<G::Move> {
        if task.game.seats() > 2 {
            return maxn::search(task, control, &self.evaluator, &self.curve, report);
        }
        let table = prepare(&mut self.table, task.config.hash_mib);
        let threads = task.config.threads.max(1);
        let shared =
            Shared::new(table, control, task.limits, self.parameters, (&self.reductions, &self.curve), threads);
        let evaluator = &self.evaluator;
        thread::scope(|scope| {
            for _ in 1..threads {
                // A helper that cannot be started is missed, but the search goes on without it.
                let helper = || {
                    work(task, evaluator, &shared, ThreadRole::Helper, &mut |_| {});
                };
                let _ = thread::Builder::new().spawn_scoped(scope, helper);
            }
            let found = work(task, evaluator, &shared, ThreadRole::Leader, report);
            shared.finish();
            found
        })
    }

    fn clear(&mut self) {
        self.table.iter_mut().for_each(TranspositionTable::clear);
    }
}
