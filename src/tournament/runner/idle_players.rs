//! The players that a worker keeps between games.

use crate::tournament::player::Player;

/// Most players that one worker keeps idle. External programs are processes and searchers hold tables: more would
/// cost memory, fewer would start programs anew all the time.
pub(super) const MOST_IDLE: usize = 8;

/// Which engine plays which ruleset.
pub(super) type PlayerKey = (usize, usize);

/// Players that wait for their next game, the least recently used first. One that plays is not in it, so an engine can
/// meet itself.
#[derive(Default)]
pub(super) struct IdlePlayers {
    idle: Vec<(PlayerKey, Box<dyn Player>)>,
}

impl IdlePlayers {
    pub(super) fn take(&mut self, key: PlayerKey) -> Option<Box<dyn Player>> {
        let found = self.idle.iter().rposition(|(known, _)| *known == key)?;
        Some(self.idle.remove(found).1)
    }

    /// Keeps a sound player; the one that has been idle longest may have to go.
    pub(super) fn put(&mut self, key: PlayerKey, player: Box<dyn Player>) {
        self.idle.push((key, player));
        if self.idle.len() > MOST_IDLE {
            self.idle.remove(0);
        }
    }
}
