//! What a table says of a position.

use crate::rules::Seat;

/// The value of a position with best play on both sides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Verdict {
    /// Who wins; `None` is a draw.
    pub winner: Option<Seat>,
    /// Plies to the next irreversible move or to the end, when the winner hurries and the loser delays; 0 when the
    /// game is over, and for draws.
    pub distance: u32,
}

impl Verdict {
    pub const DRAW: Verdict = Verdict { winner: None, distance: 0 };
}
