//! The tables of a report, the same for the terminal and for the page.

mod endings;
mod judged;
mod meetings;
mod ranking;
mod rounds;

use super::text_table::TextTable;
use crate::tournament::header::JournalHeader;
use crate::tournament::standings::{Summary, number};
use crate::tournament::stats::Estimate;

/// Every table that has something to say, the most wanted first.
pub(super) fn tables(summary: &Summary) -> Vec<TextTable> {
    let of_all = [
        ranking::ranking,
        judged::mistakes,
        judged::conversion,
        meetings::cross_table,
        meetings::pairings,
        meetings::pairs,
        ranking::per_side,
        endings::side_advantage,
        endings::endings,
        endings::forfeits,
        endings::lengths,
        ranking::work,
        judged::unconverted,
    ];
    let tables = rounds::tables(summary).into_iter().chain(of_all.map(|table| table(summary)));
    tables.filter(|table| !table.rows.is_empty()).collect()
}

/// A sequential test, the winner, and what weakens the evidence: a line each.
pub(super) fn remarks(header: &JournalHeader, summary: &Summary) -> Vec<String> {
    let mut remarks: Vec<String> = endings::sprt(summary).into_iter().chain(rounds::winner(summary)).collect();
    if summary.different_games < summary.games {
        remarks.push(format!(
            "Only {} of {} games are different; a repeated game is no new evidence, and the errors below do not know it.",
            summary.different_games, summary.games
        ));
    }
    if summary.unpaired_games > 0 {
        remarks.push(format!("Games whose other game of the pair is missing: {}.", summary.unpaired_games));
    }
    if header.played.games().has_disagreements() {
        remarks
            .push("Notes of the engines' disagreements stand in the journal and are not reported any more.".to_owned());
    }
    remarks
}

/// A count; `n/a` for what does not exist.
fn whole(value: Option<u64>) -> String {
    value.map_or("n/a".to_owned(), |value| value.to_string())
}

/// With a sign.
fn signed(value: Option<f64>) -> String {
    let text = number(value, 1);
    if value.is_some_and(|value| value > 0.0) && text != "0.0" && text != "n/a" { format!("+{text}") } else { text }
}

fn percent(share: Option<f64>) -> String {
    number(share.map(|share| 100.0 * share), 1)
}

/// `+12.3 ± 4.5`.
fn with_error(value: Option<f64>, error: Option<f64>) -> String {
    match value {
        None => "n/a".to_owned(),
        Some(_) => format!("{} ± {}", signed(value), number(error, 1)),
    }
}

fn elo(estimate: &Estimate) -> String {
    with_error(estimate.elo, estimate.sure_elo_error())
}

fn nelo(estimate: &Estimate) -> String {
    with_error(estimate.nelo, estimate.sure_nelo_error())
}

/// Half points written out: `12.5`, `12`.
fn points(points: f64) -> String {
    if points.fract() == 0.0 { format!("{points:.0}") } else { format!("{points:.1}") }
}
