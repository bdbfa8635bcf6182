//! Tables about games: sides, endings, forfeits, lengths, and what tables of perfect play know.

use super::{INTERVALS, TextTable, side, sides};
use crate::tournament::mistakes::{JudgedPlay, MistakeCount};
use crate::tournament::record::written_name;
use crate::tournament::report::figures::{elo, number, percent, whole, with_error};
use crate::tournament::report::lines::split_counts;
use crate::tournament::standings::{EngineSummary, LengthCount, RulesetSummary, Summary, UnconvertedGame};
use crate::tournament::stats::{Sample, Trinomial};

fn played(summary: &Summary) -> impl Iterator<Item = &RulesetSummary> {
    summary.rulesets.iter().filter(|ruleset| ruleset.games > 0)
}

pub(super) fn side_advantage(summary: &Summary) -> TextTable {
    let table = TextTable::of(
        "Side advantage",
        played(summary),
        &[
            ("^Ruleset", &|ruleset| ruleset.label.clone()),
            ("<Side", &|ruleset| ruleset.side_names()[0].clone()),
            ("Games", &|ruleset| ruleset.sides.games().to_string()),
            ("Won", &|ruleset| ruleset.sides.wins.to_string()),
            ("Drawn", &|ruleset| ruleset.sides.draws.to_string()),
            ("Lost", &|ruleset| ruleset.sides.losses.to_string()),
            ("Score %", &|ruleset| percent(ruleset.sides_estimate.score)),
            ("Elo", &|ruleset| elo(&ruleset.sides_estimate)),
            ("Advantage", &|ruleset| with_error(ruleset.advantage.elo, ruleset.advantage.error)),
            ("Pairs", &|ruleset| ruleset.split_pairs.pairs.to_string()),
            ("<Same side won both", &|ruleset| split_counts(ruleset)),
        ],
    );
    table.with_note(&format!(
        "Elo: as if all players were equal; {INTERVALS} Advantage: with the ratings of the players taken into account. \
         Pairs of which the same side won both games do not tell the engines apart.",
    ))
}

pub(super) fn endings(summary: &Summary) -> TextTable {
    TextTable::of(
        "Endings",
        played(summary).flat_map(|ruleset| ruleset.reasons.iter().map(move |count| (ruleset, count))),
        &[
            ("^Ruleset", &|(ruleset, _)| ruleset.label.clone()),
            ("<Reason", &|(_, count)| count.reason.clone()),
            ("Games", &|(_, count)| count.games.games().to_string()),
            ("%", &|(ruleset, count)| percent(Some(count.games.games() as f64 / ruleset.games as f64))),
            ("<Won by", &|(ruleset, count)| winners(ruleset, count.games)),
        ],
    )
}

/// `fox 12, drawn 3, geese 4`.
fn winners(ruleset: &RulesetSummary, Trinomial { wins, draws, losses }: Trinomial) -> String {
    let [side, other] = ruleset.side_names();
    let parts = [(side.as_str(), wins), ("drawn", draws), (other.as_str(), losses)];
    let counts = parts.iter().filter(|(_, games)| *games > 0).map(|(who, games)| format!("{who} {games}"));
    counts.collect::<Vec<_>>().join(", ")
}

pub(super) fn forfeits(summary: &Summary) -> TextTable {
    TextTable::of(
        "Forfeits",
        summary.engines.iter().flat_map(|engine| engine.overall.forfeits.iter().map(move |count| (engine, count))),
        &[
            ("@Engine", &|(engine, _)| engine.name.clone()),
            ("<Kind", &|(_, count)| written_name(count.kind)),
            ("Games", &|(_, count)| count.games.to_string()),
        ],
    )
}

pub(super) fn lengths(summary: &Summary) -> TextTable {
    let table = TextTable::of(
        "Lengths in plies",
        played(summary),
        &[
            ("^Ruleset", &|ruleset| ruleset.label.clone()),
            ("Mean", &|ruleset| number(ruleset.average_plies, 1)),
            ("Shortest", &|ruleset| quantile(&ruleset.lengths, 0.0)),
            ("Quarter", &|ruleset| quantile(&ruleset.lengths, 0.25)),
            ("Half", &|ruleset| quantile(&ruleset.lengths, 0.5)),
            ("Three quarters", &|ruleset| quantile(&ruleset.lengths, 0.75)),
            ("Longest", &|ruleset| quantile(&ruleset.lengths, 1.0)),
        ],
    );
    table.with_note(
        "A ply is one move of one side. A quarter, half and three quarters of the games were no longer than this.",
    )
}

