use serde_json::{Value, json};

use super::summary::{ForfeitCount, ReasonCount};
use super::*;
use crate::tournament::record::{Cause, Ending, Forfeit, Opening, Opinion, PlayedMove};
use crate::tournament::report::{LineStyle, running_score, score_lines, warnings};
use crate::tournament::ruleset::{Ruleset, SeatNames};
use crate::tournament::schedule::Fixture;

fn header(engines: &[&str], spec: Value) -> JournalHeader {
    let seat = |name: &str, role: &str| SeatNames { name: name.into(), role: role.into() };
    let ruleset = Ruleset::unknown("toy", [seat("geese", "geese"), seat("hunter", "fox")]);
    JournalHeader {
        version: 1,
        program: "reynard".into(),
        played: serde_json::from_value(spec).expect("a spec"),
        rulesets: vec![ruleset],
        engines: engines.iter().map(|&name| name.to_owned()).collect(),
        shard: None,
    }
}

fn record(game: u64, seats: [usize; 2], winner: Option<u8>, cause: Cause) -> GameRecord {
    let opinion = |nodes| Opinion { depth: Some(4), nodes: Some(nodes), ..Opinion::default() };
    GameRecord {
        fixture: Fixture { game, pair: game / 2, ruleset: 0, opening: 0, seats },
        opening: Opening { start: None, moves: vec!["a".into()] },
        moves: [100, 10, 300].map(|nodes| PlayedMove::new("b".into(), opinion(nodes))).to_vec(),
        movers: "101".into(),
        ending: Ending { winner, cause, reason: "fox side has no legal move".into() },
    }
}

/// A as geese wins, B as geese draws, A as geese loses by its clock, B as geese loses; one game without its other half.
fn played(engines: &[&str], spec: Value) -> Standings {
    let mut standings = Standings::new(&header(engines, spec));
    let games = [
        record(0, [0, 1], Some(0), Cause::Rules),
        record(3, [1, 0], Some(1), Cause::Rules),
        record(1, [1, 0], None, Cause::PlyLimit),
        record(2, [0, 1], Some(1), Cause::Forfeit(Forfeit::Time)),
        record(4, [0, 1], Some(0), Cause::Rules),
    ];
    games.iter().for_each(|game| standings.add(game, &[1000, 2000, 3000]));
    standings
}

#[test]
fn every_count_is_kept() {
    let summary = played(&["A", "B"], json!({"format": "match"})).summary();
    assert_eq!((summary.games, summary.pairs, summary.unpaired_games), (5, 2, 1));
    let first = &summary.engines[0].overall;
    assert_eq!((first.results.games.wins, first.results.games.draws, first.results.games.losses), (3, 1, 1));
    assert_eq!(first.results.pairs, Pentanomial([0, 0, 1, 1, 0]));
    let roles: Vec<_> = first
        .roles
        .iter()
        .map(|role| (role.role.as_str(), role.games.wins, role.games.draws, role.games.losses))
        .collect();
    assert_eq!(roles, [("fox", 1, 1, 0), ("geese", 2, 0, 1)]);
    assert_eq!(first.forfeits, [ForfeitCount { kind: Forfeit::Time, games: 1 }]);
    assert!(summary.engines[1].overall.forfeits.is_empty());
    assert_eq!(
        first.reasons[0],
        ReasonCount { reason: "fox side has no legal move".into(), games: Trinomial { wins: 3, draws: 0, losses: 0 } }
    );
    assert_eq!(first.average_plies, Some(4.0));
    // As fox (two games) 200 nodes a move over two moves, as geese (three games) 10 over one.
    assert_eq!((first.work.moves, first.work.nodes.mean(), first.work.depth.mean()), (7, Some(830.0 / 7.0), Some(4.0)));
    assert_eq!(first.work.time_us.mean_ms(), Some(2.0));
    let ruleset = &summary.rulesets[0];
    assert_eq!((ruleset.favoured_seat, ruleset.sides), (1, Trinomial { losses: 2, draws: 1, wins: 2 }));
    assert_eq!(ruleset.lengths, [LengthCount { plies: 4, games: 5 }]);
    assert_eq!(summary.pairings[0].overall.results, summary.engines[0].overall.results);
}

