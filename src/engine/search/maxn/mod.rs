//! Max^n with dice for more than two seats (Luckhardt and Irani 1986): everybody takes the reply that is best for
//! themselves, and every value is a share of one win for each seat.
//!
//! What can be left out safely is left out: a reply that cannot give the chooser more than an earlier one, judged by
//! the sum of the shares (shallow pruning; Korf 1991) and by what the other rolls can add (Star1). `tree` is the
//! recursion, `value` what it returns, `cache` what it remembers: a value for every seat has no room in an entry of the
//! transposition table. `root` leads the moves at the root. One thread does all.

mod cache;
mod root;
#[cfg(test)]
mod tests;
mod tree;
mod value;

use tree::MaxnTree;

use super::deepening::Deepening;
use super::{BestMove, SearchInfo, SearchTask};
use crate::eval::Evaluator;
use crate::rules::SearchHints;

/// Searches one task from nothing.
pub(super) fn search<G: SearchHints, E: Evaluator<G>>(
    task: &SearchTask<'_, G>,
    evaluator: &E,
    report: &mut dyn FnMut(&SearchInfo<G::Move>),
) -> BestMove<G::Move> {
    let tree = MaxnTree::new(task, evaluator);
    Deepening::new(tree, task).run(report)
}
