//! Tables of the results of each engine against each other one.

use super::{TextTable, elo, nelo, number, percent, points};
use crate::tournament::standings::{MatchScore, PairingSummary, Summary};
use crate::tournament::stats::Sample;

/// Points of the row's engine against the column's.
pub(super) fn cross_table(summary: &Summary) -> TextTable {
    let columns: Vec<String> = (1..=summary.ranking.len()).map(|rank| rank.to_string()).collect();
    let mut heads = vec!["#", "<Engine", "Points"];
    heads.extend(columns.iter().map(String::as_str));
    let mut table = TextTable::new("Cross table", &heads);
    for (engine, &row) in summary.ranked().zip(&summary.ranking) {
        let mut cells =
            vec![engine.rank.to_string(), engine.name.clone(), points(engine.overall.results.games.points())];
        cells.extend(summary.ranking.iter().map(|&column| cell(summary, row, column)));
        table.rows.push(cells);
    }
    table.with_note("Points and games of the engine in the row against the engine of that rank.")
}

fn cell(summary: &Summary, row: usize, column: usize) -> String {
    let meeting = summary.pairings.iter().find(|pairing| {
        (pairing.first, pairing.second) == (row, column) || (pairing.first, pairing.second) == (column, row)
    });
    match meeting {
        _ if row == column => "·".to_owned(),
        None => String::new(),
        Some(pairing) => {
            let games = pairing.overall.results.games;
            let own = if pairing.first == row { games } else { games.swapped() };
            format!("{}/{}", points(own.points()), games.games())
        }
    }
}

/// The results of every pairing in every part of the tournament: all rulesets, then one by one.
fn parts(summary: &Summary) -> impl Iterator<Item = (&PairingSummary, &str, &MatchScore)> {
    summary.pairings.iter().flat_map(|pairing| {
        let PairingSummary { overall, by_ruleset, .. } = pairing;
        let each = by_ruleset.iter().map(move |slice| (pairing, slice.label.as_str(), &slice.slice.results));
        (by_ruleset.len() > 1).then_some((pairing, "all", &overall.results)).into_iter().chain(each)
    })
}

fn title(summary: &Summary, pairing: &PairingSummary) -> String {
    let name = |engine: usize| summary.engines[engine].name.as_str();
    format!("{} – {}", name(pairing.first), name(pairing.second))
}

/// From the first engine's point of view.
pub(super) fn pairings(summary: &Summary) -> TextTable {
    let table = TextTable::of(
        "Pairings",
        parts(summary),
        &[
            ("<Pairing", &|(pairing, ..)| title(summary, pairing)),
            ("<Ruleset", &|(_, ruleset, _)| (*ruleset).to_owned()),
            ("Games", &|(.., score)| score.games.games().to_string()),
            ("W", &|(.., score)| score.games.wins.to_string()),
            ("D", &|(.., score)| score.games.draws.to_string()),
            ("L", &|(.., score)| score.games.losses.to_string()),
            ("Score %", &|(.., score)| percent(score.estimate.score)),
            ("Elo", &|(.., score)| elo(&score.estimate)),
            ("nElo", &|(.., score)| nelo(&score.estimate)),
            ("LOS %", &|(.., score)| percent(score.estimate.los)),
        ],
    );
    table.with_note("From the point of view of the engine named first; ± are 95\u{a0}% intervals.")
}

/// The pairs of games from one opening.
pub(super) fn pairs(summary: &Summary) -> TextTable {
    let table = TextTable::of(
        "Pairs of games",
        parts(summary),
        &[
            ("<Pairing", &|(pairing, ..)| title(summary, pairing)),
            ("<Ruleset", &|(_, ruleset, _)| (*ruleset).to_owned()),
            ("Pairs", &|(.., score)| score.pairs.observations().to_string()),
            ("LL", &|(.., score)| score.pairs.0[0].to_string()),
            ("LD", &|(.., score)| score.pairs.0[1].to_string()),
            ("DD+WL", &|(.., score)| score.pairs.0[2].to_string()),
            ("WD", &|(.., score)| score.pairs.0[3].to_string()),
            ("WW", &|(.., score)| score.pairs.0[4].to_string()),
            ("Pair ratio", &|(.., score)| number(score.pair_ratio, 2)),
        ],
    );
    table
        .with_note("Both games of a pair begin with the same opening, sides swapped. Ratio: pairs won over pairs lost.")
}
