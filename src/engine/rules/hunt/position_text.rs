//! Reads positions: placement, turn, keys.

use super::Hunt;
use super::keys::Huff;
use super::position::{Move, Phase, Position, Side};
use crate::geometry::{PointSet, Word};
use crate::rules::PositionError;
use crate::rules::jumps::refuse_too_many;
use crate::rules::notation::{Field, fields, pairs, read_pieces, refuse};

impl<W: Word> Hunt<W> {
    pub(super) fn read_position(&self, text: &str) -> Result<Position<W>, PositionError> {
        // Keys and their values are read in any case.
        let lower = text.to_ascii_lowercase();
        let [placement, turn, ..] = fields(text)[..] else {
            return refuse(
                text.chars().count() + 1,
                "a placement and a turn are expected, as in '3/3/7/G2F2G/GGGGGGG/GGG/GGG g'",
            );
        };
        let side = match turn.text {
            "f" | "F" => Side::Fox,
            "g" | "G" => Side::Geese,
            other => return refuse(turn.column, format!("turn '{other}' is not 'f' (fox side) or 'g' (geese side)")),
        };
        let mut position = Position::new(PointSet::EMPTY, PointSet::EMPTY, side);
        let letters = [('F', Side::Fox), ('G', Side::Geese)];
        read_pieces(self.board(), placement, &letters, |side, point| position.pieces.toggle(side, point))?;
        for (key, value) in pairs(&fields(&lower)[2..])? {
            self.read_key(&mut position, key, value)?;
        }
        if position.phase == Phase::Place {
            position.first = self.ruleset.rules.first_move_forward;
        }
        self.check_position(&position, placement.column, turn.column)?;
        Ok(position)
    }

    fn read_key(&self, position: &mut Position<W>, key: Field<'_>, value: Field<'_>) -> Result<(), PositionError> {
        let rules = &self.ruleset.rules;
        match (key.text, value.text) {
            ("phase", "place") if self.geometry.start_foxes.is_empty() => position.phase = Phase::Place,
            ("phase", "place") => return refuse(value.column, "the fox side is not placed by choice in this ruleset"),
            ("phase", other) => return refuse(value.column, format!("phase '{other}' is not 'place'")),
            ("first", "0") => position.first = false,
            ("first", "1") if rules.first_move_forward => position.first = true,
            ("first", "1") => return refuse(value.column, "first_move_forward is off in this ruleset"),
            ("first", other) => return refuse(value.column, format!("first '{other}' is not 1")),
            ("hand", number) => {
                let hand = number.parse::<u8>().ok().filter(|&hand| hand < 200);
                position.hand = match hand {
                    Some(hand) if hand == 0 || self.returns_geese || self.has_stock => hand,
                    Some(_) => return refuse(value.column, "no goose ever comes from the hand in this ruleset"),
                    None => return refuse(value.column, format!("hand '{number}' is not a number below 200")),
                };
            }
            ("owed", "drop") if self.returns_geese => position.phase = Phase::Drop,
            ("owed", "drop") => {
                return refuse(value.column, "only huffing with add_goose or add_goose_home owes a drop");
            }
            ("owed", names) if rules.huff == Huff::RemoveFox => {
                position.owed = self.read_owed(names, value.column)?;
                position.phase = Phase::Remove;
            }
            ("owed", _) => {
                return refuse(value.column, "only huffing with remove_fox owes the removal of a piece");
            }
            (other, _) => {
                return refuse(key.column, format!("unknown key '{other}'; allowed are phase, first, hand and owed"));
            }
        }
        Ok(())
    }

    fn read_owed(&self, names: &str, column: usize) -> Result<PointSet<W>, PositionError> {
        let refuse = |name| PositionError { column, message: format!("'{name}' in owed is not a point of the board") };
        names.split(',').map(|name| self.board().parse(name).ok_or_else(|| refuse(name))).collect()
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
        if position.turn == Side::Fox && position.phase == Phase::Normal && rules.chain {
            let (geese, foxes) = (position.geese(), position.foxes());
            refuse_too_many::<W, Move<W>>(&self.geometry.jumps, foxes, geese, foxes, column)?;
        }
        Ok(())
    }
}
