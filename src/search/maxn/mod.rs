//! Max^n with dice for more than two seats (Luckhardt and Irani 1986): everybody takes the reply that is best for
//! themselves, and every value is a share of one win for each seat.
//!
//! What can be left out safely is left out: a reply that cannot give the chooser more than an earlier one, judged by
//! the sum of the shares (shallow pruning; Korf 1991) and by what the other rolls can add (Star1). `tree` is the
//! recursion, `value` what it returns, `cache` what it remembers, `deepening` leads the iterations. One thread does all.

mod cache;
mod deepening;
#[cfg(test)]
mod tests;
mod tree;
mod value;

use super::wdl_curve::WdlCurve;
use super::{BestMove, Control, SearchInfo, SearchTask};
use crate::eval::Evaluator;
use crate::rules::Game;

use cache::ValueCache;
use deepening::Deepening;
use tree::Tree;

/// Iterations end here.
const MAX_DEPTH: u32 = 120;
/// No line is followed further than this.
const MAX_PLY: usize = 192;

/// Searches one task from nothing.
pub(super) fn search<G: Game, E: Evaluator<G>>(
    task: &SearchTask<'_, G>,
    control: &Control,
    evaluator: &E,
    curve: &WdlCurve,
    report: &mut dyn FnMut(&SearchInfo<G::Move>),
) -> BestMove<G::Move> {
    let tree = Tree::new(task, control, evaluator, curve, ValueCache::new(task.config.hash_mib));
    let pv = Deepening::new(tree, task).run(report);
    BestMove::of_line(&pv)
}
