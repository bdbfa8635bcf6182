use serde_json::{Value, json};

use super::summary::ForfeitCount;
use super::*;
use crate::tournament::fixture::Fixture;
use crate::tournament::record::{Cause, Ending, Forfeit, Opening, Opinion, PlayedMove};
use crate::tournament::ruleset::{Ruleset, SeatNames};

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
    let opinion = |nodes| Opinion { score: None, depth: Some(4), nodes: Some(nodes) };
    GameRecord {
        fixture: Fixture { game, pair: game / 2, round: 0, ruleset: 0, opening: 0, seats },
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
        ReasonCount { reason: "fox side has no legal move".into(), wins: 3, draws: 0, losses: 0 }
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
    let lines = score_lines(&played(&["A", "B"], json!({"format": "match"})), Reader::Program);
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

/// The last line about games with these winners.
fn last_line(winners: &[Option<u8>], reader: Reader) -> String {
    let mut standings = Standings::new(&header(&["A", "B"], json!({"format": "match"})));
    for (game, &winner) in (0..).zip(winners) {
        standings.add(&record(game, [game as usize % 2, 1 - game as usize % 2], winner, Cause::Rules), &[]);
    }
    score_lines(&standings, reader).pop().expect("a line")
}

#[test]
fn numbers_that_do_not_exist_are_said_not_to() {
    let nothing = Standings::new(&header(&["A", "B"], json!({"format": "match"})));
    assert_eq!(
        score_lines(&nothing, Reader::Person),
        ["Score of A vs B: 0 - 0 - 0  [n/a] 0", "Elo difference: n/a +/- n/a, LOS: n/a %, DrawRatio: n/a %"]
    );
    assert_eq!(
        score_lines(&nothing, Reader::Program),
        ["Score of A vs B: 0 - 0 - 0  [nan] 0", "Elo difference: nan +/- nan, LOS: nan %, DrawRatio: nan %"]
    );
    let draws: &[Option<u8>] = &[None; 4];
    for (winners, person, program) in [
        (&[Some(0)][..], "n/a +/- n/a, LOS: 100.0 %, DrawRatio: 0.0 %", "inf +/- nan, LOS: 100.0 %, DrawRatio: 0.0 %"),
        (&[Some(1)], "n/a +/- n/a, LOS: 0.0 %, DrawRatio: 0.0 %", "-inf +/- nan, LOS: 0.0 %, DrawRatio: 0.0 %"),
        // Both games of the pair by the same seat: cutechess-cli's bounds of two games lie outside 0 to 1.
        (&[Some(0); 2], "0.0 +/- n/a, LOS: 50.0 %, DrawRatio: 0.0 %", "0.0 +/- nan, LOS: 50.0 %, DrawRatio: 0.0 %"),
        (draws, "0.0 +/- n/a, LOS: 50.0 %, DrawRatio: 100.0 %", "0.0 +/- 0.0, LOS: nan %, DrawRatio: 100.0 %"),
    ] {
        assert_eq!(last_line(winners, Reader::Person), format!("Elo difference: {person}"));
        assert_eq!(last_line(winners, Reader::Program), format!("Elo difference: {program}"));
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
    let line = score_lines(&standings, Reader::Person).pop().expect("a line");
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
    let lines = score_lines(&standings, Reader::Person);
    assert_eq!(lines[0], "Rank Name       Elo     +/-     nElo     LOS   Games   Score    Draw  Ptnml(0-2)");
    assert!(lines[1].starts_with("   1 Alpha ") && lines[1].contains("  70.0%   20.0%  [0, 0, 1, 1, 0]"), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("Idle       n/a     n/a      n/a    n/a%       0")), "{lines:?}");
    assert_eq!(lines.len(), 4);
}
