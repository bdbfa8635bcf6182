//! The table of wins by seat.

use super::{TextTable, percent};
use crate::tournament::standings::Summary;

/// How often each seat won, in games of more than two seats and where the seats are numbered.
pub(super) fn per_seat(summary: &Summary) -> TextTable {
    let numbered = summary.rulesets.iter().filter(|ruleset| ruleset.seats.iter().any(|(role, _)| role == "p1"));
    let engine = |index: usize| summary.engines[index].name.clone();
    let table = TextTable::of(
        "Per seat",
        numbered.flat_map(|ruleset| ruleset.by_seat.iter().map(move |seat| (ruleset, seat))),
        &[
            ("<Ruleset", &|(ruleset, _)| ruleset.label.clone()),
            ("<Seat", &|(_, results)| results.role.clone()),
            ("<Engine", &|(_, results)| results.engine.map_or("all".to_owned(), engine)),
            ("Games", &|(_, results)| results.games.to_string()),
            ("Wins", &|(_, results)| results.wins.to_string()),
            ("Drawn", &|(_, results)| results.draws.to_string()),
            ("Share %", &|(_, results)| percent(results.share)),
            ("95 % from", &|(_, results)| percent(results.wilson_low)),
            ("to", &|(_, results)| percent(results.wilson_high)),
        ],
    );
    table.with_note("Share: wins per game from the seat, with Wilson's bounds. Forfeited games do not count here.")
}
