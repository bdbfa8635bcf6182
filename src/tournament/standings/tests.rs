use serde_json::{Value, json};

use super::summary::ForfeitCount;
use super::*;
use crate::tournament::fixture::Fixture;
use crate::tournament::header::{RulesetHeader, SeatHeader};
use crate::tournament::record::{Cause, Ending, Forfeit, Opening, Opinion, PlayedMove};
use crate::tournament::stats::Sample;

fn header(engines: &[&str], spec: Value) -> JournalHeader {
    let seat = |name: &str, role: &str| SeatHeader { name: name.into(), role: role.into() };
    let ruleset = RulesetHeader {
        label: "toy".into(),
        fingerprint: None,
        start: "g2f g".into(),
        seats: vec![seat("geese", "geese"), seat("hunter", "fox")],
        dice: false,
        board: Value::Null,
        rules: Value::Null,
    };
    JournalHeader {
        version: 1,
        program: "reynard".into(),
        spec: serde_json::from_value(spec).expect("a spec"),
        rulesets: vec![ruleset],
        engines: engines.iter().map(|&name| name.to_owned()).collect(),
        shard: None,
    }
}

fn record(game: u64, seats: [usize; 2], winner: Option<u8>, cause: Cause) -> GameRecord {
    let opinion = |nodes| Opinion { score: None, depth: Some(4), nodes: Some(nodes) };
    GameRecord {
        fixture: Fixture { game, pair: game / 2, round: 0, ruleset: 0, opening: 0, seats: seats.to_vec() },
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
    let summary = played(&["A", "B"], Value::Null).summary();
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
    let lines = score_lines(&played(&["A", "B"], Value::Null), Reader::Program);
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
    let mut standings = Standings::new(&header(&["A", "B"], Value::Null));
    for (game, &winner) in (0..).zip(winners) {
        standings.add(&record(game, [game as usize % 2, 1 - game as usize % 2], winner, Cause::Rules), &[]);
    }
    score_lines(&standings, reader).pop().expect("a line")
}

#[test]
fn numbers_that_do_not_exist_are_said_not_to() {
    let nothing = Standings::new(&header(&["A", "B"], Value::Null));
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
    let mut standings = Standings::new(&header(&["A", "B"], Value::Null));
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
    let mut standings = played(&["Alpha", "B", "Idle"], Value::Null);
    standings.add(&record(6, [9, 0], None, Cause::Rules), &[]);
    let lines = score_lines(&standings, Reader::Person);
    assert_eq!(lines[0], "Rank Name       Elo     +/-     nElo     LOS   Games   Score    Draw  Ptnml(0-2)");
    assert!(lines[1].starts_with("   1 Alpha ") && lines[1].contains("  70.0%   20.0%  [0, 0, 1, 1, 0]"), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("Idle       n/a     n/a      n/a    n/a%       0")), "{lines:?}");
    assert_eq!(lines.len(), 4);
}

/// A header of one ruleset with seats `p1`, `p2`, ...
fn header_of_seats(seats: usize, engines: &[&str]) -> JournalHeader {
    let mut header = header(engines, Value::Null);
    let seat = |seat: usize| SeatHeader { name: format!("player {}", seat + 1), role: format!("p{}", seat + 1) };
    header.rulesets[0].seats = (0..seats).map(seat).collect();
    header
}

/// A game in which the engines sit alternately and every seat makes one move after a roll.
fn at_table(game: u64, seats: usize, winner: Option<u8>, cause: Cause) -> GameRecord {
    let held = (0..seats).map(|seat| (seat + game as usize) % 2).collect();
    let movers: String = (0..seats).map(|seat| format!("-{seat}")).collect();
    let moves = (0..2 * seats).map(|_| PlayedMove::new("b".into(), Opinion { nodes: Some(7), ..Opinion::default() }));
    GameRecord {
        fixture: Fixture { game, pair: game / 2, round: 0, ruleset: 0, opening: 0, seats: held },
        opening: Opening::default(),
        moves: moves.collect(),
        movers,
        ending: Ending { winner, cause, reason: "so".into() },
    }
}

