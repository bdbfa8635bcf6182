//! The clocks of one game.

use std::time::Duration;

use reynard_engine::rules::{MAX_SEATS, Seat};
use reynard_engine::search::SearchLimits;
use reynard_engine::session::{Clock, GoRequest, TimeControl};

use crate::tournament::player::MoveRequest;
use crate::tournament::spec::{Limits, Supervision};

const CLOCK_OVERSTEPPED: &str = "overstepped the clock";
const MOVE_TIME_OVERSTEPPED: &str = "overstepped the time for the move";

/// The clocks of one game, one for every seat, also where an engine holds several. The charge for a move is the time measured,
/// whatever the engine says.
pub(super) struct Clocks {
    /// By seat; those beyond the seats of the game have none.
    limits: [Limits; MAX_SEATS],
    left: [Duration; MAX_SEATS],
    /// Own moves since the last time control.
    moves: [u32; MAX_SEATS],
    /// By seat: how late a move may be.
    margins: [Duration; MAX_SEATS],
}

impl Clocks {
    pub(super) fn new(of_seats: &[Limits], late_by: &[Duration]) -> Self {
        let mut margins = [Duration::ZERO; MAX_SEATS];
        margins.iter_mut().zip(late_by).for_each(|(slot, &margin)| *slot = margin);
        let mut limits = [Limits::default(); MAX_SEATS];
        limits.iter_mut().zip(of_seats).for_each(|(slot, &limits)| *slot = limits);
        let base = |limits: Limits| Duration::from_millis(limits.clock_ms.unwrap_or(0));
        Clocks { limits, left: limits.map(base), moves: [0; MAX_SEATS], margins }
    }

    /// What `seat` may spend on its next move.
    ///
    /// A player without a clock is not told of its opponent's: it would take it for its own.
    pub(super) fn request(&self, seat: Seat, supervision: &Supervision) -> MoveRequest {
        let own = seat.index() % MAX_SEATS;
        let Limits { clock_ms, movetime_ms, nodes, depth, moves_to_go, .. } = self.limits[own];
        let timeout = match self.limits[own].is_timed() {
            true => self.margins[own] + Duration::from_millis(supervision.stop_ms),
            false => Duration::from_millis(supervision.untimed_search_ms),
        };
        let time = TimeControl {
            clocks: std::array::from_fn(|seat| self.clock(seat).filter(|_| clock_ms.is_some())),
            moves_to_go: moves_to_go.map(|period| period.saturating_sub(self.moves[own])),
            move_time: movetime_ms.map(Duration::from_millis),
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

    /// Takes the time of a move off the clock and adds what the move has earned.
    ///
    /// # Errors
    /// The move was late by more than the margin: what it overstepped.
    pub(super) fn charge(&mut self, seat: Seat, spent: Duration) -> Result<(), &'static str> {
        let own = seat.index() % MAX_SEATS;
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
        let mut clocks = Clocks::new(&[on_clock(1000, 50, None), on_clock(2000, 0, None)], &[]);
        assert_eq!(clocks.charge(Seat::P1, MS(300)), Ok(()));
        assert_eq!((left(&clocks, Seat::P1), left(&clocks, Seat::P2)), (Some(MS(750)), Some(MS(2000))));
        assert_eq!(clocks.charge(Seat::P1, MS(750)), Ok(()), "the last millisecond may be used");
        assert_eq!(clocks.charge(Seat::P1, MS(51)), Err(CLOCK_OVERSTEPPED));
    }

    #[test]
    fn the_margin_forgives_but_gives_no_time() {
        let mut clocks = Clocks::new(&[on_clock(100, 10, None); 2], &[MS(0), MS(20)]);
        assert_eq!(clocks.charge(Seat::P2, MS(120)), Ok(()));
        assert_eq!(left(&clocks, Seat::P2), Some(MS(10)));
        assert_eq!(clocks.charge(Seat::P2, MS(31)), Err(CLOCK_OVERSTEPPED));
    }

    #[test]
    fn the_time_control_gives_the_clock_again() {
        let mut clocks = Clocks::new(&[on_clock(1000, 0, Some(2)); 2], &[]);
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
        let mut clocks = Clocks::new(&[limits; 2], &[MS(5); 2]);
        assert_eq!(clocks.charge(Seat::P1, MS(105)), Ok(()));
        assert_eq!(clocks.charge(Seat::P1, MS(106)), Err(MOVE_TIME_OVERSTEPPED));
    }

    #[test]
    fn a_player_without_a_clock_hears_of_none() {
        let nodes = Limits { nodes: Some(100), ..Limits::default() };
        let clocks = Clocks::new(&[nodes, on_clock(1000, 0, None)], &[]);
        let supervision = Supervision::default();
        let untimed = clocks.request(Seat::P1, &supervision);
        assert_eq!((untimed.go.time.clocks, untimed.timeout), ([None; MAX_SEATS], MS(supervision.untimed_search_ms)));
        assert_eq!(clocks.request(Seat::P2, &supervision).go.time.clocks[0], None);
        assert!(clocks.request(Seat::P2, &supervision).go.time.clocks[1].is_some());
    }

    #[test]
    fn every_seat_has_a_clock_of_its_own() {
        let mut clocks = Clocks::new(&[on_clock(1000, 0, None); 4], &[]);
        assert_eq!(clocks.charge(Seat(2), MS(400)), Ok(()));
        assert_eq!((left(&clocks, Seat(0)), left(&clocks, Seat(2))), (Some(MS(1000)), Some(MS(600))));
        assert_eq!(left(&clocks, Seat(4)), None);
    }
}
