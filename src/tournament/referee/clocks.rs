//! The clocks of one game.

use std::time::Duration;

use reynard_engine::rules::Seat;
use reynard_engine::search::SearchLimits;
use reynard_engine::session::{Clock, GoRequest, TimeControl};

use crate::tournament::player::MoveRequest;
use crate::tournament::spec::{Limits, Supervision};

const CLOCK_OVERSTEPPED: &str = "overstepped the clock";
const MOVE_TIME_OVERSTEPPED: &str = "overstepped the time for the move";

/// The clocks of one game, by seat. The charge for a move is the time measured, whatever the engine says.
pub(super) struct Clocks {
    limits: [Limits; 2],
    left: [Duration; 2],
    /// Own moves since the last time control.
    moves: [u32; 2],
    /// How late a move may be.
    margins: [Duration; 2],
}

impl Clocks {
    pub(super) fn new(limits: [Limits; 2], margins: [Duration; 2]) -> Self {
        let base = |limits: Limits| Duration::from_millis(limits.clock_ms.unwrap_or(0));
        Clocks { limits, left: limits.map(base), moves: [0; 2], margins }
    }

    /// What `seat` may spend on its next move.
    ///
    /// A player without a clock does not get that of its opponent: it would take it for its own.
    pub(super) fn request(&self, seat: Seat, supervision: &Supervision) -> MoveRequest {
        let own = seat.index();
        let Limits { clock_ms, movetime_ms, nodes, depth, moves_to_go, .. } = self.limits[own];
        let timeout = match self.limits[own].is_timed() {
            true => self.margins[own] + Duration::from_millis(supervision.stop_ms),
            false => Duration::from_millis(supervision.untimed_search_ms),
        };
        let clocks = [0, 1].map(|seat| self.clock(seat).filter(|_| clock_ms.is_some()));
        let time = TimeControl {
            moves_to_go: moves_to_go.map(|period| period.saturating_sub(self.moves[own])),
            move_time: movetime_ms.map(Duration::from_millis),
            ..TimeControl::of_clocks(&clocks)
        };
        let limits = SearchLimits { depth, nodes, ..Default::default() };
        MoveRequest { seat, go: GoRequest { time, limits, ..GoRequest::default() }, timeout }
    }

    fn clock(&self, seat: usize) -> Option<Clock> {
        let limits = self.limits[seat];
        limits.clock_ms.map(|_| Clock {
            left: self.left[seat],
            increment: Duration::from_millis(limits.increment_ms.unwrap_or(0)),
        })
    }

    /// Time left by seat, ms; `None` without a clock.
    pub(super) fn left_ms(&self) -> [Option<u64>; 2] {
        [0, 1].map(|seat| self.clock(seat).and_then(|clock| u64::try_from(clock.left.as_millis()).ok()))
    }

    /// Takes the time of a move off the clock and adds what the move has earned.
    ///
    /// # Errors
    /// The move was late by more than the margin: what it overstepped.
    pub(super) fn charge(&mut self, seat: Seat, spent: Duration) -> Result<(), &'static str> {
        let own = seat.index();
        let limits = self.limits[own];
        let allowed = |time: Duration| time.saturating_add(self.margins[own]);
        if limits.movetime_ms.is_some_and(|time| spent > allowed(Duration::from_millis(time))) {
            return Err(MOVE_TIME_OVERSTEPPED);
        }
        let Some(base) = limits.clock_ms else { return Ok(()) };
        if spent > allowed(self.left[own]) {
            return Err(CLOCK_OVERSTEPPED);
        }
        let left = self.left[own].saturating_sub(spent);
        self.left[own] = left + Duration::from_millis(limits.increment_ms.unwrap_or(0));
        self.count_move(own, limits.moves_to_go, Duration::from_millis(base));
        Ok(())
    }

    fn count_move(&mut self, own: usize, period: Option<u32>, base: Duration) {
        self.moves[own] += 1;
        if period.is_some_and(|period| self.moves[own] >= period) {
            self.moves[own] = 0;
            self.left[own] += base;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    fn on_clock(clock_ms: u64, increment_ms: u64, moves_to_go: Option<u32>) -> Limits {
        let (clock_ms, increment_ms) = (Some(clock_ms), Some(increment_ms));
        Limits { clock_ms, increment_ms, moves_to_go, ..Limits::default() }
    }

    fn left(clocks: &Clocks, seat: Seat) -> Option<Duration> {
        clocks.request(seat, &Supervision::default()).go.time.clocks[seat.index()].map(|clock| clock.left)
    }

    #[test]
    fn a_move_costs_its_time_and_gains_the_increment() {
        let mut clocks = Clocks::new([on_clock(1000, 50, None), on_clock(2000, 0, None)], [MS(0); 2]);
        assert_eq!(clocks.charge(Seat::P1, MS(300)), Ok(()));
        assert_eq!((left(&clocks, Seat::P1), left(&clocks, Seat::P2)), (Some(MS(750)), Some(MS(2000))));
        assert_eq!(clocks.charge(Seat::P1, MS(750)), Ok(()), "the last millisecond may be used");
        assert_eq!(clocks.charge(Seat::P1, MS(51)), Err(CLOCK_OVERSTEPPED));
    }

    #[test]
    fn the_margin_forgives_but_gives_no_time() {
        let mut clocks = Clocks::new([on_clock(100, 10, None); 2], [MS(0), MS(20)]);
        assert_eq!(clocks.charge(Seat::P2, MS(120)), Ok(()));
        assert_eq!(left(&clocks, Seat::P2), Some(MS(10)));
        assert_eq!(clocks.charge(Seat::P2, MS(31)), Err(CLOCK_OVERSTEPPED));
    }

    #[test]
    fn the_time_control_gives_the_clock_again() {
        let mut clocks = Clocks::new([on_clock(1000, 0, Some(2)); 2], [MS(0); 2]);
        let to_go = |clocks: &Clocks| clocks.request(Seat::P1, &Supervision::default()).go.time.moves_to_go;
        assert_eq!(to_go(&clocks), Some(2));
        assert_eq!(clocks.charge(Seat::P1, MS(400)), Ok(()));
        assert_eq!((to_go(&clocks), left(&clocks, Seat::P1)), (Some(1), Some(MS(600))));
        assert_eq!(clocks.charge(Seat::P1, MS(400)), Ok(()));
        assert_eq!((to_go(&clocks), left(&clocks, Seat::P1)), (Some(2), Some(MS(1200))));
    }

    #[test]
    fn the_time_for_a_move_is_a_limit_too() {
        let limits = Limits { movetime_ms: Some(100), ..Limits::default() };
        let mut clocks = Clocks::new([limits; 2], [MS(5); 2]);
        assert_eq!(clocks.charge(Seat::P1, MS(105)), Ok(()));
        assert_eq!(clocks.charge(Seat::P1, MS(106)), Err(MOVE_TIME_OVERSTEPPED));
    }

    #[test]
    fn a_player_without_a_clock_hears_of_none() {
        let nodes = Limits { nodes: Some(100), ..Limits::default() };
        let clocks = Clocks::new([nodes, on_clock(1000, 0, None)], [MS(0); 2]);
        let supervision = Supervision::default();
        let untimed = clocks.request(Seat::P1, &supervision);
        assert_eq!(
            (untimed.go.time.clocks, untimed.timeout),
            (TimeControl::default().clocks, MS(supervision.untimed_search_ms))
        );
        assert_eq!(clocks.request(Seat::P2, &supervision).go.time.clocks[0], None);
        assert!(clocks.request(Seat::P2, &supervision).go.time.clocks[1].is_some());
    }
}
