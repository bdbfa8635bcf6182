//! The judge of a game: whose turn it is, what is legal and who has won.

use reynard_engine::rules::{Seat, Turn};
use reynard_engine::session::Session;
use reynard_engine::tablebase::Metric;

use super::{GameEnd, RefereeBoard};
use crate::tournament::player::Failure;
use crate::tournament::record::{Cause, Ending, Forfeit};

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

/// Judges a game by our own rules and, where it has them, by tables of perfect play.
pub(super) struct Judge<'a> {
    board: &'a mut RefereeBoard,
    /// Plies before the tables are asked.
    table_after_plies: usize,
}

impl<'a> Judge<'a> {
    /// `board` stands where the game begins.
    pub(super) fn new(board: &'a mut RefereeBoard, table_after_plies: usize) -> Self {
        Judge { board, table_after_plies }
    }

    /// Ends the game if the tables know its value, and it is late enough for them to be asked.
    fn ask_tables(&self, plies: usize) -> Result<(), GameEnd> {
        let Some(options) = self.board.tables.as_ref().filter(|_| plies >= self.table_after_plies) else {
            return Ok(());
        };
        let value = self.board.session.table_value(options, Metric::Conversion);
        let Some(value) = value.map_err(|error| GameEnd::Impossible(error.to_string()))? else { return Ok(()) };
        let reason = if value.winner.is_some() { "won by table" } else { "drawn by table" };
        Err(GameEnd::Over(Ending::new(value.winner, Cause::TableAdjudication, reason)))
    }

    /// What comes next after this many plies.
    ///
    /// # Errors
    /// The game is over, or the dice or the tables fail.
    pub(super) fn next(&self, plies: usize) -> Result<Action, GameEnd> {
        let session = &*self.board.session;
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
        self.ask_tables(plies)?;
        Ok(action)
    }

    /// Plays a move, or one of the rolls, where this action is next; returns its canonical text.
    ///
    /// # Errors
    /// It is illegal.
    pub(super) fn accept(&mut self, action: &Action, text: &str) -> Result<String, GameEnd> {
        play(&mut *self.board.session, text).map_err(|message| match *action {
            Action::Move(seat) => GameEnd::Failed(seat, Failure::new(Forfeit::IllegalMove, message)),
            Action::Roll(_) => GameEnd::Impossible(message),
        })
    }
}

/// Plays a move by our own rules; returns its canonical text.
///
/// # Errors
/// The move is illegal: why, in words.
fn play(session: &mut dyn Session, text: &str) -> Result<String, String> {
    let canonical = session.canonical_move(text).map_err(|error| error.to_string())?;
    session.play(&canonical).map_err(|error| error.to_string())?;
    Ok(canonical)
}
