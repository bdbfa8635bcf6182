//! Monte Carlo tree search: UCT over a shared tree, with exact results backed up where they are known.
//!
//! Files in the order of their dependence: `value` has the two kinds of value that the nodes of the `arena` hold, which
//! is made of pools within a bound of memory (`pool`);
//! `leaf_value` the values of leaves with two seats and with more; `uct` has the parts of an iteration that need no
//! worker, `worker` and `expand` are the worker; `tree` keeps the nodes between moves and within their memory bound;
//! `near_wins` guards the root; `report` reads the tree; `run` leads a search and decides when to stop.
//!
//! Sides need not alternate: every node names the seat that moves, and values are always those of a named seat.

mod arena;
mod expand;
mod leaf_value;
mod near_wins;
mod pool;
mod report;
mod run;
#[cfg(test)]
mod tests;
mod tree;
mod uct;
mod value;
mod worker;

use self::leaf_value::SeatRates;
use self::run::TreeSearch;
use self::tree::SearchTree;
use self::value::WinRate;
use super::proof_number::Prover;
use super::{BestMove, SearchInfo, SearchTask, Searcher};
use crate::eval::{Evaluator, parameters};
use crate::rules::Game;

parameters! {
    /// The parameters of the Monte Carlo tree search: exploration, priors, backup, playouts, time.
    pub struct MctsParameters {
        /// Weight of the exploration term, in thousandths of a win.
        exploration: "MctsExploration" = 60, 0..=5000;
        /// Weight of the exploration term where random playouts judge the leaves, in thousandths of a win.
        rollout_exploration: "MctsRolloutExploration" = 700, 0..=5000;
        /// Distance below the parent's mean at which a move that was never tried is valued, in thousandths of a win.
        first_play_urgency: "MctsFirstPlayUrgency" = 100, -1000..=1000;
        /// Weight of the evaluator's opinion of a move, in thousandths; it fades with the visits of the move.
        bias: "MctsBias" = 1000, 0..=10000;
        /// Share of the best-reply value in a move's value, the rest being the mean of its visits, in thousandths.
        minimax_share: "MctsMinimaxShare" = 300, 0..=1000;
        /// Idle plies after which an opinion counts half, so that the side ahead makes progress; 0: always in full.
        idle_fade: "MctsIdleFade" = 200, 0..=1000;
        /// The visits of a leaf after which the next visit expands it.
        expand_visits: "MctsExpandVisits" = 1, 0..=1000;
        /// Longest random playout in plies; 0 evaluates the leaf instead.
        rollout_plies: "MctsRolloutPlies" = 0, 0..=10000;
        /// Virtual losses that a worker adds to each node on its way down to keep other workers off it.
        virtual_loss: "MctsVirtualLoss" = 1, 1..=100;
        /// Positions of the search for forced wins that count as one iteration; 0: there is no such search.
        proof_positions: "MctsProofPositions" = 8, 0..=1000;
        /// Plies within which every win of a side is found before the first iteration; 0: only those by the next move.
        near_win_plies: "MctsNearWinPlies" = 3, 0..=5;
        /// On a clock: thousandths of the soft time bound before which no search ends; the only move gets no more.
        time_forced: "MctsTimeForced" = 20, 0..=1000;
        /// On a clock: the first of 300, 450, 600, 750 and 900 thousandths at which a choice that cannot change ends it.
        time_earliest: "MctsTimeEarliest" = 300, 300..=1000;
        /// On a clock: thousandths of the soft time bound while the choice is in doubt.
        time_in_doubt: "MctsTimeInDoubt" = 1500, 1000..=10000;
    }
}

/// The evaluator and the parameters, which stay the same from search to search.
struct MctsSettings<E> {
    evaluator: E,
    parameters: MctsParameters,
}

/// The Monte Carlo tree searcher with the evaluator that guides it.
pub struct Mcts<G: Game, E> {
    settings: MctsSettings<E>,
    tree: Option<SearchTree<G>>,
    prover: Prover,
}

impl<G: Game, E: Evaluator<G>> Mcts<G, E> {
    /// A searcher with an empty tree.
    pub fn new(evaluator: E, parameters: MctsParameters) -> Self {
        Mcts { settings: MctsSettings { evaluator, parameters }, tree: None, prover: Prover::new(Prover::BYTES) }
    }
}

impl<G: Game, E: Evaluator<G>> Searcher<G> for Mcts<G, E> {
    fn search(&mut self, task: &SearchTask<'_, G>, report: &mut dyn FnMut(&SearchInfo<G::Move>)) -> BestMove<G::Move> {
        let tree = SearchTree::prepare(self.tree.take(), task);
        self.prover.begin(task);
        let search = TreeSearch::new(task, &self.settings, &mut self.prover);
        debug_assert!(G::MANY_SEATS || task.game.seats() <= 2);
        let (answer, tree) = if G::MANY_SEATS && task.game.seats() > 2 {
            search.run::<SeatRates>(tree, &mut self.prover, report)
        } else {
            search.run::<WinRate>(tree, &mut self.prover, report)
        };
        self.tree = tree;
        answer
    }

    fn clear(&mut self) {
        self.tree = None;
        self.prover.clear();
    }
}
