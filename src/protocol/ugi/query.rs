//! Answers to `query`.

use serde_json::Value;

use crate::engine::{Options, Session};
use crate::rules::{Outcome, Seat, Turn};

/// Everything behind `response`, for whoever asks about a session in words; the options say how it works things out.
pub fn answer(words: &[&str], session: &dyn Session, options: &Options) -> String {
    let Some((question, rest)) = words.split_first() else { return "unknown".to_owned() };
    match (question.to_ascii_lowercase().as_str(), rest) {
        ("gameover", []) => session.turn().outcome().is_some().to_string(),
        ("p1turn", []) => (session.side_to_move() == Some(Seat::P1)).to_string(),
        ("result", []) => session.turn().outcome().map_or("none", result).to_owned(),
        ("reason", []) => session.turn().outcome().map_or("none", |outcome| outcome.reason).to_owned(),
        ("turn", []) => turn(session.turn()).to_owned(),
        ("fen", []) => session.position_text(),
        ("legalmoves", []) => session.legal_moves().join(" "),
        ("islegal", [text]) => session.canonical_move(text).is_ok().to_string(),
        ("hash", []) => format!("{:016x}", session.key()),
        ("p1name", []) => session.seat_name(Seat::P1).to_owned(),
        ("p2name", []) => session.seat_name(Seat::P2).to_owned(),
        ("board", []) => ascii(&session.board_json()),
        ("rules", []) => ascii(&session.rules_json()),
        ("chances", []) => chances(session, options),
        _ => "unknown".to_owned(),
    }
}

/// One JSON object, or `none` where players decide anything themselves.
fn chances(session: &dyn Session, options: &Options) -> String {
    let chances = session.chances(options).and_then(|chances| serde_json::to_string(&chances).ok());
    chances.unwrap_or_else(|| "none".to_owned())
}

/// JSON in ASCII; only its texts can contain other letters, and there an escape may stand for each.
fn ascii(value: &Value) -> String {
    let mut units = [0; 2];
    let mut text = String::new();
    for letter in value.to_string().chars() {
        match letter.is_ascii() {
            true => text.push(letter),
            false => text.extend(letter.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}"))),
        }
    }
    text
}

fn result(outcome: Outcome) -> &'static str {
    match outcome.winner {
        None => "draw",
        Some(Seat::P1) => "p1win",
        Some(_) => "p2win",
    }
}

fn turn(turn: Turn) -> &'static str {
    match turn {
        Turn::Player(Seat::P1) => "p1",
        Turn::Player(_) => "p2",
        Turn::Chance => "chance",
        Turn::Over(_) => "none",
    }
}

/// Who won and why, for people.
pub(super) fn verdict(session: &dyn Session) -> Option<String> {
    let outcome = session.turn().outcome()?;
    let winner = outcome.winner.map_or("draw".to_owned(), |seat| format!("{} wins", session.seat_name(seat)));
    Some(format!("{winner}: {}", outcome.reason))
}
