//! Tables about engines: ranking, sides, work.

use super::{TextTable, elo, nelo, number, percent, points, signed};
use crate::tournament::mistakes::JudgedPlay;
use crate::tournament::standings::Summary;
use crate::tournament::stats::Sample;

/// The engines, best first.
pub(super) fn ranking(summary: &Summary) -> TextTable {
    let table = TextTable::of(
        "Ranking",
        summary.ranked(),
        &[
            ("#", &|engine| engine.rank.to_string()),
            ("<Engine", &|engine| engine.name.clone()),
            ("Rating", &|engine| signed(engine.rating.elo)),
            ("±", &|engine| number(engine.rating.error, 1)),
            ("Score %", &|engine| percent(engine.overall.results.estimate.score)),
            ("Points", &|engine| points(engine.overall.results.games.points())),
            ("Games", &|engine| engine.overall.results.games.games().to_string()),
            ("W", &|engine| engine.overall.results.games.wins.to_string()),
            ("D", &|engine| engine.overall.results.games.draws.to_string()),
            ("L", &|engine| engine.overall.results.games.losses.to_string()),
            ("nElo", &|engine| nelo(&engine.overall.results.estimate)),
            ("LOS %", &|engine| percent(engine.overall.results.estimate.los)),
        ],
    );
    let found = summary.ranked().map(|engine| engine.overall.judged.as_ref()).collect();
    with_mistakes(table, found).with_note(
        "Rating: Elo relative to the mean, estimated together with the side advantages; ± are 95\u{a0}% intervals.",
    )
}

/// Mistakes per game in a column of its own, where moves were judged.
fn with_mistakes(table: TextTable, found: Vec<Option<&JudgedPlay>>) -> TextTable {
    if found.iter().all(Option::is_none) {
        return table;
    }
    let per_game = |found: Option<&JudgedPlay>| number(found.and_then(|found| found.mistakes.per_game()), 2);
    table.with_column("Mistakes/game", found.into_iter().map(per_game).collect())
}

/// What every engine did as each side, by ruleset where there are several.
pub(super) fn per_side(summary: &Summary) -> TextTable {
    let mut rows = Vec::new();
    for engine in summary.ranked() {
        let of_all = engine.overall.roles.iter().map(|role| (engine, role.role.clone(), "all", role));
        rows.extend(of_all.filter(|_| engine.by_ruleset.len() != 1));
        for part in &engine.by_ruleset {
            let side = |role: &str| side(summary, part.ruleset, role);
            let roles = part.slice.roles.iter();
            rows.extend(roles.map(|role| (engine, side(&role.role), part.label.as_str(), role)));
        }
    }
    let found = rows.iter().map(|(.., role)| role.judged.as_ref()).collect();
    let table = TextTable::of(
        "Per side",
        rows,
        &[
            ("<Engine", &|(engine, ..)| engine.name.clone()),
            ("<As", &|(_, side, ..)| side.clone()),
            ("<Ruleset", &|(_, _, ruleset, _)| (*ruleset).to_owned()),
            ("Score %", &|(.., role)| percent(role.estimate.score)),
            ("Points", &|(.., role)| points(role.games.points())),
            ("Games", &|(.., role)| role.games.games().to_string()),
            ("W", &|(.., role)| role.games.wins.to_string()),
            ("D", &|(.., role)| role.games.draws.to_string()),
            ("L", &|(.., role)| role.games.losses.to_string()),
            ("Elo", &|(.., role)| elo(&role.estimate)),
        ],
    );
    with_mistakes(table, found)
}

/// What a ruleset calls a role, with the role where that is another word: `officers (fox)`.
pub(super) fn side(summary: &Summary, ruleset: usize, role: &str) -> String {
    let seats = summary.rulesets.get(ruleset).map_or(&[][..], |ruleset| &ruleset.seats);
    match seats.iter().find(|(of_seat, name)| of_seat == role && name != role) {
        Some((_, name)) => format!("{name} ({role})"),
        None => role.to_owned(),
    }
}

/// What the engines spent and said.
pub(super) fn work(summary: &Summary) -> TextTable {
    let speed = |nodes: Option<f64>, ms: Option<f64>| Some(nodes? / ms.filter(|&ms| ms > 0.0)?);
    TextTable::of(
        "Work per move",
        summary.ranked(),
        &[
            ("<Engine", &|engine| engine.name.clone()),
            ("Moves", &|engine| engine.overall.work.moves.to_string()),
            ("Nodes", &|engine| number(engine.overall.work.nodes.mean(), 0)),
            ("Depth", &|engine| number(engine.overall.work.depth.mean(), 1)),
            ("ms", &|engine| number(engine.overall.work.time_us.mean_ms(), 2)),
            ("kN/s", &|engine| {
                number(speed(engine.overall.work.nodes.mean(), engine.overall.work.time_us.mean_ms()), 0)
            }),
            ("Plies per game", &|engine| number(engine.overall.average_plies, 1)),
        ],
    )
}
