//! A meeting of two points: the result of one engine against another, from which tuning learns.

use crate::tournament::stats::{Pentanomial, Trinomial, Z95, estimate};

/// Two points that are to be compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Meeting<'a> {
    /// From 0; meetings of different numbers are independent.
    pub number: u64,
    pub first: &'a [i64],
    pub second: &'a [i64],
}

/// The result of a meeting from the point of view of its first engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct MeetingScore {
    /// By the seat of the first engine.
    pub seats: [Trinomial; 2],
    pub pairs: Pentanomial,
}

impl MeetingScore {
    /// Counts a pair: the first engine in seat 0, then in seat 1; 1 is a win, -1 a loss.
    pub(crate) fn add_pair(&mut self, nets: [i64; 2]) {
        let half_points = nets.map(|net| (net.signum() + 1) as u8);
        self.seats.iter_mut().zip(half_points).for_each(|(seat, half_points)| seat.add(half_points));
        self.pairs.add(half_points[0] + half_points[1]);
    }

    pub(crate) fn add(&mut self, other: &MeetingScore) {
        self.seats = [0, 1].map(|seat| self.seats[seat].plus(other.seats[seat]));
        self.pairs = self.pairs.plus(other.pairs);
    }

    pub(crate) fn total(&self) -> Trinomial {
        self.seats[0].plus(self.seats[1])
    }

    /// Wins less losses.
    pub(crate) fn net(&self) -> i64 {
        let total = self.total();
        total.wins as i64 - total.losses as i64
    }

    /// Half the width of the 95 % interval of the score, from the scatter of the pairs; `None` below two pairs or
    /// when all pairs ended alike.
    pub(crate) fn rate_error(&self) -> Option<f64> {
        estimate(&self.pairs).stderr.filter(|&stderr| stderr > 0.0).map(|stderr| Z95 * stderr)
    }

    /// The share of the games that seat 0 won, draws as halves; `None` without games.
    pub(crate) fn seat_rate(&self) -> Option<f64> {
        self.seats[0].plus(self.seats[1].swapped()).rate()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_by_seat_and_by_points() {
        let mut score = MeetingScore::default();
        for nets in [[1, -1], [1, 1], [0, -1]] {
            score.add_pair(nets);
        }
        assert_eq!(score.pairs, Pentanomial([0, 1, 1, 0, 1]));
        assert_eq!(score.seats[0], Trinomial { wins: 2, draws: 1, losses: 0 });
        assert_eq!(score.seats[1], Trinomial { wins: 1, draws: 0, losses: 2 });
        assert_eq!(score.net(), 1);
        assert_eq!(score.total().rate(), Some(3.5 / 6.0));
        assert_eq!(score.seat_rate(), Some(4.5 / 6.0));
    }

    #[test]
    fn the_error_is_that_of_the_pairs() {
        let score = MeetingScore {
            seats: [Trinomial { wins: 50, draws: 0, losses: 50 }; 2],
            pairs: Pentanomial([50, 0, 0, 0, 50]),
        };
        assert!((score.rate_error().unwrap() - 1.959_964 * 0.05).abs() < 1e-6);
        let alike = MeetingScore {
            seats: [Trinomial { wins: 100, draws: 0, losses: 0 }; 2],
            pairs: Pentanomial([0, 0, 0, 0, 100]),
        };
        assert_eq!(alike.rate_error(), None);
        assert_eq!(MeetingScore::default().rate_error(), None);
    }
}
