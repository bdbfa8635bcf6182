//! The traits of a game: `Game` for rules, `SearchHints` for searchers, `Notation` for texts and pictures, `DiceGame`
//! for games that dice decide alone; and seats, turns and outcomes.

use std::fmt::Debug;
use std::hash::Hash;

use rand::Rng;
use serde::Serialize;
use thiserror::Error;

use super::view::{Change, GameInfo, Piece};

/// A player of a game by number. Seat 0 is *p1*, the side that acts first in the ruleset (a placement counts).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Seat(pub u8);

impl Seat {
    /// The side that acts first.
    pub const P1: Seat = Seat(0);
    /// The other side of a two-player game.
    pub const P2: Seat = Seat(1);

    /// The other seat of a two-player game.
    pub fn other(self) -> Seat {
        Seat(self.0 ^ 1)
    }

    /// The name in options and reports: `p1`, `p2`, ...
    pub fn name(self) -> &'static str {
        ROLES[self.index() % MAX_SEATS]
    }

    /// The seat as an index into arrays, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The most players that a game may have.
pub const MAX_SEATS: usize = 8;

const ROLES: [&str; MAX_SEATS] = ["p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8"];

/// How a finished game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The winner, or `None` for a draw. When the player of a one-player game cannot win any more, the board has won,
    /// which is [`Seat::P2`].
    pub winner: Option<Seat>,
    /// What ended the game.
    pub reason: Reason,
}

/// Why a game ended; [`GameInfo::reason_text`](super::GameInfo::reason_text) says it in the words of its ruleset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The third occurrence of a position.
    Repetition,
    /// Too many plies in a row without progress.
    NoProgress,
    /// This seat gave a move that is not legal.
    IllegalMove(Seat),
    /// This seat is to move and cannot.
    NoLegalMove(Seat),
    /// This seat has lost all its pieces.
    NoPieceLeft(Seat),
    /// This seat has fewer pieces left than the ruleset asks for.
    TooFewPieces(Seat),
    /// This seat came to the first row of its opponent.
    FirstRowReached(Seat),
    /// This seat has reached the points of its goal, has got past its enemies, or has driven them into the pen.
    GoalReached(Seat),
    /// The geese side has filled its fortress.
    FortressOccupied,
    /// The pegs stand as the puzzle asks.
    PuzzleSolved,
    /// No peg can jump, and the puzzle is not solved.
    NoJumpLeft,
    /// A piece stands on the Basis of the opponent.
    BasisTaken,
    /// The side to move has only neutralised pieces on the board and cannot bring in another.
    AllNeutralised,
    /// A counter has come to field 63.
    LastFieldReached,
    /// One player has brought all counters to the end.
    AllBorneOff,
    /// No player can ever move again: each waits for another to relieve it.
    NobodyCanMove,
}

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// This seat chooses a legal move.
    Player(Seat),
    /// A roll of the dice comes next; see [`Game::chance_outcomes`].
    Chance,
    /// The game is over, with this outcome.
    Over(Outcome),
}

impl Turn {
    /// How the game ended; `None` while it goes on.
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Turn::Over(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// The seat that chooses a move; `None` before a roll and when the game is over.
    pub fn seat(self) -> Option<Seat> {
        match self {
            Turn::Player(seat) => Some(seat),
            _ => None,
        }
    }
}

/// What happens on the third occurrence of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Repetition {
    /// The game goes on.
    #[default]
    Ignored,
    /// The game is drawn.
    Draws,
    /// This seat loses.
    Loses(Seat),
}

/// Endings that depend on the history of the game and not on the position alone; by default there are none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct HistoryRules {
    pub repetition: Repetition,
    /// Plies without progress after which the game ends; 0 means never.
    pub no_progress_plies: u32,
    /// Who wins then; `None` for a draw.
    pub no_progress_winner: Option<Seat>,
}

/// Why a position text is refused; `column` counts characters from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("position, column {column}: {message}")]
pub struct PositionError {
    pub column: usize,
    pub message: String,
}

/// Why a move text is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("move '{text}': {message}")]
pub struct MoveError {
    /// The beginning of the text.
    pub text: String,
    pub message: String,
}

