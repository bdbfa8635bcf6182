//! Alpha-beta: principal-variation search with iterative deepening over a shared transposition table.
//!
//! Files in the order of their dependence: `window` is a pair of bounds on scores, `ordering` ranks the moves of a
//! node, and `worker` steps from node to node and sees repetitions. `recursion` and `chance` search the two kinds of
//! nodes, also in the quiescence search; their functions are methods of the worker and call each other. Late moves are
//! searched less deeply, and positions far above the window not at all (reverse futility pruning). `root` searches the
//! moves of the root to one depth, `deepening` repeats that and decides when to stop. With several threads every worker
//! runs the same search on its own; workers help each other through the table alone.

mod chance;
mod deepening;
mod ordering;
mod recursion;
mod root;
#[cfg(test)]
mod tests;
mod window;
mod worker;

use std::marker::PhantomData;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::thread;

use root::Root;
use worker::Shared;

use super::proof_number::Prover;
use super::transposition::TranspositionTable;
use super::{BestMove, NO_MORE_MEMORY, SearchInfo, SearchTask, Searcher, start_helpers};
use crate::eval::{Evaluator, parameters, share};
use crate::rules::{Game, SearchHints};

parameters! {
    /// The parameters of the alpha-beta searcher: windows, reductions, pruning, quiescence, ordering, time.
    pub struct AlphaBetaParameters {
        /// Half of the first aspiration window, in hundredths of a piece.
        aspiration_window: "AspirationWindow" = 40, 5..=2000;
        /// The least depth in plies at which a window around the last score is tried first.
        aspiration_depth: "AspirationDepth" = 4, 1..=120;
        /// The factor by which a window grows that the score has left.
        aspiration_growth: "AspirationGrowth" = 3, 2..=20;
        /// Half of the widest aspiration window, in hundredths of a piece; one that has to grow beyond is opened whole.
        aspiration_widest: "AspirationWidest" = 2000, 0..=30000;
        /// Late-move reduction before the product of logarithms is added, in thousandths of a ply.
        reduction_base: "ReductionBase" = 500, -2000..=4000;
        /// Divisor of the product of the logarithms of depth and move number, in thousandths; smaller reduces more.
        reduction_divisor: "ReductionDivisor" = 2000, 500..=10000;
        /// The least plies left at which late moves are searched less deeply.
        reduction_depth: "ReductionDepth" = 3, 2..=120;
        /// The number of moves of a node, from the first on, that are never searched less deeply.
        reduction_moves: "ReductionMoves" = 3, 1..=64;
        /// The plies from the root to which every line is searched, if the depth allows, whatever its reductions.
        full_width_plies: "FullWidthPlies" = 4, 0..=32;
        /// A forced move costs no depth on lines of at most this many times the depth; 0: it always does.
        extension_span: "ExtensionSpan" = 2, 0..=8;
        /// Margin above the window, for each ply left, from which on a position is not searched, in hundredths.
        futility_margin: "FutilityMargin" = 50, 1..=2000;
        /// The most plies left at which a node too far above the window is not searched; 0 searches all nodes.
        futility_depth: "FutilityDepth" = 20, 0..=32;
        /// The score of a draw for the side that the engine plays, in hundredths of a piece; below 0 it avoids draws.
        draw_score: "DrawScore" = 0, -1000..=1000;
        /// The most plies of the quiescence search.
        quiescence_depth: "QuiescenceDepth" = 6, 0..=32;
        /// A side with at most this many legal moves counts as nearly trapped, and quiescence searches all of them.
        trap_moves: "TrapMoves" = 2, 0..=8;
        /// The greatest value of a move in the history heuristic; the smaller, the sooner old cuts are forgotten.
        history_limit: "HistoryLimit" = 16384, 256..=65536;
        /// The most that one cut changes a move's value in the history; a cut with d plies left counts d squared.
        history_bonus: "HistoryBonus" = 2048, 1..=16384;
        /// The least plies left at which a node is in the transposition table; the more, the shorter lines of proofs.
        store_depth: "StoreDepth" = 2, 1..=32;
        /// The least plies left at which a move's position is looked up in tables of perfect play.
        table_depth: "TableDepth" = 3, 1..=120;
        /// Games with dice: pruning of rolls that cannot change the decision: 0 none, 1 Star1, 2 Star1 and Star2.
        chance_pruning: "ChancePruning" = 2, 0..=2;
        /// On a clock: the share of the soft time bound for the only legal move, in thousandths.
        time_forced: "TimeForced" = 20, 0..=1000;
        /// On a clock: thousandths of the soft time bound after a depth at which the best move has changed.
        time_changed: "TimeChanged" = 1600, 10..=10000;
        /// On a clock: thousandths of that bound after one or two depths with the same best move.
        time_fresh: "TimeFresh" = 1200, 10..=10000;
        /// On a clock: thousandths of that bound after three to five depths with the same best move.
        time_steady: "TimeSteady" = 800, 10..=10000;
        /// On a clock: thousandths of that bound after more depths with the same best move.
        time_settled: "TimeSettled" = 600, 10..=10000;
    }
}

