//! The nodes of the tree and the moves that were not tried yet, in an arena with a hard memory bound, from which workers
//! take stretches.
//!
//! Most moves are never tried. Such a move is a [`Reply`], four bytes; it becomes a node at its first visit. The replies
//! of a node are in the order in which they will be tried, so that only the next one counts in a choice. Of many replies
//! a node lists the first few, and the rest when these are tried. The nodes of a node's children are a linked list.
//!
//! The statistics of a node are atomics only, so that workers share them without locks.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64};

use super::pool::{Budget, Marks, Pool};
use super::value::{ProvedResult, WinRate};
use crate::rules::Seat;

/// The mover of a node where a roll comes next.
const CHANCE: u8 = u8::MAX;

/// The state of a node without children that no worker is expanding.
const LEAF: u8 = 0;
const EXPANDING: u8 = 1;
const EXPANDED: u8 = 2;

/// Nodes moved between two checks whether to give up.
const NODES_PER_POLL: u32 = 4096;

/// The index that stands for no node.
pub(super) const NONE: u32 = u32::MAX;

/// The replies that a node with more than eight lists at first; the word behind them is the place of the rest.
pub(super) const FIRST: u32 = 7;
/// The place of a rest that is not listed yet.
const UNLISTED: u32 = u32::MAX;

/// A move that was not tried yet: its index in the list of legal moves, and the evaluator's opinion of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reply {
    pub index: u16,
    pub prior: WinRate,
}

impl Reply {
    fn pack(self) -> u32 {
        u32::from(self.prior.0) << 16 | u32::from(self.index)
    }

    fn unpack(word: u32) -> Reply {
        Reply { index: word as u16, prior: WinRate((word >> 16) as u16) }
    }
}

/// One position of the tree. All rates are for seat 0, or with more than two seats for the seat that chose the node.
#[derive(Debug, Default)]
pub(super) struct TreeNode {
    /// Sum of the rates of all visits.
    sum: AtomicU64,
    visits: AtomicU32,
    proof: AtomicU32,
    /// The child that was begun last, and the sibling that was begun before this node.
    child: AtomicU32,
    sibling: AtomicU32,
    /// The first of the replies, their number, how many of them were taken to become nodes, and how many have become
    /// children.
    replies: AtomicU32,
    count: AtomicU16,
    tried: AtomicU16,
    adopted: AtomicU16,
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
        self.forget_children();
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

    pub(super) fn is_expanded(&self) -> bool {
        self.state.load(Acquire) == EXPANDED
    }

    /// Claims the right to expand the node; true for at most one caller.
    pub(super) fn claim(&self) -> bool {
        self.state.compare_exchange(LEAF, EXPANDING, Acquire, Relaxed).is_ok()
    }

    /// Publishes `count` replies, the first of which are listed from `first` on, and the children that were begun with
    /// them.
    pub(super) fn publish(&self, first: u32, count: usize) {
        self.replies.store(first, Relaxed);
        self.count.store(count as u16, Relaxed);
        self.adopted.store(0, Relaxed);
        self.state.store(EXPANDED, Release);
    }

    /// Makes the node a leaf again; its statistics are kept.
    pub(super) fn forget_children(&self) {
        self.child.store(NONE, Relaxed);
        self.count.store(0, Relaxed);
        self.tried.store(0, Relaxed);
        self.state.store(LEAF, Release);
    }

    /// Whether some reply is no child yet: one that was not tried, or that a worker is just making a node.
    pub(super) fn is_open(&self) -> bool {
        u32::from(self.adopted.load(Acquire)) < self.count()
    }

    fn count(&self) -> u32 {
        u32::from(self.count.load(Relaxed))
    }

    /// Whether the node lists some of its replies later than the others.
    pub(super) fn is_broad(&self) -> bool {
        self.count() > FIRST + 1
    }

    /// Rewrites the links to other nodes and to the replies.
    pub(super) fn relink(&mut self, node: impl Fn(u32) -> u32, reply: impl Fn(u32) -> u32) {
        for link in [&mut self.child, &mut self.sibling] {
            *link.get_mut() = node(*link.get_mut());
        }
        *self.replies.get_mut() = reply(*self.replies.get_mut());
    }
}

/// The sum of `visits` visits of one rate.
fn sum_of(visits: u32, rate: WinRate) -> u64 {
    u64::from(visits) * u64::from(rate.0)
}

/// A node and the move that leads to it, which is written once, before the node is published.
#[derive(Debug)]
struct Place<M> {
    node: TreeNode,
    mv: OnceLock<M>,
}

impl<M> Default for Place<M> {
    fn default() -> Self {
        Place { node: TreeNode::default(), mv: OnceLock::new() }
    }
}

