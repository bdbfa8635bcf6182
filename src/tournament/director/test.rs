//! The sequential test of a run.

use crate::tournament::record::GameRecord;
use crate::tournament::spec::SprtSpec;
use crate::tournament::stats::{PairQueue, SprtMonitor, SprtVerdict};

/// A test of the first engine against the second, fed with games in any order.
#[derive(Clone, Debug)]
pub struct SequentialTest {
    queue: PairQueue,
    monitor: SprtMonitor,
}

impl SequentialTest {
    pub fn new(spec: SprtSpec) -> Self {
        SequentialTest { queue: PairQueue::new(None), monitor: SprtMonitor::new(spec) }
    }

    pub fn add(&mut self, game: &GameRecord) {
        for pair in self.queue.add(game.fixture.game, half_points(game)) {
            self.monitor.add(pair);
        }
    }

    pub fn verdict(&self) -> SprtVerdict {
        self.monitor.verdict()
    }

    pub fn is_decided(&self) -> bool {
        self.verdict().decision.is_some()
    }

    /// Whether a game belongs to the result: it does not when its pair comes after the one that decided.
    pub fn counts(&self, game: u64) -> bool {
        !self.is_decided() || game / 2 < self.verdict().pairs
    }
}

/// Of the first engine.
fn half_points(game: &GameRecord) -> u8 {
    match game.ending.winner {
        None => 1,
        Some(seat) if game.fixture.seats.get(usize::from(seat)) == Some(&0) => 2,
        Some(_) => 0,
    }
}
