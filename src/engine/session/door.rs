//! The object-safe door to a game: [`Session`] to play it, [`SearchSession`] to search it too.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crossbeam_channel::unbounded;
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use thiserror::Error;

use super::event::Event;
use super::job::Work;
use super::options::Options;
use super::request::GoRequest;
use crate::chances::Chances;
use crate::eval::Terms;
use crate::rules::{Capabilities, Change, MoveError, Piece, PositionError, Seat, Turn};
use crate::search::{BestMove, Score, SearchInfo, Wdl};
use crate::solver::Puzzle;
use crate::tablebase::{Metric, TableError, TableValue};

/// Why a position with its moves was not set up as asked.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SetupError {
    /// The old position stays in force.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The moves before it stand, and `loser` has lost the game by it.
    #[error("{error}; the game is lost by its mover, {loser}")]
    IllegalMove {
        /// Why it is illegal.
        error: MoveError,
        /// The name of the side that played it.
        loser: String,
    },
    /// The rolls and moves before it stand; nobody has lost by a roll that there is not.
    #[error("{0}; the dice are to be rolled")]
    IllegalRoll(MoveError),
    /// The game had ended before this move; its result stands.
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
    /// It is no legal move.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The game had ended.
    #[error("move '{text}': the game is over: {reason}")]
    Over {
        /// The move.
        text: String,
        /// How the game had ended.
        reason: String,
    },
}

/// Why a search or perft did not start; nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum StartError {
    /// Other work is under way.
    #[error("a search is running; send stop first")]
    Busy,
    /// One of the moves to consider is not legal.
    #[error("searchmoves: {0}")]
    RootMove(MoveError),
    /// The system refuses a thread.
    #[error("no thread for the search: {0}")]
    Thread(String),
}

/// Deep recursion of the searchers must not depend on the platform's default.
pub const STACK_BYTES: usize = 16 << 20;

/// One game of one ruleset: its rules, where it stands, and what may be played. It is all that a referee needs;
/// [`SearchSession`] adds searches.
///
/// ```
/// use reynard_engine::session::Session;
/// use reynard_engine::session::registry::{self, RulesetChoice};
/// let mut session = registry::open(&RulesetChoice::catalog("masters-15"))?;
/// session.set_position(None, &["c3c4"])?;
/// assert_eq!(session.seat_name(session.side_to_move().unwrap()), "fox");
/// assert!(session.play("a1a2").is_err(), "the board has no such point");
/// let reply = session.legal_moves()[0].clone();
/// session.play(&reply)?;
/// assert_eq!(session.moves(), ["c3c4".to_owned(), reply]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Session: Send {
    /// The name of the ruleset.
    fn ruleset(&self) -> &str;

    /// A stable hash of the rules in force.
    fn fingerprint(&self) -> u64;

    /// Every key of the rules in force.
    fn rules_json(&self) -> Value;

    /// The board as data: points with coordinates, lines, regions.
    fn board_json(&self) -> Value;

    /// The number of players.
    fn seats(&self) -> usize;

    /// What the ruleset calls the side of `seat`, for example `fox`.
    fn seat_name(&self, seat: Seat) -> &str;

    /// What the seat stands for in every game of the family: `fox` or `geese`, elsewhere `p1`, `p2`, ...
    fn role(&self, seat: Seat) -> &'static str;

    /// Sets the start position (`None`) or the one of the text, then plays the moves.
    ///
    /// # Errors
    /// See [`SetupError`]: a bad position changes nothing, an illegal move ends the game there.
    fn set_position(&mut self, position: Option<&str>, moves: &[&str]) -> Result<(), SetupError>;

    /// Plays one move.
    ///
    /// # Errors
    /// The move is not legal or the game is over; nothing changes.
    fn play(&mut self, text: &str) -> Result<(), PlayError>;

    /// Takes the last move back, or the illegal move that ended the game; false at the first position.
    fn undo(&mut self) -> bool;

    /// Who acts next or how the game ended: by the rules, by its history, or by an illegal move.
    fn turn(&self) -> Turn;

    /// Why the game is over, in a few words; `None` while it goes on.
    fn reason(&self) -> Option<String>;

    /// The side whose turn the position says it is, even when the game is over. Where the dice are to be rolled it is
    /// the side that rolls, and `None` where they are nobody's.
    fn side_to_move(&self) -> Option<Seat>;

    /// The canonical text of the present position.
    fn position_text(&self) -> String;

    /// The canonical text of the position from which the moves were played.
    fn start_text(&self) -> String;

    /// The canonical texts of the moves played.
    fn moves(&self) -> Vec<String>;

    /// The canonical texts of the legal moves; empty when the game is over.
    fn legal_moves(&self) -> Vec<String>;

    /// The canonical texts of the rolls with their probabilities, which add up to 1, where the dice are to be rolled;
    /// empty elsewhere.
    fn rolls(&self) -> Vec<(String, f64)>;

    /// The canonical text of a legal move, however it was written.
    ///
    /// # Errors
    /// The move is not legal or the game is over.
    fn canonical_move(&self, text: &str) -> Result<String, PlayError>;

    /// The texts of the positions of the game so far, in order, in which a player is to move who can capture nothing.
    /// The first `skip` positions are left out.
    fn quiet_positions(&self, skip: usize) -> Vec<String>;

    /// The peg puzzle that the present position is; `None` in games that are no puzzles.
    fn puzzle(&self) -> Option<Puzzle>;

    /// What stands on the board.
    fn pieces(&self) -> Vec<Piece>;

    /// What each move played has changed.
    fn played_changes(&self) -> Vec<Change>;

    /// The canonical texts of the legal moves, or of the rolls, with what each would change; empty when the game is
    /// over.
    fn legal_changes(&self) -> Vec<(String, Change)>;

    /// One way that a legal move can go, in games in which the way is no part of the move.
    ///
    /// # Errors
    /// The move is not legal or the game is over.
    fn route(&self, text: &str) -> Result<Option<Vec<String>>, PlayError>;

    /// What can happen in this game.
    fn capabilities(&self) -> Capabilities;

    /// Hash key of the present position; equal positions of the same rules have the same key on every machine.
    fn key(&self) -> u64;

    /// The board drawn for people, several lines.
    fn draw(&self) -> String;

    /// What the letters of the drawing stand for; empty where it explains itself.
    fn legend(&self) -> String;

    /// Whether rulesets of this family can have tables.
    fn has_tables(&self) -> bool;

    /// Whether learned weights take the place of those that options set.
    fn has_learned_weights(&self, options: &Options) -> bool;

    /// Chances of a win, a draw and a loss that go with a score of `seat`, to move, by the searcher of these options.
    fn wdl(&self, score: Score, seat: Seat, options: &Options) -> Wdl;

    /// What the tables in the folder of the option `TablePath` say of the present position, whether or not the game is
    /// over, with distances of this kind; `None` when they do not cover it. History (repetition, lack of progress) does
    /// not count for them.
    ///
    /// # Errors
    /// A table that covers it is damaged or cannot be read.
    fn table_value(&self, options: &Options, metric: Metric) -> Result<Option<TableValue>, TableError>;

    /// Every legal move by its canonical text, with the value of the position after it by the same tables; the
    /// distance counts the move.
    ///
    /// # Errors
    /// As [`table_value`](Session::table_value).
    fn move_table_values(
        &self,
        options: &Options,
        metric: Metric,
    ) -> Result<Vec<(String, Option<TableValue>)>, TableError>;
}

