//! The search tree, kept between searches as long as the game follows it. When the arena is full, unreachable nodes are
//! removed first, then the least visited ones.

use super::arena::{Block, NodeArena, Stretch, TreeNode, block_start};
use crate::rules::Game;
use crate::search::SearchTask;

/// The part of the capacity that is kept when room is made, in percent.
const KEPT_PERCENT: u64 = 50;
const BUCKETS: usize = 33;
/// The number of blocks handled between two checks whether to give up.
const BLOCKS_PER_POLL: usize = 256;

/// Returned when the clock cut short the making of room. The tree may be half moved and must not be used any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Abandoned;

/// A tree, and the game record at whose end its root stands.
pub(super) struct SearchTree<G: Game> {
    pub arena: NodeArena<G::Move>,
    pub root: u32,
    /// Nodes that earlier workers reserved in the arena and did not use.
    stretches: Vec<Stretch>,
    /// Whether each child of the root may be tried; empty if all may.
    pub allowed: Vec<bool>,
    hash_mib: usize,
    fingerprint: u64,
    start: G::Position,
    moves: Vec<G::Move>,
}

impl<G: Game> SearchTree<G> {
    pub(super) fn new(task: &SearchTask<'_, G>) -> Self {
        SearchTree::over(NodeArena::with_memory(task.config.hash_mib.saturating_mul(1 << 20)), task)
    }

    fn over(arena: NodeArena<G::Move>, task: &SearchTask<'_, G>) -> Self {
        SearchTree {
            arena,
            root: 0,
            stretches: Vec::new(),
            allowed: Vec::new(),
            hash_mib: task.config.hash_mib,
            fingerprint: task.game.fingerprint(),
            start: *task.record.start(),
            moves: task.record.moves().to_vec(),
        }
    }

    /// A tree for the task: the part of `kept` below the task's position, or an empty tree.
    pub(super) fn prepare(kept: Option<Self>, task: &SearchTask<'_, G>) -> Self {
        let Some(mut kept) = kept else { return SearchTree::new(task) };
        if kept.advance(task).is_some() { kept } else { kept.renew(task) }
    }

    /// Moves the root down to the task's position; `None` if the tree does not reach it or the game is another one.
    fn advance(&mut self, task: &SearchTask<'_, G>) -> Option<()> {
        let same = self.hash_mib == task.config.hash_mib
            && self.arena.used() > 0
            && self.fingerprint == task.game.fingerprint()
            && self.start == *task.record.start();
        let new_moves = task.record.moves().strip_prefix(self.moves.as_slice()).filter(|_| same)?;
        for &mv in new_moves {
            self.root = self.root_block().indices().find(|&index| self.arena.mv(index) == Some(mv))?;
        }
        self.moves.extend_from_slice(new_moves);
        Some(())
    }

    /// An empty tree for the task, in the memory of this one if the size has not changed.
    pub(super) fn renew(mut self, task: &SearchTask<'_, G>) -> Self {
        if self.hash_mib != task.config.hash_mib {
            // The old memory is freed before the new is taken, so that the bound holds at every moment.
            drop(self);
            return SearchTree::new(task);
        }
        self.forget();
        SearchTree::over(self.arena, task)
    }

    /// Empties the tree; costs as much as has been used.
    pub(super) fn forget(&mut self) {
        self.arena.set_used(0);
        self.stretches.clear();
    }

    /// Nodes for a worker to use, reserved by an earlier one if there are any; to be given back with
    /// [`take_back`](SearchTree::take_back).
    pub(super) fn lend_stretch(&mut self) -> Stretch {
        self.stretches.pop().unwrap_or_default()
    }

    pub(super) fn take_back(&mut self, stretch: Stretch) {
        self.stretches.push(stretch);
    }

    /// Makes room in a full tree, whose stretches must have been taken back. Returns whether at least a tenth of the
    /// arena is free then.
    ///
    /// # Errors
    /// `give_up` returned true before the work was done.
    pub(super) fn make_room(&mut self, give_up: impl Fn() -> bool) -> Result<bool, Abandoned> {
        // Nodes that were reserved and not used will be handed out again.
        self.stretches.clear();
        reclaim(&mut self.arena, self.root, give_up)?;
        self.root = 0;
        Ok(self.arena.used() < self.arena.capacity() / 10 * 9)
    }

    pub(super) fn root_node(&self) -> &TreeNode {
        self.arena.node(self.root)
    }

