//! `reynard solve` and the solver behind `go`: published numbers, replayed moves, proofs.

use assert_cmd::Command;
use reynard::engine::registry::{self, RulesetChoice};
use serde_json::Value;

/// Exit code, standard output and standard error.
fn solve(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reynard"));
    let output = command.arg("solve").args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

fn json(arguments: &[&str], code: i32) -> Value {
    let (got, out, error) = solve(&[arguments, &["--json"]].concat());
    assert_eq!((got, error.as_str()), (code, ""), "{arguments:?}");
    serde_json::from_str(&out).unwrap()
}

/// Plays the moves through a session of its own; the game must be won.
fn assert_wins(switches: &[(&str, &str)], answer: &Value) {
    let switches = switches.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let mut session = registry::open(&RulesetChoice { switches, ..RulesetChoice::catalog("solitaire") }).unwrap();
    let moves: Vec<&str> = answer["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
    session.set_position(None, &moves).unwrap();
    assert!(session.legal_moves().is_empty(), "{answer}");
    assert_eq!(answer["move_count"], moves.len());
    assert_eq!(answer["jump_count"], moves.iter().map(|mv| mv.matches('x').count()).sum::<usize>());
}

#[test]
fn the_central_game_takes_eighteen_moves_and_has_the_published_number_of_solutions() {
    let vector: Value = serde_json::from_str(include_str!("../vectors/solitaire.json")).unwrap();
    let known = &vector["central_game"];
    let answer = json(&["--shortest", "--count"], 0);
    assert_wins(&[], &answer);
    assert_eq!(answer["move_count"], known["fewest_moves_to_centre"]);
    assert_eq!((&answer["minimal"], &answer["proof"]), (&Value::Bool(true), &Value::from("search")));
    assert_eq!(answer["solutions"].as_str().unwrap(), known["jump_sequences_to_one_peg_in_the_centre"].to_string());
    // The key on the old sheet needs more.
    assert!(answer["move_count"].as_u64() < vector["key"]["moves_if_runs_are_joined"].as_u64());
    assert_eq!(answer["jump_count"], vector["key"]["jumps"]);
}

#[test]
fn the_central_game_to_an_edge_takes_seventeen_moves() {
    let answer = json(&["--target", "d7", "--shortest"], 0);
    assert_wins(&[("target", "d7")], &answer);
    assert_eq!((answer["move_count"].as_u64(), &answer["minimal"]), (Some(17), &Value::Bool(true)));
}

#[test]
fn any_solution_is_quick_and_claims_nothing_more() {
    let answer = json(&["--vacancy", "c7", "--target", "c4"], 0);
    assert_wins(&[("vacancy", "c7"), ("target", "c4")], &answer);
    assert_eq!((&answer["minimal"], &answer["proof"]), (&Value::Bool(false), &Value::Null));
    assert_eq!(answer["solutions"], Value::Null);
}

#[test]
fn impossible_problems_come_with_their_proof() {
    let class = json(&["--target", "d5", "--count"], 1);
    assert_eq!((&class["solvable"], &class["proof"]), (&Value::Bool(false), &Value::from("class")));
    assert_eq!(class["solutions"], "0");
    // Three pegs far apart cannot come together, though their class is that of a peg on d4 and more.
    let pagoda = json(&["--position", "3/3/P5P/7/P5P/3/P2 p", "--target", "a5,g5,d4"], 1);
    assert!(["class", "pagoda"].contains(&pagoda["proof"].as_str().unwrap()), "{pagoda}");
    let (code, out, _) = solve(&["--target", "d5"]);
    assert_eq!(code, 1);
    assert!(out.contains("no solution; class: no jump changes whether the pegs on"), "{out}");
}

#[test]
fn wrong_questions_are_refused() {
    for (arguments, word) in [
        (&["--vacancy", "z9"][..], "z9"),
        (&["--ruleset", "masters-15"], "no puzzle"),
        (&["--position", "PPP p"], "position"),
    ] {
        let (code, _, error) = solve(arguments);
        assert_eq!(code, 2, "{arguments:?}: {error}");
        assert!(error.contains(word), "{arguments:?}: {error}");
    }
}
