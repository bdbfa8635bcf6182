//! The nodes of the tree, and the arena that holds them: blocks of siblings, handed out to workers by stretches, within
//! a hard memory bound.
//!
//! The statistics of a node are atomics only, so that workers share them without locks.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU32, AtomicU64};

use super::value::{ProvedResult, WinRate};
use crate::rules::Seat;

/// The children of a node, which are neighbours in the arena.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Block {
    /// The index of the first child.
    pub first: u32,
    pub count: u16,
}

impl Block {
    /// The indices of the nodes.
    pub(super) fn indices(self) -> Range<u32> {
        self.first..self.first + u32::from(self.count)
    }
}

/// The mover of a node where a roll comes next.
const CHANCE: u8 = u8::MAX;

/// The state of a node without children that no worker is expanding.
const LEAF: u8 = 0;
const EXPANDING: u8 = 1;
const EXPANDED: u8 = 2;

/// One position of the tree. All rates are for seat 0, or with more than two seats for the seat that chose the node.
#[derive(Debug, Default)]
pub(super) struct TreeNode {
    /// Sum of the rates of all visits.
    sum: AtomicU64,
    visits: AtomicU32,
    proof: AtomicU32,
    first_child: AtomicU32,
    children: AtomicU16,
    /// The evaluator's opinion, as a rate.
    prior: AtomicU16,
    /// The opinion backed up by best replies, as a rate.
    minimax: AtomicU16,
    mover: AtomicU8,
    state: AtomicU8,
}

impl TreeNode {
    /// Makes this a fresh leaf. No other thread may know the node yet.
    pub(super) fn begin(&self, mover: Option<Seat>, prior: WinRate, proof: Option<ProvedResult>) {
        self.sum.store(0, Relaxed);
        self.visits.store(0, Relaxed);
        self.proof.store(proof.map_or(0, ProvedResult::pack), Relaxed);
        self.prior.store(prior.0, Relaxed);
        self.minimax.store(prior.0, Relaxed);
        self.mover.store(mover.map_or(CHANCE, |seat| seat.0), Relaxed);
        self.state.store(LEAF, Release);
    }

    /// The seat that chooses among the children; `None` before a roll of the dice and where the game is over.
    pub(super) fn mover(&self) -> Option<Seat> {
        let seat = self.mover.load(Relaxed);
        (seat != CHANCE).then_some(Seat(seat))
    }

    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    pub(super) fn prior(&self) -> WinRate {
        WinRate(self.prior.load(Relaxed))
    }

    /// The mean of all visits, or the prior before the first.
    pub(super) fn mean(&self) -> WinRate {
        match self.visits() {
            0 => self.prior(),
            visits => WinRate((self.sum.load(Relaxed) / u64::from(visits)).min(u64::from(WinRate::ONE)) as u16),
        }
    }

    pub(super) fn minimax(&self) -> WinRate {
        WinRate(self.minimax.load(Relaxed))
    }

    /// Sets the best-reply value. Returns whether it changed.
    pub(super) fn set_minimax(&self, rate: WinRate) -> bool {
        // Mostly nothing has changed, and a load disturbs no other thread.
        self.minimax.load(Relaxed) != rate.0 && self.minimax.swap(rate.0, Relaxed) != rate.0
    }

    pub(super) fn proof(&self) -> Option<ProvedResult> {
        // A thread that sees a proof must also see the proofs from which it follows.
        ProvedResult::unpack(self.proof.load(Acquire))
    }

    /// Sets a proof. Returns whether it is new.
    pub(super) fn set_proof(&self, proof: ProvedResult) -> bool {
        let word = proof.pack();
        self.proof.load(Relaxed) != word && self.proof.swap(word, Release) != word
    }

    /// Adds `visits` virtual visits of rate `rate`, until [`settle`](TreeNode::settle) corrects them.
    pub(super) fn enter(&self, visits: u32, rate: WinRate) {
        if visits > 0 {
            self.add(visits, sum_of(visits, rate));
        }
    }

