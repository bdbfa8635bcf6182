//! How visits are booked: at once where every one counts, collected where many threads would otherwise fight over
//! the same few words.

use super::backup::Step;
use super::node::Node;
use super::rate::Rate;
use super::tree::Tree;
use crate::rules::Seat;

/// From so many visits on a node is busy: what one more visit pretends or proves there changes next to nothing.
const BUSY_VISITS: u32 = 64;
/// A worker owes a busy node at most this part of its visits, ...
const OWED_PART: u32 = 16;
/// ... and never more visits than this.
const MOST_OWED: u32 = 16;
/// Busy nodes that a worker collects for at the same time, a power of two; more than a line has.
const SLOTS: usize = 256;

/// One worker's way to book visits, with what it has not handed over yet.
///
/// A tree search under little exploration follows the same line again and again, so that without this two threads
/// spend most of their time on moving the counters of that line between their caches. A lone worker books everything
/// at once.
pub(super) struct Ledger {
    /// Visits, counted as losses, that a pending iteration leaves behind.
    virtual_loss: u32,
    busy_from: u32,
    owed: Vec<Debt>,
}

/// Visits of one node that are not in the tree yet.
#[derive(Clone, Copy, Default)]
struct Debt {
    node: u32,
    visits: u32,
    sum: u64,
}

impl Ledger {
    pub(super) fn new(virtual_loss: u32, threads: usize) -> Self {
        let (busy_from, slots) = if threads > 1 { (BUSY_VISITS, SLOTS) } else { (u32::MAX, 0) };
        Ledger { virtual_loss, busy_from, owed: vec![Debt::default(); slots] }
    }

    pub(super) fn virtual_loss(&self) -> u32 {
        self.virtual_loss
    }

    /// Begins a visit of a node, which looks like `pretended` to others until it is settled.
    #[inline]
    pub(super) fn enter(&self, node: &Node, index: u32, pretended: Rate) -> Step {
        let is_owed = node.visits() >= self.busy_from;
        if !is_owed {
            node.enter(self.virtual_loss, pretended);
        }
        Step { node: index, pretended, secured: None, chooser: Seat::P1, is_owed }
    }

    /// Ends the visit of a step with its result.
    #[inline]
    pub(super) fn settle<M: Copy>(&mut self, tree: &Tree<M>, step: &Step, result: Rate) {
        let node = tree.node(step.node);
        if !step.is_owed {
            return node.settle(self.virtual_loss, step.pretended, result);
        }
        let debt = &mut self.owed[step.node as usize % SLOTS];
        if debt.node != step.node {
            debt.pay(tree);
            debt.node = step.node;
        }
        debt.visits += 1;
        debt.sum += u64::from(result.0);
        if debt.visits >= (node.visits() / OWED_PART).min(MOST_OWED) {
            debt.pay(tree);
        }
    }

    /// Hands everything over.
    pub(super) fn pay<M: Copy>(&mut self, tree: &Tree<M>) {
        self.owed.iter_mut().for_each(|debt| debt.pay(tree));
    }
}

impl Debt {
    fn pay<M: Copy>(&mut self, tree: &Tree<M>) {
        if self.visits > 0 {
            tree.node(self.node).add(self.visits, self.sum);
            (self.visits, self.sum) = (0, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::mcts::node::Mover;

    #[test]
    fn nothing_is_lost_whoever_books() {
        let tree = Tree::<u32>::with_memory(1 << 20);
        let count = 2 * SLOTS as u32;
        tree.allocate(count as usize).unwrap();
        (0..count).for_each(|index| tree.node(index).begin(Mover::Chance, Rate::HALF, None));
        for threads in [1, 2] {
            let mut ledger = Ledger::new(3, threads);
            for round in 0..1000_u32 {
                let index = round * 7 % count;
                let step = ledger.enter(tree.node(index), index, Rate(0));
                ledger.settle(&tree, &step, Rate(500));
                let step = ledger.enter(tree.node(0), 0, Rate(0));
                ledger.settle(&tree, &step, Rate(9000));
            }
            ledger.pay(&tree);
        }
        let visits: u32 = (0..count).map(|index| tree.node(index).visits()).sum();
        assert_eq!(visits, 4000);
        let fives = tree.node(0).visits() - 2000;
        assert_eq!(u32::from(tree.node(0).mean().0), (2000 * 9000 + fives * 500) / (2000 + fives));
    }

    #[test]
    fn little_is_owed_and_never_for_long() {
        let tree = Tree::<u32>::with_memory(1 << 20);
        tree.allocate(1).unwrap();
        let node = tree.node(0);
        node.begin(Mover::Chance, Rate::HALF, None);
        let mut ledger = Ledger::new(1, 2);
        for visits in 1..5000 {
            let step = ledger.enter(node, 0, Rate(0));
            ledger.settle(&tree, &step, Rate(1));
            let owed = visits - node.visits();
            assert!(owed < MOST_OWED && (owed == 0 || owed <= visits / OWED_PART), "{owed} of {visits}");
        }
    }
}
