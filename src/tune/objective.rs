//! What is maximised: the result of one engine against another, known only through games.

/// Two points that are to be compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Meeting<'a> {
    /// From 0; meetings of different numbers are independent.
    pub number: u64,
    pub first: &'a [i64],
    pub second: &'a [i64],
}

/// Games won, drawn and lost by the first engine of a meeting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Count {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Count {
    /// Counts a game that ended with `net`: 1 for a win, -1 for a loss.
    pub(crate) fn add(&mut self, net: i64) {
        match net {
            1.. => self.wins += 1,
            0 => self.draws += 1,
            _ => self.losses += 1,
        }
    }

    pub(crate) fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points per game, from 0 to 1; `None` without games.
    pub(crate) fn rate(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| (self.wins as f64 + self.draws as f64 / 2.0) / games as f64)
    }
}

/// The result of a meeting from the point of view of its first engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct MeetingScore {
    /// By the seat of the first engine.
    pub seats: [Count; 2],
    /// Pairs of games by their points: 0, 1/2, 1, 3/2, 2.
    pub pairs: [u64; 5],
}

impl MeetingScore {
    /// Counts a pair: the first engine in seat 0, then in seat 1; 1 is a win, -1 a loss.
    pub(crate) fn add_pair(&mut self, nets: [i64; 2]) {
        self.seats[0].add(nets[0]);
        self.seats[1].add(nets[1]);
        self.pairs[(nets[0].signum() + nets[1].signum() + 2) as usize] += 1;
    }

    pub(crate) fn add(&mut self, other: &MeetingScore) {
        for (own, other) in self.seats.iter_mut().zip(&other.seats) {
            own.wins += other.wins;
            own.draws += other.draws;
            own.losses += other.losses;
        }
        self.pairs.iter_mut().zip(other.pairs).for_each(|(own, other)| *own += other);
    }

    pub(crate) fn total(&self) -> Count {
        let [a, b] = self.seats;
        Count { wins: a.wins + b.wins, draws: a.draws + b.draws, losses: a.losses + b.losses }
    }

    /// Wins less losses.
    pub(crate) fn net(&self) -> i64 {
        let total = self.total();
        total.wins as i64 - total.losses as i64
    }

    /// Half the width of the 95 % interval of the score, from the scatter of the pairs; `None` below two pairs or
    /// when all pairs ended alike.
    pub(crate) fn rate_error(&self) -> Option<f64> {
        let pairs: u64 = self.pairs.iter().sum();
        let mean = self.total().rate()?;
        let squares = self.pairs.iter().enumerate().map(|(index, &count)| {
            let distance = index as f64 / 4.0 - mean;
            count as f64 * distance * distance
        });
        let variance = squares.sum::<f64>() / pairs as f64;
        (pairs > 1 && variance > 0.0).then(|| 1.959_963_984_540_054 * (variance / pairs as f64).sqrt())
    }

    /// The share of the games that seat 0 won, draws as halves; `None` without games.
    pub(crate) fn seat_rate(&self) -> Option<f64> {
        let [first, second] = self.seats;
        let points = first.wins as f64 + second.losses as f64 + (first.draws + second.draws) as f64 / 2.0;
        let games = first.games() + second.games();
        (games > 0).then(|| points / games as f64)
    }
}

/// Something that lets two points compete.
pub(crate) trait Objective {
    type Error;

    /// Plays a meeting; the same number and points give the same result.
    ///
    /// # Errors
    /// The meeting could not be finished.
    fn meet(&mut self, meeting: Meeting<'_>) -> Result<MeetingScore, Self::Error>;
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
        assert_eq!(score.pairs, [0, 1, 1, 0, 1]);
        assert_eq!(score.seats[0], Count { wins: 2, draws: 1, losses: 0 });
        assert_eq!(score.seats[1], Count { wins: 1, draws: 0, losses: 2 });
        assert_eq!(score.net(), 1);
        assert_eq!(score.total().rate(), Some(3.5 / 6.0));
        assert_eq!(score.seat_rate(), Some(4.5 / 6.0));
    }

    #[test]
    fn the_error_is_that_of_the_pairs() {
        let score = MeetingScore { seats: [Count { wins: 50, draws: 0, losses: 50 }; 2], pairs: [50, 0, 0, 0, 50] };
        assert!((score.rate_error().unwrap() - 1.959_964 * 0.05).abs() < 1e-6);
        let alike = MeetingScore { seats: [Count { wins: 100, draws: 0, losses: 0 }; 2], pairs: [0, 0, 0, 0, 100] };
        assert_eq!(alike.rate_error(), None);
        assert_eq!(MeetingScore::default().rate_error(), None);
    }
}
