//! The search tree, kept between searches as long as the game follows it. When the arena is full, unreachable nodes are
//! removed first, then the least visited ones.

use super::arena::{Stretch, TreeArena, TreeNode};
use crate::rules::Game;
use crate::search::SearchTask;

/// The part of the memory that is kept when room is made, in percent.
const KEPT_PERCENT: usize = 50;
const BUCKETS: usize = 33;
/// The number of nodes visited between two checks whether to give up.
const NODES_PER_POLL: usize = 256;

/// Returned when the clock cut short the making of room. The tree may be half moved and must not be used any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Abandoned;

/// A tree, and the game record at whose end its root stands.
pub(super) struct SearchTree<G: Game> {
    pub arena: TreeArena<G::Move>,
    pub root: u32,
    /// Nodes that earlier workers reserved in the arena and did not use.
    stretches: Vec<Stretch>,
    /// The children of the root that may be tried; empty if all may.
    pub allowed: Vec<u32>,
    hash_mib: usize,
    fingerprint: u64,
    start: G::Position,
    moves: Vec<G::Move>,
}

impl<G: Game> SearchTree<G> {
    /// An empty tree for the task.
    pub(super) fn new(task: &SearchTask<'_, G>) -> Self {
        SearchTree {
            arena: TreeArena::with_memory(task.config.hash_mib.saturating_mul(1 << 20)),
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
        // A tree that is of no use is freed before the new one takes memory, so that the bound holds at every moment.
        let kept = kept.and_then(|mut kept| kept.advance(task).map(|()| kept));
        kept.unwrap_or_else(|| SearchTree::new(task))
    }

    /// Moves the root down to the task's position; `None` if the tree does not reach it or the game is another one.
    fn advance(&mut self, task: &SearchTask<'_, G>) -> Option<()> {
        let same = self.hash_mib == task.config.hash_mib
            && !self.arena.is_empty()
            && self.fingerprint == task.game.fingerprint()
            && self.start == *task.record.start();
        let new_moves = task.record.moves().strip_prefix(self.moves.as_slice()).filter(|_| same)?;
        for &mv in new_moves {
            let (child, _) = self.root_children().find(|&(index, _)| self.arena.mv(index) == Some(mv))?;
            self.root = child;
        }
        self.moves.extend_from_slice(new_moves);
        Some(())
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
        let allowed: Vec<_> = self.allowed.iter().filter_map(|&index| self.arena.mv(index)).collect();
        let Some(root) = reclaim(&mut self.arena, self.root, give_up)? else { return Ok(false) };
        self.root = root;
        self.allow(&allowed);
        Ok(self.arena.fill() < 900)
    }

    pub(super) fn root_node(&self) -> &TreeNode {
        self.arena.node(self.root)
    }

    /// The children of the root, each with its index.
    fn root_children(&self) -> impl Iterator<Item = (u32, &TreeNode)> + Clone {
        self.arena.children(self.root_node())
    }

    /// Allows only these moves at the root, or all if none of them is legal.
    pub(super) fn allow(&mut self, root_moves: &[G::Move]) {
        let is_listed = |index: &u32| self.arena.mv(*index).is_some_and(|mv| root_moves.contains(&mv));
        self.allowed = self.root_children().map(|(index, _)| index).filter(is_listed).collect();
    }

    /// The children of the root that may be tried, each with its index.
    pub(super) fn allowed_children(&self) -> impl Iterator<Item = (u32, &TreeNode)> + Clone {
        self.root_children().filter(|(index, _)| self.allowed.is_empty() || self.allowed.contains(index))
    }

    /// The root's child that an allowed move leads to.
    pub(super) fn child_after(&self, mv: G::Move) -> Option<&TreeNode> {
        self.allowed_children().find(|&(index, _)| self.arena.mv(index) == Some(mv)).map(|(_, child)| child)
    }
}

/// Moves the tree below `root` to the front of the arena and returns the new index of its root; rarely visited nodes
/// lose their children if the tree would take too much room. `None` if the system has no memory for the work; then no
/// node has moved.
///
/// # Errors
/// `give_up` returned true before the work was done.
fn reclaim<M: Copy>(arena: &mut TreeArena<M>, root: u32, give_up: impl Fn() -> bool) -> Result<Option<u32>, Abandoned> {
    let Some([mut nodes, mut replies]) = arena.marks() else { return Ok(None) };
    let Some(threshold) = visit_threshold(arena, root, &give_up)? else { return Ok(None) };
    nodes.add(root);
    let is_done = walk(arena, root, &give_up, |index, node| {
        let is_kept = index == root || node.visits() >= threshold;
        if is_kept {
            arena.children(node).for_each(|(child, _)| nodes.add(child));
            arena.places(node).for_each(|place| replies.add(place));
        } else {
            node.forget_children();
        }
        is_kept
    })?;
    if !is_done {
        return Ok(None);
    }
    let [nodes, replies] = [nodes.seal(), replies.seal()];
    if arena.keep(&nodes, &replies, give_up) { Ok(Some(nodes.place(root))) } else { Err(Abandoned) }
}

/// The least number of visits, 0 or a power of two, such that the children and replies of nodes with at least that many
/// fit into the part to keep; `None` if the system has no memory for the work.
fn visit_threshold<M: Copy>(
    arena: &TreeArena<M>,
    root: u32,
    give_up: &impl Fn() -> bool,
) -> Result<Option<u32>, Abandoned> {
    // Nodes of bucket b have fewer than 2^b visits.
    let mut by_visits = [0; BUCKETS];
    let is_done = walk(arena, root, give_up, |_, node| {
        let children = arena.children(node).count() as u32;
        by_visits[(u32::BITS - node.visits().leading_zeros()) as usize] +=
            arena.node_bytes(children) + arena.reply_bytes(arena.places(node).count() as u32);
        true
    })?;
    if !is_done {
        return Ok(None);
    }
    let mut room = arena.bytes() / 100 * KEPT_PERCENT;
    for bucket in (0..BUCKETS).rev() {
        match room.checked_sub(by_visits[bucket]) {
            Some(rest) => room = rest,
            None => return Ok(Some(u32::try_from(1_u64 << bucket).unwrap_or(u32::MAX))),
        }
    }
    Ok(Some(0))
}

/// Calls `goes_on` with every node that has children, from the root down; visits the nodes below if it returns true.
/// Returns false if the system had no memory for the list of nodes to visit.
fn walk<M: Copy>(
    arena: &TreeArena<M>,
    root: u32,
    give_up: &impl Fn() -> bool,
    mut goes_on: impl FnMut(u32, &TreeNode) -> bool,
) -> Result<bool, Abandoned> {
    let mut open = vec![root];
    for done in 1.. {
        let Some(index) = open.pop() else { break };
        let node = arena.node(index);
        // Children are listed first: `goes_on` may forget them.
        let below = open.len();
        for (child, _) in arena.children(node).filter(|(_, child)| child.is_expanded()) {
            if open.try_reserve(1).is_err() {
                return Ok(false);
            }
            open.push(child);
        }
        if !node.is_expanded() || !goes_on(index, node) {
            open.truncate(below);
        }
        if done % NODES_PER_POLL == 0 && give_up() {
            return Err(Abandoned);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::super::arena::{FIRST, Reply};
    use super::super::value::WinRate;
    use super::*;

    /// A node for comparison: the move that leads to it, its visits, its replies and its children.
    #[derive(PartialEq, Debug)]
    struct Shape(Option<u32>, u32, Vec<Reply>, Vec<Shape>);

    /// The tree below a node; nodes with fewer visits than `least` count as leaves.
    fn shape(arena: &TreeArena<u32>, index: u32, least: u32) -> Shape {
        let node = arena.node(index);
        if node.visits() < least || !node.is_expanded() {
            return Shape(arena.mv(index), node.visits(), Vec::new(), Vec::new());
        }
        let children = arena.children(node).map(|(child, _)| shape(arena, child, least)).collect();
        Shape(arena.mv(index), node.visits(), arena.untried(node).collect(), children)
    }

    /// A tree of `count` nodes with children, made by three workers, so that children lie before and behind their
    /// parents.
    fn grow(count: u32) -> TreeArena<u32> {
        let arena = TreeArena::with_memory(2 << 20);
        let mut workers = [Stretch::default(), Stretch::default(), Stretch::default()];
        let root = arena.allocate(&mut workers[0]).unwrap();
        arena.node(root).begin(None, WinRate::HALF, None);
        arena.node(root).add(1 << 20, 0);
        let mut leaves = std::collections::VecDeque::from([root]);
        for number in 0..count {
            let parent = leaves.pop_front().unwrap();
            let worker = &mut workers[(number / 3 % 3) as usize];
            let replies: Vec<Reply> =
                (0..5 + (number * 7 % 9) as u16).map(|index| Reply { index, prior: WinRate(number as u16) }).collect();
            arena.node(parent).publish(arena.list(worker, &replies).unwrap(), replies.len());
            if number % 2 == 0 && arena.lacks_rest(arena.node(parent)) {
                assert!(arena.list_rest(worker, arena.node(parent), &replies[FIRST as usize..]));
            }
            for _ in 0..2 {
                arena.try_next(arena.node(parent)).unwrap();
                let child = arena.allocate(worker).unwrap();
                arena.node(child).begin(None, WinRate::HALF, None);
                arena.node(child).add(child * 13 % 40, 0);
                arena.set_move(child, child);
                arena.adopt(arena.node(parent), child);
                leaves.push_back(child);
            }
        }
        arena
    }

    #[test]
    fn a_tree_keeps_its_shape_wherever_its_nodes_lay() {
        let untouched = grow(4000);
        let (first, _) = untouched.children(untouched.node(0)).next().unwrap();
        let (second, _) = untouched.children(untouched.node(first)).next().unwrap();
        for root in [0, first, second] {
            let mut arena = grow(4000);
            let moved = reclaim(&mut arena, root, || false).unwrap().unwrap();
            assert_eq!(shape(&arena, moved, 0), shape(&untouched, root, 0));
            assert!(arena.fill() <= untouched.fill());
        }
    }

    #[test]
    fn children_of_seldom_visited_nodes_go_when_there_is_too_much() {
        let (mut arena, untouched) = (grow(12_000), grow(12_000));
        assert!(untouched.fill() > 500);
        let threshold = visit_threshold(&untouched, 0, &|| false).unwrap().unwrap();
        assert!((2..40).contains(&threshold));
        let root = reclaim(&mut arena, 0, || false).unwrap().unwrap();
        assert_eq!(shape(&arena, root, 0), shape(&untouched, 0, threshold));
        assert!(arena.fill() <= 501);
    }
}
