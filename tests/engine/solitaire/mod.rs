//! Peg solitaire: the published numbers, a plain model, the texts.

mod model;
mod rules;
mod vectors;

use reynard_engine::rules::solitaire::{Position, Ruleset, Solitaire};
use reynard_engine::rules::{Notation, Outcome, Reason, Seat, Turn};

fn game(name: &str, switches: &[(&str, &str)]) -> Solitaire<u64> {
    let switches: Vec<_> = switches.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let ruleset = Ruleset::from_catalog(name, &switches).unwrap_or_else(|error| panic!("{error}"));
    assert!(!ruleset.is_wide());
    Solitaire::new(&ruleset)
}

fn position(game: &Solitaire<u64>, text: &str) -> Position<u64> {
    game.parse_position(text).unwrap_or_else(|error| panic!("{error}"))
}

const SOLVED: Turn = Turn::Over(Outcome { winner: Some(Seat::P1), reason: Reason::PuzzleSolved });
const STUCK: Turn = Turn::Over(Outcome { winner: Some(Seat::P2), reason: Reason::NoJumpLeft });