impl MoveError {
    /// The error for a text; it keeps the first 80 characters.
    pub(super) fn new(text: &str, message: impl Into<String>) -> MoveError {
        MoveError { text: text.chars().take(80).collect(), message: message.into() }
    }
}

/// The rules of one game as a value; positions are small and copied, a move is a whole turn.
///
/// Positions know nothing of their history: repetition and lack of progress belong to [`Record`](super::Record).
///
/// ```
/// use reynard_engine::rules::hunt::{Hunt, Ruleset};
/// use reynard_engine::rules::{Game, Notation, Turn};
///
/// let game = Hunt::<u64>::new(&Ruleset::from_catalog("masters-15", &[])?);
/// let start = game.start();
/// let step = game.parse_move(&start, "a4a5")?;
/// let next = game.play_unchecked(&start, step);
/// let Turn::Player(seat) = game.turn(&next) else { panic!("the game goes on") };
/// assert_eq!(game.info().seat_name(seat), "fox");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Game: Clone + Send + Sync + 'static {
    /// The state of a game at one moment, without its history.
    type Position: Copy + Eq + Debug + Send + Sync;
    /// A whole turn of a player or of chance, chains of captures included.
    type Move: Copy + Eq + Debug + Send + Sync;

    /// A stable hash of the ruleset's canonical data; equal exactly when the rules are.
    fn fingerprint(&self) -> u64;

    /// Whether rulesets of this game can have more than two players. Searchers for them are compiled for no other game.
    const MANY_SEATS: bool = false;

    /// The number of players, 1 to [`MAX_SEATS`]; at most two unless [`MANY_SEATS`](Game::MANY_SEATS).
    fn seats(&self) -> usize;

    /// The position in which a game begins.
    fn start(&self) -> Self::Position;

    /// The endings by repetition and by lack of progress; none where nothing can repeat or the dice decide.
    fn history_rules(&self) -> HistoryRules {
        HistoryRules::default()
    }

    /// Who acts next, by the position alone. `Player` guarantees at least one legal move.
    fn turn(&self, position: &Self::Position) -> Turn;

    /// The side to move; `None` before a roll. By default also `None` when the game is over; games override this where
    /// a finished position has a side to move.
    fn side_to_move(&self, position: &Self::Position) -> Option<Seat> {
        self.turn(position).seat()
    }

    /// Appends every legal move, each once; appends nothing when the game is over.
    fn legal_moves(&self, position: &Self::Position, moves: &mut Vec<Self::Move>);

    /// Every legal move; where there are many positions to ask about, [`legal_moves`](Game::legal_moves) saves the list.
    fn moves(&self, position: &Self::Position) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.legal_moves(position, &mut moves);
        moves
    }

    /// The number of legal moves.
    fn count_moves(&self, position: &Self::Position) -> u64 {
        self.moves(position).len() as u64
    }

    /// Whether `mv` is among the legal moves.
    fn is_legal(&self, position: &Self::Position, mv: Self::Move) -> bool {
        self.moves(position).contains(&mv)
    }

    /// The position after a move that [`legal_moves`](Game::legal_moves) lists; any other move gives a wrong position.
    fn play_unchecked(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// Hash key of the position, the ruleset's fingerprint included.
    fn key(&self, position: &Self::Position) -> u64;

    /// Whether no position before this move can ever occur again after it.
    fn is_irreversible(&self, position: &Self::Position, mv: Self::Move) -> bool;

    /// Whether the move resets the no-progress counter.
    fn is_progress(&self, position: &Self::Position, mv: Self::Move) -> bool {
        self.is_irreversible(position, mv)
    }

    /// A random legal move for playouts, every legal move being possible; `None` when the game is over.
    fn random_move<R: Rng>(&self, position: &Self::Position, rng: &mut R) -> Option<Self::Move>;

    /// Appends every roll with its probability where [`turn`](Game::turn) is `Chance`; the probabilities add up to 1.
    fn chance_outcomes(&self, _position: &Self::Position, _outcomes: &mut Vec<(Self::Move, f64)>) {}
}

/// Hints for searchers, which change no rule.
pub trait SearchHints: Game {
    /// Whether the move belongs in a quiescence search: the position cannot be judged until such moves are settled. By
    /// default no move does.
    fn is_tactical(&self, _position: &Self::Position, _mv: Self::Move) -> bool {
        false
    }