/// A session that also searches, evaluates and counts.
///
/// The game can be asked and changed while a search runs: the search works on a snapshot taken when it was prepared.
pub trait SearchSession: Session {
    /// Prepares a search of the present position; the options are read now.
    ///
    /// The work gives one or more `Info` events and then one `Done`. In a finished position both are known already. Where
    /// the dice are to be rolled, the answer is a roll, drawn with the option `Seed` and the plies played. What one
    /// search has learned the next one knows, if it is prepared after the end of the first.
    ///
    /// # Errors
    /// A root move is not legal.
    fn prepare(&mut self, request: &GoRequest, options: &Options) -> Result<Work, StartError>;

    /// Prepares a perft with divide: `Count` events, then one `Perft`.
    fn prepare_perft(&self, depth: u32) -> Work;

    /// Makes the next search read the file of the option `EvalFile` again.
    ///
    /// # Errors
    /// It cannot be read, is damaged, of another version, or for other rules; the message is a sentence about it.
    fn check_evaluation(&mut self, options: &Options) -> Result<(), String>;

    /// Forgets what the searcher has learned, now or as soon as the running search is over.
    fn clear_search(&mut self);

    /// The terms of the static evaluation by name, from the point of view of seat 0; their sum is the evaluation.
    /// Empty when the game is over.
    fn explain(&self, options: &Options) -> Terms;

    /// The static evaluation from the point of view of each seat, in hundredths of a piece. Empty when the game is over.
    fn evaluations(&self, options: &Options) -> Vec<i32>;

    /// Each player's chances of winning, on the calling thread; `None` in games whose players decide anything
    /// themselves. What it takes to answer is kept for later questions.
    fn chances(&self, options: &Options) -> Option<Chances>;

    /// Leaves at exactly `depth` plies below the present position, on the calling thread.
    fn perft(&self, depth: u32) -> u64;

    /// The plies of this many random games from the start of the ruleset, all together, each cut off after `most_plies`.
    fn random_playouts(&self, games: u32, most_plies: u64, rng: &mut ChaCha8Rng) -> u64;
}

/// The last report of a search, and its answer.
pub(crate) type SearchOutcome = (Option<SearchInfo<String>>, Option<BestMove<String>>);

/// Searches the present position on a thread of its own and waits.
///
/// # Errors
/// A root move is not legal, or the system has no thread to give.
pub fn search_and_wait(
    session: &mut dyn SearchSession,
    request: &GoRequest,
    options: &Options,
) -> Result<SearchOutcome, StartError> {
    search_until(session, request, options, Arc::default())
}

/// The same with a flag that ends the search early.
///
/// # Errors
/// See [`search_and_wait`].
pub(super) fn search_until(
    session: &mut dyn SearchSession,
    request: &GoRequest,
    options: &Options,
    stop: Arc<AtomicBool>,
) -> Result<SearchOutcome, StartError> {
    let (sender, events) = unbounded();
    let work = session.prepare(request, options)?;
    // The receiver outlives the search.
    work.start_stopped_by(stop, Box::new(move |event| drop(sender.send(event))))?.join();
    let (mut last, mut found) = (None, None);
    for event in events.try_iter() {
        match event {
            Event::Info(info) => last = Some(info),
            Event::Done(answer) => found = answer,
            _ => {}
        }
    }
    Ok((last, found))
}
