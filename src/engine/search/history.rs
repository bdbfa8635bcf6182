//! The history heuristic (Schaeffer 1989): moves that were good elsewhere are tried early.

use crate::rules::{SearchHints, Seat};

/// How good moves have proved to be, by the seat that made them and their slot.
pub(super) struct History {
    values: Vec<i32>,
    slots: usize,
}

impl History {
    pub(super) fn new<G: SearchHints>(game: &G) -> Self {
        let slots = game.move_slots();
        History { values: vec![0; slots * game.seats().max(1)], slots }
    }

    pub(super) fn value(&self, seat: Seat, slot: usize) -> i32 {
        self.values.get(seat.index() * self.slots + slot).copied().unwrap_or(0)
    }

    /// Changes a value, if there is one for the slot.
    pub(super) fn update(&mut self, seat: Seat, slot: usize, change: impl FnOnce(i32) -> i32) {
        if let Some(value) = self.values.get_mut(seat.index() * self.slots + slot) {
            *value = change(*value);
        }
    }
}
