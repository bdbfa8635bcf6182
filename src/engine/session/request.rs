//! Requests for a search: time control, limits, mode, root moves.

use std::time::Duration;

use crate::rules::{MAX_SEATS, Seat};
use crate::search::SearchLimits;

/// The clock of one seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Time left; zero when the flag is about to fall (or has fallen).
    pub left: Duration,
    /// Time gained with every own move.
    pub increment: Duration,
}

/// Everything that a `go` says about time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimeControl {
    /// By seat; `None` for a clock that is not running.
    pub clocks: [Option<Clock>; MAX_SEATS],
    /// Own moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// Exactly this long for the move.
    pub move_time: Option<Duration>,
}

impl TimeControl {
    /// With the clocks of the first seats and nothing else.
    pub fn of_clocks(clocks: &[Option<Clock>]) -> Self {
        let mut time = TimeControl::default();
        time.clocks.iter_mut().zip(clocks).for_each(|(slot, &clock)| *slot = clock);
        time
    }

    /// The clock of `seat`; a missing one is taken to equal the first that runs.
    pub fn clock(&self, seat: Seat) -> Option<Clock> {
        let own = self.clocks.get(seat.index()).copied().flatten();
        own.or_else(|| self.clocks.iter().copied().flatten().next())
    }
}

/// When the answer of a search may be given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GoMode {
    /// As soon as the search ends.
    #[default]
    Answer,
    /// Not before [`stop`](super::Engine::stop).
    Infinite,
    /// Not before [`stop`](super::Engine::stop) or [`ponder_hit`](super::Engine::ponder_hit), which starts the clock.
    Ponder,
}

/// One request for a search in the present position of a session.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GoRequest {
    /// The clocks, or the time for this move.
    pub time: TimeControl,
    /// Bounds on depth, nodes and the length of a win.
    pub limits: SearchLimits,
    /// The search is cut off after this long, whatever bounds it otherwise.
    pub at_most: Option<Duration>,
    /// When the answer may be given.
    pub mode: GoMode,
    /// Texts of the only moves to consider; empty means all.
    pub root_moves: Vec<String>,
}

impl GoRequest {
    /// A search of so many nodes.
    pub fn nodes(nodes: u64) -> Self {
        GoRequest { limits: SearchLimits { nodes: Some(nodes), ..SearchLimits::default() }, ..GoRequest::default() }
    }

    /// A search of so long.
    pub fn move_time(time: Duration) -> Self {
        let time = TimeControl { move_time: Some(time), ..TimeControl::default() };
        GoRequest { time, ..GoRequest::default() }
    }

    /// Whether the search of `seat` ends by itself once its mode lets it answer.
    ///
    /// A wanted mate is no bound: it may not exist.
    pub fn is_bounded(&self, seat: Seat) -> bool {
        let timed = self.time.move_time.is_some() || self.time.clock(seat).is_some();
        timed || self.limits.depth.is_some() || self.limits.nodes.is_some() || self.at_most.is_some()
    }
}
