//! The track and its changes for clients that know no rules.

use crate::rules::{Capabilities, Change, Game, Notation, Piece, PieceKind, Seat};

use super::Goose;
use super::position::{Move, Position};
use super::track::{self, FINISH, Landing, START};

const COUNTER: &str = "counter";

impl Goose {
    fn counters_on(&self, field: u8, seat: u8, count: usize) -> Piece {
        Piece { point: field.to_string(), owner: Some(Seat(seat)), kind: COUNTER, count: count as u32 }
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

    fn advance(&self, position: &Position, counter: usize, steps: u8, landing: Landing) -> Change {
        let from = position.fields[counter];
        let met = self.met(position, counter, landing.field).map(|other| self.owner(other));
        let one = |field: u8| met.map(|owner| self.counters_on(field, owner, 1)).into_iter().collect();
        Change {
            mover: Some(position.seat()),
            from: Some(from.to_string()),
            path: self.visited(from, steps, landing).iter().map(u8::to_string).collect(),
            to: Some(landing.field.to_string()),
            captured: one(landing.field),
            placed: one(from),
        }
    }
}

impl Notation for Goose {
    fn pieces(&self, position: &Position) -> Vec<Piece> {
        let on = |field: u8, seat: u8| {
            let counters = &position.fields[self.counters_of(seat)];
            self.counters_on(field, seat, counters.iter().filter(|&&stands| stands == field).count())
        };
        let pieces = (START..=FINISH).flat_map(|field| self.seats().map(move |seat| on(field, seat)));
        pieces.filter(|piece| piece.count > 0).collect()
    }

    fn change(&self, position: &Position, mv: Move) -> Change {
        match mv {
            Move::Roll(_) if self.ruleset.rules.team => Change::default(),
            Move::Roll(roll) => {
                let counter = self.first_counter(position.seat);
                self.advance(position, counter, roll.sum(), self.roll_landing(position, roll))
            }
            Move::Use { counter, die } => {
                let counter = self.first_counter(position.seat) + usize::from(counter);
                self.advance(position, counter, die, self.landing(position.fields[counter], die))
            }
        }
    }

    fn capabilities(&self) -> Capabilities {
        let kind = |seat: u8| PieceKind {
            kind: COUNTER,
            owner: Seat(seat),
            letter: None,
            steps: Vec::new(),
            jumps: Vec::new(),
            has_chains: false,
        };
        Capabilities {
            seats: Game::seats(self),
            is_rectangular: false,
            alternates: false,
            most_captures: u32::from(self.ruleset.rules.exchange),
            has_dice: true,
            has_placement: false,
            has_drops: false,
            has_huff: false,
            has_forced_chains: false,
            has_passes: false,
            has_stacks: false,
            pieces: self.seats().map(kind).collect(),
        }
    }
}