/// The least length that at least this share of the games does not exceed.
fn quantile(lengths: &[LengthCount], share: f64) -> String {
    let total: u64 = lengths.iter().map(|length| length.games).sum();
    let wanted = ((share * total as f64).ceil() as u64).max(1);
    let mut seen = 0;
    let found = lengths.iter().find(|length| {
        seen += length.games;
        seen >= wanted
    });
    whole(found.map(|length| u64::from(length.plies)))
}

/// An engine as a side at a ruleset, with its play there by the tables.
type Row<'a> = (&'a EngineSummary, String, &'a str, &'a JudgedPlay);

/// Every engine as each side, by ruleset where there are several; nothing unless moves were judged.
fn judged(summary: &Summary) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    for engine in summary.ranked() {
        rows.extend(engine.overall.judged.iter().map(|found| (engine, "both".to_owned(), "all", found)));
        let by_side = sides(summary, engine);
        rows.extend(by_side.filter_map(|(side, ruleset, role)| Some((engine, side, ruleset, role.judged.as_ref()?))));
    }
    rows
}

/// What every engine gave away as each side.
pub(super) fn mistakes(summary: &Summary) -> TextTable {
    let rate = |found: &MistakeCount| found.mistakes() as f64 / found.at_stake() as f64;
    let table = TextTable::of(
        "Mistakes",
        judged(summary),
        &[
            ("@Engine", &|(engine, ..)| engine.name.clone()),
            ("<As", &|(_, side, ..)| side.clone()),
            ("^Ruleset", &|(_, _, ruleset, _)| (*ruleset).to_owned()),
            ("Games", &|(.., found)| found.mistakes.games.to_string()),
            ("Judged moves", &|(.., found)| found.mistakes.judged().to_string()),
            ("At stake", &|(.., found)| found.mistakes.at_stake().to_string()),
            ("Mistakes", &|(.., found)| found.mistakes.mistakes().to_string()),
            ("Per game", &|(.., found)| number(found.mistakes.per_game(), 2)),
            ("% at stake", &|(.., found)| percent(Some(rate(&found.mistakes)))),
            ("Win to draw", &|(.., found)| found.mistakes.by_kind()[0].to_string()),
            ("Win to loss", &|(.., found)| found.mistakes.by_kind()[1].to_string()),
            ("Draw to loss", &|(.., found)| found.mistakes.by_kind()[2].to_string()),
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
            ("@Engine", &|(engine, ..)| engine.name.clone()),
            ("<As", &|(_, side, ..)| side.clone()),
            ("^Ruleset", &|(_, _, ruleset, _)| (*ruleset).to_owned()),
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

/// Most games in the table of wins given away; files have all of them.
const MOST_UNCONVERTED: usize = 50;

/// Where each of the games that were won was given away.
pub(super) fn unconverted(summary: &Summary) -> TextTable {
    let all = summary.unconverted.as_deref().unwrap_or_default();
    let side = |game: &UnconvertedGame| side(summary, game.ruleset, &game.role);
    let table = TextTable::of(
        "Won games that were not won",
        &all[..all.len().min(MOST_UNCONVERTED)],
        &[
            ("Game", &|game| game.game.to_string()),
            ("@Engine", &|game| summary.engines[game.engine].name.clone()),
            ("<As", &|game| side(game)),
            ("^Ruleset", &|game| summary.rulesets[game.ruleset].label.clone()),
            ("Won after", &|game| game.won_after.to_string()),
            ("<Result", &|game| game.result.to_owned()),
            ("Given away at", &|game| whole(game.ply.map(|ply| ply as u64))),
            ("@By", &|game| game.mv.clone().unwrap_or_default()),
        ],
    );
    let note =
        "Plies: after which the win was there, and with which it was gone for good; n/a where no move gave it away.";
    match all.len() {
        ..=MOST_UNCONVERTED => table.with_note(note),
        games => table.with_note(&format!("{note} The first {MOST_UNCONVERTED} of {games}; JSON and CSV have all.")),
    }
}
