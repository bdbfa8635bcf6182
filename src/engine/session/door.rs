//! The object-safe door to a game: [`Session`] plays, searches and evaluates it, whatever the game.

use crossbeam_channel::unbounded;
use rand_chacha::ChaCha8Rng;
use thiserror::Error;

use super::job::{Event, StartError, Work};
use super::options::Options;
use super::request::GoRequest;
use crate::chances::Chances;
use crate::eval::Terms;
use crate::rules::{Change, GameInfo, MoveError, Piece, PositionError, Seat, Turn};
use crate::search::{BestMove, Score, SearchInfo, Wdl};
use crate::solver::Puzzle;
use crate::tablebase::{Metric, TableError, TableValue};

/// Why a position and its moves were not set up as requested.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SetupError {
    /// The text is no position of the game; the old position stays in force.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// A move is illegal; the moves before it stand, and `loser` has lost the game by it.
    #[error("{error}; the game is lost by its mover, {loser}")]
    IllegalMove {
        /// Why it is illegal.
        error: MoveError,
        /// The name of the side that played it.
        loser: String,
    },
    /// A roll is impossible; the rolls and moves before it stand, and no side loses by it.
    #[error("{0}; the dice are to be rolled")]
    IllegalRoll(MoveError),
    /// A move comes after the end of the game, whose result stands.
    #[error("move '{text}': the game is over before it: {reason}")]
    AfterTheEnd {
        /// The move.
        text: String,
        /// How the game had ended.
        reason: String,
    },
}

/// Why a move was not played; nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PlayError {
    /// The text is no legal move.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The game is already over.
    #[error("move '{text}': the game is over: {reason}")]
    Over {
        /// The move.
        text: String,
        /// How the game had ended.
        reason: String,
    },
}

