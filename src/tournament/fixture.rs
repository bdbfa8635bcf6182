//! Fixtures: which engines meet in a game, on which seats, from which opening.

use reynard_engine::rules::Seat;
use serde::{Deserialize, Serialize};

/// What is to be played next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// This game.
    Game(Fixture),
    /// Nothing until games that are under way have ended.
    Wait,
    /// Nothing any more.
    End,
}

/// Who meets whom, at what, from which opening. A pure function of the spec (and, in formats with rounds, of the
/// results of earlier rounds), so that every shard and every resumed run agrees on it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fixture {
    /// From 0; also the stream of the seed from which the game draws.
    pub game: u64,
    /// Games of one pair share ruleset, opening and engines, with the seats swapped.
    pub pair: u64,
    /// From 0; a round ends before the next one begins only in formats that need results.
    pub round: u32,
    /// Index into the rulesets of the resolved spec.
    pub ruleset: usize,
    /// Number of the opening in the ruleset's book.
    pub opening: u64,
    /// Index into the engines of the resolved spec, by seat. The two engines of a pair sit alternately, so that one of
    /// them holds every other seat; a puzzle has one seat, and the engines of the pair try it one after the other.
    pub seats: Vec<usize>,
}

impl Fixture {
    /// Whether the game has one player, who solves it or does not.
    pub fn is_puzzle(&self) -> bool {
        self.seats.len() == 1
    }

    /// How many players meet: two, each with a session or process of its own, or one at a puzzle.
    pub fn players(&self) -> usize {
        self.seats.len().min(2)
    }

    /// The engine that fails when the game is won by a seat of the other one.
    pub fn loser(&self, winner: Seat) -> Option<usize> {
        self.seats.get(rival_seat(winner).index()).copied()
    }

    /// A player's seats.
    pub fn seats_of(&self, player: usize) -> impl Iterator<Item = usize> {
        (player..self.seats.len()).step_by(2)
    }
}

/// Which of the players of a game holds a seat: they sit alternately.
pub(crate) fn player_at(seat: Seat) -> usize {
    seat.index() % 2
}

/// The first seat of the other player, which wins when the player of `seat` fails; at a puzzle it is the board's.
pub(crate) fn rival_seat(seat: Seat) -> Seat {
    Seat(1 - seat.0 % 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixture(seats: &[usize]) -> Fixture {
        Fixture { game: 0, pair: 0, round: 0, ruleset: 0, opening: 0, seats: seats.to_vec() }
    }

    #[test]
    fn every_other_seat_is_one_players() {
        let four = fixture(&[7, 3, 7, 3]);
        assert_eq!(four.seats_of(0).collect::<Vec<_>>(), [0, 2]);
        assert_eq!(four.seats_of(1).collect::<Vec<_>>(), [1, 3]);
        for (winner, loser) in [(0, 3), (1, 7), (2, 3), (3, 7)] {
            assert_eq!(four.loser(Seat(winner)), Some(loser));
            assert_eq!(four.seats[usize::from(winner)], [7, 3][player_at(Seat(winner))]);
        }
        let puzzle = fixture(&[5]);
        assert!(puzzle.is_puzzle() && !four.is_puzzle());
        assert_eq!((puzzle.loser(Seat::P2), puzzle.loser(Seat::P1)), (Some(5), None));
    }

    #[test]
    fn with_an_odd_number_of_seats_nobody_loses_to_itself() {
        let three = fixture(&[1, 0, 1]);
        for seat in 0..3 {
            let winner = rival_seat(Seat(seat));
            assert_ne!(three.seats[winner.index()], three.seats[usize::from(seat)]);
        }
    }
}
