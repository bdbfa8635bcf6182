//! Positions as text: placement, turn, keys.

use std::fmt::Write as _;

use crate::geometry::{PointSet, Word};
use crate::rules::PositionError;
use crate::rules::jumps::{Chains, MAX_MOVES};
use crate::rules::notation::{self, Field, read_placement, refuse, write_placement};

use super::Hunt;
use super::keys::Huff;
use super::position::{Move, Phase, Pieces, Position, Side};

impl<W: Word> Hunt<W> {
    pub(super) fn write_position(&self, position: &Position<W>) -> String {
        let mut text =
            write_placement(self.board(), |point| match (position.foxes().has(point), position.geese().has(point)) {
                (true, _) => Some('F'),
                (_, true) => Some('G'),
                _ => None,
            });
        text.push_str(if position.turn == Side::Fox { " f" } else { " g" });
        if position.phase == Phase::Place {
            text.push_str(" phase=place");
        } else if position.first {
            text.push_str(" first=1");
        }
        if position.hand > 0 {
            let _ = write!(text, " hand={}", position.hand);
        }
        match position.phase {
            Phase::Drop => text.push_str(" owed=drop"),
            Phase::Remove => {
                let mut names: Vec<String> = position.owed.iter().map(|point| self.board().name(point)).collect();
                names.sort();
                let _ = write!(text, " owed={}", names.join(","));
            }
            _ => {}
        }
        text
    }

    pub(super) fn read_position(&self, text: &str) -> Result<Position<W>, PositionError> {
        let fields = notation::fields(text);
        // Keys and their values are read in any case.
        let lower = text.to_ascii_lowercase();
        let end = text.chars().count() + 1;
        let [placement, turn, ..] = fields.as_slice() else {
            return refuse(end, "a placement and a turn are expected, as in '3/3/7/G2F2G/GGGGGGG/GGG/GGG g'");
        };
        let turn_side = match turn.text {
            "f" | "F" => Side::Fox,
            "g" | "G" => Side::Geese,
            other => return refuse(turn.column, format!("turn '{other}' is not 'f' (fox side) or 'g' (geese side)")),
        };
        let mut position = Position {
            pieces: self.read_pieces(*placement)?,
            owed: PointSet::EMPTY,
            hand: 0,
            turn: turn_side,
            phase: Phase::Normal,
            first: false,
        };
        let mut seen: Vec<&str> = Vec::new();
        for field in &notation::fields(&lower)[2..] {
            let Some((key, value)) = field.text.split_once('=') else {
                return refuse(field.column, format!("'{}' is not of the form key=value", field.text));
            };
            if seen.contains(&key) {
                return refuse(field.column, format!("key '{key}' stands twice"));
            }
            seen.push(key);
            self.read_key(&mut position, key, Field { column: field.column + key.len() + 1, text: value })?;
        }
        if position.phase == Phase::Place {
            position.first = self.ruleset.rules.first_move_forward;
        }
        self.check_position(&position, placement.column, turn.column)?;
        Ok(position)
    }

    fn read_pieces(&self, field: Field<'_>) -> Result<Pieces<W>, PositionError> {
        let mut pieces = Pieces::empty();
        let letters = [('F', Side::Fox), ('G', Side::Geese)];
        read_placement(self.board(), field, &letters, |side, point| pieces.toggle(side, point))?;
        Ok(pieces)
    }

    fn read_key(&self, position: &mut Position<W>, key: &str, value: Field<'_>) -> Result<(), PositionError> {
        let rules = &self.ruleset.rules;
        match (key, value.text) {
            ("phase", "place") => {
                if !self.tables.start_foxes.is_empty() {
                    return refuse(value.column, "the fox side is not placed by choice in this ruleset");
                }
                position.phase = Phase::Place;
            }
            ("first", "1") => {
                if !rules.first_move_forward {
                    return refuse(value.column, "first_move_forward is off in this ruleset");
                }
                position.first = true;
            }
            ("first", "0") => position.first = false,
            ("hand", number) => {
                let hand = number.parse::<u8>().ok().filter(|&hand| hand < 200);
                position.hand = match hand {
                    Some(hand) if hand == 0 || self.returns_geese || self.has_stock => hand,
                    Some(_) => return refuse(value.column, "no goose ever comes from the hand in this ruleset"),
                    None => return refuse(value.column, format!("hand '{number}' is not a number below 200")),
                };
            }
            ("owed", "drop") => {
                if !self.returns_geese {
                    return refuse(value.column, "only huffing with add_goose or add_goose_home owes a drop");
                }
                position.phase = Phase::Drop;
            }
            ("owed", names) => {
                if rules.huff != Huff::RemoveFox {
                    return refuse(value.column, "only huffing with remove_fox owes the removal of a piece");
                }
                position.owed = self.read_owed(names, value.column)?;
                position.phase = Phase::Remove;
            }
            ("phase", other) => return refuse(value.column, format!("phase '{other}' is not 'place'")),
            ("first", other) => return refuse(value.column, format!("first '{other}' is not 1")),
            (other, _) => {
                return refuse(
                    value.column - other.len() - 1,
                    format!("unknown key '{other}'; allowed are phase, first, hand and owed"),
                );
            }
        }
        Ok(())
    }

    fn read_owed(&self, names: &str, column: usize) -> Result<PointSet<W>, PositionError> {
        let mut owed = PointSet::EMPTY;
        for name in names.split(',') {
            let Some(point) = self.board().parse(name) else {
                return refuse(column, format!("'{name}' in owed is not a point of the board"));
            };
            owed = owed.with(point);
        }
        Ok(owed)
    }

    /// What no board of this ruleset can be.
    fn check_position(&self, position: &Position<W>, column: usize, turn_column: usize) -> Result<(), PositionError> {
        let rules = &self.ruleset.rules;
        let (foxes, placing) = (position.foxes().len(), position.phase == Phase::Place);
        if foxes == 0 && !placing && rules.huff != Huff::RemoveFox {
            return refuse(column, format!("no piece F of the fox side, but the ruleset has {}", rules.foxes));
        }
        if placing && foxes >= rules.foxes {
            return refuse(column, format!("phase=place, but {foxes} of {} pieces F already stand", rules.foxes));
        }
        let owner = if placing { Side::Fox } else { Side::Geese };
        if position.phase != Phase::Normal && position.turn != owner {
            let (phase, letter) = if placing { ("phase=place", 'f') } else { ("owed", 'g') };
            return refuse(turn_column, format!("{phase} needs the turn '{letter}'"));
        }
        if position.phase == Phase::Remove && (!position.owed.is_subset(position.foxes()) || position.owed.len() < 2) {
            return refuse(column, "owed must name two or more points where pieces F stand");
        }
        if position.phase == Phase::Drop && (position.hand == 0 || self.landing_zone(position).is_empty()) {
            return refuse(column, "owed=drop needs a goose in hand and an empty point for it");
        }
        let mut moves: Vec<Move<W>> = Vec::new();
        if position.turn == Side::Fox && position.phase == Phase::Normal && rules.chain {
            let (geese, foxes) = (position.geese(), position.foxes());
            foxes.iter().for_each(|fox| Chains::new(&self.tables.jumps, fox, geese, foxes, &mut moves).all());
        }
        if moves.len() >= MAX_MOVES {
            return refuse(column, format!("more than {MAX_MOVES} chains of jumps are possible, too many to play"));
        }
        Ok(())
    }
}
