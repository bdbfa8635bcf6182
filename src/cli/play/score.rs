//! Who plays which side by lot, and the score of a match: who wins the most of its games wins it.

use std::cmp::Ordering;

use rand::{Rng, RngExt};
use reynard_engine::rules::Seat;

/// Draws the person's seat among `seats`, with words for what happened. In games with dice everybody throws two, those
/// with the highest sum again, and the seats go round from the last of these; else a coin decides, or the lot where
/// there are more than two seats.
pub(super) fn lots(seats: u8, has_dice: bool, rng: &mut impl Rng) -> (Vec<String>, Seat) {
    if !has_dice {
        let seat = Seat(rng.random_range(0..seats));
        let means = if seats == 2 { "A coin" } else { "The lot" };
        return (Vec::from_iter((seats > 1).then(|| format!("{means} decides who plays which side."))), seat);
    }
    // The person throws first, then the others in the order in which they sit.
    let mut highest: Vec<u8> = (0..seats).collect();
    let mut words = Vec::new();
    while highest.len() > 1 {
        let throws: Vec<(u8, [u8; 2])> =
            highest.iter().map(|&place| (place, [(); 2].map(|()| rng.random_range(1..=6)))).collect();
        let thrown = |(place, [one, other]): &(u8, [u8; 2])| match place {
            0 => format!("you {one}+{other}"),
            _ if seats == 2 => format!("the engine {one}+{other}"),
            _ => format!("engine {place} {one}+{other}"),
        };
        words.push(format!("Who begins? {}.", throws.iter().map(thrown).collect::<Vec<_>>().join(", ")));
        let sum = |(_, dice): &(u8, [u8; 2])| dice.iter().sum::<u8>();
        let most = throws.iter().map(sum).max();
        highest = throws.iter().filter(|throw| Some(sum(throw)) == most).map(|&(place, _)| place).collect();
    }
    let first = highest.first().copied().unwrap_or_default();
    words.push(if first == 0 { "You begin, or choose." } else { "The engine begins." }.to_owned());
    (words, Seat((seats - first) % seats))
}

/// The finished games of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Score {
    own: u32,
    others: u32,
    drawn: u32,
}

impl Score {
    /// The score after one more game, which the person has won or not; `None` for a draw.
    pub(super) fn with(self, result: Option<bool>) -> Score {
        let count = |is_it: bool, games: u32| games + u32::from(is_it);
        Score {
            own: count(result == Some(true), self.own),
            others: count(result == Some(false), self.others),
            drawn: count(result.is_none(), self.drawn),
        }
    }

    pub(super) fn games(self) -> u32 {
        self.own + self.others + self.drawn
    }

    /// The games won and drawn; where nobody else plays, the puzzles solved.
    pub(super) fn words(self, seats: usize) -> String {
        let Score { own, others, drawn } = self;
        match seats {
            1 => format!("Solved so far: {own} of {}.", self.games()),
            _ => format!("The match: you {own}, the engine {others}, drawn {drawn}."),
        }
    }

    /// Who has won the match, if it had more games than one.
    pub(super) fn verdict(self, seats: usize) -> Option<String> {
        let verdict = match self.own.cmp(&self.others) {
            _ if seats == 1 => "",
            Ordering::Greater => " You have won the most games, and the match.",
            Ordering::Less => " The engine has won the most games, and the match.",
            Ordering::Equal => " The match is drawn.",
        };
        (self.games() > 1).then(|| self.words(seats) + verdict)
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn every_seat_falls_to_the_person_and_the_highest_throw_begins() {
        for (seats, has_dice) in [(1, false), (2, false), (2, true), (3, true), (8, true)] {
            let mut found = vec![false; usize::from(seats)];
            for seed in 0..200 {
                let (words, seat) = lots(seats, has_dice, &mut ChaCha8Rng::seed_from_u64(seed));
                found[seat.index()] = true;
                let Some([.., throws, last]) = has_dice.then_some(&words[..]) else { continue };
                assert_eq!(last == "You begin, or choose.", seat == Seat::P1, "{words:?}");
                let sums = throws.trim_end_matches('.').split(", ").map(|throw| {
                    let (one, other) = throw.rsplit_once(' ').and_then(|(_, dice)| dice.split_once('+')).expect("dice");
                    [one, other].map(|die| die.parse::<u32>().expect("a die")).iter().sum::<u32>()
                });
                let sums: Vec<u32> = sums.collect();
                let most = sums.iter().max().expect("throws");
                assert_eq!(sums.iter().filter(|sum| *sum == most).count(), 1, "{words:?}");
                assert!(throws.contains("you ") || seat != Seat::P1, "{words:?}");
            }
            assert!(found.iter().all(|found| *found), "{seats} {has_dice} {found:?}");
        }
    }

    #[test]
    fn a_match_is_won_by_the_most_games() {
        let score = |results: &[Option<bool>]| results.iter().fold(Score::default(), |score, &won| score.with(won));
        assert_eq!(score(&[Some(true)]).verdict(2), None);
        let verdict = |results: &[Option<bool>]| score(results).verdict(2).expect("a match");
        assert!(verdict(&[Some(true), None]).starts_with("The match: you 1, the engine 0, drawn 1. You have won"));
        assert!(verdict(&[Some(false), None, None]).contains("The engine has won"));
        assert!(verdict(&[Some(false), Some(true)]).ends_with("The match is drawn."));
        assert_eq!(score(&[Some(true), Some(false)]).verdict(1), Some("Solved so far: 1 of 2.".to_owned()));
    }
}