    /// The children of the root; an empty block if there are none yet.
    fn root_block(&self) -> Block {
        self.root_node().block().unwrap_or_default()
    }

    /// The move that leads to a child of the root, given the child's index.
    pub(super) fn root_move(&self, index: usize) -> Option<G::Move> {
        self.arena.mv(self.root_node().block()?.first + index as u32)
    }

    /// Allows only these moves at the root, or all if none of them is legal.
    pub(super) fn allow(&mut self, root_moves: &[G::Move]) {
        let is_listed = |index| self.arena.mv(index).is_some_and(|mv| root_moves.contains(&mv));
        self.allowed = self.root_block().indices().map(is_listed).collect();
        if !self.allowed.contains(&true) {
            self.allowed.clear();
        }
    }

    /// The children of the root that may be tried, each with its index among all children.
    pub(super) fn allowed_children(&self) -> impl Iterator<Item = (usize, &TreeNode)> + Clone {
        let is_allowed = |index: usize| self.allowed.get(index).is_none_or(|&allowed| allowed);
        self.arena.children(self.root_node()).iter().enumerate().filter(move |&(index, _)| is_allowed(index))
    }

    /// The root's child that an allowed move leads to.
    pub(super) fn child_after(&self, mv: G::Move) -> Option<&TreeNode> {
        self.allowed_children().find(|&(index, _)| self.root_move(index) == Some(mv)).map(|(_, child)| child)
    }
}

/// Moves the tree below `root` to the front of the arena, with `root` as node 0; rarely visited nodes lose their
/// children if the tree would take too much room.
///
/// # Errors
/// `give_up` returned true before the work was done.
fn reclaim<M: Copy>(arena: &mut NodeArena<M>, root: u32, give_up: impl Fn() -> bool) -> Result<(), Abandoned> {
    let threshold = visit_threshold(arena, root, &give_up)?;
    let mut blocks = kept_blocks(arena, root, threshold, &give_up)?;
    blocks.sort_unstable_by_key(|kept| kept.block.first);
    arena.relocate(root, 0);
    let mut used = 1;
    // The lowest block first, so that nodes only move towards the front, over nodes moved before or not kept.
    for number in 0..blocks.len() {
        let KeptBlock { block, parent, .. } = blocks[number];
        let Some(start) = block_start(used, usize::from(block.count)) else { return Err(Abandoned) };
        for (from, to) in block.indices().zip(start..) {
            arena.relocate(from, to);
        }
        // From here on the list says how far the block has moved.
        let parent = if parent == root { 0 } else { parent - moved_by(&blocks[..number], parent) };
        arena.node(parent).publish(Block { first: start, ..block });
        blocks[number].moved = block.first - start;
        used = start + u32::from(block.count);
        if number % BLOCKS_PER_POLL == 0 && give_up() {
            return Err(Abandoned);
        }
    }
    arena.set_used(used);
    Ok(())
}

/// A block of children that is kept.
struct KeptBlock {
    /// The block before the move.
    block: Block,
    /// The index of the parent node before the move.
    parent: u32,
    /// The number of places by which the block has moved so far.
    moved: u32,
}

/// The number of places by which a node has moved; 0 if it is in none of these blocks.
fn moved_by(blocks: &[KeptBlock], node: u32) -> u32 {
    let behind = blocks.partition_point(|kept| kept.block.first <= node);
    let last = blocks[..behind].last().filter(|kept| kept.block.indices().contains(&node));
    last.map_or(0, |kept| kept.moved)
}

/// The blocks below the root to keep: the children of nodes with at least `threshold` visits. Other nodes lose theirs.
fn kept_blocks<M: Copy>(
    arena: &NodeArena<M>,
    root: u32,
    threshold: u32,
    give_up: &impl Fn() -> bool,
) -> Result<Vec<KeptBlock>, Abandoned> {
    let mut blocks = Vec::new();
    walk(arena, root, give_up, |parent, block| {
        let node = arena.node(parent);
        let is_kept = parent == root || node.visits() >= threshold;
        if is_kept {
            blocks.push(KeptBlock { block, parent, moved: 0 });
        } else {
            node.forget_children();
        }
        is_kept
    })?;
    Ok(blocks)
}

