//! The engines by themselves: ranking, sides, work.

use super::{TextTable, elo, nelo, number, percent, points, signed};
use crate::tournament::mistakes::MistakeResults;
use crate::tournament::standings::{EngineSummary, RoleResults, Summary};

/// Best first.
pub(super) fn ranking(summary: &Summary) -> TextTable {
    let heads = ["#", "<Engine", "Rating", "±", "Score %", "Points", "Games", "W", "D", "L", "nElo", "LOS %"];
    let mut table = TextTable::new("Ranking", &heads);
    if summary.has_meetings() {
        table.rows = summary.ranking.iter().map(|&engine| rank_row(&summary.engines[engine])).collect();
    }
    let found = summary.ranking.iter().map(|&engine| summary.engines[engine].overall.mistakes.as_ref()).collect();
    let table = with_mistakes(table, found);
    let note =
        "Rating: Elo relative to the mean, estimated together with the side advantages; ± are 95\u{a0}% intervals.";
    table.with_note(note)
}

/// Mistakes per game in a column of its own, where moves were judged.
fn with_mistakes(table: TextTable, found: Vec<Option<&MistakeResults>>) -> TextTable {
    if found.iter().all(Option::is_none) {
        return table;
    }
    let per_game = |found: Option<&MistakeResults>| number(found.and_then(|found| found.per_game), 2);
    table.with_column("Mistakes/game", found.into_iter().map(per_game).collect())
}

fn rank_row(engine: &EngineSummary) -> Vec<String> {
    let results = &engine.overall.results;
    let estimate = &results.estimate;
    vec![
        engine.rank.to_string(),
        engine.name.clone(),
        signed(engine.rating.elo),
        number(engine.rating.error, 1),
        percent(estimate.score),
        points(results.points),
        results.games.to_string(),
        results.wins.to_string(),
        results.draws.to_string(),
        results.losses.to_string(),
        nelo(estimate),
        percent(estimate.los),
    ]
}

/// What every engine did as each side, by ruleset where there are several.
pub(super) fn per_side(summary: &Summary) -> TextTable {
    let heads = ["<Engine", "<As", "<Ruleset", "Score %", "Points", "Games", "W", "D", "L", "Elo"];
    let mut table = TextTable::new("Per side", &heads);
    let mut found = Vec::new();
    for &engine in &summary.ranking {
        let engine = &summary.engines[engine];
        let of_all = engine.overall.roles.iter().map(|role| (role, role.role.clone(), "all"));
        let of_each = engine.by_ruleset.iter().flat_map(|slice| {
            let row = |role| (role, side(summary, slice.ruleset, role), slice.label.as_str());
            slice.slice.roles.iter().map(row)
        });
        for (role, side, ruleset) in of_all.filter(|_| engine.by_ruleset.len() != 1).chain(of_each) {
            table.rows.push(role_row(&engine.name, &side, role, ruleset));
            found.push(role.mistakes.as_ref());
        }
    }
    with_mistakes(table, found)
}

/// What a ruleset calls a role, with the role where that is another word: `officers (fox)`.
pub(super) fn side(summary: &Summary, ruleset: usize, role: &RoleResults) -> String {
    let seats = summary.rulesets.get(ruleset).map_or(&[][..], |ruleset| &ruleset.seats);
    match seats.iter().find(|(of_seat, name)| *of_seat == role.role && *name != role.role) {
        Some((_, name)) => format!("{name} ({})", role.role),
        None => role.role.clone(),
    }
}

fn role_row(engine: &str, side: &str, role: &RoleResults, ruleset: &str) -> Vec<String> {
    vec![
        engine.to_owned(),
        side.to_owned(),
        ruleset.to_owned(),
        percent(role.estimate.score),
        points(role.points),
        role.games.to_string(),
        role.wins.to_string(),
        role.draws.to_string(),
        role.losses.to_string(),
        elo(&role.estimate),
    ]
}

/// What the engines spent and said.
pub(super) fn work(summary: &Summary) -> TextTable {
    let mut table =
        TextTable::new("Work per move", &["<Engine", "Moves", "Nodes", "Depth", "ms", "kN/s", "Plies per game"]);
    let row = |&engine: &usize| {
        let engine = &summary.engines[engine];
        let slice = &engine.overall;
        let speed = slice.nodes_per_move.zip(slice.ms_per_move).filter(|&(_, ms)| ms > 0.0);
        vec![
            engine.name.clone(),
            slice.moves.to_string(),
            number(slice.nodes_per_move, 0),
            number(slice.depth_per_move, 1),
            number(slice.ms_per_move, 2),
            number(speed.map(|(nodes, ms)| nodes / ms), 0),
            number(slice.average_plies, 1),
        ]
    };
    if summary.has_meetings() {
        table.rows = summary.ranking.iter().map(row).collect();
    }
    table
}
