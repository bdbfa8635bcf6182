//! The moves: rolls, and the use of dice in the team game; how their texts are read.

use super::Goose;
use super::position::{Move, Position, Roll};
use super::track::{FINISH, START};

impl Goose {
    /// The legal uses of the dice, the larger die first.
    pub(super) fn uses(&self, position: &Position) -> impl Iterator<Item = Move> {
        let [high, low] = position.dice;
        let dice = [high, if low == high { 0 } else { low }].into_iter().filter(|&die| die > 0);
        dice.flat_map(move |die| self.users(position, die).map(move |counter| Move::Use { counter, die }))
    }

    /// The roller's counters that can move by a die, counted from 0.
    fn users(&self, position: &Position, die: u8) -> impl Iterator<Item = u8> {
        let counters = self.counters_of(position.seat);
        let first = counters.start;
        counters
            .filter(move |&counter| self.can_use(position, counter, die))
            .map(move |counter| (counter - first) as u8)
    }

    fn can_use(&self, position: &Position, counter: usize, die: u8) -> bool {
        if !position.is_free(counter) || !self.can_act(position, position.seat) {
            return false;
        }
        let own = self.counters_of(position.seat);
        let from = position.fields[counter];
        let is_first = !own.clone().take_while(|&other| other < counter).any(|other| position.fields[other] == from);
        let target = self.landing(from, die).field;
        let is_open = target == START
            || target == FINISH
            || own.into_iter().all(|other| other == counter || position.fields[other] != target);
        is_first && is_open
    }

    pub(super) fn can_use_a_die(&self, position: &Position) -> bool {
        self.uses(position).next().is_some()
    }

    pub(super) fn read_use(&self, position: &Position, text: &str) -> Result<Move, String> {
        let counters = self.ruleset.rules.counters;
        let expected = || format!("a counter from 1 to {counters} and a die are expected, as in '1:6'");
        let (counter, die) = text.split_once(':').ok_or_else(expected)?;
        let number = digit(counter).filter(|&number| (1..=counters).contains(&number.into())).ok_or_else(expected)?;
        let die = digit(die).filter(|die| (1..=6).contains(die)).ok_or_else(expected)?;
        if !position.dice().any(|left| left == die) {
            let left: Vec<String> = position.dice().map(|die| die.to_string()).collect();
            return Err(format!("there is no {die} to use, but {}", left.join(" and ")));
        }
        let own = self.counters_of(position.seat);
        let named = own.start + usize::from(number - 1);
        // Counters on one field are alike; the first of them moves.
        let alike = own.clone().find(|&other| position.fields[other] == position.fields[named]).unwrap_or(named);
        match self.can_use(position, alike, die) {
            true => Ok(Move::Use { counter: (alike - own.start) as u8, die }),
            false => Err(self.refusal(position, named, die)),
        }
    }

    /// Why a counter cannot use a die.
    fn refusal(&self, position: &Position, counter: usize, die: u8) -> String {
        match (position.fields[counter], position.waits[counter]) {
            (FINISH, _) => "the counter is already borne off".to_owned(),
            (field, 0) => format!("another own counter stands on field {}", self.landing(field, die).field),
            (field, _) => format!("the counter waits on field {field}"),
        }
    }
}

/// A single digit.
fn digit(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [digit @ b'0'..=b'9'] => Some(digit - b'0'),
        _ => None,
    }
}

pub(super) fn read_roll(text: &str) -> Result<Move, String> {
    let expected = || "a roll of two dice is expected, as in '6+3'".to_owned();
    let (one, other) = text.split_once('+').ok_or_else(expected)?;
    let die = |text: &str| digit(text).filter(|die| (1..=6).contains(die)).ok_or_else(expected);
    Ok(Move::Roll(Roll::new(die(one)?, die(other)?)))
}
