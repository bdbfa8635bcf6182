//! Wins by seat.

use super::{TextTable, percent};
use crate::tournament::standings::{RulesetSummary, SeatResults, Summary};

/// How often each seat won, in games of more than two seats and where the seats are numbered.
pub(super) fn per_seat(summary: &Summary) -> TextTable {
    let heads = ["<Ruleset", "<Seat", "<Engine", "Games", "Wins", "Drawn", "Share %", "95 % from", "to"];
    let mut table = TextTable::new("Per seat", &heads);
    let numbered = summary.rulesets.iter().filter(|ruleset| ruleset.seats.iter().any(|(role, _)| role == "p1"));
    table.rows = numbered.flat_map(|ruleset| ruleset.by_seat.iter().map(|seat| row(summary, ruleset, seat))).collect();
    table.with_note("Share: wins per game from the seat, with Wilson's bounds. Forfeited games do not count here.")
}

fn row(summary: &Summary, ruleset: &RulesetSummary, results: &SeatResults) -> Vec<String> {
    vec![
        ruleset.label.clone(),
        results.role.clone(),
        results.engine.map_or("all".to_owned(), |engine| summary.engines[engine].name.clone()),
        results.games.to_string(),
        results.wins.to_string(),
        results.draws.to_string(),
        percent(results.share),
        percent(results.wilson_low),
        percent(results.wilson_high),
    ]
}