#[test]
fn the_last_lines_are_those_of_cutechess() {
    let lines = score_lines(&played(&["A", "B"], json!({"format": "match"})).summary(), LineStyle::Cutechess);
    assert_eq!(lines[0], "Score of A vs B: 3 - 1 - 1  [0.700] 5");
    assert_eq!(lines[1], "...      A playing Fox: 1 - 0 - 1  [0.750] 2");
    assert_eq!(lines[2], "...      A playing Geese: 2 - 1 - 0  [0.667] 3");
    assert_eq!(lines[3], "...      Fox vs Geese: 2 - 2 - 1  [0.500] 5");
    assert_eq!(lines[4], "...      Ptnml(0-2): [0, 0, 1, 1, 0]");
    assert!(
        lines[5].starts_with("Elo difference: 147.2 +/- ") && lines[5].ends_with(" %, DrawRatio: 20.0 %"),
        "{}",
        lines[5]
    );
    assert_eq!(lines.len(), 6);
}

/// The line about the Elo difference after games with these winners.
fn elo_line(winners: &[Option<u8>], style: LineStyle) -> String {
    let mut standings = Standings::new(&header(&["A", "B"], json!({"format": "match"})));
    for (game, &winner) in (0..).zip(winners) {
        standings.add(&record(game, [game as usize % 2, 1 - game as usize % 2], winner, Cause::Rules), &[]);
    }
    score_lines(&standings.summary(), style).into_iter().find(|line| line.starts_with("Elo")).expect("a line")
}

#[test]
fn programs_get_nan_and_people_what_is_known() {
    let nothing = Standings::new(&header(&["A", "B"], json!({"format": "match"})));
    assert_eq!(
        score_lines(&nothing.summary(), LineStyle::Plain),
        ["Score of A vs B: 0 - 0 - 0  [n/a] 0", "Elo difference: n/a +/- n/a, LOS: n/a %, DrawRatio: n/a %"]
    );
    assert_eq!(
        score_lines(&nothing.summary(), LineStyle::Cutechess),
        ["Score of A vs B: 0 - 0 - 0  [nan] 0", "Elo difference: nan +/- nan, LOS: nan %, DrawRatio: nan %"]
    );
    let draws: &[Option<u8>] = &[None; 4];
    for (winners, person, program) in [
        (&[Some(0)][..], "> -233.8, LOS: n/a %, DrawRatio: 0.0 %", "inf +/- nan, LOS: 100.0 %, DrawRatio: 0.0 %"),
        (&[Some(1)], "< +233.8, LOS: n/a %, DrawRatio: 0.0 %", "-inf +/- nan, LOS: 0.0 %, DrawRatio: 0.0 %"),
        // Both games of the pair by the same seat: cutechess-cli's bounds of two games lie outside 0 to 1.
        (&[Some(0); 2], "0.0 +/- 798.1, LOS: n/a %, DrawRatio: 0.0 %", "0.0 +/- nan, LOS: 50.0 %, DrawRatio: 0.0 %"),
        (draws, "0.0 +/- 271.4, LOS: n/a %, DrawRatio: 100.0 %", "0.0 +/- 0.0, LOS: nan %, DrawRatio: 100.0 %"),
    ] {
        assert_eq!(elo_line(winners, LineStyle::Plain), format!("Elo difference: {person}"));
        assert_eq!(elo_line(winners, LineStyle::Cutechess), format!("Elo difference: {program}"));
    }
}

#[test]
fn the_score_after_a_game_is_that_of_the_first_engine() {
    let mut standings = Standings::new(&header(&["A", "B"], json!({"format": "match"})));
    standings.add(&record(0, [0, 1], Some(0), Cause::Rules), &[]);
    assert_eq!(running_score(&standings).as_deref(), Some("Score of A vs B: 1 - 0 - 0  [1.000] 1"));
}

