//! The classical game as a Markov chain, and what statistics count in it.

use rand::Rng;

use super::Goose;
use super::position::{Move, Phase, Position, Roll};
use super::track::{self, FINISH, Landings};
use crate::rules::{DiceGame, Game, MAX_SEATS, Outcome, Taken};

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
    /// The same game in which the hazard of a field does nothing and costs nothing.
    pub fn without_hazard(&self, field: u8) -> Goose {
        Goose {
            landings: Landings::new(self.ruleset.rules.back_goose, Some(field)),
            harmless: Some(field),
            // Another game: no two fingerprints of rules differ by a field alone.
            fingerprint: self.fingerprint.rotate_left(32) ^ u64::from(field),
            ruleset: self.ruleset.clone(),
        }
    }

    /// The fields that the roller's counter touches, and that it is the 9 of a first throw.
    fn trail(&self, position: &Position, roll: Roll, tell: &mut impl FnMut(Happening)) {
        let from = position.fields[self.first_counter(position.seat)];
        let landing = self.roll_landing(position, roll);
        let end = track::resting_field(from, roll.sum(), self.ruleset.rules.back_goose, |_| ());
        if end != landing.touched && landing.touched != FINISH {
            tell(Happening::Nine(landing.touched));
        }
        self.visited(from, roll.sum(), landing).into_iter().for_each(|field| tell(Happening::Touched(field)));
        tell(Happening::Rested(landing.field));
        if self.met(position, self.first_counter(position.seat), landing.field).is_some() {
            tell(Happening::SentBack(landing.field));
        }
    }
}

/// Only the classical game is one: in the team game players choose.
impl DiceGame for Goose {
    type State = Position;
    type Ply = Move;

    fn players(&self) -> usize {
        Game::seats(self)
    }

    fn ending(&self, position: &Position) -> Option<Outcome> {
        self.turn(position).outcome()
    }

    fn plies(&self, position: &Position, plies: &mut Vec<(Move, f64)>) {
        self.chance_outcomes(position, plies);
    }

    fn take(&self, position: &Position, ply: Move) -> Taken<Position> {
        let step = self.step(position, ply);
        // The last roll gives the pot away and adds nothing to it.
        let paid = match step.position.phase {
            Phase::Won => 0,
            _ => step.position.pot.saturating_sub(position.pot),
        };
        Taken { after: step.position, paid: f64::from(paid), player_turns: step.turns, is_roll: true }
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

    fn events(&self, position: &Position, ply: Move, events: &mut Vec<usize>) {
        let Move::Roll(roll) = ply else { return };
        let mut tell = |happening: Happening| events.push(happening.number());
        self.trail(position, roll, &mut tell);
        let step = self.step(position, ply);
        for missed in 1..step.turns {
            let seat = (u32::from(position.seat) + missed) % u32::from(self.ruleset.rules.players);
            tell(Happening::Missed(step.position.fields[self.first_counter(seat as u8)]));
        }
    }

    fn drawn<R: Rng>(&self, position: &Position, rng: &mut R, _room: &mut Vec<(Move, f64)>) -> Option<Move> {
        self.random_move(position, rng)
    }
}
