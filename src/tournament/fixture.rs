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
    /// Index into the engines of the resolved spec, by seat.
    pub seats: [usize; 2],
}

impl Fixture {
    /// The engine that fails when the game is won by the other seat.
    pub fn loser(&self, winner: Seat) -> usize {
        self.seats[winner.other().index()]
    }
}
