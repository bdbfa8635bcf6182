//! An evaluator that remembers some of the positions that it was asked about.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::eval::{Evaluator, Terms};
use crate::rules::{Game, Seat};

/// Evaluates as another evaluator does. Clones share what they have heard.
pub(super) struct Listening<G: Game, E> {
    evaluator: E,
    heard: Arc<Heard<G::Position>>,
}

struct Heard<P> {
    asked: AtomicU64,
    /// Every so manieth position is kept.
    stride: u64,
    kept: Mutex<Vec<P>>,
}

impl<G: Game, E: Clone> Clone for Listening<G, E> {
    fn clone(&self) -> Self {
        Listening { evaluator: self.evaluator.clone(), heard: Arc::clone(&self.heard) }
    }
}

impl<G: Game, E> Listening<G, E> {
    pub(super) fn new(evaluator: E, stride: u64) -> Self {
        let heard = Heard { asked: AtomicU64::new(0), stride: stride.max(1), kept: Mutex::default() };
        Listening { evaluator, heard: Arc::new(heard) }
    }

    /// The positions kept since the last call.
    pub(super) fn take(&self) -> Vec<G::Position> {
        std::mem::take(&mut *self.heard.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for Listening<G, E> {
    fn evaluate(&self, game: &G, position: &G::Position, seat: Seat) -> i32 {
        if self.heard.asked.fetch_add(1, Ordering::Relaxed).is_multiple_of(self.heard.stride) {
            self.heard.kept.lock().unwrap_or_else(PoisonError::into_inner).push(*position);
        }
        self.evaluator.evaluate(game, position, seat)
    }

    fn explain(&self, game: &G, position: &G::Position) -> Terms {
        self.evaluator.explain(game, position)
    }
}
