//! Playing games, several at a time, under somebody's direction.

use super::fixture::Fixture;
use super::record::FinishedGame;

/// What a director wants next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    Game(Fixture),
    /// Nothing until a game that is under way has ended.
    Wait,
    /// Nothing any more; games under way are finished.
    End,
}

/// Decides what is played and takes what was played. Called from one thread only.
pub trait Director {
    type Error;

    fn next(&mut self) -> Next;

    /// Takes a finished game; it counts, durably, when this returns.
    ///
    /// # Errors
    /// The run ends.
    fn finished(&mut self, game: FinishedGame) -> Result<(), Self::Error>;
}

/// Why a run ended before its director said so.
#[derive(Debug)]
pub enum RunError<E> {
    /// The director refused a finished game.
    Director(E),
    /// A ruleset that the arena promised cannot be played, or the system has no thread to give.
    Setup(String),
    /// The spec says to stop at such a forfeit; the game has been recorded.
    Forfeit { engine: String, message: String },
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// The director had no more games.
    Complete,
    /// `stop` was set: games under way were abandoned and left no trace.
    Stopped,
}
