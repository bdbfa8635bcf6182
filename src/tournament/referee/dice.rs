//! Rolls the dice of a game.

use rand_chacha::ChaCha8Rng;
use reynard_engine::rules::MAX_SEATS;
use reynard_engine::rules::random::{draw, stream};

use super::board::PossibleRolls;

/// Added to the numbers of the dice's streams: the lower ones belong to the games, the higher ones to samples and
/// openings.
const DICE_STREAMS: u64 = 1 << 61;
/// One for every seat, and one for rolls that are nobody's.
const STREAMS: usize = MAX_SEATS + 1;
/// Streams that a pair keeps to itself.
const STREAMS_OF_PAIR: u64 = 16;

/// Dice that show both games of a pair the same: the k-th roll of a seat is drawn from a stream that belongs to the
/// pair and the seat, however the games differ. With the seats swapped each engine has the luck that the other one had.
pub(super) struct Dice {
    /// By seat.
    streams: [ChaCha8Rng; STREAMS],
}

impl Dice {
    pub(super) fn new(seed: u64, pair: u64) -> Self {
        let number = |seat: usize| DICE_STREAMS + pair.wrapping_mul(STREAMS_OF_PAIR) + seat as u64;
        Dice { streams: std::array::from_fn(|seat| stream(seed, number(seat))) }
    }

    /// The next roll of whoever rolls.
    pub(super) fn roll<'a>(&mut self, roll: &'a PossibleRolls) -> &'a str {
        let stream = roll.seat.map_or(MAX_SEATS, |seat| seat.index().min(MAX_SEATS - 1));
        draw(&roll.outcomes, &mut self.streams[stream]).map_or("", String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use reynard_engine::rules::Seat;

    use super::*;

    fn die(seat: Option<Seat>) -> PossibleRolls {
        PossibleRolls { seat, outcomes: (1..=6).map(|eyes| (eyes.to_string(), 1.0 / 6.0)).collect() }
    }

    fn rolls(dice: &mut Dice, roll: &PossibleRolls, count: usize) -> Vec<String> {
        (0..count).map(|_| dice.roll(roll).to_owned()).collect()
    }

    #[test]
    fn a_seats_rolls_do_not_depend_on_those_of_the_others() {
        let [p1, p2] = [Seat::P1, Seat::P2].map(|seat| die(Some(seat)));
        let (mut one, mut other) = (Dice::new(3, 7), Dice::new(3, 7));
        let alone = rolls(&mut one, &p2, 20);
        rolls(&mut other, &p1, 5);
        let first = rolls(&mut other, &p2, 10);
        rolls(&mut other, &die(None), 5);
        assert_eq!([first, rolls(&mut other, &p2, 10)].concat(), alone);
        assert_ne!(rolls(&mut Dice::new(3, 8), &p2, 20), alone, "another pair");
        assert_ne!(rolls(&mut Dice::new(4, 7), &p2, 20), alone, "another seed");
        assert_ne!(rolls(&mut Dice::new(3, 7), &p1, 20), alone, "another seat");
    }

    #[test]
    fn the_dice_are_fair_and_show_nothing_else() {
        let roll =
            PossibleRolls { seat: None, outcomes: vec![("a".into(), 0.75), ("b".into(), 0.0), ("c".into(), 0.25)] };
        let thrown = rolls(&mut Dice::new(1, 0), &roll, 10_000);
        let count = |text: &str| thrown.iter().filter(|roll| *roll == text).count();
        // Five standard deviations.
        assert!((7280..7720).contains(&count("a")) && count("b") == 0, "{}", count("a"));
    }
}
