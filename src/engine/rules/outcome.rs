//! Seats, and outcomes of games: the winner, and the reason.

use serde::Serialize;

/// A player of a game by number. Seat 0 is *p1*, the side that acts first in the ruleset (a placement counts).
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

    /// The name in options and reports: `p1`, `p2`, ...
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

/// How a finished game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The winner, or `None` for a draw. In a game of one player, who cannot win any more, the board has won: that is
    /// [`Seat::P2`], at which nobody sits.
    pub winner: Option<Seat>,
    /// What ended the game.
    pub reason: Reason,
}

/// Why a game ended; [`GameInfo::reason_text`](super::GameInfo::reason_text) says it in the words of its ruleset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The third occurrence of a position.
    Repetition,
    /// Too many plies in a row without progress.
    NoProgress,
    /// The seat gave a move that is not legal.
    IllegalMove(Seat),
    /// The seat is to move and cannot.
    NoLegalMove(Seat),
    /// The seat has lost all its pieces.
    NoPieceLeft(Seat),
    /// The seat has fewer pieces left than the ruleset asks for.
    TooFewPieces(Seat),
    /// The seat came to the first row of the other one.
    FirstRowReached(Seat),
    /// Every point of the fortress is filled.
    FortressOccupied,
    /// The pegs stand as the puzzle asks.
    PuzzleSolved,
    /// No peg can jump, and the puzzle is not solved.
    NoJumpLeft,
    /// A piece stands on the Basis of the opponent.
    BasisTaken,
    /// The side to move has only neutralised pieces on the board and cannot bring in another.
    AllNeutralised,
    /// A counter has come to field 63.
    LastFieldReached,
    /// One player has brought all counters to the end.
    AllBorneOff,
    /// Everybody waits to be relieved by somebody else.
    NobodyCanMove,
}
