//! Visit counts of the tree: booked at once, or collected where many threads would otherwise fight over the same few
//! words.

use super::arena::NodeArena;
use super::node::TreeNode;
use super::win_rate::WinRate;

/// From so many visits on a node is busy: what one more visit pretends or proves there changes next to nothing.
const BUSY_VISITS: u32 = 64;
/// A worker defers at most this part of a busy node's visits, ...
const PENDING_PART: u32 = 16;
/// ... and never more visits than this.
const MOST_PENDING: u32 = 16;
/// Busy nodes that a worker collects for at the same time, a power of two; more than a line has.
const SLOTS: usize = 256;

/// A visit of a node that is not settled yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visit {
    pub node: u32,
    /// What it looks like to others: lost for whoever chose the node.
    virtual_rate: WinRate,
    /// It was not entered on the node, which is too busy for it.
    is_deferred: bool,
}

/// Books one worker's visits; those of busy nodes are deferred.
///
/// A tree search under little exploration follows the same line again and again, so that without this two threads
/// spend most of their time on moving the counters of that line between their caches. A lone worker books everything
/// at once.
pub(super) struct VisitRecorder {
    /// Visits, counted as losses, that a pending iteration leaves behind.
    pub virtual_loss: u32,
    busy_from: u32,
    pending: Vec<PendingVisits>,
}

/// Visits of one node that are not in the tree yet.
#[derive(Clone, Copy, Default)]
struct PendingVisits {
    node: u32,
    visits: u32,
    sum: u64,
}

impl VisitRecorder {
    pub(super) fn new(virtual_loss: u32, threads: usize) -> Self {
        let (busy_from, slots) = if threads > 1 { (BUSY_VISITS, SLOTS) } else { (u32::MAX, 0) };
        VisitRecorder { virtual_loss, busy_from, pending: vec![PendingVisits::default(); slots] }
    }

    /// Begins a visit of a node, which looks like `virtual_rate` to others until it is settled.
    #[inline]
    pub(super) fn enter(&self, node: &TreeNode, index: u32, virtual_rate: WinRate) -> Visit {
        let is_deferred = node.visits() >= self.busy_from;
        if !is_deferred {
            node.enter(self.virtual_loss, virtual_rate);
        }
        Visit { node: index, virtual_rate, is_deferred }
    }

    /// Ends a visit with its result.
    #[inline]
    pub(super) fn settle<M: Copy>(&mut self, arena: &NodeArena<M>, visit: &Visit, result: WinRate) {
        let node = arena.node(visit.node);
        if !visit.is_deferred {
            return node.settle(self.virtual_loss, visit.virtual_rate, result);
        }
        let pending = &mut self.pending[visit.node as usize % SLOTS];
        if pending.node != visit.node {
            pending.flush(arena);
            pending.node = visit.node;
        }
        pending.visits += 1;
        pending.sum += u64::from(result.0);
        if pending.visits >= (node.visits() / PENDING_PART).min(MOST_PENDING) {
            pending.flush(arena);
        }
    }

    /// Hands everything over.
    pub(super) fn flush<M: Copy>(&mut self, arena: &NodeArena<M>) {
        self.pending.iter_mut().for_each(|pending| pending.flush(arena));
    }
}

impl PendingVisits {
    fn flush<M: Copy>(&mut self, arena: &NodeArena<M>) {
        if self.visits > 0 {
            arena.node(self.node).add(self.visits, self.sum);
            (self.visits, self.sum) = (0, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost_whoever_books() {
        let arena = NodeArena::<u32>::with_memory(1 << 20);
        let count = 2 * SLOTS as u32;
        arena.allocate(count as usize).unwrap();
        (0..count).for_each(|index| arena.node(index).begin(None, WinRate::HALF, None));
        for threads in [1, 2] {
            let mut visits = VisitRecorder::new(3, threads);
            for round in 0..1000_u32 {
                let index = round * 7 % count;
                let open = visits.enter(arena.node(index), index, WinRate(0));
                visits.settle(&arena, &open, WinRate(500));
                let open = visits.enter(arena.node(0), 0, WinRate(0));
                visits.settle(&arena, &open, WinRate(9000));
            }
            visits.flush(&arena);
        }
        let visits: u32 = (0..count).map(|index| arena.node(index).visits()).sum();
        assert_eq!(visits, 4000);
        let fives = arena.node(0).visits() - 2000;
        assert_eq!(u32::from(arena.node(0).mean().0), (2000 * 9000 + fives * 500) / (2000 + fives));
    }

    #[test]
    fn little_is_deferred_and_never_for_long() {
        let arena = NodeArena::<u32>::with_memory(1 << 20);
        arena.allocate(1).unwrap();
        let node = arena.node(0);
        node.begin(None, WinRate::HALF, None);
        let mut visits = VisitRecorder::new(1, 2);
        for visit in 1..5000 {
            let open = visits.enter(node, 0, WinRate(0));
            visits.settle(&arena, &open, WinRate(1));
            let pending = visit - node.visits();
            assert!(
                pending < MOST_PENDING && (pending == 0 || pending <= visit / PENDING_PART),
                "{pending} of {visit}"
            );
        }
    }
}
