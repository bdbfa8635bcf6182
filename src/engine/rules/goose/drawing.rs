//! Draws the spiral of 63 fields and lists the players.

use super::Goose;
use super::position::{HELD, Position};
use super::track::{FieldKind, START};

/// The spiral winds inwards from the lower left corner, first along the bottom.
pub(super) const WIDTH: usize = 9;
pub(super) const HEIGHT: usize = 7;
/// Letters inside a cell.
const INNER: usize = 7;

/// Column and row of every field from 1 up, rows from the bottom.
pub(super) fn spiral() -> Vec<(usize, usize)> {
    let (mut left, mut right, mut bottom, mut top) = (0, WIDTH - 1, 0, HEIGHT - 1);
    let mut cells = Vec::with_capacity(WIDTH * HEIGHT);
    while cells.len() < WIDTH * HEIGHT {
        cells.extend((left..=right).map(|column| (column, bottom)));
        cells.extend((bottom + 1..=top).map(|row| (right, row)));
        if top > bottom {
            cells.extend((left..right).rev().map(|column| (column, top)));
        }
        if right > left {
            cells.extend((bottom + 1..top).rev().map(|row| (left, row)));
        }
        (left, bottom) = (left + 1, bottom + 1);
        (right, top) = (right.saturating_sub(1), top.saturating_sub(1));
    }
    cells
}

impl Goose {
    /// Each cell has the number of its field and what is there, below it the players or, in the team game, their
    /// counters; walls stand where the track does not pass. Low enough for a window of 24 lines.
    pub(super) fn draw_track(&self, position: &Position) -> String {
        let cells = spiral();
        let field_at = |column, row| cells.iter().position(|&cell| cell == (column, row)).map(|index| index + 1);
        let joins = |one: Option<usize>, other: Option<usize>| {
            one.zip(other).is_some_and(|(one, other)| one.abs_diff(other) == 1)
        };
        let mut text = format!(" {}\n", "_".repeat(WIDTH * (INNER + 1) - 1));
        for row in (0..HEIGHT).rev() {
            let (mut labels, mut counters) = ("|".to_owned(), "|".to_owned());
            for column in 0..WIDTH {
                let here = field_at(column, row);
                let field = here.unwrap_or_default() as u8;
                let is_open = joins(here, field_at(column + 1, row));
                let floor = if row > 0 && joins(here, field_at(column, row - 1)) { ' ' } else { '_' };
                labels += &format!("{:<INNER$}{}", label(field), if is_open { ' ' } else { '|' });
                let standing = format!(" {:<width$}", self.standing(position, field), width = INNER - 1);
                counters += &standing.replace(' ', &floor.to_string());
                counters.push(if is_open { floor } else { '|' });
            }
            text += &format!("{labels}\n{counters}\n");
        }
        text
    }

    /// Who stands on a field.
    fn standing(&self, position: &Position, field: u8) -> String {
        let counters = (0..self.all_counters()).filter(|&counter| field != START && position.fields[counter] == field);
        let names: Vec<String> = counters.map(|counter| self.counter_name(counter)).collect();
        match names.join(" ") {
            text if text.len() > INNER - 1 => format!("{} all", names.len()),
            text => text,
        }
    }

    /// The player's number, in the team game with the counter's.
    fn counter_name(&self, counter: usize) -> String {
        let seat = self.owner(counter);
        match self.ruleset.rules.team {
            true => format!("{}.{}", seat + 1, counter - self.first_counter(seat) + 1),
            false => format!("{}", seat + 1),
        }
    }

    pub(super) fn player_list(&self, position: &Position) -> String {
        let line = |seat: u8| {
            let counters: Vec<String> =
                self.counters_of(seat).map(|counter| self.where_it_stands(position, counter)).collect();
            let account = position.accounts[usize::from(seat)];
            let fields = if counters.len() == 1 { "field" } else { "fields" };
            format!("player {}: {fields} {}; account {account}\n", seat + 1, counters.join(", "))
        };
        let players: String = self.seats().map(line).collect();
        let dice: Vec<String> = position.dice().map(|die| die.to_string()).collect();
        let dice = if dice.is_empty() { String::new() } else { format!("; dice to use: {}", dice.join(" and ")) };
        format!("{players}pot: {}{dice}\n", position.pot)
    }

    /// The field with what is special about it. In the team game the track alone shows the kind of the field: all four
    /// counters have to stand in a line.
    fn where_it_stands(&self, position: &Position, counter: usize) -> String {
        let field = position.fields[counter];
        let kind = match FieldKind::of(field) {
            FieldKind::Plain | FieldKind::Goose => None,
            _ if self.ruleset.rules.team => None,
            kind => Some(kind.name().to_owned()),
        };
        let wait = match position.waits[counter] {
            0 => None,
            HELD => Some("until relieved".to_owned()),
            1 => Some("misses 1 turn".to_owned()),
            turns => Some(format!("misses {turns} turns")),
        };
        let notes: Vec<String> = kind.into_iter().chain(wait).collect();
        if notes.is_empty() { field.to_string() } else { format!("{field} ({})", notes.join(", ")) }
    }
}

/// The number of a field and what it shows.
fn label(field: u8) -> String {
    match FieldKind::of(field) {
        FieldKind::Plain | FieldKind::Start => format!("{field:>2}"),
        FieldKind::Goose => format!("{field:>2} >>"),
        FieldKind::Bridge => format!("{field:>2} brdg"),
        FieldKind::Prison => format!("{field:>2} jail"),
        FieldKind::Death => format!("{field:>2} dead"),
        FieldKind::Finish => format!("{field:>2} end"),
        kind => format!("{field:>2} {}", kind.name()),
    }
}