    /// Replaces virtual visits, added by [`enter`](TreeNode::enter), by one visit with rate `result`.
    pub(super) fn settle(&self, visits: u32, rate: WinRate, result: WinRate) {
        if visits > 1 {
            self.visits.fetch_sub(visits - 1, Relaxed);
        }
        // Wrapping is intended: the sum of all parts is never negative.
        self.sum.fetch_add(u64::from(result.0).wrapping_sub(sum_of(visits, rate)), Relaxed);
    }

    /// Removes virtual visits that were added by [`enter`](TreeNode::enter).
    pub(super) fn leave(&self, visits: u32, rate: WinRate) {
        if visits > 0 {
            self.visits.fetch_sub(visits, Relaxed);
            self.sum.fetch_sub(sum_of(visits, rate), Relaxed);
        }
    }

    /// Adds `visits` visits whose rates add up to `sum`.
    pub(super) fn add(&self, visits: u32, sum: u64) {
        self.visits.fetch_add(visits, Relaxed);
        self.sum.fetch_add(sum, Relaxed);
    }

    /// The block of children; `None` for a leaf.
    pub(super) fn block(&self) -> Option<Block> {
        let block = || Block { first: self.first_child.load(Relaxed), count: self.children.load(Relaxed) };
        (self.state.load(Acquire) == EXPANDED).then(block)
    }

    /// Claims the right to expand the node; true for at most one caller.
    pub(super) fn claim(&self) -> bool {
        self.state.compare_exchange(LEAF, EXPANDING, Acquire, Relaxed).is_ok()
    }

    /// Publishes the children, which must be complete.
    pub(super) fn publish(&self, children: Block) {
        self.first_child.store(children.first, Relaxed);
        self.children.store(children.count, Relaxed);
        self.state.store(EXPANDED, Release);
    }

    /// Makes the node a leaf again; its statistics are kept.
    pub(super) fn forget_children(&self) {
        self.state.store(LEAF, Release);
    }
}

/// The sum of `visits` visits of one rate.
fn sum_of(visits: u32, rate: WinRate) -> u64 {
    u64::from(visits) * u64::from(rate.0)
}

const CHUNK_BITS: u32 = 12;
const CHUNK_NODES: u32 = 1 << CHUNK_BITS;
/// A worker takes at most one part in this many of all nodes at once.
const STRETCH_PART: u32 = 64;

/// Nodes and the moves that lead to them. The children of a node are neighbours.
///
/// Chunks are taken from the system when first used, so a large bound costs nothing until it is needed.
#[derive(Debug)]
pub(super) struct NodeArena<M> {
    chunks: Box<[OnceLock<NodeChunk<M>>]>,
    /// The number of nodes that a worker takes at once, so that no two workers write to the same cache lines: a whole
    /// chunk, or part of one where there are few chunks.
    stretch_nodes: u32,
    cursor: AllocationCursor,
}

/// The fields that change with every allocation, kept apart from those that all threads read all the time.
#[derive(Debug)]
#[repr(align(128))]
struct AllocationCursor {
    next: AtomicU32,
    full: AtomicBool,
}

/// Neighbouring nodes of one chunk that a worker has reserved and not used yet. Not to be used after
/// [`set_used`](NodeArena::set_used).
#[derive(Debug, Default)]
pub(super) struct Stretch {
    next: u32,
    end: u32,
}

#[derive(Debug)]
struct NodeChunk<M> {
    nodes: Box<[TreeNode]>,
    /// A move is written once, before its node is published, and cleared only under exclusive access.
    moves: Box<[OnceLock<M>]>,
}

impl<M> NodeChunk<M> {
    fn new() -> Self {
        NodeChunk {
            nodes: (0..CHUNK_NODES).map(|_| TreeNode::default()).collect(),
            moves: (0..CHUNK_NODES).map(|_| OnceLock::new()).collect(),
        }
    }
}

