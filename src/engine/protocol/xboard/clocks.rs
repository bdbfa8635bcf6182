//! The time control and clocks that XBoard sets.

use std::time::Duration;

use crate::rules::Seat;
use crate::search::SearchLimits;
use crate::session::{Clock, GoRequest, TimeControl};

/// The time control and the two clocks.
pub(super) struct XboardClocks {
    control: ClockMode,
    own: Duration,
    other: Duration,
    depth: Option<u32>,
}

enum ClockMode {
    /// `level`: after `moves` (0: never) the time is given again; `increment` is gained with every move.
    Session { moves: u32, increment: Duration, plies_before: usize },
    /// `st`: the time for every move.
    Fixed(Duration),
}

impl Default for XboardClocks {
    /// What XBoard itself proposes: 40 moves in 5 minutes.
    fn default() -> Self {
        let base = Duration::from_secs(300);
        let control = ClockMode::Session { moves: 40, increment: Duration::ZERO, plies_before: 0 };
        XboardClocks { control, own: base, other: base, depth: None }
    }
}

impl XboardClocks {
    /// Obeys a command about time; `plies` is the length of the game so far. `None`, and nothing has changed, for
    /// another command or a bad number.
    ///
    /// - `level MOVES BASE INCREMENT`, BASE in minutes or `minutes:seconds`, INCREMENT in seconds.
    /// - `st SECONDS` for every move, `sd PLIES`.
    /// - `time` and `otim`, the engine's clock and the other one in centiseconds, below zero when the flag has fallen.
    pub(super) fn set(&mut self, command: &str, words: &[&str], plies: usize) -> Option<()> {
        match (command, words) {
            ("level", [moves, base, increment]) => {
                let moves = moves.parse().ok()?;
                let base = base_time(base)?;
                let increment = seconds(increment)?;
                self.control = ClockMode::Session { moves, increment, plies_before: plies };
                (self.own, self.other) = (base, base);
            }
            ("st", [text]) => self.control = ClockMode::Fixed(seconds(text)?),
            ("sd", [text]) => self.depth = Some(text.parse().ok().filter(|&depth| depth > 0)?),
            ("time", [text]) => self.own = centiseconds(text)?,
            ("otim", [text]) => self.other = centiseconds(text)?,
            _ => return None,
        }
        Some(())
    }

    /// Begins a new game, which has no depth limit.
    pub(super) fn new_game(&mut self) {
        self.depth = None;
        if let ClockMode::Session { plies_before, .. } = &mut self.control {
            *plies_before = 0;
        }
    }

    /// The request for a move of `seat`; `plies` is the length of the game so far.
    pub(super) fn request(&self, seat: Seat, plies: usize) -> GoRequest {
        let time = match self.control {
            ClockMode::Fixed(time) => TimeControl { move_time: Some(time), ..TimeControl::default() },
            ClockMode::Session { moves, increment, plies_before } => {
                let mut clocks = [Some(Clock { left: self.other, increment }); 2];
                clocks[seat.index()] = Some(Clock { left: self.own, increment });
                let made = u32::try_from(plies.saturating_sub(plies_before) / 2).unwrap_or(u32::MAX);
                let moves_to_go = made.checked_rem(moves).map(|made| moves - made);
                TimeControl { moves_to_go, ..TimeControl::of_clocks(&clocks) }
            }
        };
        GoRequest {
            time,
            limits: SearchLimits { depth: self.depth, ..SearchLimits::default() },
            ..GoRequest::default()
        }
    }
}

/// `5` or `0:30`; what follows the seconds is for later versions of the protocol.
fn base_time(text: &str) -> Option<Duration> {
    let (minutes, seconds) = text.split_once(':').unwrap_or((text, "0"));
    let digits = |text: &str| text[..text.bytes().take_while(u8::is_ascii_digit).count()].parse::<u32>().ok();
    Some(Duration::from_secs(u64::from(digits(minutes)?) * 60 + u64::from(digits(seconds)?)))
}

fn seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.parse().ok()?).ok()
}

fn centiseconds(text: &str) -> Option<Duration> {
    let number: i64 = text.parse().ok()?;
    Some(Duration::from_millis(u64::try_from(number).unwrap_or(0).saturating_mul(10)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_counts_the_moves_to_go() {
        let mut clocks = XboardClocks::default();
        clocks.set("level", &["40", "0:30", "0"], 0).unwrap();
        clocks.set("time", &["1234"], 0).unwrap();
        clocks.set("otim", &["-5"], 0).unwrap();
        let time = clocks.request(Seat::P2, 83).time;
        assert_eq!(time.moves_to_go, Some(39));
        assert_eq!(time.clocks[1].unwrap().left, Duration::from_millis(12_340));
        assert_eq!(time.clocks[0].unwrap().left, Duration::ZERO);
    }

    #[test]
    fn a_whole_game_has_no_moves_to_go() {
        let mut clocks = XboardClocks::default();
        clocks.set("level", &["0", "2", "12"], 0).unwrap();
        let time = clocks.request(Seat::P1, 7).time;
        assert_eq!((time.moves_to_go, time.clocks[0].unwrap().increment), (None, Duration::from_secs(12)));
    }

    #[test]
    fn nonsense_changes_nothing() {
        let mut clocks = XboardClocks::default();
        clocks.set("st", &["0.5"], 0).unwrap();
        for bad in [&["40", "5"][..], &["x", "5", "0"], &["40", ":", "0"], &["40", "5", "-1"], &["40", "\u{e9}", "0"]] {
            assert!(clocks.set("level", bad, 0).is_none(), "{bad:?}");
        }
        for (command, bad) in [("st", "nan"), ("sd", "0"), ("time", "x")] {
            assert!(clocks.set(command, &[bad], 0).is_none(), "{command}");
        }
        assert_eq!(clocks.request(Seat::P1, 0).time.move_time, Some(Duration::from_millis(500)));
    }
}
