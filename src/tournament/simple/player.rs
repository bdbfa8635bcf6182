//! Whoever finds moves.

use std::time::Duration;

use thiserror::Error;

use super::spec::Pace;
use crate::engine::{Clock, GoRequest, TimeControl};
use crate::rules::Seat;

/// A participant in a match, already set to its ruleset and options.
pub trait Player: Send {
    /// Forgets the game before; `seed` drives every random choice of the next one.
    ///
    /// # Errors
    /// The player is not usable.
    fn new_game(&mut self, seed: u64) -> Result<(), PlayerError>;

    /// Finds a move after `moves` from the start position. Whether it is legal is for the referee to say.
    ///
    /// # Errors
    /// No answer came; the player may not be usable any more.
    fn choose(&mut self, moves: &[String], allowance: &Allowance) -> Result<String, PlayerError>;
}

/// Why a player does not play.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PlayerError {
    #[error("cannot be started: {0}")]
    Start(String),
    #[error("{0}")]
    Refused(String),
    #[error("did not answer in time")]
    Silent,
    #[error("has ended or closed its output")]
    Gone,
    #[error("gave no move")]
    NoMove,
}

/// What may be spent on one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allowance {
    pub pace: Pace,
    /// Time left by seat; meaningful where the pace is a clock.
    pub left: [Duration; 2],
    pub seat: Seat,
}

/// How long an answer may be overdue before the player is given up.
const GRACE: Duration = Duration::from_secs(5);
/// How long a search may take that is not bounded by time.
const UNTIMED: Duration = Duration::from_secs(600);

impl Allowance {
    /// The same as a request to a session.
    pub fn request(&self) -> GoRequest {
        match self.pace {
            Pace::MoveTime(time) => GoRequest::move_time(time),
            Pace::Nodes(nodes) => GoRequest::nodes(nodes),
            Pace::Depth(depth) => {
                let mut request = GoRequest::default();
                request.limits.depth = Some(depth);
                request
            }
            Pace::Clock { increment, .. } => {
                let clocks = self.left.map(|left| Some(Clock { left, increment }));
                GoRequest { time: TimeControl { clocks, ..TimeControl::default() }, ..GoRequest::default() }
            }
        }
    }

    /// The same as a line of UGI.
    pub fn command(&self) -> String {
        match self.pace {
            Pace::MoveTime(time) => format!("go movetime {}", time.as_millis()),
            Pace::Nodes(nodes) => format!("go nodes {nodes}"),
            Pace::Depth(depth) => format!("go depth {depth}"),
            Pace::Clock { increment, .. } => {
                let ([p1, p2], increment) = (self.left.map(|left| left.as_millis()), increment.as_millis());
                format!("go p1time {p1} p2time {p2} p1inc {increment} p2inc {increment}")
            }
        }
    }

    /// How long to wait for the answer.
    pub fn patience(&self) -> Duration {
        match self.pace {
            Pace::MoveTime(time) => time + GRACE,
            Pace::Clock { .. } => self.left[self.seat.index() % 2] + GRACE,
            Pace::Nodes(_) | Pace::Depth(_) => UNTIMED,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_told_in_milliseconds() {
        let pace = Pace::Clock { base: Duration::from_secs(1), increment: Duration::from_millis(10) };
        let left = [Duration::from_micros(900_700), Duration::from_secs(2)];
        let allowance = Allowance { pace, left, seat: Seat::P1 };
        assert_eq!(allowance.command(), "go p1time 900 p2time 2000 p1inc 10 p2inc 10");
        assert_eq!(allowance.request().time.clock(Seat::P2).map(|clock| clock.left), Some(left[1]));
    }
}
