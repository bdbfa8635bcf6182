//! The parameters of `go`.

use std::str::FromStr;
use std::time::Duration;

use super::Refusal;
use crate::rules::MAX_SEATS;
use crate::session::{GoMode, GoRequest};

/// The longest time accepted, in milliseconds, far longer than any game, so that clock arithmetic cannot overflow.
const MAX_MS: i64 = 1_000_000_000_000;

/// The names of the parameters other than clocks of seats, for messages.
const PARAMETERS: &str = "wtime btime winc binc movestogo movetime nodes depth mate infinite ponder searchmoves";

/// What a `go` asks for.
#[derive(PartialEq, Eq, Debug, Default)]
pub(super) struct Go {
    pub request: GoRequest,
    /// Words that are not parameters.
    unknown: Vec<String>,
}

impl Go {
    /// A remark about the unknown words; `None` without any.
    pub(super) fn remark(&self) -> Option<String> {
        let words = self.unknown.join(" ");
        let known = format!("p1time p1inc to p{MAX_SEATS}time p{MAX_SEATS}inc {PARAMETERS}");
        (!words.is_empty()).then(|| format!("go: ignored '{words}'; known are {known}"))
    }
}

/// Reads everything after `go`; `searchmoves` takes all words up to the next parameter.
///
/// Unknown words are skipped: a client that waits for its `bestmove` needs a search more than an error.
pub(super) fn parse(words: &[&str]) -> Result<Go, Refusal> {
    let mut go = Go::default();
    let mut rest = words;
    while let [word, tail @ ..] = rest {
        rest = if is_parameter(word) {
            parameter(&word.to_ascii_lowercase(), tail, &mut go.request)?
        } else {
            go.unknown.push((*word).to_owned());
            tail
        };
    }
    Ok(go)
}

/// Reads one parameter and returns the words behind it.
fn parameter<'a, 'w>(name: &str, tail: &'a [&'w str], request: &mut GoRequest) -> Result<&'a [&'w str], Refusal> {
    let time = &mut request.time;
    match name {
        "infinite" => request.mode = GoMode::Infinite,
        "ponder" => request.mode = GoMode::Ponder,
        "searchmoves" => {
            let count = tail.iter().take_while(|word| !is_parameter(word)).count();
            request.root_moves = tail[..count].iter().map(|&word| word.to_owned()).collect();
            return Ok(&tail[count..]);
        }
        "movestogo" => time.moves_to_go = Some(number(name, tail)?),
        "movetime" => time.move_time = Some(milliseconds(name, tail)?),
        "nodes" => request.limits.nodes = Some(number(name, tail)?),
        "depth" => request.limits.depth = Some(number(name, tail)?),
        "mate" => request.limits.mate = Some(number(name, tail)?),
        _ => {
            let (seat, part) = clock_word(name).ok_or_else(|| format!("go: unknown parameter '{name}'"))?;
            let clock = time.clocks[seat].get_or_insert_default();
            *(if part == "time" { &mut clock.left } else { &mut clock.increment }) = milliseconds(name, tail)?;
        }
    }
    Ok(if matches!(name, "infinite" | "ponder") { tail } else { &tail[1..] })
}

fn is_parameter(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    PARAMETERS.split(' ').any(|name| name == word) || clock_word(&word).is_some()
}

/// The seat and the part of its clock, `time` or `inc`, that a word in lower case names: `p3time`, `winc`.
fn clock_word(word: &str) -> Option<(usize, &str)> {
    let (seat, part) = match word.split_at_checked(1)? {
        ("w", part) => (0, part),
        ("b", part) => (1, part),
        ("p", rest) => {
            let (number, part) = rest.split_at_checked(1)?;
            (number.parse::<usize>().ok()?.checked_sub(1)?, part)
        }
        _ => return None,
    };
    (seat < MAX_SEATS && matches!(part, "time" | "inc")).then_some((seat, part))
}

/// A time in milliseconds; a negative one is 0, as some clients send negative clocks after the flag has fallen.
fn milliseconds(name: &str, tail: &[&str]) -> Result<Duration, Refusal> {
    let ms: i64 = number(name, tail)?;
    Ok(Duration::from_millis(ms.clamp(0, MAX_MS) as u64))
}

fn number<N: FromStr>(name: &str, tail: &[&str]) -> Result<N, Refusal> {
    let text = tail.first().ok_or_else(|| format!("go {name}: a number is missing"))?;
    text.parse().map_err(|_| format!("go {name}: '{text}' is not a number"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Seat;
    use crate::session::Clock;

    fn parsed(line: &str) -> GoRequest {
        parse(&line.split_whitespace().collect::<Vec<_>>()).expect(line).request
    }

    #[test]
    fn the_names_of_both_flavours_mean_the_same() {
        let ugi = parsed("p1time 1000 p2time 2000 p1inc 10 p2inc 20 movestogo 5");
        assert_eq!(ugi, parsed("btime 2000 binc 20 wtime 1000 winc 10 movestogo 5"));
        let expected = Clock { left: Duration::from_millis(2000), increment: Duration::from_millis(20) };
        assert_eq!(ugi.time.clock(Seat::P2), Some(expected));
    }

    #[test]
    fn search_moves_end_at_the_next_parameter() {
        let request = parsed("searchmoves a3a4 c3c4 depth 3 infinite");
        assert_eq!(request.root_moves, ["a3a4", "c3c4"]);
        assert_eq!((request.limits.depth, request.mode), (Some(3), GoMode::Infinite));
    }

    #[test]
    fn a_missing_clock_is_taken_to_equal_the_other() {
        let request = parsed("btime 700");
        assert_eq!(request.time.clock(Seat::P1), request.time.clock(Seat::P2));
        assert!(request.is_bounded(Seat::P1));
    }

    #[test]
    fn every_seat_has_a_clock() {
        let request = parsed("p8time 900 P3INC 5 p3time 100");
        assert_eq!(request.time.clock(Seat(7)).map(|clock| clock.left), Some(Duration::from_millis(900)));
        assert_eq!(request.time.clock(Seat(2)).map(|clock| clock.increment), Some(Duration::from_millis(5)));
        assert_eq!(request.time.clock(Seat(5)), request.time.clock(Seat(2)), "the first that runs");
        for unknown in ["p0time", "p9time", "ptime", "p1", "pinc", "p12time", "wtimes"] {
            assert!(parse(&[unknown, "5"]).expect("a search").remark().is_some(), "{unknown}");
        }
    }

    #[test]
    fn a_clock_below_zero_is_empty_and_words_are_refused() {
        assert_eq!(parsed("wtime -50").time.clock(Seat::P1), Some(Clock::default()));
        for bad in ["depth", "depth x", "nodes -1", "wtime 1.5"] {
            assert!(parse(&bad.split(' ').collect::<Vec<_>>()).is_err(), "{bad}");
        }
    }

    #[test]
    fn unknown_words_are_passed_over_and_remarked() {
        let go = parse(&["rtime", "5", "Depth", "3", "faster"]).expect("a search");
        assert_eq!(go.request.limits.depth, Some(3));
        assert!(go.remark().is_some_and(|remark| remark.contains("'rtime 5 faster'")));
        assert_eq!(parse(&["depth", "3"]).expect("a search").remark(), None);
    }
}
