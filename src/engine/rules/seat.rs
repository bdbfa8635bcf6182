//! Who plays.

use serde::Serialize;

/// A place at the table. Seat 0 is *p1*, the side that acts first in the ruleset (a placement counts).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Seat(pub u8);

impl Seat {
    /// The side that acts first.
    pub const P1: Seat = Seat(0);
    /// The other side of a two-player game.
    pub const P2: Seat = Seat(1);

    /// The other seat of a two-player game.
    pub fn other(self) -> Seat {
        Seat(self.0 ^ 1)
    }

    /// `p1`, `p2`, ...
    pub fn name(self) -> &'static str {
        ROLES[self.index() % MAX_SEATS]
    }

    /// The seat as an index into arrays, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The most players that a game may have.
pub const MAX_SEATS: usize = 8;

const ROLES: [&str; MAX_SEATS] = ["p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8"];
/// What rulesets without names for the sides call them.
pub(super) const PLAYERS: [&str; MAX_SEATS] =
    ["player 1", "player 2", "player 3", "player 4", "player 5", "player 6", "player 7", "player 8"];