#[test]
fn a_test_is_told_with_its_bounds() {
    let test = json!({"elo0": 0.0, "elo1": 50.0});
    let spec = json!({"format": "sprt", "sprt": test});
    let mut standings = Standings::new(&header(&["A", "B"], spec));
    for game in 0..200 {
        standings.add(
            &record(
                game,
                [(game % 2) as usize, 1 - (game % 2) as usize],
                (game % 4 != 3).then_some((game % 2) as u8),
                Cause::Rules,
            ),
            &[],
        );
    }
    let lines = score_lines(&standings.summary(), LineStyle::Plain);
    let line = lines.iter().find(|line| line.starts_with("SPRT")).expect("a line");
    assert!(
        line.starts_with("SPRT: llr ") && line.ends_with("%), lbound -2.94, ubound 2.94 - H1 was accepted"),
        "{line}"
    );
    let verdict = standings.sprt().expect("a test").verdict();
    assert!(verdict.pairs < 100 && verdict.llr.is_some_and(|llr| llr >= verdict.bounds.upper));
}

#[test]
fn more_engines_are_ranked() {
    let mut standings = played(&["Alpha", "B", "Idle"], json!({"format": "match"}));
    standings.add(&record(6, [9, 0], None, Cause::Rules), &[]);
    let lines = score_lines(&standings.summary(), LineStyle::Plain);
    assert_eq!(lines[0], "Rank Name       Elo     +/-     nElo     LOS   Games   Score    Draw  Ptnml(0-2)");
    assert!(lines[1].starts_with("   1 Alpha ") && lines[1].contains("  70.0%   20.0%  [0, 0, 1, 1, 0]"), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("Idle       n/a     n/a      n/a     n/a       0")), "{lines:?}");
    assert!(lines.len() == 5 && lines[4].starts_with("Warning: Forfeits ended 1 of 5 games"), "{lines:?}");
}

/// Games of a test in which engine B wins one of four and forfeits every game whose number `forfeits` picks.
fn tested(games: u64, forfeits: impl Fn(u64) -> bool) -> Standings {
    let spec = json!({"format": "sprt", "sprt": {"elo0": 0.0, "elo1": 50.0}});
    let mut standings = Standings::new(&header(&["A", "B"], spec));
    for game in 0..games {
        let (a, b) = ((game % 2) as u8, (1 - game % 2) as u8);
        let cause = if forfeits(game) { Cause::Forfeit(Forfeit::Crash) } else { Cause::Rules };
        let winner = if game % 4 == 3 && !forfeits(game) { b } else { a };
        standings.add(&record(game, [usize::from(a), usize::from(b)], Some(winner), cause), &[]);
    }
    standings
}

