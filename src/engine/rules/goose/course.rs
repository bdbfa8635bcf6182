//! The classical game as a Markov chain, and what statistics count in it.

use super::Goose;
use super::position::{Move, Position};
use super::track::{self, FINISH, Landing, Landings};
use crate::rules::{DiceGame, DiceStep, MAX_SEATS};

/// Something that happens to a counter on a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Happening {
    /// A counter on its move sets foot on the field: at the end of the roll, on every goose after that, where a hazard
    /// sends it.
    Touched(u8),
    /// A counter ends its move on the field.
    Rested(u8),
    /// The counter's player misses a turn there.
    Missed(u8),
    /// A counter that stands there is sent back by one that comes.
    SentBack(u8),
    /// A 9 on the first throw goes to the field.
    Nine(u8),
}

const FIELDS: usize = FINISH as usize + 1;

impl Happening {
    /// Numbers are below this.
    pub const KINDS: usize = 5 * FIELDS;

    /// The number of the event in [`DiceGame::events`].
    pub fn number(self) -> usize {
        let (kind, field) = match self {
            Happening::Touched(field) => (0, field),
            Happening::Rested(field) => (1, field),
            Happening::Missed(field) => (2, field),
            Happening::SentBack(field) => (3, field),
            Happening::Nine(field) => (4, field),
        };
        kind * FIELDS + usize::from(field.min(FINISH))
    }
}

impl Goose {
    /// This game without the hazard of a field, which does nothing and costs nothing.
    pub fn without_hazard(&self, field: u8) -> Goose {
        Goose {
            landings: Landings::new(self.ruleset.rules.back_goose, Some(field)),
            harmless: Some(field),
            // Another game: no two fingerprints of rules differ by a field alone.
            fingerprint: self.fingerprint.rotate_left(32) ^ u64::from(field),
            ruleset: self.ruleset.clone(),
        }
    }

    /// The fields that a counter sets foot on: at the end of the roll, on every goose after that, where a hazard sends
    /// it.
    pub(super) fn visited(&self, from: u8, steps: u8, landing: Landing) -> Vec<u8> {
        let mut fields = Vec::new();
        let end = track::resting_field(from, steps, self.ruleset.rules.back_goose, |goose| fields.push(goose));
        if end != landing.touched {
            // A 9 of the first throw, or the last field by a die alone.
            fields.clear();
        }
        fields.push(landing.touched);
        if landing.field != landing.touched {
            fields.push(landing.field);
        }
        fields
    }
}

/// Only the classical game is one: in the team game players choose.
impl DiceGame for Goose {
    fn step(&self, position: &Position, roll: Move) -> DiceStep<Position> {
        self.play(position, roll)
    }

    fn course(&self, position: &Position) -> Position {
        Position { pot: 0, accounts: [0; MAX_SEATS], ..*position }
    }

    fn pot(&self, position: &Position) -> f64 {
        f64::from(position.pot)
    }

    fn event_kinds(&self) -> usize {
        Happening::KINDS
    }

    fn events(&self, position: &Position, mv: Move, events: &mut Vec<usize>) {
        let Move::Roll(roll) = mv else { return };
        let mut tell = |happening: Happening| events.push(happening.number());
        let counter = self.first_counter(position.seat);
        let from = position.fields[counter];
        let landing = self.roll_landing(position, roll);
        let end = track::resting_field(from, roll.sum(), self.ruleset.rules.back_goose, |_| ());
        if end != landing.touched && landing.touched != FINISH {
            tell(Happening::Nine(landing.touched));
        }
        self.visited(from, roll.sum(), landing).into_iter().for_each(|field| tell(Happening::Touched(field)));
        tell(Happening::Rested(landing.field));
        if self.met(position, counter, landing.field).is_some() {
            tell(Happening::SentBack(landing.field));
        }
        let step = self.play(position, mv);
        for missed in 1..step.player_turns {
            let seat = (u32::from(position.seat) + missed) % u32::from(self.ruleset.rules.players);
            tell(Happening::Missed(step.after.fields[self.first_counter(seat as u8)]));
        }
    }
}
