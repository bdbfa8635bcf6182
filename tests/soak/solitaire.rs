//! Published numbers of the whole central game: a long search each.

use std::process::Command;

use reynard_engine::session::registry::{self, RulesetChoice};
use serde_json::Value;

/// Solves a problem of the English board with the fewest moves and plays them through.
fn solve(switches: &[(&str, &str)], more: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reynard"));
    let output = command.args(["solve", "--shortest", "--json"]).args(more).output().expect("a run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let switches = switches.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let choice = RulesetChoice { switches, ..RulesetChoice::catalog("solitaire") };
    let mut session = registry::open(&choice).expect("a game");
    let moves: Vec<&str> = answer["moves"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    session.set_position(None, &moves).expect("legal moves");
    assert!(session.legal_moves().is_empty(), "{answer}");
    assert_eq!((&answer["move_count"], &answer["minimal"]), (&moves.len().into(), &true.into()));
    answer
}

#[test]
fn the_central_game_takes_eighteen_moves_and_has_the_published_number_of_solutions() {
    let vector: Value = serde_json::from_str(include_str!("../vectors/solitaire.json")).expect("JSON");
    let known = &vector["central_game"];
    let answer = solve(&[], &["--count"]);
    assert_eq!(answer["move_count"], known["fewest_moves_to_centre"]);
    assert_eq!(answer["proof"], "search");
    let solutions = known["jump_sequences_to_one_peg_in_the_centre"].to_string();
    assert_eq!(answer["solutions"].as_str(), Some(&*solutions));
    // The key on the old sheet needs more.
    assert!(answer["move_count"].as_u64() < vector["key"]["moves_if_runs_are_joined"].as_u64());
    assert_eq!(answer["jump_count"], vector["key"]["jumps"]);
}

#[test]
fn the_central_game_to_an_edge_takes_seventeen_moves() {
    let answer = solve(&[("target", "d7")], &["--target", "d7"]);
    assert_eq!(answer["move_count"], 17);
}
