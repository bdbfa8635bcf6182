//! Tournaments with dice, as the program plays them; and what is refused, games of one or of three seats among it.

use std::fs;
use std::path::Path;

use reynard::testing::tournament::spec::LoadedSpec;
use reynard::testing::tune::ResolvedTuneSpec;
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use crate::tournament_run::Stage;

fn dice() -> Stage {
    Stage::with(&[
        ("rulesets", json!(["goose-team"])),
        ("openings", json!({"kind": "random", "plies": 3})),
        (
            "engines",
            json!([
                {"name": "greedy", "options": {"Searcher": "greedy"}, "limits": {"nodes": 1}},
                {"name": "random", "options": {"Searcher": "random"}, "limits": {"nodes": 1}}
            ]),
        ),
        ("pairs", json!(3)),
        ("max_plies", json!(5000)),
    ])
}

fn games(stage: &Stage, dir: &str) -> Vec<Value> {
    stage.journal(dir).lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_report_knows_dice() {
    let stage = dice();
    stage.run("out", &["--quiet"]);
    let report = |format: &str| stage.good(&["report", "out", "--format", format]);
    let text = report("text");
    assert!(text.contains("Side advantage") && text.contains("goose-team"), "{text}");
    let json: Value = serde_json::from_str(&report("json")).unwrap();
    let sides = &json["rulesets"][0]["sides"];
    assert_eq!(sides["wins"].as_u64().unwrap() + sides["losses"].as_u64().unwrap(), 6, "one winner a game");
    let first = games(&stage, "out").remove(0);
    let moves = first["moves"].as_array().unwrap();
    let movers = first["movers"].as_str().unwrap();
    assert!(movers.contains('-') && movers.len() == moves.len());
    for (mv, mover) in moves.iter().zip(movers.chars()) {
        assert_eq!(mv[0].as_str().unwrap().contains('+'), mover == '-', "{mv} by {mover}");
    }
    let rows = report("csv");
    let head: Vec<&str> = rows.lines().next().unwrap().split(',').collect();
    assert_eq!(rows.lines().count(), 7);
    for (row, game) in rows.lines().skip(1).zip(games(&stage, "out")) {
        let cells: Vec<&str> = row.split(',').collect();
        let cell = |name: &str| cells[head.iter().position(|&head| head == name).expect("a column")];
        let winner = game["ending"]["winner"].as_u64().unwrap();
        assert_eq!(cell("result"), if winner == 0 { "1-0" } else { "0-1" });
        assert_eq!(cell("winner_side"), format!("player {}", winner + 1));
        // A roll is nobody's move: the nodes of a player are those of its own moves.
        for seat in 0..2 {
            let own = own_moves(&game, seat).filter_map(|mv| mv[3].as_u64());
            let nodes = cell(["p1_nodes", "p2_nodes"][seat]).parse().unwrap_or(0);
            assert_eq!(nodes, own.sum::<u64>(), "{row}");
        }
    }
    for (engine, own) in json["engines"].as_array().unwrap().iter().zip(moves_of_engines(&stage)) {
        assert_eq!(engine["overall"]["moves"], own, "{}", engine["name"]);
    }
    assert_eq!(pgn_games(&report("pgn")), games(&stage, "out").iter().map(all_moves).collect::<Vec<_>>());
    assert!(report("html").contains("Side advantage"));
    let shown = stage.good(&["replay", "out", "0", "--ply", "1"]);
    assert!(shown.contains("Ply 1: dice "), "{shown}");
}

/// The moves that the player on a seat chose.
fn own_moves(game: &Value, seat: usize) -> impl Iterator<Item = &Value> {
    let movers = game["movers"].as_str().unwrap().chars();
    let own = move |(_, mover): &(&Value, char)| mover.to_digit(10) == Some(seat as u32);
    game["moves"].as_array().unwrap().iter().zip(movers).filter(own).map(|(mv, _)| mv)
}

/// The number of moves that each engine chose in all games.
fn moves_of_engines(stage: &Stage) -> [usize; 2] {
    let mut moves = [0; 2];
    for game in games(stage, "out") {
        for (seat, engine) in game["fixture"]["seats"].as_array().unwrap().iter().enumerate() {
            moves[engine.as_u64().unwrap() as usize] += own_moves(&game, seat).count();
        }
    }
    moves
}

/// The texts of all moves of a journaled game, rolls and those of the opening included.
fn all_moves(game: &Value) -> Vec<String> {
    let opening = game["opening"]["moves"].as_array().unwrap().iter();
    let played = game["moves"].as_array().unwrap().iter().map(|mv| &mv[0]);
    opening.chain(played).map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// The moves of each game of a PGN file; tags, comments, numbers and results are left out.
fn pgn_games(pgn: &str) -> Vec<Vec<String>> {
    let movetexts = pgn.split("\n\n").filter(|part| !part.trim().is_empty() && !part.starts_with('['));
    let moves = |text: &str| -> Vec<String> {
        let plain: String = text.split('{').map(|part| part.split_once('}').map_or(part, |(_, rest)| rest)).collect();
        let words = plain.split_whitespace().filter(|word| !word.ends_with('.'));
        words.filter(|word| !["1-0", "0-1", "1/2-1/2"].contains(word)).map(str::to_owned).collect()
    };
    movetexts.map(moves).collect()
}

fn refusal(changes: &[(&str, Value)]) -> String {
    let mut spec = json!({
        "rulesets": ["masters-15"], "engines": [{"name": "a"}, {"name": "b"}],
        "format": "match", "pairs": 2, "limits": {"nodes": 100}
    });
    for (key, value) in changes {
        spec[*key] = value.clone();
    }
    let spec = serde_json::from_value(spec).unwrap();
    LoadedSpec::new(spec, Path::new("."), "spec").unwrap().resolve().map(drop).expect_err("a refusal").to_string()
}

#[test]
fn what_has_no_meaning_is_refused_with_its_key() {
    let draw = ("adjudication", json!({"draw": {"after_plies": 1, "plies": 1, "score_cp": 1}}));
    let balance = ("openings", json!({"kind": "random", "plies": 2, "balance": {"by": "evaluation", "max_cp": 9}}));
    let team = ("rulesets", json!(["goose-team"]));
    let four = json!(["masters-15", {"name": "goose-team", "set": {"players": 4}}]);
    type Case<'a> = (&'a str, &'a str, Vec<(&'a str, Value)>);
    let cases: [Case<'_>; 4] = [
        ("adjudication.draw", "dice", vec![team.clone(), draw]),
        ("openings.balance", "dice", vec![team, balance]),
        ("rulesets[0]", "'solitaire' has 1 seat; expected a game of two", vec![("rulesets", json!(["solitaire"]))]),
        (
            "rulesets[1]",
            "'goose-team' has 4 seats; expected a game of two (set players to 2)",
            vec![("rulesets", four)],
        ),
    ];
    for (key, word, changes) in cases {
        let told = refusal(&changes);
        assert!(told.contains(key) && told.contains(word), "{key}, {word}: {told}");
    }
}

#[test]
fn tuning_takes_dice_but_no_puzzles() {
    let plan = |ruleset: &str| {
        let spec = json!({
            "method": "grid", "ruleset": ruleset, "engine": {"options": {"Searcher": "mcts"}},
            "parameters": [{"name": "MctsExploration", "values": [30, 60]}], "pairs": 2, "limits": {"nodes": 20},
            "final_pairs": 10
        });
        let file = NamedTempFile::new().unwrap();
        fs::write(file.path(), spec.to_string()).unwrap();
        ResolvedTuneSpec::load(file.path(), &[], &|_, _| ()).map(drop)
    };
    assert!(plan("goose-team").is_ok());
    assert!(plan("the-game").is_ok());
    let told = plan("solitaire").expect_err("a puzzle").to_string();
    assert!(told.contains("ruleset: 'solitaire' has 1 seat; expected a game of two"), "{told}");
}
