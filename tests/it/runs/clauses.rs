//! What a spec can ask for, seen in whole runs.

use std::collections::BTreeSet;
use std::fs;

use reynard::testing::tournament::{Cause, EngineScore, GameRecord};
use reynard_engine::session::registry::{self, RulesetChoice};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::records;

const REYNARD: &str = env!("CARGO_BIN_EXE_reynard");
const BAD_ENGINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/bad_engine.sh");

fn random(name: &str) -> Value {
    json!({"name": name, "options": {"Searcher": "random", "Hash": 1}, "limits": {"nodes": 1}})
}

fn outside(name: &str) -> Value {
    let mut engine = random(name);
    engine["program"] = json!({"command": REYNARD});
    engine
}

/// A program that plays as this one does, apart from its mode; it takes few options.
fn disguised(name: &str, mode: &str) -> Value {
    let args = [mode, "--engine", REYNARD];
    json!({"name": name, "limits": {"nodes": 1}, "program": {"command": BAD_ENGINE, "args": args}})
}

fn game(engines: [Value; 2], changes: Value) -> Vec<GameRecord> {
    let mut spec = json!({
        "rulesets": ["masters-15"], "engines": engines, "format": "match", "games": 2, "openings": {"kind": "none"}
    });
    for (key, value) in changes.as_object().unwrap() {
        spec[key] = value.clone();
    }
    records(&spec, 2)
}

#[test]
fn every_ruleset_is_the_same_inside_and_outside() {
    let is_for_two = |name: &&str| registry::open(&RulesetChoice::catalog(name)).unwrap().game().seats.len() == 2;
    let rulesets: Vec<&str> = registry::ruleset_names().into_iter().filter(is_for_two).collect();
    let changes = json!({"rulesets": rulesets, "max_plies": 30});
    let games = game([random("a"), outside("b")], changes.clone());
    assert_eq!(games.len(), 2 * rulesets.len());
    assert_eq!(games, game([random("a"), random("b")], changes));
}

#[test]
fn switches_and_files_of_rulesets_reach_a_program_from_the_spec() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("own.json");
    fs::write(&file, r#"{"name": "own", "extends": "masters-13", "huff": "remove_fox", "about": "", "source": ""}"#)
        .unwrap();
    // Relative to the folder of the spec, which is the root here; the program is started elsewhere.
    let file = file.strip_prefix("/").unwrap();
    let mut program = outside("outside");
    program["program"]["dir"] = json!(folder.path());
    let rulesets = json!([{"file": file}, {"name": "masters-17", "set": {"huff": "add_goose"}}]);
    let changes = json!({"rulesets": rulesets, "max_plies": 200});
    let games = game([random("inside"), program], changes.clone());
    assert_eq!(games.len(), 4);
    assert_eq!(games, game([random("inside"), random("outside")], changes));
}

#[test]
fn level_scores_end_a_game() {
    // It always says 7.
    let level = |name: &str| disguised(name, "good");
    let rule = |score_cp: u32| json!({"draw": {"after_plies": 10, "plies": 4, "score_cp": score_cp}});
    let play = |score_cp| {
        game([level("a"), level("b")], json!({"adjudication": rule(score_cp), "max_plies": 30, "limits": {"nodes": 1}}))
    };
    for game in play(7) {
        assert_eq!((&game.ending.cause, game.ending.winner, game.moves.len()), (&Cause::DrawAdjudication, None, 10));
    }
    assert!(play(6).iter().all(|game| game.ending.cause != Cause::DrawAdjudication));
}

#[test]
fn a_lost_score_ends_a_game() {
    let engine = |name: &str| json!({"name": name, "options": {"Hash": 1}, "limits": {"depth": 2}});
    let rule = json!({"resign": {"moves": 3, "score_cp": 20, "two_sided": false}});
    let games = game(
        [engine("a"), engine("b")],
        json!({"adjudication": rule, "games": 8, "max_plies": 200,
        "openings": {"kind": "random", "plies": 4}}),
    );
    let mut resigned = 0;
    for game in games.iter().filter(|game| game.ending.cause == Cause::ResignAdjudication) {
        let winner = game.ending.winner.expect("a winner");
        let own: Vec<usize> = game.moves_of(1 - usize::from(winner)).collect();
        let last = own.iter().rev().take(3).map(|&index| game.moves[index].opinion().score.expect("a score"));
        let is_lost = |score| match score {
            EngineScore::Centipieces(value) => value <= -20,
            EngineScore::Mate(moves) => moves <= 0,
        };
        assert!(own.len() >= 3 && last.clone().all(is_lost), "{:?}", last.collect::<Vec<_>>());
        resigned += 1;
    }
    assert!(resigned > 0, "{games:?}");
}

#[test]
fn time_odds_are_what_the_program_is_told() {
    let folder = TempDir::new().unwrap();
    let log = folder.path().join("go");
    let script = format!(
        "while read -r line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; \
         go*) echo \"$line\" >> '{}'; echo 'bestmove (none)';; quit) exit;; esac; done",
        log.display()
    );
    let mut handicapped = random("b");
    handicapped["limits"] = Value::Null;
    handicapped["options"] = json!({});
    handicapped["time_odds"] = json!(0.5);
    handicapped["program"] = json!({"command": "/bin/sh", "args": ["-c", script], "protocol": "uci"});
    let mut first = random("a");
    first["limits"] = Value::Null;
    for engine in [&mut handicapped, &mut first] {
        engine.as_object_mut().unwrap().remove("limits");
    }
    let limits = json!({"clock_ms": 20_000, "increment_ms": 40, "moves_to_go": 9});
    game([first, handicapped], json!({"limits": limits}));
    let told = fs::read_to_string(log).unwrap();
    assert!(told.lines().any(|line| line == "go wtime 10000 winc 20 btime 20000 binc 40 movestogo 9"), "{told}");
    assert!(told.lines().any(|line| line.contains(" btime 10000 binc 20 movestogo 9")), "{told}");
}

/// Sides need not alternate: the record says who moved.
#[test]
fn every_move_is_that_of_the_side_whose_turn_it_was() {
    let rulesets = ["bagha-chal", "renard-1840", "siege", "masters-15"];
    let changes =
        json!({"rulesets": rulesets, "games": 6, "max_plies": 120, "openings": {"kind": "random", "plies": 3}});
    let mut twice = BTreeSet::new();
    for game in game([random("a"), random("b")], changes) {
        let ruleset = rulesets[game.fixture.ruleset];
        let mut session = registry::open(&RulesetChoice::catalog(ruleset)).unwrap();
        let opening: Vec<&str> = game.opening.moves.iter().map(String::as_str).collect();
        session.set_position(game.opening.start.as_deref(), &opening).unwrap();
        assert_eq!(game.movers.len(), game.moves.len());
        for (index, mv) in game.moves.iter().enumerate() {
            assert_eq!(game.mover(index), session.side_to_move().map(|seat| seat.0), "{ruleset}, move {index}");
            session.play(mv.text()).unwrap();
        }
        if game.movers.contains("00") || game.movers.contains("11") {
            twice.insert(ruleset);
        }
        let [first, second] = [0, 1].map(|seat| game.moves_of(seat).count());
        assert_eq!(first + second, game.moves.len());
    }
    assert!(!twice.is_empty() && !twice.contains("masters-15"), "{twice:?}");
}
