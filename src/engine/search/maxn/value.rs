//! Values for every seat: shares of one win, and proved results.

use crate::eval::Evaluator;
use crate::rules::{Game, MAX_SEATS, Outcome, Seat};
use crate::search::Score;
use crate::search::wdl_curve;

/// Expected wins by seat.
pub(super) type WinShares = [f64; MAX_SEATS];

/// What the winner's share loses for each ply to the end, the others gaining it in equal parts: a win is played home,
/// a loss is put off.
const PER_PLY: f64 = 1e-6;

/// A proved result: who wins (`None`: nobody) and in how many plies from the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Proved {
    pub(super) winner: Option<Seat>,
    pub(super) ply: u32,
}

/// Shares of the one win, and what is certain about it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Value {
    pub(super) shares: WinShares,
    pub(super) proved: Option<Proved>,
}

impl Value {
    pub(super) const NOTHING: Value = Value { shares: [0.0; MAX_SEATS], proved: None };

    pub(super) fn of_outcome(outcome: Outcome, ply: u32, seats: usize) -> Value {
        let discount = PER_PLY * f64::from(ply);
        let mut shares = [0.0; MAX_SEATS];
        for (seat, share) in shares.iter_mut().enumerate().take(seats) {
            *share = match outcome.winner {
                None => 1.0 / seats as f64,
                Some(winner) if winner.index() == seat => 1.0 - discount,
                Some(_) => discount / (seats - 1) as f64,
            };
        }
        Value { shares, proved: Some(Proved { winner: outcome.winner, ply }) }
    }

    /// How the seats share the one win of an open position: each evaluation read as a chance, all of them scaled to the
    /// sum 1.
    pub(super) fn of_opinion<G: Game, E: Evaluator<G>>(game: &G, evaluator: &E, position: &G::Position) -> Value {
        let mut shares = [0.0; MAX_SEATS];
        let mut sum = 0.0;
        for (seat, share) in shares.iter_mut().enumerate().take(game.seats()) {
            *share = wdl_curve::chance(Score(evaluator.evaluate(game, position, Seat(seat as u8))).clamp_opinion());
            sum += *share;
        }
        shares.iter_mut().for_each(|share| *share /= sum);
        Value { shares, proved: None }
    }

    pub(super) fn share(&self, seat: Seat) -> f64 {
        self.shares[seat.index()]
    }

    pub(super) fn wins(&self, seat: Seat) -> bool {
        self.proved.is_some_and(|proved| proved.winner == Some(seat))
    }

    /// Adds what a roll of this probability leads to.
    pub(super) fn add(&mut self, part: &Value, probability: f64) {
        self.shares.iter_mut().zip(&part.shares).for_each(|(sum, share)| *sum += probability * share);
    }

    /// The value as a score for `seat`: its share on the curve of chances, or the proved result.
    pub(super) fn score(&self, seat: Seat) -> Score {
        match self.proved {
            Some(Proved { winner: Some(winner), ply }) => Score::of_outcome(Some(winner), seat, ply),
            Some(Proved { winner: None, .. }) => Score::DRAW,
            None => wdl_curve::score(self.share(seat)),
        }
    }
}

/// What all the replies, or all the rolls, have in agreement: the same winner everywhere, at the latest.
///
/// Where a seat has lost but may choose who wins, nothing is certain for the others.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Agreement {
    proved: Option<Proved>,
    differs: bool,
}

impl Agreement {
    pub(super) fn add(&mut self, part: Option<Proved>) {
        match (self.proved, part) {
            (None, Some(part)) => self.proved = Some(part),
            (Some(agreement), Some(part)) if agreement.winner == part.winner => {
                self.proved = Some(Proved { ply: agreement.ply.max(part.ply), ..part });
            }
            _ => self.differs = true,
        }
    }

    pub(super) fn proved(self) -> Option<Proved> {
        self.proved.filter(|_| !self.differs)
    }
}