/// Nodes and untried replies, within one bound of memory.
#[derive(Debug)]
pub(super) struct TreeArena<M> {
    nodes: Pool<Place<M>>,
    replies: Pool<AtomicU32>,
    budget: Budget,
}

/// Places of both pools that a worker has reserved and not used yet. Not to be used after the nodes
/// were moved.
#[derive(Debug, Default)]
pub(super) struct Stretch {
    nodes: Range<u32>,
    replies: Range<u32>,
}

impl<M: Copy> TreeArena<M> {
    /// An empty tree within `bytes` of memory, but of at least one chunk of each kind.
    pub(super) fn with_memory(bytes: usize) -> Self {
        let bytes = bytes.max(Pool::<Place<M>>::CHUNK + Pool::<AtomicU32>::CHUNK);
        TreeArena { nodes: Pool::new(bytes), replies: Pool::new(bytes), budget: Budget::of(bytes) }
    }

    /// The part of the memory that holds nodes and replies, in thousandths; unreachable ones and those that workers have
    /// in reserve count, too.
    pub(super) fn fill(&self) -> u32 {
        let used = self.node_bytes(self.nodes.used()) + self.reply_bytes(self.replies.used());
        (used as u128 * 1000 / self.bytes() as u128) as u32
    }

    pub(super) fn node_bytes(&self, nodes: u32) -> usize {
        nodes as usize * size_of::<Place<M>>()
    }

    pub(super) fn reply_bytes(&self, replies: u32) -> usize {
        replies as usize * size_of::<AtomicU32>()
    }

