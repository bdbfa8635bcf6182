//! The tables of a report, the same for the terminal and for the page: here those about engines.

mod games;

use super::figures::{elo, likelihood, nelo, number, percent, points, ranked_bound, signed};
use super::text_table::TextTable;
use crate::tournament::mistakes::JudgedPlay;
use crate::tournament::standings::{EngineSummary, MatchScore, PairingSummary, RoleResults, Summary};
use crate::tournament::stats::Sample;

/// Every table with a row under the heading of its part, the most wanted first.
pub(super) fn tables(summary: &Summary) -> [(&'static str, Vec<TextTable>); 3] {
    let known = |of: &[fn(&Summary) -> TextTable]| -> Vec<TextTable> {
        of.iter().map(|table| table(summary)).filter(|table| !table.rows.is_empty()).collect()
    };
    let results = known(&[ranking, cross_table, pairings, per_side, games::side_advantage]);
    let play = known(&[
        games::mistakes,
        games::conversion,
        games::endings,
        games::forfeits,
        games::lengths,
        games::unconverted,
    ]);
    [("Results", results), ("Play", play), (EXPERTS, known(&[pairs, work]))]
}

/// The heading of the part that takes more knowledge than the others.
pub(super) const EXPERTS: &str = "For experts";

/// Below a table with Elo, where [`elo`] may write a bound.
const INTERVALS: &str = "± are 95\u{a0}% intervals, < and > bounds where all games were lost or won.";

/// The engines, best first.
fn ranking(summary: &Summary) -> TextTable {
    let has_ratings = summary.has_ratings();
    let bound = |engine: &EngineSummary| ranked_bound(summary, engine);
    let elo_text = |engine: &EngineSummary| bound(engine).unwrap_or_else(|| signed(summary.elo(engine).0));
    let error =
        |engine: &EngineSummary| bound(engine).map_or_else(|| number(summary.elo(engine).1, 1), |_| String::new());
    let table = TextTable::of(
        "Ranking",
        summary.ranked(),
        &[
            ("#", &|engine| engine.rank.to_string()),
            ("@Engine", &|engine| engine.name.clone()),
            (if has_ratings { "Rating" } else { "Elo" }, &|engine| elo_text(engine)),
            ("±", &|engine| error(engine)),
            ("Score %", &|engine| percent(engine.overall.results.estimate.score)),
            ("Points", &|engine| points(engine.overall.results.games.points())),
            ("Games", &|engine| engine.overall.results.games.games().to_string()),
            ("Won", &|engine| engine.overall.results.games.wins.to_string()),
            ("Drawn", &|engine| engine.overall.results.games.draws.to_string()),
            ("Lost", &|engine| engine.overall.results.games.losses.to_string()),
        ],
    );
    let found = summary.ranked().map(|engine| engine.overall.judged.as_ref()).collect();
    let meaning = if has_ratings {
        "Rating: Elo relative to the mean, estimated together with the side advantages"
    } else if summary.engines.len() == 2 {
        "Elo: of the games, with the error of the pairs"
    } else {
        "Elo: of each engine against all others, as perfect scores leave no joint rating"
    };
    let intervals = if has_ratings { "± are 95\u{a0}% intervals." } else { INTERVALS };
    with_mistakes(table, found).with_note(&format!("{meaning}; {intervals}"))
}

/// Mistakes per game in a column of its own, where moves were judged.
fn with_mistakes(table: TextTable, found: Vec<Option<&JudgedPlay>>) -> TextTable {
    if found.iter().all(Option::is_none) {
        return table;
    }
    let per_game = |found: Option<&JudgedPlay>| number(found.and_then(|found| found.mistakes.per_game()), 2);
    table.with_column("Mistakes/game", found.into_iter().map(per_game).collect())
}

/// What every engine did as each side, by ruleset where there are several; of all together where they call it by one word:
/// foxes and hounds have nothing in common.
fn per_side(summary: &Summary) -> TextTable {
    let common_name = |role: &RoleResults| {
        let mut names = (0..summary.rulesets.len()).map(|ruleset| side(summary, ruleset, &role.role));
        let first = names.next()?;
        names.all(|name| name == first).then_some(first)
    };
    let mut rows = Vec::new();
    for engine in summary.ranked() {
        let named = engine.overall.roles.iter().filter_map(|role| Some((engine, common_name(role)?, "all", role)));
        rows.extend(named.filter(|_| engine.by_ruleset.len() != 1));
        rows.extend(sides(summary, engine).map(|(side, ruleset, role)| (engine, side, ruleset, role)));
    }
    let found = rows.iter().map(|(.., role)| role.judged.as_ref()).collect();
    let table = TextTable::of(
        "Per side",
        rows,
        &[
            ("@Engine", &|(engine, ..)| engine.name.clone()),
            ("<As", &|(_, side, ..)| side.clone()),
            ("^Ruleset", &|(_, _, ruleset, _)| (*ruleset).to_owned()),
            ("Score %", &|(.., role)| percent(role.estimate.score)),
            ("Points", &|(.., role)| points(role.games.points())),
            ("Games", &|(.., role)| role.games.games().to_string()),
            ("Won", &|(.., role)| role.games.wins.to_string()),
            ("Drawn", &|(.., role)| role.games.draws.to_string()),
            ("Lost", &|(.., role)| role.games.losses.to_string()),
            ("Elo", &|(.., role)| elo(&role.estimate)),
        ],
    );
    with_mistakes(table, found).with_note(&format!("Elo: {INTERVALS}"))
}

/// What an engine did as each side at each ruleset, with the names of both.
fn sides<'a>(
    summary: &'a Summary,
    engine: &'a EngineSummary,
) -> impl Iterator<Item = (String, &'a str, &'a RoleResults)> {
    engine.by_ruleset.iter().flat_map(|part| {
        part.slice.roles.iter().map(|role| (side(summary, part.ruleset, &role.role), part.label.as_str(), role))
    })
}

