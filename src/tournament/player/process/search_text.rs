//! The texts of a search: `position`, `go`, `info`, `bestmove`.

use std::fmt::Write;

use reynard_engine::session::{Clock, GoRequest};

use super::connection::{after, quoted};
use crate::tournament::player::{Failure, MoveHistory};
use crate::tournament::record::{EngineScore, Forfeit, Opinion, Variation};
use crate::tournament::spec::ProtocolName;

/// No move of any game is so long.
const MAX_MOVE_BYTES: usize = 1000;

/// `position ...` with the whole history.
pub(super) fn position(history: MoveHistory<'_>) -> String {
    let start = history.start.map_or("startpos".to_owned(), |text| format!("fen {text}"));
    let moves = if history.moves.is_empty() { "" } else { " moves " };
    format!("position {start}{moves}{}", history.moves.join(" "))
}

/// `go ...` with all clocks and limits.
pub(super) fn go(request: &GoRequest, protocol: ProtocolName) -> String {
    let (time, limits) = (&request.time, &request.limits);
    let mut line = "go".to_owned();
    let mut add = |name: &str, value: u128| {
        // Writing to a text cannot fail.
        let _ = write!(line, " {name} {value}");
    };
    for (seat, clock) in time.clocks.into_iter().enumerate() {
        let Some(Clock { left, increment: gain }) = clock else { continue };
        let [left_name, gain_name] = clock_names(seat, protocol);
        // Some programs take a clock at nought for no clock at all.
        add(&left_name, left.as_millis().max(1));
        add(&gain_name, gain.as_millis());
    }
    let numbers = [
        ("movestogo", time.moves_to_go.map(u128::from)),
        ("movetime", time.move_time.map(|time| time.as_millis())),
        ("nodes", limits.nodes.map(u128::from)),
        ("depth", limits.depth.map(u128::from)),
    ];
    numbers.into_iter().for_each(|(name, value)| value.into_iter().for_each(|value| add(name, value)));
    line
}

/// What time and increment of a seat are called; UCI has words for two seats only.
fn clock_names(seat: usize, protocol: ProtocolName) -> [String; 2] {
    match (protocol, seat) {
        (ProtocolName::Uci, 0) => ["wtime", "winc"].map(str::to_owned),
        (ProtocolName::Uci, 1) => ["btime", "binc"].map(str::to_owned),
        _ => ["time", "inc"].map(|what| format!("p{}{what}", seat + 1)),
    }
}

/// The move behind `bestmove`.
///
/// # Errors
/// There is none, or it cannot be one.
pub(super) fn best_move(answer: &str) -> Result<String, Failure> {
    let wrong =
        |kind, what: &str| Err(Failure::new(kind, format!("{what}: {}", quoted(&format!("bestmove {answer}")))));
    match answer.split_whitespace().next() {
        None => wrong(Forfeit::NoMove, "gave no move"),
        Some(text) if text.len() > MAX_MOVE_BYTES => wrong(Forfeit::Garbage, "gave a move that is too long"),
        Some(text) if text.contains(|letter: char| letter.is_control() || letter == char::REPLACEMENT_CHARACTER) => {
            wrong(Forfeit::Garbage, "answered with garbage")
        }
        Some(text) => match text.to_ascii_lowercase().as_str() {
            "(none)" | "none" | "0000" | "null" | "(null)" => wrong(Forfeit::NoMove, "gave no move"),
            "resign" | "resigns" | "(resign)" => wrong(Forfeit::NoMove, "resigned"),
            _ => Ok(text.to_owned()),
        },
    }
}

/// What an `info` line says about the best line of play; `None` when it is not a whole report.
pub(super) fn opinion(line: &str) -> Option<Opinion> {
    let mut words = after(line, "info")?.split_ascii_whitespace();
    let (mut opinion, mut seldepth) = (Opinion::default(), None);
    while let Some(word) = words.next() {
        match word {
            "depth" => opinion.depth = words.next()?.parse().ok(),
            "seldepth" => seldepth = words.next()?.parse().ok(),
            "nodes" => opinion.nodes = words.next()?.parse().ok(),
            "score" => opinion.score = Some(score(words.next()?, words.next()?)?),
            "multipv" if words.next()? != "1" => return None,
            // A bound is not yet a score.
            "lowerbound" | "upperbound" => return None,
            // The rest of the line is moves.
            "pv" => {
                opinion.variation = Some(Variation(seldepth, words.collect::<Vec<_>>().join(" ")));
                break;
            }
            // Whatever follows is not ours to read.
            "string" | "refutation" | "currline" => break,
            _ => {}
        }
    }
    opinion.score.map(|_| opinion)
}

