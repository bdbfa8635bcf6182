//! The tables of what tables of perfect play know: moves that gave away game value, and what became of won games.

use super::{TextTable, number, percent, ranking, whole};
use crate::tournament::mistakes::{JudgedPlay, MistakeCount};
use crate::tournament::standings::{EngineSummary, Summary, UnconvertedGame};
use crate::tournament::stats::Sample;

/// An engine as a side at a ruleset, and what the tables say of its play there.
type Row<'a> = (&'a EngineSummary, String, &'a str, &'a JudgedPlay);

/// Every engine as each side, by ruleset where there are several; nothing unless moves were judged.
fn judged(summary: &Summary) -> Vec<Row<'_>> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    for engine in summary.ranked() {
        rows.extend(engine.overall.judged.iter().map(|found| (engine, "both".to_owned(), "all", found)));
        for part in &engine.by_ruleset {
            for role in &part.slice.roles {
                let side = ranking::side(summary, part.ruleset, &role.role);
                rows.extend(role.judged.iter().map(|found| (engine, side.clone(), part.label.as_str(), found)));
            }
        }
    }
    rows
}

/// What every engine gave away as each side.
pub(super) fn mistakes(summary: &Summary) -> TextTable {
    let rate = |found: &MistakeCount| found.mistakes() as f64 / found.at_stake as f64;
    let table = TextTable::of(
        "Mistakes",
        judged(summary),
        &[
            ("<Engine", &|(engine, ..)| engine.name.clone()),
            ("<As", &|(_, side, ..)| side.clone()),
            ("<Ruleset", &|(_, _, ruleset, _)| (*ruleset).to_owned()),
            ("Games", &|(.., found)| found.mistakes.games.to_string()),
            ("Judged moves", &|(.., found)| found.mistakes.judged.to_string()),
            ("At stake", &|(.., found)| found.mistakes.at_stake.to_string()),
            ("Mistakes", &|(.., found)| found.mistakes.mistakes().to_string()),
            ("Per game", &|(.., found)| number(found.mistakes.per_game(), 2)),
            ("% at stake", &|(.., found)| percent(Some(rate(&found.mistakes)))),
            ("Win to draw", &|(.., found)| found.mistakes.win_to_draw.to_string()),
            ("Win to loss", &|(.., found)| found.mistakes.win_to_loss.to_string()),
            ("Draw to loss", &|(.., found)| found.mistakes.draw_to_loss.to_string()),
        ],
    );
    table.with_note(
        "Moves that gave away game value by tables of perfect play, which ignore repetition. Judged: positions that the \
         tables cover; at stake: of these, positions that the mover had not lost already.",
    )
}

/// What every engine made of the games that it had won, as each side.
pub(super) fn conversion(summary: &Summary) -> TextTable {
    let table = TextTable::of(
        "Conversion",
        judged(summary),
        &[
            ("<Engine", &|(engine, ..)| engine.name.clone()),
            ("<As", &|(_, side, ..)| side.clone()),
            ("<Ruleset", &|(_, _, ruleset, _)| (*ruleset).to_owned()),
            ("Won by tables", &|(.., found)| found.conversion.games.games().to_string()),
            ("Won", &|(.., found)| found.conversion.games.wins.to_string()),
            ("Drawn", &|(.., found)| found.conversion.games.draws.to_string()),
            ("Lost", &|(.., found)| found.conversion.games.losses.to_string()),
            ("% won", &|(.., found)| percent(found.conversion.share())),
            ("Not given away", &|(.., found)| found.conversion.not_given_away.to_string()),
        ],
    );
    table.with_note(
        "Games in which the tables called a position won for the engine, by their results. Not given away: those drawn \
         or lost in which no move gave the win away, by repetition or a limit of plies for example.",
    )
}

/// So many games that were not won are shown; files have all of them.
const MOST_UNCONVERTED: usize = 50;

/// Where each of the games that were won was given away.
pub(super) fn unconverted(summary: &Summary) -> TextTable {
    let all = summary.unconverted.as_deref().unwrap_or_default();
    let side = |game: &UnconvertedGame| ranking::side(summary, game.ruleset, &game.role);
    let table = TextTable::of(
        "Won games that were not won",
        &all[..all.len().min(MOST_UNCONVERTED)],
        &[
            ("Game", &|game| game.game.to_string()),
            ("<Engine", &|game| summary.engines[game.engine].name.clone()),
            ("<As", &|game| side(game)),
            ("<Ruleset", &|game| summary.rulesets[game.ruleset].label.clone()),
            ("Won after", &|game| game.won_after.to_string()),
            ("<Result", &|game| game.result.to_owned()),
            ("Given away at", &|game| whole(game.ply.map(|ply| ply as u64))),
            ("<By", &|game| game.mv.clone().unwrap_or_default()),
        ],
    );
    let note =
        "Plies: after which the win was there, and with which it was gone for good; n/a where no move gave it away.";
    match all.len() {
        ..=MOST_UNCONVERTED => table.with_note(note),
        games => table.with_note(&format!("{note} The first {MOST_UNCONVERTED} of {games}; JSON and CSV have all.")),
    }
}
