//! Alpha-beta: principal-variation search with iterative deepening over a shared transposition table.
//!
//! Files in the order of their dependence: `window` and `stars` are bounds on scores, `node` is a position in the
//! tree, `ordering` ranks its moves, `path` knows what repeats, and `worker` steps from node to node. `recursion`,
//! `quiescence` and `chance` are the three kinds of nodes; they are methods of the worker and call each other, as the
//! tree demands. Late moves are searched less deeply, and positions far above the window not at all (reverse futility
//! pruning). `root` leads the windows at the root. With several threads every worker runs the same search on its
//! own, and they help each other through the table alone.

mod chance;
#[cfg(test)]
mod dice_tests;
mod node;
mod ordering;
mod parameters;
mod path;
mod quiescence;
mod recursion;
mod root;
mod stars;
#[cfg(test)]
mod tests;
mod window;
mod worker;

use std::marker::PhantomData;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::thread;

use node::Node;
pub(crate) use parameters::AlphaBetaParameters;
use parameters::AlphaBetaSettings;
use root::Root;
use worker::{SearchWorker, Shared, ThreadRole};

use super::deepening::Deepening;
use super::proof_number::Prover;
use super::transposition::TranspositionTable;
use super::{BestMove, SearchInfo, SearchTask, Searcher};
use crate::eval::Evaluator;
use crate::rules::{Game, SearchHints};

/// The alpha-beta searcher with the opinions of `E`, for games of one or two seats.
pub struct AlphaBeta<G: Game, E: Evaluator<G>> {
    evaluator: E,
    settings: AlphaBetaSettings,
    /// Built at the first search, for only a task knows how large it may be.
    table: Option<TranspositionTable>,
    prover: Prover,
    game: PhantomData<fn(&G)>,
}

impl<G: SearchHints, E: Evaluator<G>> AlphaBeta<G, E> {
    /// A searcher that has learned nothing yet.
    pub fn new(evaluator: E, parameters: AlphaBetaParameters) -> Self {
        let (settings, prover) = (AlphaBetaSettings::new(parameters), Prover::new(PROVER_BYTES));
        AlphaBeta { evaluator, settings, table: None, prover, game: PhantomData }
    }
}

/// Memory of the search for forced wins, beside the table.
const PROVER_BYTES: usize = 4 << 20;

/// One thread's whole search; the leader looks for forced wins too.
fn work<G: SearchHints, E: Evaluator<G>>(
    task: &SearchTask<'_, G>,
    evaluator: &E,
    shared: &Shared<'_>,
    prover: Option<&mut Prover>,
    report: &mut dyn FnMut(&SearchInfo<G::Move>),
) -> BestMove<G::Move> {
    let role = if prover.is_some() { ThreadRole::Leader } else { ThreadRole::Helper };
    let (worker, node) = (SearchWorker::new(task, evaluator, shared, role), Node::root(task.game, task.record));
    Deepening::new(Root { worker, node, prover, forced: None }, task).run(report)
}

impl<G: SearchHints, E: Evaluator<G>> Searcher<G> for AlphaBeta<G, E> {
    fn search(&mut self, task: &SearchTask<'_, G>, report: &mut dyn FnMut(&SearchInfo<G::Move>)) -> BestMove<G::Move> {
        debug_assert!(task.game.seats() <= 2, "values are those of two sides");
        let table = self.table.get_or_insert_with(|| TranspositionTable::new(task.config.hash_mib));
        table.resize(task.config.hash_mib);
        table.next_generation();
        let threads = task.config.threads.max(1);
        let (nodes, is_finished) = (AtomicU64::new(0), AtomicBool::new(false));
        let shared = Shared { table, settings: &self.settings, nodes, is_finished };
        let evaluator = &self.evaluator;
        thread::scope(|scope| {
            for _ in 1..threads {
                // A helper that cannot be started is missed, but the search goes on without it.
                let helper = || {
                    work(task, evaluator, &shared, None, &mut |_| {});
                };
                let _ = thread::Builder::new().spawn_scoped(scope, helper);
            }
            self.prover.begin(task);
            let best = work(task, evaluator, &shared, Some(&mut self.prover), report);
            shared.is_finished.store(true, Relaxed);
            best
        })
    }

    fn clear(&mut self) {
        self.table.iter_mut().for_each(TranspositionTable::clear);
        self.prover.clear();
    }
}
