//! Whole runs: what a spec can ask for, and programs that play as sessions do.

mod clauses;
mod list;

use reynard::testing::tournament::GameRecord;
use serde_json::{Value, json};

/// The games of a spec by number.
fn records(spec: &Value, concurrency: usize) -> Vec<GameRecord> {
    let mut records = Vec::new();
    list::play(spec, concurrency, |record| records.push(record));
    records.sort_by_key(|record| record.fixture.game);
    records
}

fn lines(records: &[GameRecord]) -> String {
    records.iter().map(|record| serde_json::to_string(record).unwrap() + "\n").collect()
}

/// An engine in this process and two in processes, in two rulesets.
fn mixed() -> Value {
    let program = json!({"command": env!("CARGO_BIN_EXE_reynard")});
    json!({
        "rulesets": ["masters-15", "catch-the-hare"],
        "engines": [
            {"name": "inside", "options": {"Searcher": "mcts", "Hash": 1}, "limits": {"nodes": 30}},
            {"name": "outside", "options": {"Searcher": "mcts", "Hash": 1}, "limits": {"nodes": 30}, "program": program},
            {"name": "random", "options": {"Searcher": "random"}, "limits": {"nodes": 1}, "program": program},
        ],
        "format": "round-robin",
        "games": 2,
        "openings": {"kind": "random", "plies": 3},
        "max_plies": 40,
    })
}

#[test]
fn a_process_plays_as_a_session_does() {
    let mut inside = mixed();
    for engine in inside["engines"].as_array_mut().unwrap() {
        engine.as_object_mut().unwrap().remove("program");
    }
    let (inside, outside) = (records(&inside, 2), records(&mixed(), 2));
    assert_eq!(inside.len(), 12);
    assert_eq!(lines(&inside), lines(&outside));
}
