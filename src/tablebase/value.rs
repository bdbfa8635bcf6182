//! What a table says of a position.

use crate::rules::Seat;

/// The value of a position with best play on both sides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TableValue {
    /// Who wins; `None` is a draw.
    pub winner: Option<Seat>,
    /// Plies to the next irreversible move or to the end, when the winner hurries and the loser delays; 0 when the
    /// game is over, and for draws.
    pub distance: u32,
}

impl TableValue {
    pub const DRAW: TableValue = TableValue { winner: None, distance: 0 };

    /// The verdict one ply before, seen along a move to this position.
    pub fn before(self, irreversible: bool) -> TableValue {
        match self.winner {
            None => TableValue::DRAW,
            Some(_) if irreversible => TableValue { distance: 1, ..self },
            Some(_) => TableValue { distance: self.distance + 1, ..self },
        }
    }

    /// Orders verdicts by how much `seat` likes them: soon won, late won, drawn, late lost, soon lost.
    pub fn rank(self, seat: Seat) -> i64 {
        let distance = i64::from(self.distance);
        match self.winner {
            None => 0,
            Some(winner) if winner == seat => i64::from(u32::MAX) + 1 - distance,
            Some(_) => distance - i64::from(u32::MAX) - 1,
        }
    }
}
