//! Figures after each game of a tournament, for line charts.

use serde::Serialize;

use crate::tournament::standings::Standings;

/// The state after some games.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(crate) struct Moment {
    pub games: u64,
    /// Of the first engine against all others, with the half width of its 95 % interval.
    pub elo: Option<f64>,
    pub elo_error: Option<f64>,
    pub llr: Option<f64>,
}

impl Moment {
    /// The state of these standings.
    pub(crate) fn of(standings: &Standings) -> Moment {
        let estimate = standings.total(0).estimate;
        Moment {
            games: standings.games(),
            elo: estimate.elo,
            elo_error: estimate.elo_error,
            llr: standings.sprt().and_then(|test| test.verdict().llr),
        }
    }
}
