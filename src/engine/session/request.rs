//! Requests for a search: time control, limits, mode, root moves; and the time bounds that follow from them.

use std::time::Duration;

use crate::eval::parameters;
use crate::rules::{MAX_SEATS, Seat};
use crate::search::{SearchLimits, TimeBounds};

/// The clock of one seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Time left; zero if the flag has fallen or is about to.
    pub left: Duration,
    /// Time gained with every own move.
    pub increment: Duration,
}

/// The part of a `go` about time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimeControl {
    /// The clock of each seat; `None` if it is not running.
    pub clocks: [Option<Clock>; MAX_SEATS],
    /// Own moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// The time for this move, all of which is used but for the overhead.
    pub move_time: Option<Duration>,
}

impl TimeControl {
    /// A time control by clocks alone, given for the first seats.
    pub fn of_clocks(clocks: &[Option<Clock>]) -> Self {
        let mut time = TimeControl::default();
        time.clocks.iter_mut().zip(clocks).for_each(|(slot, &clock)| *slot = clock);
        time
    }

    /// The clock of `seat`; a missing one is taken to equal the first running one.
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
    /// The longest time of the search, whatever else bounds it.
    pub at_most: Option<Duration>,
    /// When the answer may be given.
    pub mode: GoMode,
    /// The texts of the only moves to consider; empty for all.
    pub root_moves: Vec<String>,
}

impl GoRequest {
    /// A request for a search of this many nodes.
    pub fn nodes(nodes: u64) -> Self {
        GoRequest { limits: SearchLimits { nodes: Some(nodes), ..SearchLimits::default() }, ..GoRequest::default() }
    }

    /// A request for a search of this duration.
    pub fn move_time(time: Duration) -> Self {
        let time = TimeControl { move_time: Some(time), ..TimeControl::default() };
        GoRequest { time, ..GoRequest::default() }
    }

    /// Whether a search for `seat` ends by itself, once its mode lets it answer.
    ///
    /// A limit on the length of a win is no bound: there may be no such win.
    pub fn is_bounded(&self, seat: Seat) -> bool {
        let timed = self.time.move_time.is_some() || self.time.clock(seat).is_some();
        timed || self.limits.depth.is_some() || self.limits.nodes.is_some() || self.at_most.is_some()
    }
}

// The reserve of a short clock is half of it, so that a game of a quarter of a second is played out, and one at 100 ms +
// 10 ms settles where a move may be late by some 50 ms.
parameters! {
    /// How the time on a clock is divided among moves.
    pub(crate) struct TimeParameters {
        /// Own moves that are expected in the rest of a game; the moves to the next time control if they are fewer.
        moves_ahead: "TimeMovesAhead" = 30, 1..=200;
        /// The most time that is kept back for moments when the machine is busy elsewhere, in milliseconds.
        reserve: "TimeReserve" = 250, 0..=10000;
        /// The most that the reserve takes of the clock, in thousandths.
        reserve_share: "TimeReserveShare" = 500, 0..=1000;
        /// The part of the increment that is spent at once, in thousandths.
        increment_share: "TimeIncrementShare" = 750, 0..=1000;
        /// The most time for a move, in thousandths of the usable time; an even share if more, all for a last move.
        hard_share: "TimeHardShare" = 250, 10..=1000;
        /// The most that a move in doubt may take, in thousandths of the soft time bound.
        hard_stretch: "TimeHardStretch" = 4000, 1000..=10000;
    }
}

/// The time bounds of a search for `seat`; `None` if there are none.
///
/// `overhead` is the time lost between the client's clock and the engine, for each move.
pub(crate) fn bounds(
    time: &TimeControl,
    seat: Seat,
    overhead: Duration,
    parameters: &TimeParameters,
) -> Option<TimeBounds> {
    let fixed = time.move_time.map(|total| TimeBounds::exactly(total.saturating_sub(overhead.min(total / 2))));
    let shared = time.clock(seat).map(|clock| divide(clock, time.moves_to_go, overhead, parameters));
    TimeBounds::tighter(fixed, shared)
}

impl TimeBounds {
    /// Bounds that use all of the time: iterations go on until it is over.
    pub(super) fn exactly(time: Duration) -> Self {
        TimeBounds { soft: Duration::MAX, hard: time }
    }

    /// The tighter one of both bounds; `None` is no bound.
    pub(super) fn tighter(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        let both = |one: TimeBounds, other: TimeBounds| TimeBounds {
            soft: one.soft.min(other.soft),
            hard: one.hard.min(other.hard),
        };
        one.into_iter().chain(other).reduce(both)
    }
}