/// What a ruleset calls a role.
fn side(summary: &Summary, ruleset: usize, role: &str) -> String {
    let seats = summary.rulesets.get(ruleset).map_or(&[][..], |ruleset| &ruleset.seats);
    seats.iter().find(|(of_seat, _)| of_seat == role).map_or(role, |(_, name)| name).to_owned()
}

/// What the engines spent.
fn work(summary: &Summary) -> TextTable {
    let speed = |nodes: Option<f64>, ms: Option<f64>| Some(nodes? / ms.filter(|&ms| ms > 0.0)?);
    let table = TextTable::of(
        "Work per move",
        summary.ranked(),
        &[
            ("@Engine", &|engine| engine.name.clone()),
            ("Moves", &|engine| engine.overall.work.moves.to_string()),
            ("Nodes", &|engine| number(engine.overall.work.nodes.mean(), 0)),
            ("Depth", &|engine| number(engine.overall.work.depth.mean(), 1)),
            ("ms", &|engine| number(engine.overall.work.time_us.mean_ms(), 2)),
            ("kN/s", &|engine| {
                number(speed(engine.overall.work.nodes.mean(), engine.overall.work.time_us.mean_ms()), 0)
            }),
            ("Plies per game", &|engine| number(engine.overall.average_plies, 1)),
        ],
    );
    table.with_note(
        "Nodes: positions looked at for a move. kN/s: thousands of them a second. Depth: plies looked ahead. ms: \
         thousandths of a second for a move. A ply is one move of one side.",
    )
}

/// Points of the row's engine against the column's.
fn cross_table(summary: &Summary) -> TextTable {
    let columns: Vec<String> = (1..=summary.ranking.len()).map(|rank| rank.to_string()).collect();
    let mut heads = vec!["#", "@Engine", "Points"];
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
    let pairing = summary.pairings.iter().find(|pairing| {
        (pairing.first, pairing.second) == (row, column) || (pairing.first, pairing.second) == (column, row)
    });
    match pairing {
        _ if row == column => "·".to_owned(),
        None => String::new(),
        Some(pairing) => {
            let games = pairing.overall.results.games;
            let own = if pairing.first == row { games } else { games.swapped() };
            format!("{}/{}", points(own.points()), games.games())
        }
    }
}

/// The results of every pairing, the better engine first, in every part of the tournament: all rulesets, then one by one.
fn parts(summary: &Summary) -> impl Iterator<Item = (String, &str, MatchScore)> {
    summary.pairings.iter().flat_map(|pairing| {
        let PairingSummary { first, second, overall, by_ruleset } = pairing;
        let [one, other] = [first, second].map(|&engine| &summary.engines[engine]);
        let is_swapped = other.rank < one.rank;
        let [better, worse] = if is_swapped { [other, one] } else { [one, other] };
        let all = (by_ruleset.len() > 1).then_some(("all", &overall.results)).into_iter();
        let each = by_ruleset.iter().map(|slice| (slice.label.as_str(), &slice.slice.results));
        all.chain(each).map(move |(ruleset, score)| {
            let score = if is_swapped { score.swapped() } else { *score };
            (format!("{} – {}", better.name, worse.name), ruleset, score)
        })
    })
}

fn pairings(summary: &Summary) -> TextTable {
    let table = TextTable::of(
        "Pairings",
        parts(summary),
        &[
            ("@Pairing", &|(engines, ..)| engines.clone()),
            ("^Ruleset", &|(_, ruleset, _)| (*ruleset).to_owned()),
            ("Games", &|(.., score)| score.games.games().to_string()),
            ("Won", &|(.., score)| score.games.wins.to_string()),
            ("Drawn", &|(.., score)| score.games.draws.to_string()),
            ("Lost", &|(.., score)| score.games.losses.to_string()),
            ("Score %", &|(.., score)| percent(score.estimate.score)),
            ("Elo", &|(.., score)| elo(&score.estimate)),
        ],
    );
    table.with_note(&format!("From the point of view of the engine named first; {INTERVALS}"))
}

/// The pairs of games from one opening.
fn pairs(summary: &Summary) -> TextTable {
    let table = TextTable::of(
        "Pairs of games",
        parts(summary),
        &[
            ("@Pairing", &|(engines, ..)| engines.clone()),
            ("^Ruleset", &|(_, ruleset, _)| (*ruleset).to_owned()),
            ("Pairs", &|(.., score)| score.pairs.observations().to_string()),
            ("0", &|(.., score)| score.pairs.0[0].to_string()),
            ("½", &|(.., score)| score.pairs.0[1].to_string()),
            ("1", &|(.., score)| score.pairs.0[2].to_string()),
            ("1½", &|(.., score)| score.pairs.0[3].to_string()),
            ("2", &|(.., score)| score.pairs.0[4].to_string()),
            ("Ratio", &|(.., score)| number(score.pair_ratio, 2)),
            ("nElo", &|(.., score)| nelo(&score.estimate)),
            ("LOS %", &|(.., score)| likelihood(score.estimate.los)),
        ],
    );
    table.with_note(
        "Both games of a pair begin with the same opening, sides swapped. 0 to 2: pairs that brought the engine named \
         first so many points. Ratio: pairs won over pairs lost. nElo: Elo by \
         the scatter of the results, which draws and openings change less. LOS: how likely it is that the engine named \
         first is the stronger one.",
    )
}