/// The alpha-beta searcher with the evaluation `E`, for games of one or two seats; its search panics in others.
pub struct AlphaBeta<G: Game, E: Evaluator<G>> {
    evaluator: E,
    parameters: AlphaBetaParameters,
    reductions: Reductions,
    /// The transposition table; built at the first search, whose task says how large it may be.
    table: Option<TranspositionTable>,
    prover: Prover,
    game: PhantomData<fn(&G)>,
}

impl<G: SearchHints, E: Evaluator<G>> AlphaBeta<G, E> {
    /// A searcher with empty tables.
    pub fn new(evaluator: E, parameters: AlphaBetaParameters) -> Self {
        let reductions = Reductions::new(&parameters);
        AlphaBeta {
            evaluator,
            parameters,
            reductions,
            table: None,
            prover: Prover::new(Prover::BYTES),
            game: PhantomData,
        }
    }
}

impl<G: SearchHints, E: Evaluator<G>> Searcher<G> for AlphaBeta<G, E> {
    fn search(&mut self, task: &SearchTask<'_, G>, report: &mut dyn FnMut(&SearchInfo<G::Move>)) -> BestMove<G::Move> {
        assert!(task.game.seats() <= 2, "alpha-beta has values of two sides");
        let table = self.table.get_or_insert_with(|| TranspositionTable::new(task.config.hash_mib));
        table.resize(task.config.hash_mib);
        table.next_generation();
        let shared = Shared {
            table,
            parameters: &self.parameters,
            reductions: &self.reductions,
            nodes: AtomicU64::new(0),
            is_finished: AtomicBool::new(false),
        };
        let evaluator = &self.evaluator;
        thread::scope(|scope| {
            let help = || {
                Root::new(task, evaluator, &shared, None).run(&mut |_| {});
            };
            let mut refusal = start_helpers(scope, (1..task.config.threads).map(|_| help));
            self.prover.begin(task);
            let mut has_said = false;
            let best = Root::new(task, evaluator, &shared, Some(&mut self.prover)).run(&mut |info| {
                let mut is_news = || shared.table.was_refused() && !std::mem::replace(&mut has_said, true);
                let remark = refusal.take().or_else(|| is_news().then(|| NO_MORE_MEMORY.to_owned()));
                report(&SearchInfo { remark, ..info.clone() });
            });
            shared.is_finished.store(true, Relaxed);
            best
        })
    }

    fn clear(&mut self) {
        self.table.iter_mut().for_each(TranspositionTable::clear);
        self.prover.clear();
    }
}

/// The size of the table of reductions: greater depths and move numbers are reduced like the last ones.
const ROWS: usize = 64;

/// Late-move reductions in plies by depth and move number, worked out once.
struct Reductions([[u8; ROWS]; ROWS]);

impl Reductions {
    fn new(parameters: &AlphaBetaParameters) -> Self {
        let base = share(parameters.reduction_base);
        let divisor = share(parameters.reduction_divisor);
        let logarithms = logarithms();
        let plies = |one: f64, other: f64| (base + one * other / divisor).clamp(0.0, 32.0) as u8;
        Reductions(logarithms.map(|depth| logarithms.map(|index| plies(depth, index))))
    }

    /// The number of plies by which the search of the move with this index is reduced.
    fn plies(&self, depth: i32, index: usize) -> i32 {
        i32::from(self.0[(depth.max(0) as usize).min(ROWS - 1)][index.min(ROWS - 1)])
    }
}

/// Natural logarithms of the numbers below `ROWS`, 0 for 0: plain arithmetic gives the same bits on every machine.
fn logarithms() -> [f64; ROWS] {
    let mut logarithms = [0.0; ROWS];
    for n in 2..ROWS {
        logarithms[n] = logarithms[n - 1] + 2.0 / (2 * n - 1) as f64;
    }
    logarithms
}
