//! The tree between searches: kept as long as the game goes on from where it was.

use super::arena::NodeArena;
use crate::rules::Game;
use crate::search::SearchTask;

/// A tree and the game record that its root stands for.
pub(super) struct SearchTree<G: Game> {
    pub arena: NodeArena<G::Move>,
    pub root: u32,
    hash_mib: usize,
    fingerprint: u64,
    start: G::Position,
    moves: Vec<G::Move>,
}

impl<G: Game> SearchTree<G> {
    pub(super) fn new(task: &SearchTask<'_, G>) -> Self {
        let hash_mib = task.config.hash_mib;
        SearchTree::over(NodeArena::with_memory(hash_mib.saturating_mul(1 << 20)), hash_mib, task)
    }

    fn over(arena: NodeArena<G::Move>, hash_mib: usize, task: &SearchTask<'_, G>) -> Self {
        SearchTree {
            arena,
            root: 0,
            hash_mib,
            fingerprint: task.game.fingerprint(),
            start: *task.record.start(),
            moves: task.record.moves().to_vec(),
        }
    }

    /// A memory for the task: what `kept` knows about the position, or an empty one.
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
            self.root = self.child(mv)?;
        }
        self.moves.extend_from_slice(new_moves);
        Some(())
    }

    /// An empty memory for the task, in the room of this one if the size has not changed.
    pub(super) fn renew(mut self, task: &SearchTask<'_, G>) -> Self {
        if self.hash_mib != task.config.hash_mib {
            // The old memory goes before the new comes, so that the bound holds at every moment.
            drop(self);
            return SearchTree::new(task);
        }
        self.forget();
        let SearchTree { arena, hash_mib, .. } = self;
        SearchTree::over(arena, hash_mib, task)
    }

    /// Forgets everything; costs as much as has been used.
    pub(super) fn forget(&mut self) {
        self.arena.clear();
    }

    fn child(&self, mv: G::Move) -> Option<u32> {
        let (first, count) = self.arena.node(self.root).block()?;
        (first..first + u32::from(count)).find(|&index| self.arena.mv(index) == Some(mv))
    }
}

/// Which of the root's children may be tried: empty for all.
pub(super) fn allowed_children<G: Game>(tree: &SearchTree<G>, root_moves: &[G::Move]) -> Vec<bool> {
    let block = tree.arena.node(tree.root).block();
    let Some((first, count)) = block.filter(|_| !root_moves.is_empty()) else { return Vec::new() };
    let listed = |index| tree.arena.mv(index).is_some_and(|mv| root_moves.contains(&mv));
    let allowed: Vec<bool> = (first..first + u32::from(count)).map(listed).collect();
    // A list without any legal move would leave nothing to play.
    if allowed.contains(&true) { allowed } else { Vec::new() }
}
