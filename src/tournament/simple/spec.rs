//! What a match is.

use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use super::player::PlayerError;
use crate::engine::registry::{OpenError, RulesetChoice};
use crate::rules::Seat;

/// One of the two sides of a match: option names with values, on top of the defaults.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contestant {
    pub options: Vec<(String, String)>,
}

/// What a player may spend on its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// This long for every move.
    MoveTime(Duration),
    /// So many nodes (for mcts: iterations) for every move.
    Nodes(u64),
    /// So many plies of depth for every move.
    Depth(u32),
    /// A clock for the whole game; overstepping it loses.
    Clock { base: Duration, increment: Duration },
}

/// Where the players live.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Venue {
    /// Inside this process.
    Session,
    /// One child process a player, started from this program and spoken to in UGI.
    Process(PathBuf),
}

/// A match between contestants 0 and 1.
#[derive(Clone, Debug)]
pub struct MatchSpec {
    pub ruleset: RulesetChoice,
    pub contestants: [Contestant; 2],
    /// Games 2n and 2n + 1 start from the same opening with seats swapped.
    pub games: u32,
    /// What contestants 0 and 1 may spend.
    pub paces: [Pace; 2],
    /// Random plies before the players take over.
    pub opening_plies: u32,
    pub seed: u64,
    /// A game of so many plies is a draw.
    pub max_plies: usize,
    /// Games played at the same time.
    pub concurrency: usize,
    pub venue: Venue,
}

/// Why a match could not be played.
#[derive(Debug, Error)]
pub enum MatchError {
    #[error(transparent)]
    Ruleset(#[from] OpenError),
    #[error("player {name}: {error}")]
    Player { name: char, error: PlayerError },
}

/// Who sits where in one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seating {
    first: usize,
}

impl Seating {
    /// Contestant 0 acts first in the even games.
    pub fn of_game(game: u32) -> Self {
        Seating { first: game as usize % 2 }
    }

    pub fn contestant(self, seat: Seat) -> usize {
        self.first ^ seat.index()
    }

    pub fn seat(self, contestant: usize) -> Seat {
        if contestant == self.first { Seat::P1 } else { Seat::P2 }
    }
}

/// The letter by which people know contestant 0 or 1.
pub(super) fn letter(contestant: usize) -> char {
    if contestant == 0 { 'A' } else { 'B' }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_swapped_every_game() {
        for game in 0..6 {
            let seating = Seating::of_game(game);
            for contestant in [0, 1] {
                assert_eq!(seating.contestant(seating.seat(contestant)), contestant);
                assert_ne!(seating.seat(contestant), Seating::of_game(game + 1).seat(contestant));
            }
        }
    }
}