    /// Appends every legal move that is tactical.
    fn tactical_moves(&self, position: &Self::Position, moves: &mut Vec<Self::Move>) {
        moves.extend(self.moves(position).into_iter().filter(|&mv| self.is_tactical(position, mv)));
    }

    /// Whether static evaluations are stable enough to prune by.
    fn is_steady(&self) -> bool {
        false
    }

    /// The number of pieces that the move takes, for move ordering.
    fn gain(&self, _position: &Self::Position, _mv: Self::Move) -> u32 {
        0
    }

    /// The worth of a move to a player who never looks ahead; the greedy searcher plays a move of the highest worth.
    fn greed(&self, position: &Self::Position, mv: Self::Move) -> i64 {
        i64::from(self.gain(position, mv))
    }

    /// Whether there are at most `most` legal moves; games that can tell without counting all of them override this.
    fn has_few_moves(&self, position: &Self::Position, most: u64) -> bool {
        self.count_moves(position) <= most
    }

    /// A number below [`move_slots`](SearchHints::move_slots) for history tables; distinct moves may share one.
    fn move_slot(&self, mv: Self::Move) -> usize;

    /// The size of a history table: every [`move_slot`](SearchHints::move_slot) is below it.
    fn move_slots(&self) -> usize;
}

/// The texts of a game: positions, moves and drawings for people, data for programs that know no rules.
pub trait Notation: Game {
    /// The data that never change in this game: its rules, names and board. Built anew at every call.
    fn info(&self) -> GameInfo;

    /// Reads the text of a position.
    ///
    /// # Errors
    /// The text is not a position of this game.
    fn parse_position(&self, text: &str) -> Result<Self::Position, PositionError>;

    /// The canonical one-line text of the position.
    fn position_text(&self, position: &Self::Position) -> String;

    /// Reads the text of a legal move, canonical or not.
    ///
    /// # Errors
    /// The text is no move, or not a legal one here.
    fn parse_move(&self, position: &Self::Position, text: &str) -> Result<Self::Move, MoveError>;

    /// The canonical text of a legal move.
    fn move_text(&self, position: &Self::Position, mv: Self::Move) -> String;

    /// The board drawn for people, several lines.
    fn draw(&self, position: &Self::Position) -> String;

    /// The pieces on the board.
    fn pieces(&self, position: &Self::Position) -> Vec<Piece>;

    /// The change that a legal move makes to the board that [`pieces`](Notation::pieces) lists.
    fn change(&self, position: &Self::Position, mv: Self::Move) -> Change;

    /// The points of one way that a legal move can go, its first and last point included; `None` in games where the
    /// move itself says its way.
    fn route(&self, _position: &Self::Position, _mv: Self::Move) -> Option<Vec<String>> {
        None
    }
}

/// The result of a roll.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DiceStep<P> {
    /// The position to which the roll leads.
    pub after: P,
    /// The amount paid into the pot, at least 0; the payment of the pot to the winner is left out.
    pub paid: f64,
    /// The player-turns that pass: the roller's own, and turns missed after it.
    pub player_turns: u32,
}

/// A game without choices: its positions form a Markov chain.
///
/// [`Game::turn`] is `Chance` in every position until the game is over, and every game must end with probability 1.
pub trait DiceGame: Game<Position: Hash> {
    /// The effect of a roll, which [`chance_outcomes`](Game::chance_outcomes) lists.
    fn step(&self, position: &Self::Position, roll: Self::Move) -> DiceStep<Self::Position>;

    /// The position with everything zeroed that has no influence on the course of the game, such as pot and accounts.
    ///
    /// Positions with equal courses have the same future: the same rolls with the same payments and events.
    fn course(&self, position: &Self::Position) -> Self::Position;

    /// The amount in the pot, in stakes of 1.
    fn pot(&self, position: &Self::Position) -> f64;

    /// The number of kinds of events that statistics count; the kinds are numbered from 0.
    fn event_kinds(&self) -> usize {
        0
    }

    /// Appends the kinds of the events of a roll, each as often as it occurs.
    fn events(&self, _position: &Self::Position, _roll: Self::Move, _events: &mut Vec<usize>) {}
}
