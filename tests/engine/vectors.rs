//! The numbers computed by independent programs: perft, move lists, whole games.
//!
//! `hunts` are games that another program plays move by move with this one (tests/ludii.sh), counted by this one. Those of
//! gasetavl-53, juroku-musashi, koti-keliya, rimau, rimau-rimau, shui-yen-ho-shang, fox-and-hounds and hex-siege were
//! counted to the last depth by a program written from the rules in words, too.

use std::collections::BTreeMap;

use reynard_engine::geometry::Word;
use reynard_engine::rules::hunt::{Hunt, Ruleset};
use reynard_engine::rules::{Game, Notation, Record, Seat, perft};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Perft {
    ruleset: String,
    options: BTreeMap<String, Value>,
    position: String,
    depth_nodes: Vec<u64>,
}

#[derive(Deserialize)]
struct MoveList {
    ruleset: String,
    options: BTreeMap<String, Value>,
    position: String,
    moves: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Playout {
    ruleset: String,
    options: BTreeMap<String, Value>,
    start: String,
    moves: Vec<String>,
    result: String,
    reason: String,
    final_position: String,
}

fn read<T: for<'de> Deserialize<'de>>(name: &str) -> Vec<T> {
    let path = format!("{}/../../tests/vectors/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn ruleset(name: &str, options: &BTreeMap<String, Value>) -> Ruleset {
    let text = |value: &Value| match value {
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(","),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let switches: Vec<_> = options.iter().map(|(key, value)| (key.clone(), text(value))).collect();
    Ruleset::from_catalog(name, &switches).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs a check on the ruleset at the width it needs.
macro_rules! with_game {
    ($name:expr, $options:expr, $check:expr) => {{
        let ruleset = ruleset($name, $options);
        if ruleset.is_wide() { $check(&Hunt::<u128>::new(&ruleset)) } else { $check(&Hunt::<u64>::new(&ruleset)) }
    }};
}

#[test]
fn perft_counts_match() {
    fn check<W: Word>(game: &Hunt<W>, vector: &Perft) {
        let position = game.parse_position(&vector.position).unwrap_or_else(|error| panic!("{error}"));
        for (depth, &nodes) in vector.depth_nodes.iter().enumerate() {
            let found = perft(game, &position, depth as u32);
            assert_eq!(found, nodes, "{} {:?} depth {depth} {}", vector.ruleset, vector.options, vector.position);
        }
    }
    let mut vectors: Vec<Perft> = read("perft");
    assert!(vectors.len() > 100);
    vectors.extend(read::<Perft>("hunts"));
    for vector in &vectors {
        with_game!(&vector.ruleset, &vector.options, |game| check(game, vector));
    }
}

trait Dynamic {
    fn moves_and_positions(&self, position: &str) -> BTreeMap<String, String>;
}

impl<W: Word> Dynamic for Hunt<W> {
    fn moves_and_positions(&self, position: &str) -> BTreeMap<String, String> {
        let position = self.parse_position(position).unwrap_or_else(|error| panic!("{error}"));
        let mut moves = Vec::new();
        self.legal_moves(&position, &mut moves);
        let entry = |&mv| (self.move_text(&position, mv), self.position_text(&self.play_unchecked(&position, mv)));
        moves.iter().map(entry).collect()
    }
}

#[test]
fn move_lists_match() {
    let vectors: Vec<MoveList> = read("movelists");
    assert!(vectors.len() > 50);
    for vector in &vectors {
        let found = with_game!(&vector.ruleset, &vector.options, |game: &dyn Dynamic| {
            game.moves_and_positions(&vector.position)
        });
        assert_eq!(found, vector.moves, "{} {:?} {}", vector.ruleset, vector.options, vector.position);
    }
}

#[test]
fn whole_games_match() {
    fn check<W: Word>(game: &Hunt<W>, vector: &Playout) {
        let context = format!("{} {:?}", vector.ruleset, vector.options);
        let start = game.parse_position(&vector.start).unwrap_or_else(|error| panic!("{context}: {error}"));
        let mut record = Record::new(start);
        for text in &vector.moves {
            assert_eq!(record.turn(game).outcome(), None, "{context}: over before {text}");
            let mv = game.parse_move(record.position(), text).unwrap_or_else(|error| panic!("{context}: {error}"));
            assert_eq!(&game.move_text(record.position(), mv), text, "{context}");
            record.play(game, mv);
        }
        assert_eq!(game.position_text(record.position()), vector.final_position, "{context}");
        let outcome = record.turn(game).outcome().unwrap_or_else(|| panic!("{context}: not over"));
        let result = match outcome.winner {
            None => "draw",
            Some(seat) if game.side(seat) == reynard_engine::rules::hunt::Side::Fox => "fox side",
            Some(Seat(_)) => "geese side",
        };
        let rules = &game.ruleset().rules;
        let many = &rules.geese_side;
        let owners = if many.ends_with('s') { format!("{many}'") } else { format!("{many}'s") };
        let reason = vector.reason.replace("geese's", &owners).replace("geese", many).replace("fox", &rules.fox_side);
        assert_eq!((result, game.info().reason_text(outcome.reason)), (vector.result.as_str(), reason), "{context}");
    }
    let vectors: Vec<Playout> = read("playouts");
    assert!(vectors.len() > 50);
    for vector in &vectors {
        with_game!(&vector.ruleset, &vector.options, |game| check(game, vector));
    }
}
