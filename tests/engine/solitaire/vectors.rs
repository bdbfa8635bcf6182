//! The numbers of independent programs, and the key that the old sheet prints.

use std::collections::BTreeMap;

use reynard_engine::rules::{Game, Notation, Record, perft};
use serde::Deserialize;

use super::{SOLVED, game, position};

/// The printed key, one jump each, as the rule sheet gives it.
const PRINTED_KEY: &str = "5-17 12-10 3-11 1-3 18-6 3-11 30-18 27-25 13-27 24-26 27-25 22-24 31-23 33-31 16-28 31-23 4-16 \
    7-9 21-7 10-8 7-9 24-22 22-8 8-10 10-12 12-26 26-24 17-15 29-17 18-16 15-17";

#[derive(Deserialize)]
struct Vectors {
    jumps: usize,
    start: String,
    key: Key,
    perft: Vec<Perft>,
}

#[derive(Deserialize)]
struct Key {
    jumps: usize,
    moves_if_runs_are_joined: usize,
    canonical: String,
}

#[derive(Deserialize)]
struct Perft {
    options: BTreeMap<String, String>,
    position: String,
    depth_nodes: Vec<u64>,
}

fn vectors() -> Vectors {
    let path = format!("{}/../../tests/vectors/solitaire.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn the_start_and_its_jumps_match() {
    let (game, vectors) = (game("solitaire", &[]), vectors());
    assert_eq!(game.board().jumps().count(), vectors.jumps);
    assert_eq!(game.position_text(&game.start()), vectors.start);
}

#[test]
fn perft_counts_match() {
    for vector in vectors().perft {
        let switches: Vec<(&str, &str)> =
            vector.options.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        let game = game("solitaire", &switches);
        assert_eq!(game.position_text(&game.start()), vector.position);
        for (depth, &nodes) in vector.depth_nodes.iter().enumerate() {
            assert_eq!(perft(&game, &game.start(), depth as u32), nodes, "{:?} depth {depth}", vector.options);
        }
    }
}

#[test]
fn the_printed_key_replays_and_wins() {
    let (game, key) = (game("solitaire", &[]), vectors().key);
    let mut record = Record::new(game.start());
    let mut canonical = Vec::new();
    for text in PRINTED_KEY.split_whitespace() {
        assert_eq!(record.turn(&game).outcome(), None, "over before {text}");
        let mv = game.parse_move(record.position(), text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(mv.captured.len(), 1, "{text}");
        canonical.push(game.move_text(record.position(), mv));
        record.play(&game, mv);
    }
    assert_eq!(record.plies(), key.jumps);
    assert_eq!(canonical.join(" "), key.canonical);
    assert_eq!(record.turn(&game), SOLVED);
    assert_eq!(game.position_text(record.position()), "3/3/7/3P3/7/3/3 p");
}

/// Jumps in a row by one peg are one move.
#[test]
fn the_printed_key_has_26_moves() {
    let (game, key) = (game("solitaire", &[]), vectors().key);
    let mut chains: Vec<String> = Vec::new();
    for jump in key.canonical.split(' ') {
        let (from, to) = jump.split_once('x').unwrap_or_else(|| panic!("{jump}"));
        match chains.last_mut().filter(|chain| chain.ends_with(from)) {
            Some(chain) => *chain += &format!("x{to}"),
            None => chains.push(jump.to_string()),
        }
    }
    assert_eq!(chains.len(), key.moves_if_runs_are_joined);
    let mut position = game.start();
    for text in &chains {
        let mv = game.parse_move(&position, text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(mv.captured.len() as usize, text.matches('x').count(), "{text}");
        position = game.play_unchecked(&position, mv);
    }
    assert_eq!(game.turn(&position), SOLVED);
    let end = self::position(&game, "3/3/7/3P3/7/3/3 p");
    assert_eq!(position, end);
}
