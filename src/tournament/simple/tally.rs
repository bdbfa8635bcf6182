//! Counting results per contestant and side.

use std::collections::BTreeMap;

use super::runner::GameReport;
use crate::rules::Seat;

/// Won, drawn and lost games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
}

impl Count {
    pub fn games(self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// Points by games, a draw half a point; `None` without games.
    pub fn rate(self) -> Option<f64> {
        let points = f64::from(self.won) + f64::from(self.drawn) / 2.0;
        (self.games() > 0).then(|| points / f64::from(self.games()))
    }

    fn plus(self, other: Count) -> Count {
        Count { won: self.won + other.won, drawn: self.drawn + other.drawn, lost: self.lost + other.lost }
    }

    fn add(&mut self, seat: Seat, winner: Option<Seat>) {
        match winner {
            None => self.drawn += 1,
            Some(winner) if winner == seat => self.won += 1,
            Some(_) => self.lost += 1,
        }
    }
}

/// The results of a match so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// What the ruleset calls the sides, by seat.
    side_names: [String; 2],
    /// By contestant and seat.
    counts: [[Count; 2]; 2],
    /// Games by winner and reason.
    endings: BTreeMap<(Option<Seat>, String), u32>,
    plies: usize,
}

impl Tally {
    pub fn new(side_names: [String; 2]) -> Self {
        Tally { side_names, counts: Default::default(), endings: BTreeMap::new(), plies: 0 }
    }

    pub fn add(&mut self, report: &GameReport) {
        let result = &report.result;
        for (contestant, counts) in self.counts.iter_mut().enumerate() {
            let seat = report.seating.seat(contestant);
            counts[seat.index()].add(seat, result.winner);
        }
        *self.endings.entry((result.winner, result.ending.text())).or_default() += 1;
        self.plies += result.plies;
    }

    pub fn side_name(&self, seat: Seat) -> &str {
        &self.side_names[seat.index() % 2]
    }

    /// The results of a contestant sitting on `seat`.
    pub fn on_seat(&self, contestant: usize, seat: Seat) -> Count {
        self.counts[contestant][seat.index() % 2]
    }

    /// All results of a contestant.
    pub fn total(&self, contestant: usize) -> Count {
        self.on_seat(contestant, Seat::P1).plus(self.on_seat(contestant, Seat::P2))
    }

    /// Winner (`None` for a draw), reason and number of games, the most frequent first.
    pub fn endings(&self) -> Vec<(Option<Seat>, &str, u32)> {
        let mut endings: Vec<_> =
            self.endings.iter().map(|((winner, reason), &games)| (*winner, reason.as_str(), games)).collect();
        endings.sort_by_key(|&(.., games)| std::cmp::Reverse(games));
        endings
    }

    pub fn games(&self) -> u32 {
        self.total(0).games()
    }

    /// Plies of an average game; 0 without games.
    pub fn average_plies(&self) -> f64 {
        self.plies as f64 / f64::from(self.games().max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::super::referee::{Ending, GameResult};
    use super::super::spec::Seating;
    use super::*;

    #[test]
    fn results_are_counted_per_side() {
        let mut tally = Tally::new(["geese".to_owned(), "fox".to_owned()]);
        for (index, winner) in [Some(Seat::P1), Some(Seat::P1), None, Some(Seat::P2)].into_iter().enumerate() {
            let result = GameResult { winner, ending: Ending::PlyLimit, plies: 10, moves: Vec::new() };
            tally.add(&GameReport { index: index as u32, seating: Seating::of_game(index as u32), result });
        }
        assert_eq!(tally.on_seat(0, Seat::P1), Count { won: 1, drawn: 1, lost: 0 });
        assert_eq!(tally.on_seat(0, Seat::P2), Count { won: 1, drawn: 0, lost: 1 });
        assert_eq!(tally.total(1), Count { won: 1, drawn: 1, lost: 2 });
        assert_eq!(tally.total(0).rate(), Some(0.625));
        assert_eq!(tally.endings()[0], (Some(Seat::P1), "ply limit reached", 2));
    }
}
