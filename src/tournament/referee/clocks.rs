//! The time of both players during one game.

use std::time::Duration;

use crate::engine::Clock;
use crate::rules::{MAX_SEATS, Seat};
use crate::tournament::player::Allowance;
use crate::tournament::spec::{Limits, Supervision};

/// The clocks of one game, one for every seat, also where an engine holds several. The charge for a move is the time measured, whatever the engine says.
pub(super) struct Clocks {
    /// By seat; those beyond the seats of the game have none.
    limits: [Limits; MAX_SEATS],
    left: [Duration; MAX_SEATS],
    /// Own moves since the last time control.
    moves: [u32; MAX_SEATS],
    margin: Duration,
}

/// The move came after the time was over, and after the margin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Late {
    Clock,
    MoveTime,
}

impl Late {
    pub(super) fn text(self) -> &'static str {
        match self {
            Late::Clock => "overstepped the clock",
            Late::MoveTime => "overstepped the time for the move",
        }
    }
}

impl Clocks {
    pub(super) fn new(of_seats: &[Limits], margin: Duration) -> Self {
        let mut limits = [Limits::default(); MAX_SEATS];
        limits.iter_mut().zip(of_seats).for_each(|(slot, &limits)| *slot = limits);
        let base = |limits: Limits| Duration::from_millis(limits.clock_ms.unwrap_or(0));
        Clocks { limits, left: limits.map(base), moves: [0; MAX_SEATS], margin }
    }

    /// What `seat` may spend on its next move.
    ///
    /// A player without a clock is not told of its opponent's: it would take it for its own.
    pub(super) fn allowance(&self, seat: Seat, supervision: &Supervision) -> Allowance {
        let own = seat.index() % MAX_SEATS;
        let limits = self.limits[own];
        let has_clock = limits.clock_ms.is_some();
        let patience = match limits.is_timed() {
            true => self.margin + Duration::from_millis(supervision.stop_ms),
            false => Duration::from_millis(supervision.untimed_search_ms),
        };
        Allowance {
            limits,
            seat,
            clocks: std::array::from_fn(|seat| self.clock(seat).filter(|_| has_clock)),
            moves_to_go: limits.moves_to_go.map(|period| period.saturating_sub(self.moves[own])),
            patience,
        }
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
    /// The move was late by more than the margin.
    pub(super) fn charge(&mut self, seat: Seat, spent: Duration) -> Result<(), Late> {
        let own = seat.index() % MAX_SEATS;
        let limits = self.limits[own];
        let allowed = |time: Duration| time.saturating_add(self.margin);
        if limits.movetime_ms.is_some_and(|time| spent > allowed(Duration::from_millis(time))) {
            return Err(Late::MoveTime);
        }
        let Some(base) = limits.clock_ms else { return Ok(()) };
        if spent > allowed(self.left[own]) {
            return Err(Late::Clock);
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
        clocks.allowance(seat, &Supervision::default()).clocks[seat.index()].map(|clock| clock.left)
    }

    #[test]
    fn a_move_costs_its_time_and_gains_the_increment() {
        let mut clocks = Clocks::new(&[on_clock(1000, 50, None), on_clock(2000, 0, None)], MS(0));
        assert_eq!(clocks.charge(Seat::P1, MS(300)), Ok(()));
        assert_eq!((left(&clocks, Seat::P1), left(&clocks, Seat::P2)), (Some(MS(750)), Some(MS(2000))));
        assert_eq!(clocks.charge(Seat::P1, MS(750)), Ok(()), "the last millisecond may be used");
        assert_eq!(clocks.charge(Seat::P1, MS(51)), Err(Late::Clock));
    }

    #[test]
    fn the_margin_forgives_but_gives_no_time() {
        let mut clocks = Clocks::new(&[on_clock(100, 10, None); 2], MS(20));
        assert_eq!(clocks.charge(Seat::P2, MS(120)), Ok(()));
        assert_eq!(left(&clocks, Seat::P2), Some(MS(10)));
        assert_eq!(clocks.charge(Seat::P2, MS(31)), Err(Late::Clock));
    }

    #[test]
    fn the_time_control_gives_the_clock_again() {
        let mut clocks = Clocks::new(&[on_clock(1000, 0, Some(2)); 2], MS(0));
        let to_go = |clocks: &Clocks| clocks.allowance(Seat::P1, &Supervision::default()).moves_to_go;
        assert_eq!(to_go(&clocks), Some(2));
        assert_eq!(clocks.charge(Seat::P1, MS(400)), Ok(()));
        assert_eq!((to_go(&clocks), left(&clocks, Seat::P1)), (Some(1), Some(MS(600))));
        assert_eq!(clocks.charge(Seat::P1, MS(400)), Ok(()));
        assert_eq!((to_go(&clocks), left(&clocks, Seat::P1)), (Some(2), Some(MS(1200))));
    }

    #[test]
    fn the_time_for_a_move_is_a_limit_too() {
        let limits = Limits { movetime_ms: Some(100), ..Limits::default() };
        let mut clocks = Clocks::new(&[limits; 2], MS(5));
        assert_eq!(clocks.charge(Seat::P1, MS(105)), Ok(()));
        assert_eq!(clocks.charge(Seat::P1, MS(106)), Err(Late::MoveTime));
    }

    #[test]
    fn a_player_without_a_clock_hears_of_none() {
        let nodes = Limits { nodes: Some(100), ..Limits::default() };
        let clocks = Clocks::new(&[nodes, on_clock(1000, 0, None)], MS(0));
        let supervision = Supervision::default();
        let untimed = clocks.allowance(Seat::P1, &supervision);
        assert_eq!((untimed.clocks, untimed.patience), ([None; MAX_SEATS], MS(supervision.untimed_search_ms)));
        assert_eq!(clocks.allowance(Seat::P2, &supervision).clocks[0], None);
        assert!(clocks.allowance(Seat::P2, &supervision).clocks[1].is_some());
    }

    #[test]
    fn every_seat_has_a_clock_of_its_own() {
        let mut clocks = Clocks::new(&[on_clock(1000, 0, None); 4], MS(0));
        assert_eq!(clocks.charge(Seat(2), MS(400)), Ok(()));
        assert_eq!((left(&clocks, Seat(0)), left(&clocks, Seat(2))), (Some(MS(1000)), Some(MS(600))));
        assert_eq!(left(&clocks, Seat(4)), None);
    }
}
