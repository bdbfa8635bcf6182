//! Many iterations for one walk down the busy part of the tree.
//!
//! A tree search under little exploration follows the same line again and again. So a worker walks down the *trunk*, the
//! busy nodes of its line, once for a batch of iterations below the last of them, the base, and books the batch on the
//! trunk in one go. That saves the walk, and threads do not spend their time on moving the nodes of the same line between
//! their caches. To the other threads the base looks like so many losses meanwhile, which sends them elsewhere.

use super::arena::NodeArena;
use super::backup::TreeStep;
use super::leaf_value::LeafValue;
use super::node::TreeNode;

/// From so many visits on a node is busy.
const BUSY_VISITS: u32 = 128;
/// A batch has at most this part of the visits of its base, ...
const BATCH_PART: u32 = 16;
/// ... and never more iterations than this.
const MOST_IN_BATCH: u32 = 16;

#[inline]
pub(super) fn is_busy(node: &TreeNode) -> bool {
    node.visits() >= BUSY_VISITS
}

/// How many iterations a batch below a node may have.
#[inline]
pub(super) fn batch_size(base: &TreeNode) -> u32 {
    match base.visits() {
        ..BUSY_VISITS => 1,
        visits => (visits / BATCH_PART).min(MOST_IN_BATCH),
    }
}

/// What a batch has brought to the nodes above its base.
#[derive(Default)]
pub(super) struct TrunkSums {
    /// By node, the root first: the sum of the rates of the batch.
    sums: Vec<u64>,
}

impl TrunkSums {
    /// Begins a batch below so many nodes and the base.
    #[inline]
    pub(super) fn begin(&mut self, above: usize) {
        self.sums.clear();
        self.sums.resize(above, 0);
    }

    /// Takes in what an iteration was worth at the base; `steps` are those above it.
    #[inline]
    pub(super) fn add<B, P: LeafValue>(&mut self, steps: &[TreeStep<B>], mut result: P, seats: usize) {
        for (step, sum) in steps.iter().zip(&mut self.sums).rev() {
            result = step.guaranteed(result, seats);
            *sum += u64::from(result.rate_for(step.chooser).0);
        }
    }

    /// Books a batch of so many iterations.
    #[inline]
    pub(super) fn book<M: Copy, B>(&self, arena: &NodeArena<M>, steps: &[TreeStep<B>], iterations: u32) {
        for (step, &sum) in steps.iter().zip(&self.sums) {
            arena.node(step.node).add(iterations, sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::arena::Stretch;
    use super::super::backup::settle;
    use super::super::leaf_value::SeatRates;
    use super::super::proof::ProvedResult;
    use super::super::win_rate::WinRate;
    use super::*;
    use crate::rules::Seat;

    /// A line of five nodes, chosen in turn, the third of which has a sure draw.
    fn line(arena: &NodeArena<u32>, seats: u8) -> Vec<TreeStep<()>> {
        let first = arena.allocate(&mut Stretch::default(), 5).unwrap();
        let step = |number: u32| {
            arena.node(first + number).begin(None, WinRate::HALF, None);
            let chooser = Seat(number as u8 % seats);
            let (node, virtual_rate, secured) = (first + number, WinRate(7), (number == 2).then_some(chooser));
            TreeStep { node, virtual_rate, position: (), reversible: 0, idle: 0, chooser, secured }
        };
        (0..5).map(step).collect()
    }

    fn books_as_single_visits<P: LeafValue>(results: &[P], seats: u8) {
        let arena = NodeArena::<u32>::with_memory(1 << 20);
        let (single, batched) = (line(&arena, seats), line(&arena, seats));
        let (mut trunk, seats) = (TrunkSums::default(), usize::from(seats));
        trunk.begin(5);
        for &result in results {
            single.iter().for_each(|step| arena.node(step.node).enter(3, step.virtual_rate));
            settle(&arena, 3, (&single, seats), result);
            trunk.add(&batched, result, seats);
        }
        trunk.book(&arena, &batched, results.len() as u32);
        let booked = |steps: &[TreeStep<()>]| -> Vec<_> {
            steps.iter().map(|step| (arena.node(step.node).visits(), arena.node(step.node).mean())).collect()
        };
        assert_eq!(booked(&batched), booked(&single));
        assert!(booked(&single).iter().all(|&(visits, _)| visits == results.len() as u32));
        assert!(booked(&single)[4] != booked(&single)[1], "the sure draw counts above it");
    }

    #[test]
    fn a_batch_books_what_its_visits_would_have() {
        books_as_single_visits(&[WinRate(50), WinRate(60_000), WinRate(40_000), WinRate(3)], 2);
        let won_by = |seat| ProvedResult { winner: Some(Seat(seat)), plies: 4 };
        books_as_single_visits(&[0, 1, 2, 1, 1].map(|seat| SeatRates::of_proof(won_by(seat), 3, 3)), 3);
    }
}
