//! Progress where nobody knows beforehand how many rounds there will be.

use std::cell::Cell;

/// Tells that so many positions are done, for each round an eighth of those that are left.
pub(super) struct RoundProgress<'a> {
    left: Cell<u64>,
    progress: &'a (dyn Fn(u64) + Sync),
}

impl<'a> RoundProgress<'a> {
    pub(super) fn new(positions: u64, progress: &'a (dyn Fn(u64) + Sync)) -> Self {
        RoundProgress { left: Cell::new(positions), progress }
    }

    pub(super) fn round(&self) {
        self.tell(self.left.get() / 8);
    }

    /// The rest.
    pub(super) fn end(&self) {
        self.tell(self.left.get());
    }

    fn tell(&self, positions: u64) {
        self.left.set(self.left.get() - positions);
        (self.progress)(positions);
    }
}