/// One game of one ruleset: its rules, its present position and history, its legal moves, and searches.
///
/// The game can be queried and changed while a search runs: the search works on a snapshot taken when it was prepared.
///
/// ```
/// use reynard_engine::session::Session;
/// use reynard_engine::session::registry::{self, RulesetChoice};
/// let mut session = registry::open(&RulesetChoice::catalog("masters-15"))?;
/// session.set_position(None, &["c3c4"])?;
/// assert_eq!(session.game().seat_name(session.side_to_move().unwrap()), "fox");
/// assert!(session.play("a1a2").is_err(), "the board has no such point");
/// let reply = session.legal_moves()[0].clone();
/// session.play(&reply)?;
/// assert_eq!(session.moves(), ["c3c4".to_owned(), reply]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Session: Send {
    /// The rules, the board and the players of the game, which never change.
    fn game(&self) -> &GameInfo;

    /// The rating of the highest level of play below full strength; `None` in games without levels.
    fn highest_elo(&self) -> Option<u16>;

    /// Sets up the start position (`None`) or the position of a text, then plays the moves.
    ///
    /// # Errors
    /// See [`SetupError`]: a bad position changes nothing, an illegal move ends the game there.
    fn set_position(&mut self, position: Option<&str>, moves: &[&str]) -> Result<(), SetupError>;

    /// Plays one move.
    ///
    /// # Errors
    /// The move is not legal or the game is over; nothing changes.
    fn play(&mut self, text: &str) -> Result<(), PlayError>;

    /// Takes back the last move, or the illegal move that ended the game; false at the first position.
    fn undo(&mut self) -> bool;

    /// The side to act, or how the game ended: by the rules, by its history, or by an illegal move.
    fn turn(&self) -> Turn;

    /// Why the game is over, in a few words; `None` while it goes on.
    fn reason(&self) -> Option<String>;

    /// The side to move in the position, even when the game is over. Before a roll it is the side that rolls, or `None`
    /// where the dice belong to no side.
    fn side_to_move(&self) -> Option<Seat>;

    /// The canonical text of the present position.
    fn position_text(&self) -> String;

    /// The canonical text of the position from which the moves were played.
    fn start_text(&self) -> String;

    /// The canonical texts of the moves played.
    fn moves(&self) -> Vec<String>;

    /// The canonical texts of the legal moves; empty when the game is over.
    fn legal_moves(&self) -> Vec<String>;

    /// The canonical texts of the rolls with their probabilities, which add up to 1; empty unless the dice are to be
    /// rolled.
    fn rolls(&self) -> Vec<(String, f64)>;

    /// The canonical text of a legal move, given in any form.
    ///
    /// # Errors
    /// The move is not legal or the game is over.
    fn canonical_move(&self, text: &str) -> Result<String, PlayError>;

    /// The present position as a peg puzzle; `None` in games that are no puzzles.
    fn puzzle(&self) -> Option<Puzzle>;

    /// The pieces on the board.
    fn pieces(&self) -> Vec<Piece>;

    /// The changes on the board by each move played, in order.
    fn played_changes(&self) -> Vec<Change>;

    /// The canonical texts of the legal moves, or of the rolls, each with its changes on the board; empty when the game
    /// is over.
    fn legal_changes(&self) -> Vec<(String, Change)>;

    /// The points of one way that a legal move can go; `None` in games where the move itself says its way.
    ///
    /// # Errors
    /// The move is not legal or the game is over.
    fn route(&self, text: &str) -> Result<Option<Vec<String>>, PlayError>;

    /// The hash key of the present position; equal positions of the same rules have the same key on every machine.
    fn key(&self) -> u64;

    /// The board drawn for people, several lines.
    fn draw(&self) -> String;

    /// The chances of a win, a draw and a loss for `seat`, which is to move, that go with a score of a search with
    /// these options.
    fn wdl(&self, score: Score, seat: Seat, options: &Options) -> Wdl;

    /// The value of the present position by the tables in the folder of the option `TablePath`, with distances of one
    /// metric; `None` if they do not cover it. Tables ignore history: repetition, lack of progress and an illegal move
    /// that ended the game do not count.
    ///
    /// # Errors
    /// A table that covers it is damaged or cannot be read.
    fn table_value(&self, options: &Options, metric: Metric) -> Result<Option<TableValue>, TableError>;

    /// Every legal move by its canonical text, with the value of the position after it by the tables of the option
    /// `TablePath`, the move counted in the distance.
    ///
    /// # Errors
    /// The errors of [`table_value`](Session::table_value).
    fn move_table_values(
        &self,
        options: &Options,
        metric: Metric,
    ) -> Result<Vec<(String, Option<TableValue>)>, TableError>;

    /// Makes ready what a search with these options needs and what takes time, weights and tables for one, unless a
    /// search is running. Every search does so itself where this was not called.
    fn make_ready(&mut self, options: &Options);

    /// Prepares a search of the present position with the options as they are now.
    ///
    /// The work reports one or more `Info` events and then one `Done`. In a finished position both are known already.
    /// Where the dice are to be rolled, the answer is a roll, drawn with the option `Seed` and the plies played. A
    /// search uses the knowledge of an earlier one if it is prepared after the end of that one.
    ///
    /// # Errors
    /// A root move is not legal.
    fn prepare(&mut self, request: &GoRequest, options: &Options) -> Result<Work, StartError>;

    /// Prepares a perft with divide: `Count` events, then one `Perft`.
    fn prepare_perft(&self, depth: u32) -> Work;

    /// Makes the next search read the file of the option `EvalFile` again, and returns whether learned weights replace
    /// the weights that options set.
    ///
    /// # Errors
    /// The file cannot be read, is damaged, of another version, or for other rules; the message says so in a sentence.
    fn check_evaluation(&mut self, options: &Options) -> Result<bool, String>;

    /// The game of the catalog, or the file, whose learned weights evaluate positions with these options; `None` where
    /// the evaluation is linear.
    fn weights(&self, options: &Options) -> Option<String>;

    /// Makes the searcher forget earlier searches, now or as soon as the running search is over.
    fn clear_search(&mut self);

    /// The static evaluation of the present position; `None` when the game is over.
    fn evaluation(&self, options: &Options) -> Option<Evaluation>;

    /// Each player's chances of winning, computed on the calling thread and kept for later calls; `None` in games whose
    /// players make choices.
    fn chances(&self, options: &Options) -> Option<Chances>;

    /// The number of leaves at exactly `depth` plies below the present position, counted on the calling thread.
    fn perft(&self, depth: u32) -> u64;

    /// The total plies of `games` random games from the start of the ruleset, each cut off after `most_plies`.
    fn random_playouts(&self, games: u32, most_plies: u64, rng: &mut ChaCha8Rng) -> u64;
}

/// The static evaluation of a position, in hundredths of a piece.
pub struct Evaluation {
    /// The terms by name, from the point of view of seat 0.
    pub terms: Terms,
    /// The sum of the terms, from the point of view of each seat.
    pub by_seat: Vec<i32>,
}

/// The result of a search.
#[derive(Debug, Default)]
pub struct Searched {
    /// The last report of the search.
    pub report: Option<SearchInfo<String>>,
    /// The move to play; a roll where the dice are to be rolled, `None` when the game is over.
    pub answer: Option<BestMove<String>>,
}

/// Searches the present position on a thread of its own and waits for the answer.
///
/// # Errors
/// A root move is not legal.
pub fn search_and_wait(
    session: &mut dyn Session,
    request: &GoRequest,
    options: &Options,
) -> Result<Searched, StartError> {
    let (sender, events) = unbounded();
    let work = session.prepare(request, options)?;
    // The receiver lives longer than the search.
    work.start(Box::new(move |event| drop(sender.send(event)))).join();
    let mut found = Searched::default();
    for event in events.try_iter() {
        match event {
            Event::Info(info) => found.report = Some(info),
            Event::Done(answer) => found.answer = answer,
            _ => {}
        }
    }
    Ok(found)
}
