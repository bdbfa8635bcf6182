//! The tree between searches: kept as long as the game goes on from where it was.

use super::tree::Tree;
use crate::rules::Game;
use crate::search::Task;

/// A tree and the game record that its root stands for.
pub struct Memory<G: Game> {
    pub tree: Tree<G::Move>,
    pub root: u32,
    hash_mib: usize,
    fingerprint: u64,
    start: G::Position,
    moves: Vec<G::Move>,
}

impl<G: Game> Memory<G> {
    pub fn new(task: &Task<'_, G>) -> Self {
        Memory {
            tree: Tree::with_memory(task.config.hash_mib.saturating_mul(1 << 20)),
            root: 0,
            hash_mib: task.config.hash_mib,
            fingerprint: task.game.fingerprint(),
            start: *task.record.start(),
            moves: task.record.moves().to_vec(),
        }
    }

    /// Moves the root down to the task's position, if the tree reaches it; `None` if this is another game, or the
    /// game took a turn the tree does not know.
    pub fn advance(mut self, task: &Task<'_, G>) -> Option<Self> {
        let same = self.hash_mib == task.config.hash_mib
            && self.fingerprint == task.game.fingerprint()
            && self.start == *task.record.start();
        let new_moves = task.record.moves().strip_prefix(self.moves.as_slice()).filter(|_| same)?;
        for &mv in new_moves {
            self.root = self.child(mv)?;
        }
        self.moves.extend_from_slice(new_moves);
        Some(self)
    }

    fn child(&self, mv: G::Move) -> Option<u32> {
        let (first, count) = self.tree.node(self.root).block()?;
        (first..first + u32::from(count)).find(|&index| self.tree.mv(index) == Some(mv))
    }
}

/// Which of the root's children may be tried: empty for all.
pub fn allowed_children<G: Game>(memory: &Memory<G>, root_moves: &[G::Move]) -> Vec<bool> {
    let block = memory.tree.node(memory.root).block();
    let Some((first, count)) = block.filter(|_| !root_moves.is_empty()) else { return Vec::new() };
    let listed = |index| memory.tree.mv(index).is_some_and(|mv| root_moves.contains(&mv));
    let allowed: Vec<bool> = (first..first + u32::from(count)).map(listed).collect();
    // A list without any legal move would leave nothing to play.
    if allowed.contains(&true) { allowed } else { Vec::new() }
}