impl<M: Copy> NodeArena<M> {
    /// An empty tree within `bytes` of memory, but at least one chunk.
    pub(super) fn with_memory(bytes: usize) -> Self {
        let chunk_bytes = CHUNK_NODES as usize * (size_of::<TreeNode>() + size_of::<OnceLock<M>>());
        let most = (u32::MAX / CHUNK_NODES) as usize;
        let chunks = (bytes / chunk_bytes).clamp(1, most);
        let part = chunks as u32 * CHUNK_NODES / STRETCH_PART;
        NodeArena {
            chunks: (0..chunks).map(|_| OnceLock::new()).collect(),
            stretch_nodes: (1 << part.ilog2()).min(CHUNK_NODES),
            cursor: AllocationCursor { next: AtomicU32::new(0), full: AtomicBool::new(false) },
        }
    }

    pub(super) fn capacity(&self) -> u32 {
        self.chunks.len() as u32 * CHUNK_NODES
    }

    /// The number of nodes handed out, including unreachable ones and those that workers have in reserve.
    pub(super) fn used(&self) -> u32 {
        self.cursor.next.load(Relaxed)
    }

    /// The part of the arena that is handed out, in thousandths.
    pub(super) fn fill(&self) -> u32 {
        (u64::from(self.used()) * 1000 / u64::from(self.capacity())) as u32
    }

    /// Whether an allocation has failed since the last [`set_used`](NodeArena::set_used).
    pub(super) fn is_full(&self) -> bool {
        self.cursor.full.load(Relaxed)
    }

    fn chunk(&self, index: u32) -> &NodeChunk<M> {
        self.chunks[(index >> CHUNK_BITS) as usize].get_or_init(NodeChunk::new)
    }

    #[inline]
    pub(super) fn node(&self, index: u32) -> &TreeNode {
        &self.chunk(index).nodes[(index % CHUNK_NODES) as usize]
    }

    /// The siblings of a block.
    #[inline]
    pub(super) fn block(&self, block: Block) -> &[TreeNode] {
        let start = (block.first % CHUNK_NODES) as usize;
        &self.chunk(block.first).nodes[start..start + usize::from(block.count)]
    }

    /// The children of a node; none for a leaf.
    #[inline]
    pub(super) fn children(&self, node: &TreeNode) -> &[TreeNode] {
        node.block().map_or(&[], |block| self.block(block))
    }

    /// The move that leads to the node; `None` for a node that never had one.
    #[inline]
    pub(super) fn mv(&self, index: u32) -> Option<M> {
        self.chunk(index).moves[(index % CHUNK_NODES) as usize].get().copied()
    }

    /// Names the move that leads to a fresh node.
    #[inline]
    pub(super) fn set_move(&self, index: u32, mv: M) {
        // This fails only if the cell is taken, which `allocate` rules out.
        let _ = self.chunk(index).moves[(index % CHUNK_NODES) as usize].set(mv);
    }

    /// Takes `count` neighbouring nodes from a stretch, which is replaced when it is too short. Returns `None` and
    /// marks the tree as full when no nodes are left; there are never more than a chunk has.
    pub(super) fn allocate(&self, stretch: &mut Stretch, count: usize) -> Option<u32> {
        let count = u32::try_from(count).ok().filter(|&count| count <= CHUNK_NODES)?;
        if stretch.end - stretch.next < count {
            let Some(taken) = self.take_stretch(count) else {
                self.cursor.full.store(true, Relaxed);
                return None;
            };
            let goes_on = taken.next == stretch.end && taken.next % CHUNK_NODES != 0;
            *stretch = Stretch { next: if goes_on { stretch.next } else { taken.next }, ..taken };
        }
        let first = stretch.next;
        stretch.next += count;
        Some(first)
    }

    /// A stretch of at least `count` nodes.
    fn take_stretch(&self, count: u32) -> Option<Stretch> {
        let length = count.next_multiple_of(self.stretch_nodes);
        let start = |next: u32| block_start(next.checked_next_multiple_of(self.stretch_nodes)?, length as usize);
        let end = |next: u32| start(next)?.checked_add(length).filter(|&end| end <= self.capacity());
        let before = self.cursor.next.fetch_update(Relaxed, Relaxed, end).ok()?;
        let next = start(before)?;
        Some(Stretch { next, end: next + length })
    }