fn score(kind: &str, value: &str) -> Option<EngineScore> {
    let value = value.parse().ok()?;
    match kind {
        "cp" => Some(EngineScore::Centipieces(value)),
        "mate" => Some(EngineScore::Mate(value)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use reynard_engine::search::SearchLimits;
    use reynard_engine::session::TimeControl;

    use super::*;

    fn clock(left_us: u64, increment_ms: u64) -> Option<Clock> {
        Some(Clock { left: Duration::from_micros(left_us), increment: Duration::from_millis(increment_ms) })
    }

    #[test]
    fn all_limits_go_into_one_line_in_the_words_of_the_protocol() {
        let move_time = Some(Duration::from_millis(50));
        let clocks = TimeControl::of_clocks(&[clock(900_700, 10), clock(300, 0)]);
        let limits = SearchLimits { nodes: Some(9), depth: Some(3), ..SearchLimits::default() };
        let time = TimeControl { moves_to_go: Some(4), move_time, ..clocks };
        let ugi = "go p1time 900 p1inc 10 p2time 1 p2inc 0 movestogo 4 movetime 50 nodes 9 depth 3";
        assert_eq!(go(&GoRequest { time, limits, ..GoRequest::default() }, ProtocolName::Ugi), ugi);
        let mut time = TimeControl::of_clocks(&[None, clock(5_000, 1)]);
        assert_eq!(go(&GoRequest { time, ..GoRequest::default() }, ProtocolName::Uci), "go btime 5 binc 1");
        time.clocks[2] = clock(7_000, 2);
        let go = go(&GoRequest { time, ..GoRequest::default() }, ProtocolName::Ugi);
        assert_eq!(go, "go p2time 5 p2inc 1 p3time 7 p3inc 2");
    }

    #[test]
    fn the_history_is_told_whole() {
        let moves = ["a3a4".to_owned(), "d5d6".to_owned()];
        assert_eq!(position(MoveHistory { start: None, moves: &moves }), "position startpos moves a3a4 d5d6");
        assert_eq!(position(MoveHistory { start: Some("3/3 g"), moves: &[] }), "position fen 3/3 g");
    }

    #[test]
    fn a_move_is_told_from_none() {
        assert_eq!(best_move("a4a5 ponder b2b3").as_deref(), Ok("a4a5"));
        for none in ["", "(none)", "0000", "NULL", "resign", "(None) ponder a1a2"] {
            assert_eq!(best_move(none).expect_err(none).kind, Forfeit::NoMove, "{none}");
        }
        assert_eq!(best_move(&"x".repeat(2000)).expect_err("too long").kind, Forfeit::Garbage);
    }

    #[test]
    fn only_whole_reports_of_the_best_line_are_opinions() {
        let read = opinion;
        let whole = read("info depth 9 seldepth 17 multipv 1 score cp -42 wdl 1 2 3 nodes 123 pv a4a5 depth");
        let score = Some(EngineScore::Centipieces(-42));
        let variation = Some(Variation(Some(17), "a4a5 depth".into()));
        assert_eq!(whole, Some(Opinion { score, depth: Some(9), nodes: Some(123), variation }));
        assert_eq!(read("info depth 4 score mate -3").and_then(|read| read.score), Some(EngineScore::Mate(-3)));
        for partial in [
            "info depth 9 currmove a1a2",
            "info depth 9 score cp 3 lowerbound nodes 4",
            "info multipv 2 depth 9 score cp 3",
            "info string score cp 3",
            "score cp 3",
            "info depth 2 score cp",
        ] {
            assert_eq!(read(partial), None, "{partial}");
        }
    }
}
