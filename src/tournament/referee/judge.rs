//! Who says whose turn it is, what is legal and who has won.

use super::cross_check::CrossCheck;
use super::seated::Seated;
use crate::engine::Session;
use crate::rules::{Seat, Turn};
use crate::tournament::player::{Failure, History};
use crate::tournament::record::{Cause, Ending};

/// Where a game stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Standing {
    ToMove(Seat),
    Over(Ending),
}

/// Why nobody could say where the game stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum NoStanding {
    /// A player broke down while it was asked.
    Lost(Seat, Failure),
    /// The game cannot be refereed at all.
    Setup(String),
}

/// The authority over one game.
pub(super) trait Judge {
    /// What the side of `seat` is called.
    fn seat_name(&self, seat: Seat) -> String;

    fn role(&self, seat: Seat) -> String;

    /// Where the game stands after this history.
    ///
    /// # Errors
    /// See [`NoStanding`].
    fn standing(&mut self, seated: &mut Seated<'_>, history: History<'_>) -> Result<Standing, NoStanding>;

    /// Plays a move; returns its canonical text.
    ///
    /// # Errors
    /// The move is illegal: why, in words.
    fn accept(&mut self, text: &str) -> Result<String, String>;

    /// What the engines said that was not so.
    fn disagreements(&mut self) -> Vec<String>;
}

/// Our own game record is the authority; it stands where the game stands.
pub(super) struct RecordJudge<'a> {
    session: &'a mut dyn Session,
    check: Option<CrossCheck>,
}

impl<'a> RecordJudge<'a> {
    /// With `check`, the engines' answers are compared before every move.
    pub fn new(session: &'a mut dyn Session, check: Option<CrossCheck>) -> Self {
        RecordJudge { session, check }
    }
}

impl Judge for RecordJudge<'_> {
    fn seat_name(&self, seat: Seat) -> String {
        self.session.seat_name(seat).to_owned()
    }

    fn role(&self, seat: Seat) -> String {
        self.session.role(seat).to_owned()
    }

    fn standing(&mut self, seated: &mut Seated<'_>, history: History<'_>) -> Result<Standing, NoStanding> {
        match self.session.turn() {
            Turn::Player(seat) => {
                if let Some(check) = &mut self.check {
                    check.compare(&*self.session, seated, history)?;
                }
                Ok(Standing::ToMove(seat))
            }
            Turn::Over(outcome) => Ok(Standing::Over(Ending {
                winner: outcome.winner.map(|seat| seat.0),
                cause: Cause::Rules,
                reason: outcome.reason.to_owned(),
            })),
            Turn::Chance => Err(NoStanding::Setup(format!(
                "{}: dice are to be rolled, and this referee rolls none",
                self.session.ruleset()
            ))),
        }
    }

    fn accept(&mut self, text: &str) -> Result<String, String> {
        let canonical = self.session.canonical_move(text).map_err(|error| error.to_string())?;
        self.session.play(&canonical).map_err(|error| error.to_string())?;
        Ok(canonical)
    }

    fn disagreements(&mut self) -> Vec<String> {
        self.check.take().map(|check| check.into_notes()).unwrap_or_default()
    }
}