    /// The bound of memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.budget.total.load(Relaxed)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.nodes.used() == 0
    }

    /// Whether an allocation has failed since the nodes were moved.
    pub(super) fn is_full(&self) -> bool {
        self.budget.is_spent.load(Relaxed)
    }

    /// Whether the system has refused memory within the bound, so that the tree stays smaller than it may be.
    pub(super) fn was_refused(&self) -> bool {
        self.budget.is_refused.load(Relaxed)
    }

    #[inline]
    pub(super) fn node(&self, index: u32) -> &TreeNode {
        &self.nodes.get(index).node
    }

    /// The children of a node that have been begun, the last one first, each with its index.
    #[inline]
    pub(super) fn children(&self, node: &TreeNode) -> impl Iterator<Item = (u32, &TreeNode)> + Clone {
        let known = |index: u32| (index != NONE).then(|| (index, self.node(index)));
        let first = known(node.child.load(Acquire));
        std::iter::successors(first, move |(_, child)| known(child.sibling.load(Relaxed)))
    }

    /// The place of a node's reply with this number; `None` if it is not listed yet.
    #[inline]
    fn place(&self, node: &TreeNode, number: u32) -> Option<u32> {
        let first = node.replies.load(Relaxed);
        if number < FIRST || !node.is_broad() {
            return Some(first + number);
        }
        let rest = self.replies.get(first + FIRST).load(Acquire);
        (rest != UNLISTED).then(|| rest + number - FIRST)
    }

    /// Whether a node has replies that are not listed yet.
    pub(super) fn lacks_rest(&self, node: &TreeNode) -> bool {
        node.is_broad() && self.place(node, FIRST).is_none()
    }

    /// The places of all that the node has in the pool of replies.
    pub(super) fn places(&self, node: &TreeNode) -> impl Iterator<Item = u32> {
        let link = node.is_broad().then(|| node.replies.load(Relaxed) + FIRST);
        (0..node.count()).map_while(|number| self.place(node, number)).chain(link)
    }

    /// The replies of a node that are listed, from this number on, in the order in which they are tried.
    #[inline]
    pub(super) fn listed(&self, node: &TreeNode, from: u32) -> impl Iterator<Item = Reply> {
        let places = (from..node.count()).map_while(|number| self.place(node, number));
        places.map(|place| Reply::unpack(self.replies.get(place).load(Relaxed)))
    }

    /// The listed replies of a node that were not tried yet, the next one first. There is one as long as not all replies
    /// were tried.
    #[inline]
    pub(super) fn untried(&self, node: &TreeNode) -> impl Iterator<Item = Reply> {
        self.listed(node, u32::from(node.tried.load(Acquire)))
    }

    /// Takes the next reply off the list of those not tried yet; the caller makes it a node. `None` if all are taken, or
    /// it is the last of the first and the rest is not listed.
    pub(super) fn try_next(&self, node: &TreeNode) -> Option<Reply> {
        let most = if self.lacks_rest(node) { FIRST - 1 } else { node.count() };
        let next = |tried: u16| (u32::from(tried) < most).then(|| tried + 1);
        let tried = node.tried.fetch_update(Release, Relaxed, next).ok()?;
        self.listed(node, u32::from(tried)).next()
    }

    /// Makes a node that has begun the youngest child of `parent`.
    pub(super) fn adopt(&self, parent: &TreeNode, index: u32) {
        let link = |eldest: u32| {
            self.node(index).sibling.store(eldest, Relaxed);
            Some(index)
        };
        // The update never fails: `link` always names the node.
        let _ = parent.child.fetch_update(Release, Relaxed, link);
        parent.adopted.fetch_add(1, Release);
    }

    /// The move that leads to the node; `None` for a node that never had one.
    #[inline]
    pub(super) fn mv(&self, index: u32) -> Option<M> {
        self.nodes.get(index).mv.get().copied()
    }

    /// Names the move that leads to a fresh node.
    #[inline]
    pub(super) fn set_move(&self, index: u32, mv: M) {
        // This fails only if the cell is taken, which `allocate` rules out.
        let _ = self.nodes.get(index).mv.set(mv);
    }

    /// Takes a node from a stretch; `None`, and the arena is full, when no memory is left.
    #[inline]
    pub(super) fn allocate(&self, stretch: &mut Stretch) -> Option<u32> {
        self.nodes.take(&mut stretch.nodes, 1, &self.budget).map(|taken| taken.start)
    }

    /// Gives back the node that was taken from the stretch last, and not begun.
    pub(super) fn give_back(&self, stretch: &mut Stretch) {
        stretch.nodes.start -= 1;
    }

    /// Lists the replies of a node, which are in the order in which they will be tried: all, or the first of many. Returns
    /// the first place; `None`, and the arena is full, when no memory is left.
    pub(super) fn list(&self, stretch: &mut Stretch, replies: &[Reply]) -> Option<u32> {
        match replies.get(FIRST as usize + 1) {
            Some(_) => self.store(stretch, &replies[..FIRST as usize], Some(UNLISTED)),
            None => self.store(stretch, replies, None),
        }
    }

    /// Lists the rest of a node's replies, unless another worker was faster. Returns false, and the arena is full, when no
    /// memory is left.
    pub(super) fn list_rest(&self, stretch: &mut Stretch, node: &TreeNode, rest: &[Reply]) -> bool {
        let Some(place) = self.store(stretch, rest, None) else { return false };
        let link = self.replies.get(node.replies.load(Relaxed) + FIRST);
        // Where this fails, the rest is listed already.
        let _ = link.compare_exchange(UNLISTED, place, Release, Relaxed);
        true
    }

    /// Takes places from a stretch and stores replies there, and a link behind them. Returns the first place.
    fn store(&self, stretch: &mut Stretch, replies: &[Reply], link: Option<u32>) -> Option<u32> {
        let count = u32::try_from(replies.len() + link.iter().len()).ok()?;
        let places = self.replies.take(&mut stretch.replies, count, &self.budget)?;
        let words = replies.iter().map(|reply| reply.pack()).chain(link);
        places.clone().zip(words).for_each(|(place, word)| self.replies.get(place).store(word, Relaxed));
        Some(places.start)
    }

    /// Marks for all nodes, and for all replies; `None` if the system has no memory for them.
    pub(super) fn marks(&self) -> Option<[Marks; 2]> {
        Some([Marks::up_to(self.nodes.used())?, Marks::up_to(self.replies.used())?])
    }

    /// Moves the marked nodes and replies, in their order, to the front, and frees the rest.
    ///
    /// Returns false if `give_up` returned true before the work was done: then the arena must not be used any more.
    pub(super) fn keep(&mut self, nodes: &Marks, replies: &Marks, give_up: impl Fn() -> bool) -> bool {
        for index in 0..self.nodes.used() {
            let Place { mut node, mv } = std::mem::take(self.nodes.get_mut(index));
            if nodes.has(index) {
                if node.is_broad()
                    && let Some(rest) = self.place(&node, FIRST)
                {
                    let link = *node.replies.get_mut() + FIRST;
                    *self.replies.get_mut(link).get_mut() = replies.place(rest);
                }
                node.relink(
                    |link| if nodes.has(link) { nodes.place(link) } else { NONE },
                    |first| replies.place(first),
                );
                *self.nodes.get_mut(nodes.place(index)) = Place { node, mv };
            }
            if index % NODES_PER_POLL == 0 && give_up() {
                return false;
            }
        }
        for index in (0..self.replies.used()).filter(|&index| replies.has(index)) {
            let word = *self.replies.get_mut(index).get_mut();
            *self.replies.get_mut(replies.place(index)).get_mut() = word;
        }
        let freed = self.nodes.cut(nodes.count()) + self.replies.cut(replies.count());
        *self.budget.left.get_mut() += freed;
        *self.budget.is_spent.get_mut() = false;
        true
    }
}
