//! Reads positions: placement, turn, counters.

use super::TheGame;
use super::position::{Army, BASIS_LIMIT, ENTRY_TURNS, MAX_PIECES, Piece, Position};
use super::squares::Square;
use crate::rules::PositionError;
use crate::rules::notation::{Field, fields, pairs, read_placement, refuse};

/// A counter that every position text carries for both players: its key, its highest value and where it is kept.
type Counter = (&'static str, u8, fn(&mut Army) -> &mut u8);

pub(super) const COUNTERS: [Counter; 3] = [
    ("hand", MAX_PIECES as u8, |army| &mut army.hand),
    ("turns", ENTRY_TURNS, |army| &mut army.turns),
    ("basis", u8::MAX, |army| &mut army.basis),
];

impl<const N: usize> TheGame<N> {
    pub(super) fn read_position(&self, text: &str) -> Result<Position, PositionError> {
        let lower = text.to_ascii_lowercase();
        let end = text.chars().count() + 1;
        let [placement, turn, ref counters @ ..] = fields(&lower)[..] else {
            let example = "'5/5/2A2/5/5 b hand=4,5 turns=1,0 basis=0,0'";
            return refuse(end, format!("a placement, a turn and three counters are expected, as in {example}"));
        };
        let mut position = Position { armies: [Army::new(0); 2], turn: 0 };
        let sizes = vec![usize::from(self.size()); usize::from(self.size())];
        read_placement(placement, "squares", &sizes, |rank, file, token| {
            self.place(token, self.square(file as u8, rank as u8), &mut position)
        })?;
        position.turn = match turn.text {
            "a" => 0,
            "b" => 1,
            other => return refuse(turn.column, format!("turn '{other}' is not 'a' (player 1) or 'b' (player 2)")),
        };
        read_counters(counters, end, &mut position)?;
        if position.armies.iter().any(|army| army.pieces().len() + usize::from(army.hand) > MAX_PIECES) {
            let message = format!("a player has more than {MAX_PIECES} pieces on the board and in hand");
            return refuse(placement.column, message);
        }
        Ok(position)
    }

    /// Puts the pieces of a token such as `a` or `(ab)` on a square.
    fn place(&self, token: Field<'_>, square: Square, position: &mut Position) -> Result<(), PositionError> {
        let column = token.column;
        let inner = token.text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
        let letters = inner.unwrap_or(token.text);
        let is_many = letters.len() > 1;
        if inner.is_some() != is_many || letters.is_empty() || !letters.bytes().all(|letter| b"ab".contains(&letter)) {
            let message = format!("'{}' is neither A, B, a stack such as (AB) nor a number", token.shown());
            return refuse(column, message);
        }
        let mixed = letters.contains('a') && letters.contains('b');
        if mixed && letters.len() > 2 {
            return refuse(column, "a stack with pieces of both players has one of each");
        }
        if !self.playable.has(square) {
            return refuse(column, format!("square {} is blocked", self.square_name(square)));
        }
        for (at, letter) in letters.bytes().enumerate() {
            let army = &mut position.armies[usize::from(letter == b'b')];
            if army.pieces().len() >= MAX_PIECES {
                return refuse(column, format!("more than {MAX_PIECES} pieces of a player"));
            }
            army.add(if mixed && at == 0 { Piece::under(square) } else { Piece::free(square) });
        }
        Ok(())
    }
}

/// Reads `hand=5,5 turns=0,0 basis=0,0` in any order; all must be there.
fn read_counters(words: &[Field<'_>], end: usize, position: &mut Position) -> Result<(), PositionError> {
    let pairs = pairs(words)?;
    for &(key, value) in &pairs {
        let unknown = || key.error(format!("key '{}' is unknown; hand, turns and basis are allowed", key.shown()));
        let (_, most, counter) = COUNTERS.into_iter().find(|(name, ..)| *name == key.text).ok_or_else(unknown)?;
        let numbers = value.split_once(',').and_then(|(a, b)| Some([a.number_in(0..=most)?, b.number_in(0..=most)?]));
        let refuse =
            || value.error(format!("'{}' is not a pair of numbers from 0 to {most}, as in 0,0", value.shown()));
        for (army, number) in position.armies.iter_mut().zip(numbers.ok_or_else(refuse)?) {
            *counter(army) = number;
            // A Basis counter that somebody else let run on means no more than one that has reached its limit.
            army.basis = army.basis.min(BASIS_LIMIT);
        }
    }
    match COUNTERS.iter().find(|(name, ..)| pairs.iter().all(|(key, _)| key.text != *name)) {
        Some((key, ..)) => refuse(end, format!("key '{key}' is missing; hand, turns and basis are always written")),
        None => Ok(()),
    }
}
