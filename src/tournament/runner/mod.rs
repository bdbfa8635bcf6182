//! Plays games on several threads, in the order in which a director asks for them.

mod dispatcher;
mod worker;

use std::sync::atomic::{AtomicBool, Ordering};

pub use dispatcher::run;
use thiserror::Error;

use super::record::FinishedGame;
use super::schedule::Fixture;

/// Decides what is played and takes what was played. Called from one thread only.
pub trait Director {
    /// Why finished games could not be taken.
    type Error;

    /// The next game; after `None` games under way are finished.
    fn next(&mut self) -> Option<Fixture>;

    /// Takes all games that have finished by now; they count, durably, when this returns.
    ///
    /// # Errors
    /// The run ends.
    fn finished(&mut self, games: Vec<FinishedGame>) -> Result<(), Self::Error>;
}

/// Why a run ended before its director said so. Games that were under way then have left no trace.
#[derive(Debug, Error)]
pub enum RunError<E> {
    /// The director refused a finished game.
    #[error("{0}")]
    Director(E),
    /// A ruleset of the spec cannot be played, the machine lacks what it takes, or a worker broke down.
    #[error("{0}")]
    Setup(String),
    /// The spec says to stop at such a forfeit; the game has been recorded.
    #[error("{engine}: {message}; the spec stops at such a forfeit")]
    Forfeit { engine: String, message: String },
}

/// How a run is asked to end, from any thread.
pub struct Stop {
    asked: AtomicBool,
    gives_up: AtomicBool,
    /// Says that so many games under way are still finished.
    announce: fn(usize),
}

impl Stop {
    /// Nothing is asked; `announce` is called with the number of games that are still finished when there are some.
    pub const fn new(announce: fn(usize)) -> Self {
        Stop { asked: AtomicBool::new(false), gives_up: AtomicBool::new(false), announce }
    }

    /// Lets the games under way be finished and begins no others.
    pub fn finish(&self) {
        self.asked.store(true, Ordering::Relaxed);
    }

    /// Gives up the games under way, which leave no trace.
    pub fn give_up(&self) {
        self.gives_up.store(true, Ordering::Relaxed);
        self.finish();
    }

    /// Set once the run is to end in any way.
    pub fn flag(&self) -> &AtomicBool {
        &self.asked
    }

    /// Whether the run is to end in any way.
    pub fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// Whether games under way are not to be finished.
    pub fn gives_up(&self) -> bool {
        self.gives_up.load(Ordering::Relaxed)
    }
}

impl Default for Stop {
    fn default() -> Self {
        Stop::new(|_| ())
    }
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// The director had no more games.
    Complete,
    /// It was asked to stop before that.
    Stopped,
}

#[cfg(test)]
mod tests;
