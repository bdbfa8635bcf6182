//! Answers to `query`.

use serde::Serialize;
use serde_json::{Value, json};

use crate::rules::{Change, MAX_SEATS, Outcome, Seat, Turn};
use crate::session::{Options, Session, TableReport};

/// The answer to a query about a session, as it stands behind `response`; options name the tables and the seed.
pub fn answer(words: &[&str], session: &dyn Session, options: &Options) -> String {
    let Some((question, rest)) = words.split_first() else { return "unknown".to_owned() };
    match (question.to_ascii_lowercase().as_str(), rest) {
        ("gameover", []) => session.turn().outcome().is_some().to_string(),
        ("players", []) => session.game().seats.len().to_string(),
        ("result", []) => {
            session.turn().outcome().map_or("none".to_owned(), |outcome| result(outcome, session.game().seats.len()))
        }
        ("reason", []) => session.reason().unwrap_or_else(|| "none".to_owned()),
        ("turn", []) => turn(session.turn()),
        ("fen", []) => session.position_text(),
        ("legalmoves", []) => session.legal_moves().join(" "),
        ("islegal", [text]) => session.canonical_move(text).is_ok().to_string(),
        ("hash", []) => format!("{:016x}", session.key()),
        ("board", []) => ascii(&json!(session.game().board)),
        ("rules", []) => ascii(&session.game().rules),
        ("played", []) => ascii(&views(session.moves().into_iter().zip(session.played_changes()))),
        ("route", [text]) => session.route(text).ok().flatten().map_or("none".to_owned(), |points| points.join(" ")),
        ("moves", []) => ascii(&views(session.legal_changes().into_iter())),
        ("pieces", []) => ascii(&with_player_names(json!(session.pieces()))),
        ("game", []) => ascii(&with_player_names(json!(session.game().capabilities))),
        ("table", []) => table(session, options),
        ("chances", []) => chances(session, options),
        (question, []) => of_seat(question, session).unwrap_or_else(|| "unknown".to_owned()),
        _ => "unknown".to_owned(),
    }
}

/// Answers `p3name`, `p3turn` and the like, for every seat that the game has.
fn of_seat(question: &str, session: &dyn Session) -> Option<String> {
    let (number, rest) = question.strip_prefix('p')?.split_at_checked(1)?;
    let seat = Seat(number.parse::<u8>().ok()?.checked_sub(1)?);
    match rest {
        _ if seat.index() >= session.game().seats.len().min(MAX_SEATS) => None,
        "name" => Some(session.game().seat_name(seat).to_owned()),
        "turn" => Some((session.side_to_move() == Some(seat)).to_string()),
        _ => None,
    }
}

/// Moves as JSON, each with its changes on the board.
fn views(moves: impl Iterator<Item = (String, Change)>) -> Value {
    #[derive(Serialize)]
    struct MoveView {
        #[serde(rename = "move")]
        text: String,
        #[serde(flatten)]
        change: Change,
    }
    moves.map(|(text, change)| with_player_names(json!(MoveView { text, change }))).collect()
}

/// Writes owners and movers in JSON data as `p1`, `p2`, ... instead of 0, 1, ...
fn with_player_names(value: Value) -> Value {
    let named = |(key, value): (String, Value)| match (key.as_str(), value.as_u64()) {
        ("owner" | "mover", Some(seat)) => (key, format!("p{}", seat + 1).into()),
        _ => (key, with_player_names(value)),
    };
    match value {
        Value::Array(values) => values.into_iter().map(with_player_names).collect(),
        Value::Object(entries) => Value::Object(entries.into_iter().map(named).collect()),
        other => other,
    }
}

/// The answer to a query for table values: one JSON object, or `none` and why.
fn table(session: &dyn Session, options: &Options) -> String {
    TableReport::of(session, options).map_or_else(|gap| format!("none: {gap}"), |report| ascii(&report.json()))
}

/// The answer to a query for the chances of winning: one JSON object, or `none` where players make choices.
fn chances(session: &dyn Session, options: &Options) -> String {
    session.chances(options).map_or_else(|| "none".to_owned(), |chances| chances.json().to_string())
}

/// JSON as ASCII: characters beyond ASCII occur only inside its strings, where an escape can stand for each.
fn ascii(value: &Value) -> String {
    let mut units = [0; 2];
    let mut text = String::new();
    for letter in value.to_string().chars() {
        if letter.is_ascii() {
            text.push(letter);
        } else {
            text.extend(letter.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    text
}

/// The result in one word; a one-player game that the player has lost is `p1loss`.
fn result(outcome: Outcome, seats: usize) -> String {
    match outcome.winner {
        None => "draw".to_owned(),
        Some(Seat::P2) if seats == 1 => "p1loss".to_owned(),
        Some(seat) => format!("{}win", seat.name()),
    }
}

fn turn(turn: Turn) -> String {
    match turn {
        Turn::Player(seat) => seat.name().to_owned(),
        Turn::Chance => "chance".to_owned(),
        Turn::Over(_) => "none".to_owned(),
    }
}

/// The winner and the reason, for people; `None` while the game goes on.
pub(crate) fn verdict(session: &dyn Session) -> Option<String> {
    let outcome = session.turn().outcome()?;
    let ending = match outcome.winner {
        Some(Seat::P1) if session.game().seats.len() == 1 => "solved".to_owned(),
        _ if session.game().seats.len() == 1 => "not solved".to_owned(),
        Some(seat) => format!("{} wins", session.game().seat_name(seat)),
        None => "draw".to_owned(),
    };
    Some(format!("{ending}: {}", session.reason()?))
}

/// The side to act, or how the game has ended, for people.
pub(crate) fn situation(session: &dyn Session) -> String {
    let choices = session.legal_moves().len();
    match (session.turn(), verdict(session)) {
        (_, Some(verdict)) => verdict,
        (Turn::Player(seat), None) => format!("{} to move, {choices} legal moves", session.game().seat_name(seat)),
        (_, None) => format!("the dice are to be rolled, {choices} different rolls"),
    }
}
