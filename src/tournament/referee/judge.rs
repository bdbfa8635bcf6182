//! Who says whose turn it is, what is legal and who has won.

use super::cross_check::CrossCheck;
use super::seated::Seated;
use crate::engine::{Options, Session};
use crate::rules::{Seat, Turn};
use crate::tablebase::{TableError, TableValue};
use crate::tournament::player::{Failure, History};
use crate::tournament::record::{Cause, Ending};

/// Where a game stands.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Standing {
    ToMove(Seat),
    /// The dice are to be rolled.
    ToRoll(Roll),
    Over(Ending),
}

/// What the dice may show.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Roll {
    /// Whose roll it is, where it is anybody's.
    pub seat: Option<Seat>,
    /// The rolls with their probabilities, which add up to 1; never empty.
    pub outcomes: Vec<(String, f64)>,
}

/// Why nobody could say where the game stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum NoStanding {
    /// A player broke down while it was asked.
    Lost(Seat, Failure),
    /// The game cannot be refereed at all.
    Setup(String),
}

/// Why a move is not played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Refusal {
    /// It is illegal: why, in words.
    Illegal(String),
    /// Nobody can say whether it is legal, so the game ends here.
    Undecided(Ending),
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

    /// Plays a move of `seat`, which is to move where the game stands; returns its canonical text.
    ///
    /// # Errors
    /// See [`Refusal`].
    fn accept(&mut self, seat: Seat, text: &str) -> Result<String, Refusal>;

    /// Plays one of the rolls that the dice may show where the game stands; returns its canonical text.
    ///
    /// # Errors
    /// See [`Refusal`].
    fn accept_roll(&mut self, text: &str) -> Result<String, Refusal>;

    /// What tables of perfect play say of where the game stands; `None` where there are none, or none covers it.
    ///
    /// # Errors
    /// A table that covers it is damaged or cannot be read.
    fn table_verdict(&self) -> Result<Option<TableValue>, TableError> {
        Ok(None)
    }

    /// What the engines said that was not so.
    fn disagreements(&mut self) -> Vec<String>;
}

/// Our own game record is the authority; it stands where the game stands.
pub(super) struct RecordJudge<'a> {
    session: &'a mut dyn Session,
    check: Option<CrossCheck>,
    tables: Option<&'a Options>,
}

impl<'a> RecordJudge<'a> {
    /// With `check`, the engines' answers are compared before every move; `tables` are options that name a folder.
    pub(super) fn new(session: &'a mut dyn Session, check: Option<CrossCheck>, tables: Option<&'a Options>) -> Self {
        RecordJudge { session, check, tables }
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
        let turn = self.session.turn();
        if let (Some(check), None) = (&mut self.check, turn.outcome()) {
            check.compare(&*self.session, seated, history)?;
        }
        match turn {
            Turn::Player(seat) => Ok(Standing::ToMove(seat)),
            Turn::Chance => {
                let (seat, outcomes) = (self.session.side_to_move(), self.session.rolls());
                match outcomes.is_empty() {
                    true => Err(NoStanding::Setup(format!("{}: dice without any roll", self.session.ruleset()))),
                    false => Ok(Standing::ToRoll(Roll { seat, outcomes })),
                }
            }
            Turn::Over(outcome) => {
                if let Some(check) = &mut self.check {
                    check.compare_last(&*self.session, seated, history);
                }
                Ok(Standing::Over(Ending {
                    winner: outcome.winner.map(|seat| seat.0),
                    cause: Cause::Rules,
                    reason: outcome.reason.to_owned(),
                }))
            }
        }
    }

    fn accept(&mut self, _seat: Seat, text: &str) -> Result<String, Refusal> {
        play(self.session, text)
    }

    fn accept_roll(&mut self, text: &str) -> Result<String, Refusal> {
        play(self.session, text)
    }

    fn table_verdict(&self) -> Result<Option<TableValue>, TableError> {
        self.tables.map_or(Ok(None), |options| self.session.table_verdict(options))
    }

    fn disagreements(&mut self) -> Vec<String> {
        self.check.take().map(|check| check.into_notes()).unwrap_or_default()
    }
}

/// Plays a move by our own rules; returns its canonical text.
///
/// # Errors
/// The move is illegal.
pub(super) fn play(session: &mut dyn Session, text: &str) -> Result<String, Refusal> {
    let canonical = session.canonical_move(text).map_err(|error| Refusal::Illegal(error.to_string()))?;
    session.play(&canonical).map_err(|error| Refusal::Illegal(error.to_string()))?;
    Ok(canonical)
}
