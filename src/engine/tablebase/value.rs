//! The value of a position, as tables tell it.

use crate::rules::Seat;

/// The value of a position with best play on both sides; the players are seats, or the sides of a hunt.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TableValue<P = Seat> {
    /// Who wins; `None` is a draw.
    pub winner: Option<P>,
    /// Plies to what the metric of the table counts to, when the winner hurries and the loser delays; 0 when the game
    /// is over, and for draws.
    pub distance: u32,
}

impl<P: PartialEq> TableValue<P> {
    /// Neither side can force a win; the distance is 0.
    pub const DRAW: Self = TableValue { winner: None, distance: 0 };

    /// The value of a position that is over.
    pub fn of_end(winner: Option<P>) -> Self {
        TableValue { winner, distance: 0 }
    }

    /// The value one ply before, seen along a move to this position.
    pub fn before(self, irreversible: bool) -> Self {
        match self.winner {
            None => Self::DRAW,
            Some(_) if irreversible => TableValue { distance: 1, ..self },
            Some(_) => TableValue { distance: self.distance + 1, ..self },
        }
    }

    /// Orders values by how much `player` likes them: soon won, late won, drawn, late lost, soon lost.
    pub fn rank(self, player: P) -> i64 {
        let distance = i64::from(self.distance);
        match self.winner {
            None => 0,
            Some(winner) if winner == player => i64::from(u32::MAX) + 1 - distance,
            Some(_) => distance - i64::from(u32::MAX) - 1,
        }
    }

    /// The same value with other names for the players.
    pub fn map<Q>(self, name: impl FnOnce(P) -> Q) -> TableValue<Q> {
        TableValue { winner: self.winner.map(name), distance: self.distance }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn soon_won_is_liked_best_and_soon_lost_least() {
        let value = |winner, distance| TableValue { winner, distance };
        let (won, lost) = (Some(Seat::P1), Some(Seat::P2));
        let values = [value(lost, 1), value(lost, 9), TableValue::DRAW, value(won, 9), value(won, 1)];
        assert!(values.is_sorted_by(|one, next| one.rank(Seat::P1) < next.rank(Seat::P1)));
        assert_eq!((value(won, 9).before(false), value(won, 9).before(true)), (value(won, 10), value(won, 1)));
    }
}
