//! The board of the referee: whose turn it is, what is legal and who has won.

use std::path::Path;

use reynard_engine::rules::{Seat, Turn};
use reynard_engine::session::{Options, Session};
use reynard_engine::tablebase::Metric;

use super::{GameEnd, forfeit};
use crate::tournament::player::Failure;
use crate::tournament::record::{Cause, Ending, Forfeit, Opening};
use crate::tournament::tables;

/// What has to happen next in a game.
pub(super) enum Action {
    Move(Seat),
    Roll(PossibleRolls),
}

/// What the dice may show.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct PossibleRolls {
    /// Whose roll it is, where it is anybody's.
    pub seat: Option<Seat>,
    /// The rolls with their probabilities, which add up to 1; never empty.
    pub outcomes: Vec<(String, f64)>,
}

/// A session that the referee plays along in, kept by ruleset: it judges a game by our own rules and, where it has
/// them, by tables of perfect play.
pub(crate) struct RefereeBoard {
    session: Box<dyn Session>,
    /// Where the session finds tables of perfect play, which end games.
    tables: Option<Options>,
}

impl RefereeBoard {
    /// A session of the ruleset, and the folder of tables whose values end games.
    pub(crate) fn new(session: Box<dyn Session>, tables: Option<&Path>) -> Self {
        RefereeBoard { session, tables: tables.map(tables::options) }
    }

    pub(super) fn role(&self, seat: Seat) -> &'static str {
        self.session.game().role(seat)
    }

    /// Sets the opening up and puts it into canonical texts.
    pub(super) fn set(&mut self, opening: &mut Opening) -> Result<(), String> {
        let moves: Vec<&str> = opening.moves.iter().map(String::as_str).collect();
        let set = self.session.set_position(opening.start.as_deref(), &moves);
        set.map_err(|error| format!("the opening: {error}"))?;
        opening.moves = self.session.moves();
        opening.start = opening.start.take().map(|_| self.session.start_text());
        Ok(())
    }

    /// Ends the game if the tables know its value.
    fn ask_tables(&self) -> Result<(), GameEnd> {
        let Some(options) = &self.tables else { return Ok(()) };
        let value = self.session.table_value(options, Metric::Conversion);
        let Some(value) = value.map_err(|error| GameEnd::Impossible(error.to_string()))? else { return Ok(()) };
        let reason = if value.winner.is_some() { "won by table" } else { "drawn by table" };
        Err(GameEnd::Over(Ending::new(value.winner, Cause::TableAdjudication, reason)))
    }

    /// What comes next; the tables may end the game where they are asked.
    ///
    /// # Errors
    /// The game is over, or the dice or the tables fail.
    pub(super) fn next(&self, asks_tables: bool) -> Result<Action, GameEnd> {
        let session = &*self.session;
        let action = match session.turn() {
            Turn::Over(outcome) => {
                return Err(GameEnd::Over(Ending::new(
                    outcome.winner,
                    Cause::Rules,
                    session.reason().unwrap_or_default(),
                )));
            }
            Turn::Player(seat) => Action::Move(seat),
            Turn::Chance => Action::Roll(PossibleRolls { seat: session.side_to_move(), outcomes: session.rolls() }),
        };
        if matches!(&action, Action::Roll(roll) if roll.outcomes.is_empty()) {
            return Err(GameEnd::Impossible(format!("{}: dice without any roll", session.game().ruleset)));
        }
        if asks_tables {
            self.ask_tables()?;
        }
        Ok(action)
    }

    /// Plays a move, or one of the rolls, where this action is next; returns its canonical text.
    ///
    /// # Errors
    /// It is illegal.
    pub(super) fn accept(&mut self, action: &Action, text: &str) -> Result<String, GameEnd> {
        let canonical = self.session.canonical_move(text);
        let played = canonical.and_then(|canonical| self.session.play(&canonical).map(|()| canonical));
        played.map_err(|error| match *action {
            Action::Move(seat) => GameEnd::Over(forfeit(seat, &Failure::new(Forfeit::IllegalMove, error.to_string()))),
            Action::Roll(_) => GameEnd::Impossible(error.to_string()),
        })
    }
}