/// An even share of the time left plus most of the increment, and a hard bound that leaves time for later moves.
fn divide(clock: Clock, moves_to_go: Option<u32>, overhead: Duration, parameters: &TimeParameters) -> TimeBounds {
    let part = |time: Duration, thousandths: i32| (time / 1000).saturating_mul(thousandths as u32);
    let left = clock.left.saturating_sub(overhead);
    let reserve = Duration::from_millis(parameters.reserve as u64);
    let usable = left - reserve.min(part(left, parameters.reserve_share));
    let moves = moves_to_go.unwrap_or(u32::MAX).clamp(1, parameters.moves_ahead as u32);
    let ceiling = match moves {
        // The last move before the control may use all but a second overhead.
        1 => usable.saturating_sub(overhead),
        _ => (usable / moves).max(part(usable, parameters.hard_share)),
    };
    let even = (usable / moves).saturating_add(part(clock.increment, parameters.increment_share));
    let soft = even.saturating_sub(overhead.min(even / 2)).min(ceiling);
    TimeBounds { soft, hard: part(soft, parameters.hard_stretch).min(ceiling) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;
    const OVERHEAD: Duration = Duration::from_millis(10);

    fn on_clock(left: u64, increment: u64, moves_to_go: Option<u32>) -> TimeBounds {
        let clock = Clock { left: MS(left), increment: MS(increment) };
        let time = TimeControl { moves_to_go, ..TimeControl::of_clocks(&[Some(clock)]) };
        bounds(&time, Seat::P1, OVERHEAD, &TimeParameters::default()).expect("a clock bounds the search")
    }

    #[test]
    fn no_clock_is_no_bound() {
        assert_eq!(bounds(&TimeControl::default(), Seat::P1, OVERHEAD, &TimeParameters::default()), None);
    }

    #[test]
    fn move_time_is_used_up_to_the_overhead() {
        let time = TimeControl { move_time: Some(MS(1000)), ..TimeControl::default() };
        assert_eq!(bounds(&time, Seat::P2, OVERHEAD, &TimeParameters::default()), Some(TimeBounds::exactly(MS(990))));
        let short = TimeControl { move_time: Some(MS(4)), ..TimeControl::default() };
        assert_eq!(bounds(&short, Seat::P2, OVERHEAD, &TimeParameters::default()), Some(TimeBounds::exactly(MS(2))));
    }

    #[test]
    fn soft_is_within_hard_and_hard_within_the_clock() {
        for left in [0, 1, 5, 9, 10, 11, 15, 20, 50, 100, 1_000, 60_000, 3_600_000] {
            for increment in [0, 1, 10, 100, 1_000, 60_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(10_000)] {
                    let TimeBounds { soft, hard } = on_clock(left, increment, moves_to_go);
                    assert!(soft <= hard, "{left} {increment} {moves_to_go:?}");
                    assert!(hard <= MS(left).saturating_sub(OVERHEAD), "{left} {increment} {moves_to_go:?}");
                }
            }
        }
    }

    #[test]
    fn how_a_clock_is_divided_is_a_choice() {
        let on_clock = |parameters: &TimeParameters| {
            let clock = Clock { left: MS(10_010), increment: MS(100) };
            bounds(&TimeControl::of_clocks(&[Some(clock)]), Seat::P1, Duration::ZERO, parameters).expect("a clock")
        };
        let plain = TimeParameters {
            moves_ahead: 10,
            reserve: 10,
            reserve_share: 1000,
            increment_share: 0,
            hard_share: 1000,
            hard_stretch: 2000,
        };
        let bounds = |soft, hard| TimeBounds { soft: MS(soft), hard: MS(hard) };
        assert_eq!(on_clock(&plain), bounds(1000, 2000));
        assert_eq!(on_clock(&TimeParameters { moves_ahead: 20, ..plain }), bounds(500, 1000));
        assert_eq!(on_clock(&TimeParameters { reserve: 2010, ..plain }), bounds(800, 1600));
        assert_eq!(on_clock(&TimeParameters { reserve: 10_000, reserve_share: 500, ..plain }).soft, MS(5005) / 10);
        assert_eq!(on_clock(&TimeParameters { increment_share: 500, ..plain }), bounds(1050, 2100));
        assert_eq!(on_clock(&TimeParameters { hard_share: 150, ..plain }), bounds(1000, 1500));
        assert_eq!(on_clock(&TimeParameters { hard_stretch: 3000, ..plain }), bounds(1000, 3000));
    }

    #[test]
    fn no_clock_is_too_long() {
        let clock = Clock { left: Duration::MAX, increment: Duration::MAX };
        for moves_to_go in [None, Some(1), Some(u32::MAX)] {
            let time = TimeControl { moves_to_go, ..TimeControl::of_clocks(&[Some(clock)]) };
            let TimeBounds { soft, hard } =
                bounds(&time, Seat::P1, OVERHEAD, &TimeParameters::default()).expect("a clock bounds the search");
            assert!(soft <= hard, "{moves_to_go:?}");
        }
    }

    #[test]
    fn a_nearly_empty_clock_is_answered_at_once() {
        assert_eq!(on_clock(10, 10, None), TimeBounds { soft: Duration::ZERO, hard: Duration::ZERO });
        assert!(on_clock(20, 10, None).hard <= MS(3));
    }

    #[test]
    fn short_clocks_are_used_as_long_ones_are() {
        // The hundredths of the clock that thirty searches take, where each move also loses a millisecond on the way.
        let searched = |clock: u64| {
            let (mut left, mut used) = (MS(clock), Duration::ZERO);
            for _ in 0..30 {
                let soft = on_clock(left.as_millis() as u64, 0, None).soft;
                used += soft;
                left = left.saturating_sub(soft + MS(1));
            }
            used.as_micros() / u128::from(10 * clock)
        };
        assert!(searched(250) >= 15 && searched(500) >= 15, "{} {}", searched(250), searched(500));
    }

    #[test]
    fn a_thousand_moves_at_bullet_speed_never_run_out() {
        let mut left = 100.0_f64;
        for ply in 0..1_000 {
            let spent = on_clock(left as u64, 10, None).hard.as_secs_f64() * 1000.0 + 3.0;
            left -= spent;
            assert!(left > 0.0, "out of time at move {ply}");
            left += 10.0;
        }
    }
}
