//! The judges of a game: whose turn it is, what is legal and who has won.

use reynard_engine::rules::{Seat, Turn};
use reynard_engine::session::Session;
use reynard_engine::tablebase::Metric;

use super::cross_check::CrossCheck;
use super::players::SeatedPlayers;
use super::{GameEnd, RefereeBoard};
use crate::tournament::player::{Failure, MoveHistory};
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

/// The authority over one game: our own rules, or the engines.
pub(super) trait Judge {
    /// What comes next after this history.
    ///
    /// # Errors
    /// The game is over, or a player broke down while it was asked.
    fn next(&mut self, players: &mut SeatedPlayers<'_>, history: MoveHistory<'_>) -> Result<Action, GameEnd>;

    /// Plays a move, or one of the rolls, where this action is next; returns its canonical text.
    ///
    /// # Errors
    /// It is illegal, or nobody can say whether it is legal.
    fn accept(&mut self, players: &mut SeatedPlayers<'_>, action: &Action, text: &str) -> Result<String, GameEnd>;
}

/// Judges by our own game record and, where it has them, by tables of perfect play.
pub(super) struct RecordJudge<'a> {
    board: &'a mut RefereeBoard,
    /// Compares the engines' answers before every move.
    check: Option<CrossCheck>,
    /// Plies before the tables are asked.
    table_after_plies: usize,
}

impl<'a> RecordJudge<'a> {
    /// `board` stands where the game begins.
    pub(super) fn new(board: &'a mut RefereeBoard, check: Option<CrossCheck>, table_after_plies: usize) -> Self {
        RecordJudge { board, check, table_after_plies }
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
}

impl Judge for RecordJudge<'_> {
    fn next(&mut self, players: &mut SeatedPlayers<'_>, history: MoveHistory<'_>) -> Result<Action, GameEnd> {
        let session = &*self.board.session;
        let turn = session.turn();
        if let Some(check) = &mut self.check {
            match turn.outcome() {
                None => check.compare(session, players, history)?,
                Some(_) => check.compare_last(session, players, history),
            }
        }
        let action = match turn {
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
        self.ask_tables(history.moves.len())?;
        Ok(action)
    }

    fn accept(&mut self, _: &mut SeatedPlayers<'_>, action: &Action, text: &str) -> Result<String, GameEnd> {
        play(&mut *self.board.session, text).map_err(|message| match *action {
            Action::Move(seat) => illegal(seat, message),
            Action::Roll(_) => GameEnd::Impossible(message),
        })
    }
}

/// Plays a move by our own rules; returns its canonical text.
///
/// # Errors
/// The move is illegal: why, in words.
pub(super) fn play(session: &mut dyn Session, text: &str) -> Result<String, String> {
    let canonical = session.canonical_move(text).map_err(|error| error.to_string())?;
    session.play(&canonical).map_err(|error| error.to_string())?;
    Ok(canonical)
}

/// The end of a game by an illegal move.
pub(super) fn illegal(seat: Seat, message: String) -> GameEnd {
    GameEnd::Failed(seat, Failure::new(Forfeit::IllegalMove, message))
}