#[test]
fn seats_are_counted_by_hand() {
    let mut standings = Standings::new(&header_of_seats(4, &["A", "B"]));
    // A holds seats 1 and 3 in even games, 2 and 4 in odd ones.
    standings.add(&at_table(0, 4, Some(2), Cause::Rules), &[]);
    standings.add(&at_table(1, 4, Some(2), Cause::Rules), &[]);
    standings.add(&at_table(2, 4, Some(3), Cause::Rules), &[]);
    standings.add(&at_table(3, 4, None, Cause::PlyLimit), &[]);
    standings.add(&at_table(4, 4, Some(0), Cause::Forfeit(Forfeit::Crash)), &[]);
    let summary = standings.summary();
    let by_seat = &summary.rulesets[0].by_seat;
    let all: Vec<_> = by_seat.iter().filter(|seat| seat.engine.is_none()).map(|seat| (seat.games, seat.wins)).collect();
    assert_eq!(all, [(4, 0), (4, 0), (4, 2), (4, 1)], "the forfeit does not count");
    let third = by_seat.iter().find(|seat| (seat.seat, seat.engine) == (2, Some(0))).expect("A on p3");
    assert_eq!((third.games, third.wins, third.draws, third.share), (2, 1, 0, Some(0.5)));
    // Wilson for 1 of 2: 1.96 squared is 3.8416, so 0.5 -+ 1.96 sqrt(0.125 + 3.8416/16) / (1 + 3.8416/2).
    let (low, high) = (third.wilson_low.expect("a bound"), third.wilson_high.expect("a bound"));
    assert!((low - 0.0945).abs() < 1e-3 && (high - 0.9055).abs() < 1e-3, "{low} {high}");
    let a = &summary.engines[0].overall;
    assert_eq!((a.results.games.wins, a.results.games.draws, a.results.games.losses), (2, 1, 2));
    assert_eq!((summary.pairs, summary.unpaired_games), (2, 1));
    assert_eq!(summary.pairings[0].overall.results.pairs.0, [0, 1, 1, 0, 0]);
    let roles: Vec<_> = a.roles.iter().map(|role| (role.role.as_str(), role.games.games(), role.games.wins)).collect();
    assert_eq!(roles, [("p1 p3", 3, 2), ("p2 p4", 2, 0)]);
    assert_eq!((a.work.moves, a.work.nodes.mean()), (10, Some(7.0)), "two moves a game, and no roll");
    assert_eq!(summary.rulesets[0].advantage.elo, None, "no term for the side");
}

#[test]
fn puzzles_are_counted_by_hand_and_apart() {
    let mut standings = Standings::new(&header_of_seats(1, &["A", "B"]));
    let attempt = |game: u64, moves: usize, winner: u8| {
        let mut record = at_table(game, 1, Some(winner), Cause::Rules);
        record.moves = vec![PlayedMove::new("c2".into(), Opinion::default()); moves];
        record.movers = "0".repeat(moves);
        record.opening.moves = vec!["x".into()];
        record
    };
    for record in [attempt(0, 18, 0), attempt(1, 6, 1), attempt(2, 21, 0), attempt(3, 8, 1), attempt(4, 5, 1)] {
        standings.add(&record, &[]);
    }
    let summary = standings.summary();
    assert_eq!((summary.games, summary.attempts, summary.pairs, summary.unpaired_games), (5, 5, 0, 0));
    let [a, b] = &summary.puzzles[..] else { panic!("{:?}", summary.puzzles) };
    assert_eq!(
        (a.attempts, a.solved, a.mean_moves, a.fewest_moves, a.most_moves),
        (3, 2, Some(19.5), Some(18), Some(21))
    );
    assert_eq!((a.mean_moves_unsolved, b.mean_moves_unsolved), (Some(5.0), Some(7.0)));
    assert_eq!((b.attempts, b.solved, b.share, b.mean_moves), (2, 0, Some(0.0), None));
    assert!(
        summary.engines.iter().all(|engine| engine.overall.results.games.games() == 0 && engine.rating.elo.is_none())
    );
    assert_eq!(summary.rulesets[0].reasons[0].wins, 2);
    let lines = score_lines(&standings, Reader::Person);
    assert_eq!(lines[0], "Puzzle toy, A: 2 of 3 solved, 19.5 moves used on average (18 to 21)");
    assert_eq!(lines[1], "Puzzle toy, B: 0 of 2 solved, n/a moves used on average");
}
