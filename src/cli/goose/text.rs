//! The numbers as tables for people.

use comfy_table::{CellAlignment, Table, presets};

use super::stats::{FieldStats, HazardStats, Stats};
use crate::chances::Method;

/// Fields beside each other.
const COLUMNS: usize = 4;

pub(super) fn tables(stats: &Stats) -> String {
    let race =
        if stats.players == 1 { "\nFirst: of two such counters that take turns, each for itself.\n" } else { "" };
    format!(
        "{}\n\n{}{race}\n\n{}\n\nHazards, all counters together; \"without\" is the game in which that field is a plain one.\n\n{}\
         \n\nVisits in a game, all counters together: touched on the move / rested on at the end of it.\n\n{}\n",
        heading(stats),
        summary(stats),
        players(stats),
        hazards(&stats.hazards),
        fields(&stats.fields),
    )
}

fn heading(stats: &Stats) -> String {
    let Stats { ruleset, players, .. } = stats;
    let plural = if *players == 1 { "" } else { "s" };
    let method = match stats.method {
        Method::Exact { states, residual, sweeps } => {
            format!("solved exactly: {states} positions, {sweeps} sweeps, residual {residual:.1e}")
        }
        Method::Simulation { games } => format!("{games} games played out; ± is half the 95 % interval"),
        Method::Decided => "decided".to_owned(),
    };
    format!("{ruleset}, {players} player{plural}, {method}")
}

fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(header);
    table
}

fn align_right(table: &mut Table) {
    table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
}

/// A number with its error, where it has one.
fn number(value: f64, error: f64, digits: usize) -> String {
    match error > 0.0 {
        true => format!("{value:.digits$} ± {error:.digits$}"),
        false => format!("{value:.0$}", digits + 3),
    }
}

/// A difference.
fn signed(value: f64, error: f64) -> String {
    format!("{}{}", if value < 0.0 { "" } else { "+" }, number(value, error, 3))
}

fn summary(stats: &Stats) -> Table {
    let mut table = table(&["what", "figure"]);
    let mut row = |what: &str, value: f64, error: f64| {
        table.add_row([what.to_owned(), number(value, error, 3)]);
    };
    row("player-turns, missed ones counted", stats.expected_turns, stats.expected_turns_error);
    row("rolls", stats.expected_rolls, stats.expected_rolls_error);
    row("the first player wins", stats.first_player_wins, stats.first_player_wins_error);
    row("above an equal share", stats.first_player_advantage, stats.first_player_wins_error);
    row("nobody wins", stats.draw, 0.0);
    row("counters sent back by others", stats.sent_back, stats.sent_back_error);
    row("first throws of 9", stats.nines, stats.nines_error);
    align_right(&mut table);
    table
}

fn players(stats: &Stats) -> Table {
    let mut table = table(&["player", "wins", "expected winnings"]);
    for (index, player) in stats.chances.iter().enumerate() {
        let wins = number(player.win, player.win_error, 3);
        table.add_row([format!("p{}", index + 1), wins, number(player.pot, player.pot_error, 3)]);
    }
    align_right(&mut table);
    table
}

fn hazards(hazards: &[HazardStats]) -> Table {
    let mut table = table(&["hazard", "strikes", "turns missed", "turns without", "effect", "first without", "effect"]);
    for hazard in hazards {
        table.add_row([
            format!("{} {}", hazard.field, hazard.hazard),
            number(hazard.strikes, hazard.strikes_error, 3),
            number(hazard.missed_turns, hazard.missed_turns_error, 3),
            number(hazard.turns_without, hazard.turns_without_error, 3),
            signed(hazard.turns_effect, hazard.turns_effect_error),
            number(hazard.first_without, hazard.first_without_error, 3),
            signed(hazard.first_effect, hazard.first_effect_error),
        ]);
    }
    align_right(&mut table);
    table
}

fn fields(fields: &[FieldStats]) -> Table {
    let mut table = table(&["field", "visits"].repeat(COLUMNS));
    let rows = fields.len().div_ceil(COLUMNS);
    for row in 0..rows {
        let cells = (0..COLUMNS).filter_map(|column| fields.get(column * rows + row)).flat_map(|field| {
            let kind = if field.kind == "plain" { "" } else { field.kind };
            [
                format!("{} {kind}", field.field).trim_end().to_owned(),
                format!("{:.3} / {:.3}", field.touched, field.rested),
            ]
        });
        table.add_row(cells);
    }
    table
}