    /// Moves a node, with its move, to another index.
    pub(super) fn relocate(&mut self, from: u32, to: u32) {
        if let Some((chunk, place)) = self.chunk_mut(from).filter(|_| from != to) {
            let (node, mv) = (std::mem::take(&mut chunk.nodes[place]), std::mem::take(&mut chunk.moves[place]));
            if let Some((chunk, place)) = self.chunk_mut(to) {
                (chunk.nodes[place], chunk.moves[place]) = (node, mv);
            }
        }
    }

    /// Frees every node from index `used` on; the memory is kept for the next use.
    pub(super) fn set_used(&mut self, used: u32) {
        for index in used..self.used() {
            if let Some((chunk, place)) = self.chunk_mut(index) {
                chunk.moves[place].take();
            }
        }
        *self.cursor.next.get_mut() = used;
        *self.cursor.full.get_mut() = false;
    }

    /// The chunk of a node and the node's index in it; `None` if the chunk has never been used.
    fn chunk_mut(&mut self, index: u32) -> Option<(&mut NodeChunk<M>, usize)> {
        let chunk = self.chunks[(index >> CHUNK_BITS) as usize].get_mut()?;
        Some((chunk, (index % CHUNK_NODES) as usize))
    }
}

/// The first index from `next` on where a block of `count` nodes fits into one chunk; `None` if it is too large.
pub(super) fn block_start(next: u32, count: usize) -> Option<u32> {
    let count = u32::try_from(count).ok().filter(|&count| count <= CHUNK_NODES)?;
    let room = CHUNK_NODES - next % CHUNK_NODES;
    if count <= room { Some(next) } else { next.checked_add(room) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_never_cross_chunks_and_never_exceed_the_capacity() {
        let arena = NodeArena::<u32>::with_memory(1);
        assert_eq!(arena.capacity(), CHUNK_NODES);
        let (mut end, mut stretch) = (0, Stretch::default());
        while let Some(first) = arena.allocate(&mut stretch, 100) {
            assert!(first >= end);
            end = first + 100;
        }
        assert!(arena.is_full() && end <= CHUNK_NODES && end + 100 > CHUNK_NODES);
        assert_eq!(block_start(CHUNK_NODES - 1, 2), Some(CHUNK_NODES));
        assert_eq!(block_start(0, CHUNK_NODES as usize + 1), None);
    }

    #[test]
    fn no_node_is_given_to_two_workers() {
        let arena = NodeArena::<u32>::with_memory(1 << 20);
        let mut taken = vec![false; arena.capacity() as usize];
        let mut workers = [Stretch::default(), Stretch::default(), Stretch::default()];
        for number in 0.. {
            let (worker, count) = (number * 7 / 3 % 3, number % 29 + if number % 97 == 0 { 300 } else { 1 });
            let Some(first) = arena.allocate(&mut workers[worker], count) else { break };
            let (first, last) = (first as usize, first as usize + count - 1);
            assert_eq!(first / CHUNK_NODES as usize, last / CHUNK_NODES as usize, "a block in two chunks");
            taken[first..=last].iter_mut().for_each(|taken| assert!(!std::mem::replace(taken, true), "given twice"));
        }
        let given = taken.iter().filter(|&&taken| taken).count();
        assert!(arena.is_full() && given * 10 > taken.len() * 9, "{given} of {}", taken.len());
    }

    #[test]
    fn freed_nodes_take_new_moves() {
        let mut arena = NodeArena::<u32>::with_memory(1 << 20);
        let first = arena.allocate(&mut Stretch::default(), 3).unwrap();
        (0..3).for_each(|i| arena.set_move(first + i, i));
        arena.relocate(first + 2, first);
        arena.set_used(first + 1);
        assert_eq!(arena.mv(first), Some(2));
        let next = arena.allocate(&mut Stretch::default(), 1).unwrap();
        arena.set_move(next, 9);
        assert_eq!(arena.mv(next), Some(9));
    }
}
