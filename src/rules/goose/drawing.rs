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
    /// counters; walls stand where the track does not pass.
    pub(super) fn draw_track(&self, position: &Position) -> String {
        let cells = spiral();
        let field_at = |column, row| cells.iter().position(|&cell| cell == (column, row)).map(|index| index + 1);
        let joins = |one: Option<usize>, other: Option<usize>| {
            one.zip(other).is_some_and(|(one, other)| one.abs_diff(other) == 1)
        };
        let mut text = String::new();
        for row in (0..HEIGHT).rev() {
            text.push_str(&wall_line(|column| joins(field_at(column, row), field_at(column, row + 1))));
            for line in 0..2 {
                text.push('|');
                for column in 0..WIDTH {
                    let field = field_at(column, row).unwrap_or_default() as u8;
                    let content = if line == 0 { label(field) } else { self.standing(position, field) };
                    let wall = if joins(field_at(column, row), field_at(column + 1, row)) { ' ' } else { '|' };
                    text.push_str(&format!("{content:<INNER$}{wall}"));
                }
                text.push('\n');
            }
        }
        text + &wall_line(|_| false)
    }

    /// Who stands on a field.
    fn standing(&self, position: &Position, field: u8) -> String {
        let counters = (0..self.all_counters()).filter(|&counter| field != START && position.fields[counter] == field);
        let names: Vec<String> = counters.map(|counter| self.counter_name(counter)).collect();
        match names.join(" ") {
            text if text.len() > INNER - 1 => format!(" {} all", names.len()),
            text => format!(" {text}"),
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
            format!("player {}: {}; account {account}\n", seat + 1, counters.join(", "))
        };
        let players: String = self.seats().map(line).collect();
        let dice: Vec<String> = position.dice().map(|die| die.to_string()).collect();
        let dice = if dice.is_empty() { String::new() } else { format!("dice to use: {}\n", dice.join(" and ")) };
        format!("{players}pot: {}\n{dice}", position.pot)
    }

    fn where_it_stands(&self, position: &Position, counter: usize) -> String {
        let field = position.fields[counter];
        let place = match FieldKind::of(field) {
            FieldKind::Plain | FieldKind::Goose => format!("field {field}"),
            kind => format!("field {field} ({})", kind.name()),
        };
        match position.waits[counter] {
            0 => place,
            HELD => place + " until relieved",
            1 => place + ", misses 1 turn",
            turns => format!("{place}, misses {turns} turns"),
        }
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

/// A line between two rows of cells, open where the track passes.
fn wall_line(is_open: impl Fn(usize) -> bool) -> String {
    let cell = |column: usize| if is_open(column) { " ".repeat(INNER) } else { "-".repeat(INNER) };
    format!("+{}+\n", (0..WIDTH).map(cell).collect::<Vec<_>>().join("+"))
}