#[test]
fn forfeits_of_more_than_one_game_in_a_hundred_stand_beside_the_verdict() {
    let few = tested(400, |game| game % 100 == 0).summary();
    assert_eq!((few.forfeited_games, warnings(&few)), (4, vec![]));
    let many = tested(400, |game| game % 80 == 0).summary();
    let warning =
        "Forfeits ended 5 of 400 games (1.2 %): B 5 (5 crash). The result is not one of playing strength alone.";
    assert_eq!(warnings(&many), [warning]);
    let lines = score_lines(&many, LineStyle::Plain);
    assert!(lines.iter().any(|line| line.ends_with("H1 was accepted")), "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some(&*format!("Warning: {warning}")));
    let lines = score_lines(&many, LineStyle::Cutechess);
    assert!(lines.iter().all(|line| !line.contains("Forfeits")), "programs know no such line: {lines:?}");
}

#[test]
fn pairs_that_one_side_wins_twice_are_counted() {
    let split = |winners: &[[u8; 2]]| {
        let mut standings = Standings::new(&header(&["A", "B"], json!({"format": "match"})));
        for (pair, winners) in (0..).zip(winners) {
            for (game, &winner) in (2 * pair..).zip(winners) {
                let first = (game % 2) as usize;
                standings.add(&record(game, [first, 1 - first], Some(winner), Cause::Rules), &[]);
            }
        }
        standings.summary()
    };
    // Seat 1 is the fox, whose side is called hunter; engine A wins both games of the last pair.
    let summary = split(&[[0, 0], [0, 0], [0, 0], [1, 1], [0, 1]]);
    assert_eq!(summary.rulesets[0].split_pairs, SplitPairs { pairs: 5, favoured: 1, other: 3 });
    assert_eq!(summary.engines[0].overall.results.pairs, Pentanomial([0, 0, 4, 0, 1]));
    assert_eq!(
        warnings(&summary)[0],
        "toy: the same side won both games of most of the 5 pairs (3 geese, 1 hunter). Those say nothing about the \
         engines; other openings or limits may tell them apart."
    );
    let all = warnings(&split(&[[0, 0], [0, 0], [0, 0], [0, 0], [1, 1]]));
    assert!(all[0].starts_with("toy: the same side won both games of all 5 pairs (4 geese, 1 hunter). "), "{all:?}");
    let summary = split(&[[0, 0], [0, 1], [1, 0], [0, 1], [0, 1]]);
    assert_eq!(summary.rulesets[0].split_pairs, SplitPairs { pairs: 5, favoured: 0, other: 1 });
    assert!(warnings(&summary).iter().all(|warning| !warning.contains("same side")), "{summary:?}");
}

#[test]
fn a_table_without_joint_ratings_has_the_elo_of_the_games() {
    let names = ["A", "B", "C"];
    let mut rated = played(&names, json!({"format": "match"}));
    for (game, seats) in (5..).zip([[1, 2], [2, 1], [2, 0], [0, 2]]) {
        rated.add(&record(game, seats, (game != 6).then_some(0), Cause::Rules), &[]);
    }
    let rated = rated.summary();
    assert!(rated.has_ratings());
    assert_eq!(rated.elo(&rated.engines[0]).0, rated.engines[0].rating.elo);
    // The geese win always, but for one game of A: nothing rates the engines and the sides together.
    let mut standings = Standings::new(&header(&names, json!({"format": "match"})));
    for game in 0..24 {
        let first = (game % 2) as usize;
        let winner = if game == 5 { None } else { Some(0) };
        standings.add(&record(game, [first, 1 - first], winner, Cause::Rules), &[]);
    }
    standings.add(&record(24, [1, 2], Some(0), Cause::Rules), &[]);
    standings.add(&record(25, [2, 1], Some(1), Cause::Rules), &[]);
    let summary = standings.summary();
    assert!(!summary.has_ratings());
    for engine in &summary.engines {
        let estimate = &engine.overall.results.estimate;
        assert_eq!(summary.elo(engine), (estimate.elo, estimate.elo_error));
    }
    let (elo, error) = summary.elo(&summary.engines[0]);
    assert!(elo.is_some() && error.is_some_and(|error| error > 0.0), "{elo:?} {error:?}");
}

#[test]
fn two_engines_have_the_elo_of_their_pairs() {
    let summary = played(&["A", "B"], json!({"format": "match"})).summary();
    let [first, second] = [0, 1].map(|engine| summary.elo(&summary.engines[engine]));
    assert_eq!(first, (summary.pairings[0].overall.results.estimate.elo, first.1));
    assert!(first.0.zip(second.0).is_some_and(|(first, second)| (first + second).abs() < 1e-9), "{first:?} {second:?}");
    assert!(!summary.has_ratings() && summary.engines[0].rating.elo.is_some());
}

#[test]
fn a_perfect_score_has_its_bound_in_a_ranking_of_lines() {
    let mut standings = Standings::new(&header(&["A", "B", "C"], json!({"format": "round-robin"})));
    for (game, seats) in (0..).zip([[0, 1], [0, 2], [0, 1], [1, 2], [2, 1], [1, 2]]) {
        standings.add(&record(game, seats, Some(0), Cause::Rules), &[]);
    }
    let summary = standings.summary();
    let lines = score_lines(&summary, LineStyle::Plain);
    assert!(lines[1].contains(" A     > "), "{lines:?}");
    let lines = score_lines(&summary, LineStyle::Cutechess);
    assert!(!lines[1].contains('>'), "{lines:?}");
}
