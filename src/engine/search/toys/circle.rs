//! A chase on a circle in which sides need not alternate and a coin may be tossed.

use super::{Toy, ToyGame, mix, won};
use crate::rules::{Repetition, Seat, Turn};

/// Two walkers on a circle of points, who step one point forwards or back or two forwards. When they meet, the second
/// seat wins on an even point, the first on an odd one.
///
/// A step onto a point divisible by three gives another turn, so that sides do not alternate; with `coin` a coin is
/// tossed after each step from point 1.
#[derive(Clone, Copy)]
pub(crate) struct Circle {
    pub points: u8,
    pub repetition: Repetition,
    pub no_progress_plies: u32,
    /// Whether a coin is tossed after each step from point 1; heads move the walker one point on.
    pub coin: bool,
}

impl Circle {
    pub(crate) fn game(points: u8) -> ToyGame<Circle> {
        ToyGame(Circle { points, repetition: Repetition::Draws, no_progress_plies: 0, coin: false })
    }

    pub(crate) fn at(first: u8, second: u8) -> Walkers {
        Walkers { places: [first, second], seat: 0, tossing: false }
    }

    /// The walkers on opposite points, the first seat to move.
    pub(crate) fn opposite(&self) -> Walkers {
        Circle::at(0, self.points / 2)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Walkers {
    places: [u8; 2],
    seat: u8,
    tossing: bool,
}

impl Toy for Circle {
    type Position = Walkers;
    const START: Walkers = Walkers { places: [0, 1], seat: 0, tossing: false };

    fn repetition(&self) -> Repetition {
        self.repetition
    }

    fn no_progress_plies(&self) -> u32 {
        self.no_progress_plies
    }

    fn turn(&self, walkers: &Walkers) -> Turn {
        if walkers.places[0] == walkers.places[1] {
            // The second seat wins on even points, the first on odd ones.
            won(Seat(1 - walkers.places[0] % 2))
        } else if walkers.tossing {
            Turn::Chance
        } else {
            Turn::Player(Seat(walkers.seat))
        }
    }

    /// The numbers of points to go on.
    fn moves(&self, walkers: &Walkers) -> Vec<u8> {
        if self.turn(walkers).seat().is_some() { vec![1, self.points - 1, 2] } else { Vec::new() }
    }

    fn play(&self, walkers: &Walkers, mv: u8) -> Walkers {
        let mut next = *walkers;
        let place = &mut next.places[usize::from(walkers.seat)];
        let from = *place;
        *place = (from + mv) % self.points;
        next.tossing = self.coin && !walkers.tossing && from == 1;
        if !place.is_multiple_of(3) && !next.tossing {
            next.seat ^= 1;
        }
        next
    }

    fn key(&self, walkers: &Walkers) -> u64 {
        let [first, second] = walkers.places.map(u64::from);
        mix(first << 16 | second << 8 | u64::from(walkers.seat) << 1 | u64::from(walkers.tossing))
    }

    fn is_capture(&self, walkers: &Walkers, mv: u8) -> bool {
        self.turn(&self.play(walkers, mv)).outcome().is_some()
    }

    fn rolls(&self) -> Vec<(u8, f64)> {
        vec![(0, 0.5), (1, 0.5)]
    }
}
