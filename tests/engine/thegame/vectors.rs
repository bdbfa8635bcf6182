//! The numbers computed by independent programs: perft and whole games.

use std::collections::BTreeMap;

use reynard_engine::rules::thegame::TheGame;
use reynard_engine::rules::{Game, Notation, Record, perft};
use serde::Deserialize;
use serde_json::Value;

use super::{Check, ruleset, with_game};

#[derive(Deserialize)]
struct Vectors {
    perft: Vec<Perft>,
    playouts: Vec<Playout>,
}

#[derive(Deserialize)]
struct Perft {
    ruleset: String,
    options: BTreeMap<String, Value>,
    position: String,
    depth_nodes: Vec<u64>,
}

#[derive(Deserialize)]
struct Playout {
    ruleset: String,
    options: BTreeMap<String, Value>,
    moves: Vec<String>,
    result: String,
    reason: String,
    final_position: String,
}

fn read() -> Vectors {
    let path = format!("{}/../../tests/vectors/the_game.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn switches(options: &BTreeMap<String, Value>) -> String {
    let text = |value: &Value| match value {
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    };
    options.iter().map(|(key, value)| format!("{key}={} ", text(value))).collect()
}

impl Check for &Perft {
    fn run<const N: usize>(&mut self, game: &TheGame<N>) {
        let position = game.parse_position(&self.position).unwrap_or_else(|error| panic!("{error}"));
        for (depth, &nodes) in self.depth_nodes.iter().enumerate() {
            let found = perft(game, &position, depth as u32);
            assert_eq!(found, nodes, "{} {:?} depth {depth} {}", self.ruleset, self.options, self.position);
        }
    }
}

impl Check for &Playout {
    fn run<const N: usize>(&mut self, game: &TheGame<N>) {
        let context = format!("{} {:?}", self.ruleset, self.options);
        let mut record = Record::new(game.start());
        for text in &self.moves {
            assert_eq!(record.turn(game).outcome(), None, "{context}: over before {text}");
            let mv = game.parse_move(record.position(), text).unwrap_or_else(|error| panic!("{context}: {error}"));
            assert_eq!(&game.move_text(record.position(), mv), text, "{context}");
            record.play(game, mv);
        }
        assert_eq!(game.position_text(record.position()), self.final_position, "{context}");
        let outcome = record.turn(game).outcome().unwrap_or_else(|| panic!("{context}: not over"));
        let info = game.info();
        let result = outcome.winner.map_or("draw", |seat| info.seat_name(seat));
        assert_eq!(
            (result, info.reason_text(outcome.reason)),
            (self.result.as_str(), self.reason.clone()),
            "{context}"
        );
    }
}

#[test]
fn perft_counts_match() {
    let vectors = read().perft;
    assert!(vectors.len() >= 39);
    for mut vector in &vectors {
        with_game(&ruleset(&vector.ruleset, &switches(&vector.options)), &mut vector);
    }
}

#[test]
fn whole_games_match() {
    let vectors = read().playouts;
    assert!(vectors.len() >= 7);
    for mut vector in &vectors {
        with_game(&ruleset(&vector.ruleset, &switches(&vector.options)), &mut vector);
    }
}
