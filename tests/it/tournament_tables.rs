//! Tournaments with dice, at tables of several seats and over puzzles, as the program plays them; and what is refused.

use std::path::Path;

use reynard::testing::tournament::spec::LoadedSpec;
use reynard::testing::tune::{ResolvedTuneSpec, TuneSpec};
use serde_json::{Value, json};

use crate::tournament_run::Stage;

fn dice() -> Stage {
    Stage::with(&[
        ("rulesets", json!(["goose-team", {"name": "goose-team", "set": {"players": 3}}])),
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
fn every_report_knows_dice_and_seats() {
    let stage = dice();
    stage.run("out", &["--quiet"]);
    let report = |format: &str| stage.good(&["report", "out", "--format", format]);
    let text = report("text");
    assert!(text.contains("Per seat") && text.contains("p3"), "{text}");
    let json: Value = serde_json::from_str(&report("json")).unwrap();
    let seats = json["rulesets"][1]["by_seat"].as_array().unwrap();
    let wins = |of: &dyn Fn(&Value) -> bool| -> u64 {
        seats.iter().filter(|seat| of(seat)).map(|seat| seat["wins"].as_u64().unwrap()).sum()
    };
    assert_eq!(wins(&|seat| seat["engine"].is_null()), 6, "one winner a game");
    assert_eq!(wins(&|seat| !seat["engine"].is_null()), 6);
    let csv = report("csv");
    assert!(csv.lines().nth(1).unwrap().ends_with(",2"), "{csv}");
    assert!(csv.lines().any(|line| line.contains("0-0-1") || line.contains("1-0-0") || line.contains("0-1-0")));
    let first = games(&stage, "out").remove(0);
    let moves = first["moves"].as_array().unwrap();
    let movers = first["movers"].as_str().unwrap();
    assert!(movers.contains('-') && movers.len() == moves.len());
    for (mv, mover) in moves.iter().zip(movers.chars()) {
        assert_eq!(mv[0].as_str().unwrap().contains('+'), mover == '-', "{mv} by {mover}");
    }
    let pgn = report("pgn");
    assert!(pgn.contains("[P3 \"") || pgn.contains("[Player3 \""), "{}", &pgn[..1000.min(pgn.len())]);
    assert!(report("html").contains("Per seat"));
    let shown = stage.good(&["replay", "out", "0", "--ply", "1"]);
    assert!(shown.contains("Ply 1: dice "), "{shown}");
}

#[test]
fn puzzles_are_reported_by_what_was_solved() {
    let stage = Stage::with(&[
        ("rulesets", json!([{"name": "solitaire", "set": {"start": "d4,e4,b4", "target": "d4"}}])),
        ("openings", json!({"kind": "none"})),
        (
            "engines",
            json!([
                {"name": "solver", "options": {"Searcher": "solver"}, "limits": {"nodes": 1000}},
                {"name": "mcts", "options": {"Searcher": "mcts"}, "limits": {"nodes": 1000}}
            ]),
        ),
        ("pairs", json!(2)),
    ]);
    let lines = stage.run("out", &["--quiet"]);
    assert!(lines.starts_with("Puzzle solitaire") && lines.contains("solver: 2 of 2 solved"), "{lines}");
    assert!(!lines.contains("Elo"), "{lines}");
    let text = stage.good(&["report", "out", "--format", "text"]);
    assert!(text.contains("Puzzles") && !text.contains("Ranking") && !text.contains("Cross table"), "{text}");
    assert!(games(&stage, "out").iter().all(|game| game["fixture"]["seats"].as_array().unwrap().len() == 1));
    for format in ["json", "csv", "pgn", "html"] {
        assert!(!stage.good(&["report", "out", "--format", format]).is_empty(), "{format}");
    }
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
    let four = json!([{"name": "goose-team", "set": {"players": 4}}]);
    let sprt = ("sprt", json!({"elo0": 0, "elo1": 5}));
    let draw = ("adjudication", json!({"draw": {"after_plies": 1, "plies": 1, "score_cp": 1}}));
    let resign = ("adjudication", json!({"resign": {"moves": 1, "score_cp": 100}}));
    let balance = ("openings", json!({"kind": "random", "plies": 2, "balance": {"by": "evaluation", "max_cp": 9}}));
    let (puzzle, team) = (("rulesets", json!(["solitaire"])), ("rulesets", json!(["goose-team"])));
    let tables = ("rulesets", four);
    type Case<'a> = (&'a str, &'a str, Vec<(&'a str, Value)>);
    let cases: [Case<'_>; 7] = [
        ("format", "puzzle", vec![puzzle.clone(), ("format", json!("sprt")), sprt]),
        ("format", "puzzle", vec![puzzle.clone(), ("format", json!("knockout"))]),
        ("adjudication.draw", "dice", vec![team.clone(), draw]),
        ("adjudication.resign", "4 seats", vec![tables.clone(), resign.clone()]),
        ("adjudication.resign", "puzzle", vec![puzzle.clone(), resign]),
        ("openings.balance", "dice", vec![team, balance.clone()]),
        ("openings.balance", "4 seats", vec![tables, balance]),
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
            "parameters": [{"name": "MctsExploration", "values": [3, 6]}], "pairs": 2, "limits": {"nodes": 20}
        });
        ResolvedTuneSpec::new(serde_json::from_value::<TuneSpec>(spec).unwrap(), Path::new("."), "spec").map(drop)
    };
    assert!(plan("goose-team").is_ok());
    assert!(plan("the-game").is_ok());
    let told = plan("solitaire").expect_err("a puzzle").to_string();
    assert!(told.contains("ruleset") && told.contains("puzzle"), "{told}");
}
