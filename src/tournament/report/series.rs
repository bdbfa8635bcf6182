//! Figures after each game of a tournament, for line charts.

use crate::tournament::standings::Standings;

/// The state after some games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Moment {
    pub games: u64,
    /// Of the first engine against all others, with the half width of its 95 % interval.
    pub elo: Option<f64>,
    pub elo_error: Option<f64>,
    pub llr: Option<f64>,
}

/// At most so many moments are kept; a drawing shows no more.
const MOST: usize = 400;

/// Moments at equal distances, however many games there are.
#[derive(Debug)]
pub(super) struct Series {
    moments: Vec<Moment>,
    every: u64,
}

impl Series {
    pub(super) fn new() -> Self {
        Series { moments: Vec::new(), every: 1 }
    }

    /// Looks at standings to which a game has been added.
    pub(super) fn note(&mut self, standings: &Standings) {
        if !standings.games().is_multiple_of(self.every) || standings.engines().is_empty() {
            return;
        }
        if self.moments.len() == MOST {
            self.every *= 2;
            let every = self.every;
            self.moments.retain(|moment| moment.games.is_multiple_of(every));
            return self.note(standings);
        }
        self.moments.push(moment(standings));
    }

    /// The moments, the last game's included.
    pub(super) fn finish(mut self, standings: &Standings) -> Vec<Moment> {
        let is_last = self.moments.last().is_some_and(|last| last.games == standings.games());
        if standings.games() > 0 && !is_last && !standings.engines().is_empty() {
            self.moments.push(moment(standings));
        }
        self.moments
    }
}

fn moment(standings: &Standings) -> Moment {
    let estimate = standings.total(0).estimate;
    Moment {
        games: standings.games(),
        elo: estimate.elo,
        elo_error: estimate.elo_error,
        llr: standings.sprt().and_then(|test| test.verdict().llr),
    }
}