/// The least number of visits, 0 or a power of two, such that the children of nodes with at least that many fit into
/// the part to keep.
fn visit_threshold<M: Copy>(arena: &NodeArena<M>, root: u32, give_up: &impl Fn() -> bool) -> Result<u32, Abandoned> {
    // Nodes of bucket b have fewer than 2^b visits.
    let mut by_visits = [0_u64; BUCKETS];
    walk(arena, root, give_up, |parent, block| {
        by_visits[(u32::BITS - arena.node(parent).visits().leading_zeros()) as usize] += u64::from(block.count);
        true
    })?;
    let mut room = u64::from(arena.capacity()) * KEPT_PERCENT / 100;
    for bucket in (0..BUCKETS).rev() {
        match room.checked_sub(by_visits[bucket]) {
            Some(rest) => room = rest,
            None => return Ok(u32::try_from(1_u64 << bucket).unwrap_or(u32::MAX)),
        }
    }
    Ok(0)
}

/// Calls `goes_on` with every node that has children and with their block, from the root down; visits the nodes below
/// if it returns true.
fn walk<M: Copy>(
    arena: &NodeArena<M>,
    root: u32,
    give_up: &impl Fn() -> bool,
    mut goes_on: impl FnMut(u32, Block) -> bool,
) -> Result<(), Abandoned> {
    let mut open = vec![root];
    for done in 1.. {
        let Some(parent) = open.pop() else { break };
        let Some(block) = arena.node(parent).block() else { continue };
        if goes_on(parent, block) {
            open.extend(block.indices().filter(|&index| arena.node(index).block().is_some()));
        }
        if done % BLOCKS_PER_POLL == 0 && give_up() {
            return Err(Abandoned);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::value::WinRate;
    use super::*;

    /// A node for comparison: the move that leads to it, its visits and its children.
    #[derive(PartialEq, Debug)]
    struct Shape(Option<u32>, u32, Vec<Shape>);

    /// The tree below a node; nodes with fewer visits than `least` count as leaves.
    fn shape(arena: &NodeArena<u32>, index: u32, least: u32) -> Shape {
        let node = arena.node(index);
        let block = node.block().filter(|_| node.visits() >= least).unwrap_or_default();
        let children = block.indices().map(|child| shape(arena, child, least)).collect();
        Shape(arena.mv(index), node.visits(), children)
    }

    /// A tree of `blocks` blocks made by three workers, so that children lie before and behind their parents.
    fn grow(blocks: u32) -> NodeArena<u32> {
        let arena = NodeArena::with_memory(4 << 20);
        let mut workers = [Stretch::default(), Stretch::default(), Stretch::default()];
        let root = arena.allocate(&mut workers[0], 1).unwrap();
        arena.node(root).begin(None, WinRate::HALF, None);
        arena.node(root).add(1 << 20, 0);
        let mut leaves = std::collections::VecDeque::from([root]);
        for number in 0..blocks {
            let parent = leaves.pop_front().unwrap();
            let count = 2 + number * 7 % 5;
            let first = arena.allocate(&mut workers[(number / 3 % 3) as usize], count as usize).unwrap();
            for child in first..first + count {
                arena.node(child).begin(None, WinRate::HALF, None);
                arena.node(child).add(child * 13 % 40, 0);
                arena.set_move(child, child);
            }
            leaves.extend(first..first + count);
            arena.node(parent).publish(Block { first, count: count as u16 });
        }
        arena
    }

    #[test]
    fn a_tree_keeps_its_shape_wherever_its_nodes_lay() {
        let untouched = grow(4000);
        let first = untouched.node(0).block().unwrap().first;
        let blocks = (0..untouched.used()).filter_map(|parent| Some((parent, untouched.node(parent).block()?.first)));
        assert!(blocks.filter(|(parent, child)| child < parent).count() > 100, "children behind their parents only");
        for root in [0, first, first + 1] {
            let mut arena = grow(4000);
            reclaim(&mut arena, root, || false).unwrap();
            assert_eq!(shape(&arena, 0, 0), shape(&untouched, root, 0));
            assert!(arena.used() < untouched.used());
        }
    }

    #[test]
    fn children_of_seldom_visited_nodes_go_when_there_is_too_much() {
        let (mut arena, untouched) = (grow(20_000), grow(20_000));
        assert!(untouched.used() > untouched.capacity() / 2);
        let threshold = visit_threshold(&untouched, 0, &|| false).unwrap();
        assert!((2..40).contains(&threshold));
        reclaim(&mut arena, 0, || false).unwrap();
        assert_eq!(shape(&arena, 0, 0), shape(&untouched, 0, threshold));
        assert!((2..=arena.capacity() / 2 + 1).contains(&arena.used()));
    }
}
