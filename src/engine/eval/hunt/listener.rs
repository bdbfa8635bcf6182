//! Remembers some of the positions that an evaluator was asked about.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::geometry::{PointSet, Word};
use crate::rules::hunt::{Phase, Position, Side};

/// Keeps one of every so many positions, if nothing but a move is owed in it.
///
/// It is part of the evaluator, not a wrapper around it: another type of evaluator would compile every searcher again.
pub struct Listener {
    asked: AtomicU64,
    stride: u64,
    kept: Mutex<Vec<Kept>>,
}

/// A position on a board of any size.
struct Kept {
    foxes: PointSet<u128>,
    geese: PointSet<u128>,
    hand: u8,
    first: bool,
    turn: Side,
}

impl Listener {
    /// Keeps one of every `stride` positions.
    pub fn new(stride: u64) -> Self {
        Listener { asked: AtomicU64::new(0), stride: stride.max(1), kept: Mutex::default() }
    }

    #[cold]
    pub(super) fn hear<W: Word>(&self, position: &Position<W>) {
        if self.asked.fetch_add(1, Ordering::Relaxed).is_multiple_of(self.stride) && position.phase() == Phase::Normal {
            self.kept.lock().unwrap_or_else(PoisonError::into_inner).push(Kept {
                foxes: position.foxes().widen(),
                geese: position.geese().widen(),
                hand: position.hand() as u8,
                first: position.first(),
                turn: position.side_to_move(),
            });
        }
    }

    /// The positions kept since the last call, of a game with points of this size.
    pub fn take<W: Word>(&self) -> Vec<Position<W>> {
        let kept = std::mem::take(&mut *self.kept.lock().unwrap_or_else(PoisonError::into_inner));
        let narrow = |set: PointSet<u128>| PointSet::from_word(W::truncate(set.word()));
        let position = |Kept { foxes, geese, hand, first, turn }| {
            Position::new(narrow(foxes), narrow(geese), turn).with_hand(hand).with_first(first)
        };
        kept.into_iter().map(position).collect()
    }
}
