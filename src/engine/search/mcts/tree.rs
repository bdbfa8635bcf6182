//! The search tree, kept between searches as long as the game goes on from where it was.

use super::arena::{NodeArena, Stretch};
use super::node::TreeNode;
use super::reclaim::{Abandoned, reclaim};
use crate::rules::Game;
use crate::search::SearchTask;

/// A tree and the game record that its root stands for.
pub(super) struct SearchTree<G: Game> {
    pub arena: NodeArena<G::Move>,
    pub root: u32,
    /// What earlier workers took of the arena and did not use.
    stretches: Vec<Stretch>,
    /// Which of the root's children may be tried; empty for all.
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

    /// A tree for the task: what `kept` knows about the position, or an empty one.
    pub(super) fn prepare(kept: Option<Self>, task: &SearchTask<'_, G>) -> Self {
        let Some(mut kept) = kept else { return SearchTree::new(task) };
        if kept.advance(task).is_some() { kept } else { kept.renew(task) }
    }

    /// Moves the root down to the task's position, if the tree reaches it; `None` if this is another game, or the
    /// game took a turn the tree does not know.
    fn advance(&mut self, task: &SearchTask<'_, G>) -> Option<()> {
        let same = self.hash_mib == task.config.hash_mib
            && self.arena.used() > 0
            && self.fingerprint == task.game.fingerprint()
            && self.start == *task.record.start();
        let new_moves = task.record.moves().strip_prefix(self.moves.as_slice()).filter(|_| same)?;
        for &mv in new_moves {
            self.root = self.root_children().find(|&index| self.arena.mv(index) == Some(mv))?;
        }
        self.moves.extend_from_slice(new_moves);
        Some(())
    }

    /// An empty tree for the task, in the room of this one if the size has not changed.
    pub(super) fn renew(mut self, task: &SearchTask<'_, G>) -> Self {
        if self.hash_mib != task.config.hash_mib {
            // The old memory goes before the new comes, so that the bound holds at every moment.
            drop(self);
            return SearchTree::new(task);
        }
        self.forget();
        SearchTree::over(self.arena, task)
    }

    /// Forgets everything; costs as much as has been used.
    pub(super) fn forget(&mut self) {
        self.arena.set_used(0);
        self.stretches.clear();
    }

    /// Nodes for a worker to use, if an earlier one has left some; to be given back with
    /// [`take_back`](SearchTree::take_back).
    pub(super) fn lend_stretch(&mut self) -> Stretch {
        self.stretches.pop().unwrap_or_default()
    }

    pub(super) fn take_back(&mut self, stretch: Stretch) {
        self.stretches.push(stretch);
    }

    /// Makes room in a full tree, all that was lent having been taken back. Says whether that was worth the while.
    ///
    /// # Errors
    /// `give_up` said so before the work was done.
    pub(super) fn make_room(&mut self, give_up: impl Fn() -> bool) -> Result<bool, Abandoned> {
        // What was taken and not used will be handed out again.
        self.stretches.clear();
        reclaim(&mut self.arena, self.root, give_up)?;
        self.root = 0;
        Ok(self.arena.used() < self.arena.capacity() / 10 * 9)
    }

    pub(super) fn root_node(&self) -> &TreeNode {
        self.arena.node(self.root)
    }

    /// The indices of the nodes below the root.
    fn root_children(&self) -> std::ops::Range<u32> {
        let (first, count) = self.root_node().block().unwrap_or_default();
        first..first + u32::from(count)
    }

    /// Allows only some moves at the root, or all if the list names no legal one.
    pub(super) fn allow(&mut self, root_moves: &[G::Move]) {
        let is_listed = |index| self.arena.mv(index).is_some_and(|mv| root_moves.contains(&mv));
        self.allowed = self.root_children().map(is_listed).collect();
        if !self.allowed.contains(&true) {
            self.allowed.clear();
        }
    }

    /// The root's children that may be tried, each with its place among all of them.
    pub(super) fn allowed_children(&self) -> impl Iterator<Item = (usize, &TreeNode)> + Clone {
        let is_allowed = |index: usize| self.allowed.get(index).is_none_or(|&allowed| allowed);
        self.arena.children(self.root_node()).iter().enumerate().filter(move |&(index, _)| is_allowed(index))
    }

    /// The root's child that an allowed move leads to.
    pub(super) fn child_after(&self, mv: G::Move) -> Option<&TreeNode> {
        let (first, _) = self.root_node().block()?;
        let mut children = self.allowed_children();
        children.find(|&(index, _)| self.arena.mv(first + index as u32) == Some(mv)).map(|(_, child)| child)
    }
}
