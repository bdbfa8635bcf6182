//! Positions as text: placement, turn, keys.

use std::fmt::Write as _;

use crate::geometry::{Point, PointSet, Word};
use crate::rules::PositionError;

use super::Hunt;
use super::chains::{Chains, MAX_MOVES};
use super::keys::Huff;
use super::position::{Phase, Pieces, Position, Side};

fn refuse<T>(column: usize, message: impl Into<String>) -> Result<T, PositionError> {
    Err(PositionError { column, message: message.into() })
}

/// A word of the text and the column where it begins.
#[derive(Clone, Copy)]
struct Field<'a> {
    column: usize,
    text: &'a str,
}

/// Splits at blanks and keeps the columns, which count characters from 1.
fn fields(text: &str) -> Vec<Field<'_>> {
    let mut fields = Vec::new();
    let mut column = 1;
    for piece in text.split(' ') {
        if !piece.is_empty() {
            fields.push(Field { column, text: piece });
        }
        column += piece.chars().count() + 1;
    }
    fields
}

impl<W: Word> Hunt<W> {
    pub(super) fn write_position(&self, position: &Position<W>) -> String {
        let mut text = self.write_placement(position);
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

    fn write_placement(&self, position: &Position<W>) -> String {
        let board = self.board();
        let row = |rank: u8| {
            let mut text = String::new();
            let mut empty = 0;
            for point in board.rank_points(rank) {
                let letter = match (position.foxes().has(point), position.geese().has(point)) {
                    (true, _) => 'F',
                    (_, true) => 'G',
                    _ => {
                        empty += 1;
                        continue;
                    }
                };
                push_run(&mut text, &mut empty);
                text.push(letter);
            }
            push_run(&mut text, &mut empty);
            text
        };
        (0..board.height()).rev().map(row).collect::<Vec<_>>().join("/")
    }

    pub(super) fn read_position(&self, text: &str) -> Result<Position<W>, PositionError> {
        let fields = fields(text);
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
            pieces: self.read_placement(*placement)?,
            owed: PointSet::EMPTY,
            hand: 0,
            turn: turn_side,
            phase: Phase::Normal,
            first: false,
        };
        let mut seen: Vec<&str> = Vec::new();
        for field in &self::fields(&lower)[2..] {
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

    fn read_placement(&self, field: Field<'_>) -> Result<Pieces<W>, PositionError> {
        let board = self.board();
        let mut pieces = Pieces::empty();
        let mut column = field.column;
        let mut rank = board.height();
        for row in field.text.split('/') {
            let Some(below) = rank.checked_sub(1) else {
                return refuse(column, format!("more than the {} ranks of this board", board.height()));
            };
            rank = below;
            self.read_row(row, rank, column, &mut pieces)?;
            column += row.chars().count() + 1;
        }
        if rank > 0 {
            return refuse(
                column - 1,
                format!("{} ranks are given, but the board has {}", board.height() - rank, board.height()),
            );
        }
        Ok(pieces)
    }

    fn read_row(&self, row: &str, rank: u8, column: usize, pieces: &mut Pieces<W>) -> Result<(), PositionError> {
        let points: Vec<Point> = self.board().rank_points(rank).iter().collect();
        let mut next = 0;
        let mut run = 0;
        let mut last = column;
        for (offset, letter) in row.chars().enumerate() {
            last = column + offset + 1;
            if let Some(digit) = letter.to_digit(10) {
                run = run * 10 + digit as usize;
                if run == 0 || next + run > points.len() {
                    return refuse(
                        column + offset,
                        format!("{run} empty points do not fit here: rank {} has {} points", rank + 1, points.len()),
                    );
                }
                continue;
            }
            next += std::mem::take(&mut run);
            let side = match letter {
                'F' | 'f' => Side::Fox,
                'G' | 'g' => Side::Geese,
                other => {
                    return refuse(column + offset, format!("'{other}' is neither F, G nor a number of empty points"));
                }
            };
            let Some(&point) = points.get(next) else {
                return refuse(column + offset, format!("rank {} has only {} points", rank + 1, points.len()));
            };
            pieces.toggle(side, point);
            next += 1;
        }
        if next + run != points.len() {
            return refuse(
                last,
                format!("rank {} has {} points, but {} are given", rank + 1, points.len(), next + run),
            );
        }
        Ok(())
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
        let mut moves = Vec::new();
        if position.turn == Side::Fox && position.phase == Phase::Normal && rules.chain {
            let (geese, foxes) = (position.geese(), position.foxes());
            foxes.iter().for_each(|fox| Chains::new(&self.tables, fox, geese, foxes, &mut moves).all());
        }
        if moves.len() >= MAX_MOVES {
            return refuse(column, format!("more than {MAX_MOVES} chains of jumps are possible, too many to play"));
        }
        Ok(())
    }
}

fn push_run(text: &mut String, empty: &mut u32) {
    if *empty > 0 {
        let _ = write!(text, "{empty}");
        *empty = 0;
    }
}
