//! How long to wait for a move.

use std::time::Duration;

use super::Allowance;
use crate::rules::MAX_SEATS;

/// A year: nobody waits longer, and every clock of the machine can add it.
const LONGEST: Duration = Duration::from_secs(365 * 86_400);

/// The two moments of a late search, counted from its start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Patience {
    /// Then it is told to stop.
    pub stop: Duration,
    /// Then it is given up.
    pub give_up: Duration,
}

impl Patience {
    /// A search on the clock is told to stop so early that what patience is left after that is `stop`'s; one that no
    /// clock bounds has all of the patience for searching.
    pub(super) fn new(allowance: &Allowance, stop: Duration) -> Self {
        let moment = match due(allowance) {
            Some(due) => due.saturating_add(allowance.patience.saturating_sub(stop)),
            None => allowance.patience,
        };
        Patience { stop: moment.min(LONGEST), give_up: moment.saturating_add(stop).min(LONGEST) }
    }
}

/// When the move is due; `None` when no clock decides.
fn due(allowance: &Allowance) -> Option<Duration> {
    let left = allowance.clocks[allowance.seat.index() % MAX_SEATS].map(|clock| clock.left);
    let fixed = allowance.limits.movetime_ms.map(Duration::from_millis);
    match (left, fixed) {
        (Some(left), Some(fixed)) => Some(left.min(fixed)),
        (left, fixed) => left.or(fixed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Clock;
    use crate::rules::Seat;
    use crate::tournament::spec::Limits;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    fn moments(limits: Limits, left: Option<u64>, patience: u64) -> (Duration, Duration) {
        let clock = left.map(|left| Clock { left: MS(left), increment: Duration::ZERO });
        let mut clocks = [None; MAX_SEATS];
        (clocks[0], clocks[1]) = (Some(Clock::default()), clock);
        let allowance = Allowance { limits, seat: Seat::P2, clocks, moves_to_go: None, patience: MS(patience) };
        let patience = Patience::new(&allowance, MS(50));
        (patience.stop, patience.give_up)
    }

    #[test]
    fn a_clock_leaves_the_margin_and_then_the_time_to_stop() {
        let fixed = Limits { movetime_ms: Some(100), ..Limits::default() };
        assert_eq!(moments(fixed, None, 80), (MS(130), MS(180)));
        assert_eq!(moments(fixed, Some(40), 80), (MS(70), MS(120)));
        assert_eq!(moments(Limits::default(), Some(40), 20), (MS(40), MS(90)));
    }

    #[test]
    fn without_a_clock_all_patience_goes_into_the_search() {
        let nodes = Limits { nodes: Some(100), ..Limits::default() };
        assert_eq!(moments(nodes, None, 700), (MS(700), MS(750)));
    }
}
