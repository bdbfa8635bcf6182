//! Counting games for one player and for many.

use super::{Toy, mix, won};
use crate::rules::{Outcome, Reason, Seat, Turn};

/// A heap from which each seat in turn takes one to three; the seat that takes the last one wins.
#[derive(Clone, Copy)]
pub(crate) struct Heap {
    pub seats: u8,
}

impl Toy for Heap {
    /// The heap and the seat to move.
    type Position = (u8, u8);
    const START: (u8, u8) = (10, 0);

    fn seats(&self) -> usize {
        usize::from(self.seats)
    }

    fn turn(&self, &(heap, seat): &(u8, u8)) -> Turn {
        if heap == 0 { won(Seat((seat + self.seats - 1) % self.seats)) } else { Turn::Player(Seat(seat)) }
    }

    fn moves(&self, &(heap, _): &(u8, u8)) -> Vec<u8> {
        (1..=heap.min(3)).collect()
    }

    fn play(&self, &(heap, seat): &(u8, u8), mv: u8) -> (u8, u8) {
        (heap - mv, (seat + 1) % self.seats)
    }

    fn key(&self, &(heap, seat): &(u8, u8)) -> u64 {
        mix(u64::from(heap) << 8 | u64::from(seat))
    }
}

/// A puzzle: get from 1 to the goal by doubling (move 0), adding three (1) or subtracting one (2), the last at most
/// three times; a number beyond the goal loses.
#[derive(Clone, Copy)]
pub(crate) struct Ladder {
    pub goal: u8,
}

impl Toy for Ladder {
    /// The number, and how often one was subtracted.
    type Position = (u8, u8);
    const START: (u8, u8) = (1, 0);

    fn seats(&self) -> usize {
        1
    }

    fn turn(&self, &(number, _): &(u8, u8)) -> Turn {
        match number {
            _ if number == self.goal => won(Seat::P1),
            _ if number > self.goal => Turn::Over(Outcome { winner: Some(Seat::P2), reason: Reason::NobodyCanMove }),
            _ => Turn::Player(Seat::P1),
        }
    }

    fn moves(&self, &(number, less): &(u8, u8)) -> Vec<u8> {
        if number >= self.goal {
            return Vec::new();
        }
        (0..3).filter(|&mv| mv != 2 || (less < 3 && number > 1)).collect()
    }

    fn play(&self, &(number, less): &(u8, u8), mv: u8) -> (u8, u8) {
        match mv {
            0 => (number.saturating_mul(2), less),
            1 => (number.saturating_add(3), less),
            _ => (number - 1, less + 1),
        }
    }

    fn key(&self, &(number, less): &(u8, u8)) -> u64 {
        mix(u64::from(number) << 8 | u64::from(less))
    }
}
