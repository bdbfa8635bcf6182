//! A toy game that stands in until the hunt is here: take one to three stones, the last stone wins.

use rand::{Rng, RngExt};
use serde_json::json;

use crate::eval::Evaluator;
use crate::rules::{Game, HistoryRules, MoveError, Outcome, PositionError, Repetition, Seat, Turn};

pub struct Stones;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Heap {
    stones: u32,
    seat: Seat,
}

impl Game for Stones {
    type Position = Heap;
    type Move = u32;
    fn name(&self) -> &str {
        "masters-15"
    }
    fn fingerprint(&self) -> u64 {
        1
    }
    fn seats(&self) -> usize {
        2
    }
    fn seat_name(&self, seat: Seat) -> &str {
        ["geese", "fox"][seat.index()]
    }
    fn start(&self) -> Heap {
        Heap { stones: 21, seat: Seat::P1 }
    }
    fn history_rules(&self) -> HistoryRules {
        HistoryRules { repetition: Repetition::Ignored, no_progress_plies: 0 }
    }
    fn turn(&self, position: &Heap) -> Turn {
        match position.stones {
            0 => Turn::Over(Outcome { winner: Some(position.seat.other()), reason: "no stone is left" }),
            _ => Turn::Player(position.seat),
        }
    }
    fn side_to_move(&self, position: &Heap) -> Option<Seat> {
        Some(position.seat)
    }
    fn legal_moves(&self, position: &Heap, moves: &mut Vec<u32>) {
        moves.extend(1..=position.stones.min(3));
    }
    fn play_unchecked(&self, position: &Heap, mv: u32) -> Heap {
        Heap { stones: position.stones - mv, seat: position.seat.other() }
    }
    fn key(&self, position: &Heap) -> u64 {
        u64::from(position.stones) * 2 + u64::from(position.seat.0)
    }
    fn is_irreversible(&self, _: &Heap, _: u32) -> bool {
        true
    }
    fn is_progress(&self, _: &Heap, _: u32) -> bool {
        true
    }
    fn is_capture(&self, _: &Heap, _: u32) -> bool {
        false
    }
    fn move_slot(&self, mv: u32) -> usize {
        mv as usize
    }
    fn move_slots(&self) -> usize {
        4
    }
    fn random_move<R: Rng>(&self, position: &Heap, rng: &mut R) -> Option<u32> {
        (position.stones > 0).then(|| rng.random_range(1..=position.stones.min(3)))
    }
    fn parse_position(&self, text: &str) -> Result<Heap, PositionError> {
        let refuse = || PositionError { column: 1, message: "expected 'STONES g|f'".to_owned() };
        let (stones, seat) = text.split_once(' ').ok_or_else(refuse)?;
        let seat = if seat == "g" { Seat::P1 } else { Seat::P2 };
        Ok(Heap { stones: stones.parse().map_err(|_| refuse())?, seat })
    }
    fn position_text(&self, position: &Heap) -> String {
        format!("{} {}", position.stones, ["g", "f"][position.seat.index()])
    }
    fn parse_move(&self, position: &Heap, text: &str) -> Result<u32, MoveError> {
        let refuse = || MoveError { text: text.to_owned(), message: "expected 1 to 3".to_owned() };
        let mv = text.parse().map_err(|_| refuse())?;
        self.is_legal(position, mv).then_some(mv).ok_or_else(refuse)
    }
    fn move_text(&self, _: &Heap, mv: u32) -> String {
        mv.to_string()
    }
    fn draw(&self, position: &Heap) -> String {
        "o".repeat(position.stones as usize)
    }
    fn board_json(&self) -> serde_json::Value {
        json!({})
    }
    fn rules_json(&self) -> serde_json::Value {
        json!({"name": "stones"})
    }
}

#[derive(Clone)]
pub struct StonesEvaluator;

impl Evaluator<Stones> for StonesEvaluator {
    fn evaluate(&self, _: &Stones, _: &Heap, _: Seat) -> i32 {
        0
    }
    fn explain(&self, _: &Stones, _: &Heap) -> Vec<(&'static str, i32)> {
        vec![("nothing", 0)]
    }
}
