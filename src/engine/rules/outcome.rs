//! Seats, and outcomes of games: the winner, and the reason in the words of the ruleset.

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
/// The names of the sides in rulesets that give them none.
pub(super) const PLAYERS: [&str; MAX_SEATS] =
    ["player 1", "player 2", "player 3", "player 4", "player 5", "player 6", "player 7", "player 8"];

/// How a finished game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The winner, or `None` for a draw. In a game of one player, who cannot win any more, the board has won: that is
    /// [`Seat::P2`], at which nobody sits.
    pub winner: Option<Seat>,
    /// What ended the game.
    pub reason: Reason,
}

/// Why a game ended; [`Notation::reason_text`](super::Notation::reason_text) says it in the words of its ruleset.
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

impl Reason {
    /// The reason in a few words; `name` gives what the ruleset calls the side of a seat.
    pub(super) fn text<'a>(self, seats: usize, name: impl Fn(Seat) -> &'a str) -> String {
        match self {
            Reason::Repetition => "repetition".into(),
            Reason::NoProgress => "no progress".into(),
            // Nobody has won at a table of more than two, so that it has to be said who failed.
            Reason::IllegalMove(Seat(seat)) if seats > 2 => format!("illegal move of p{}", seat + 1),
            Reason::IllegalMove(_) => "illegal move".into(),
            Reason::NoLegalMove(seat) => format!("{} side has no legal move", name(seat)),
            Reason::NoPieceLeft(seat) => format!("no {} left", name(seat)),
            Reason::TooFewPieces(seat) => format!("too few {} left", name(seat)),
            Reason::FirstRowReached(seat) => {
                format!("{} reached the {} first row", name(seat), possessive(name(seat.other())))
            }
            Reason::FortressOccupied => "fortress occupied".into(),
            Reason::PuzzleSolved => "solved".into(),
            Reason::NoJumpLeft => "no jump left".into(),
            Reason::BasisTaken => "basis taken".into(),
            Reason::AllNeutralised => "all pieces neutralised".into(),
            Reason::LastFieldReached => "field 63 reached".into(),
            Reason::AllBorneOff => "all counters borne off".into(),
            Reason::NobodyCanMove => "nobody can ever move again".into(),
        }
    }
}

fn possessive(name: &str) -> String {
    if name.ends_with('s') { format!("{name}'") } else { format!("{name}'s") }
}
