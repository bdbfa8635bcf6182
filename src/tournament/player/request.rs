//! A request for one move, with the time that it may take.

use std::time::Duration;

use reynard_engine::rules::{MAX_SEATS, Seat};
use reynard_engine::session::GoRequest;

/// A year: nobody waits longer, and every clock of the machine can add it.
const LONGEST: Duration = Duration::from_secs(365 * 86_400);

/// What may be spent on one move, and by whom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveRequest {
    /// The seat that is to move, whose clock runs.
    pub seat: Seat,
    /// Clocks and limits, as engines are told of them.
    pub go: GoRequest,
    /// A search that has not answered this long after it should have is given up.
    pub timeout: Duration,
}

impl MoveRequest {
    /// Whether a clock decides when the move is due.
    pub(super) fn is_timed(&self) -> bool {
        self.due().is_some()
    }

    /// When a late search is told to stop and when it is given up, counted from its start; `grace` lies between them.
    ///
    /// A search on the clock is told to stop so early that the rest of the timeout is the grace; one that no clock
    /// bounds has the whole timeout for searching.
    pub(super) fn deadlines(&self, grace: Duration) -> [Duration; 2] {
        let stop = match self.due() {
            Some(due) => due.saturating_add(self.timeout.saturating_sub(grace)),
            None => self.timeout,
        };
        [stop, stop.saturating_add(grace)].map(|moment| moment.min(LONGEST))
    }

    /// When the move is due; `None` when no clock decides.
    fn due(&self) -> Option<Duration> {
        let left = self.go.time.clocks[self.seat.index() % MAX_SEATS].map(|clock| clock.left);
        left.into_iter().chain(self.go.time.move_time).min()
    }
}

#[cfg(test)]
mod tests {
    use reynard_engine::session::{Clock, TimeControl};

    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    fn moments(move_time: Option<u64>, left: Option<u64>, timeout: u64) -> [Duration; 2] {
        let clock = left.map(|left| Clock { left: MS(left), increment: Duration::ZERO });
        let clocks = TimeControl::of_clocks(&[Some(Clock::default()), clock]);
        let time = TimeControl { move_time: move_time.map(MS), ..clocks };
        let go = GoRequest { time, ..GoRequest::nodes(100) };
        MoveRequest { seat: Seat::P2, go, timeout: MS(timeout) }.deadlines(MS(50))
    }

    #[test]
    fn a_clock_leaves_the_margin_and_then_the_time_to_stop() {
        assert_eq!(moments(Some(100), None, 80), [MS(130), MS(180)]);
        assert_eq!(moments(Some(100), Some(40), 80), [MS(70), MS(120)]);
        assert_eq!(moments(None, Some(40), 20), [MS(40), MS(90)]);
    }

    #[test]
    fn without_a_clock_the_timeout_bounds_the_search() {
        assert_eq!(moments(None, None, 700), [MS(700), MS(750)]);
    }
}
