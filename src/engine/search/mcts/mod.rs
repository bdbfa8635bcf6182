//! Monte Carlo tree search: UCT over a shared tree, with exact results backed up where they are known.
//!
//! Files in the order of their dependence: `win_rate` and `proof` are the two kinds of value, `node` and `arena` hold
//! them; `leaf_value` says what a leaf is worth with two seats and with more; `select`, `expand` and `backup` are the
//! parts of an iteration, `trunk` is what a batch of them shares, and `worker` runs them; `near_wins` guards the root;
//! `report` reads the tree; `tree` and `reclaim` keep it between moves and within its bound; `clock` and `run` decide
//! when to stop.
//!
//! Sides need not alternate: every node names the seat that moves, and values are always those of a named seat.

mod arena;
mod backup;
mod clock;
mod expand;
mod leaf_value;
mod near_wins;
mod node;
mod parameters;
mod proof;
mod reclaim;
mod report;
mod run;
mod select;
#[cfg(test)]
mod tests;
mod tree;
mod trunk;
mod win_rate;
mod worker;

pub(crate) use parameters::MctsParameters;

use self::leaf_value::SeatRates;
use self::parameters::MctsSettings;
use self::run::TreeSearch;
use self::tree::SearchTree;
use self::win_rate::WinRate;
use super::proof_number::Prover;
use super::{BestMove, SearchInfo, SearchTask, Searcher};
use crate::eval::Evaluator;
use crate::rules::Game;

/// Memory of the search for forced wins, beside the tree.
const PROVER_BYTES: usize = 4 << 20;

/// The Monte Carlo tree searcher with the evaluator that guides it.
pub struct Mcts<G: Game, E> {
    settings: MctsSettings<E>,
    tree: Option<SearchTree<G>>,
    prover: Prover,
}

impl<G: Game, E: Evaluator<G>> Mcts<G, E> {
    /// A searcher that has learned nothing yet.
    pub fn new(evaluator: E, parameters: MctsParameters) -> Self {
        Mcts { settings: MctsSettings { evaluator, parameters }, tree: None, prover: Prover::new(PROVER_BYTES) }
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
        self.tree.iter_mut().for_each(SearchTree::forget);
        self.prover.clear();
    }
}
