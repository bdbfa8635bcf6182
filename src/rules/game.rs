//! The one trait behind which every game stands, and the words that all of them share.

use std::fmt::Debug;

use rand::Rng;
use serde::Serialize;
use thiserror::Error;

use super::view::{Capabilities, Change, Piece};

/// A place at the table. Seat 0 is *p1*, the side that acts first in the ruleset (a placement counts).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Seat(pub u8);

impl Seat {
    pub const P1: Seat = Seat(0);
    pub const P2: Seat = Seat(1);

    /// The other seat of a two-player game.
    pub fn other(self) -> Seat {
        Seat(self.0 ^ 1)
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The most players that a game may have.
pub const MAX_SEATS: usize = 8;

/// How a finished game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The winner, or `None` for a draw. In a game of one player, who cannot win any more, the board has won: that is
    /// [`Seat::P2`], at which nobody sits.
    pub winner: Option<Seat>,
    /// Why, in a few words, for example `fox side has no legal move`.
    pub reason: &'static str,
}

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    Player(Seat),
    /// A roll of the dice comes next; see [`Game::chance_outcomes`].
    Chance,
    Over(Outcome),
}

impl Turn {
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Turn::Over(outcome) => Some(outcome),
            _ => None,
        }
    }

    pub fn seat(self) -> Option<Seat> {
        match self {
            Turn::Player(seat) => Some(seat),
            _ => None,
        }
    }
}

/// What happens on the third occurrence of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repetition {
    Ignored,
    Draws,
    Loses(Seat),
}

/// Endings that depend on the game's history and not on the position alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HistoryRules {
    pub repetition: Repetition,
    /// Plies without progress after which the game is drawn; 0 means never.
    pub no_progress_plies: u32,
}

/// A position text that is refused; `column` counts characters from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("position, column {column}: {message}")]
pub struct PositionError {
    pub column: usize,
    pub message: String,
}

/// A move text that is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("move '{text}': {message}")]
pub struct MoveError {
    pub text: String,
    pub message: String,
}

/// The rules of one game as a value; positions are small and copied, a move is a whole turn.
///
/// Positions know nothing of their history: repetition and lack of progress belong to [`Record`](super::Record).
pub trait Game: Send + Sync + 'static {
    type Position: Copy + Eq + Debug + Send + Sync;
    type Move: Copy + Eq + Debug + Send + Sync;

    /// The name of the ruleset.
    fn name(&self) -> &str;

    /// A stable hash of the ruleset's canonical data; equal exactly when the rules are.
    fn fingerprint(&self) -> u64;

    /// The number of players, 1 to [`MAX_SEATS`].
    fn seats(&self) -> usize;

    /// What the ruleset calls the side of `seat`, for example `fox`.
    fn seat_name(&self, seat: Seat) -> &str;

    /// What the seat stands for in every game of the family, whatever a ruleset calls its side: `fox` or `geese`.
    /// Games without such a family have `p1`, `p2`, ...
    fn role(&self, seat: Seat) -> &'static str {
        const SEATS: [&str; MAX_SEATS] = ["p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8"];
        SEATS[seat.index() % SEATS.len()]
    }

    fn start(&self) -> Self::Position;

    fn history_rules(&self) -> HistoryRules;

    /// Who acts next, by the position alone. `Player` guarantees at least one legal move.
    fn turn(&self, position: &Self::Position) -> Turn;

    /// The side whose turn the position says it is. Games whose finished positions still name one override this.
    fn side_to_move(&self, position: &Self::Position) -> Option<Seat> {
        self.turn(position).seat()
    }

    /// Appends every legal move, each once; nothing when the game is over.
    fn legal_moves(&self, position: &Self::Position, moves: &mut Vec<Self::Move>);

    /// The number of legal moves.
    fn count_moves(&self, position: &Self::Position) -> u64 {
        let mut moves = Vec::new();
        self.legal_moves(position, &mut moves);
        moves.len() as u64
    }

    /// Whether there are at most `most` legal moves; a game that knows before it has counted them all overrides this.
    fn has_few_moves(&self, position: &Self::Position, most: u64) -> bool {
        self.count_moves(position) <= most
    }

    /// Appends every legal move that is a capture; a game that can list them alone overrides this.
    fn captures(&self, position: &Self::Position, moves: &mut Vec<Self::Move>) {
        let start = moves.len();
        self.legal_moves(position, moves);
        let mut kept = start;
        for index in start..moves.len() {
            if self.is_capture(position, moves[index]) {
                moves.swap(kept, index);
                kept += 1;
            }
        }
        moves.truncate(kept);
    }

    fn is_legal(&self, position: &Self::Position, mv: Self::Move) -> bool {
        let mut moves = Vec::new();
        self.legal_moves(position, &mut moves);
        moves.contains(&mv)
    }

    /// The position after a move that [`legal_moves`](Game::legal_moves) listed; anything else gives a wrong position.
    fn play_unchecked(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// Hash key of the position, the ruleset's fingerprint included.
    fn key(&self, position: &Self::Position) -> u64;

    /// Whether no position before this move can ever occur again after it.
    fn is_irreversible(&self, position: &Self::Position, mv: Self::Move) -> bool;

    /// Whether the move resets the no-progress counter.
    fn is_progress(&self, position: &Self::Position, mv: Self::Move) -> bool;

    /// Whether the move belongs into a quiescence search (a capture).
    fn is_capture(&self, position: &Self::Position, mv: Self::Move) -> bool;

    /// The number of pieces that the move captures, for move ordering.
    fn capture_count(&self, position: &Self::Position, mv: Self::Move) -> u32 {
        u32::from(self.is_capture(position, mv))
    }

    /// How much a player who never looks ahead likes a move: the greedy searcher plays the highest.
    fn greed(&self, position: &Self::Position, mv: Self::Move) -> i64 {
        i64::from(self.capture_count(position, mv))
    }

    /// A number below [`move_slots`](Game::move_slots) for history tables; distinct moves may share one.
    fn move_slot(&self, mv: Self::Move) -> usize;

    fn move_slots(&self) -> usize;

    /// A legal move drawn at random for playouts, every one possible; `None` when the game is over.
    fn random_move<R: Rng>(&self, position: &Self::Position, rng: &mut R) -> Option<Self::Move>;

    /// Appends every roll with its probability where [`turn`](Game::turn) is `Chance`; the sum is 1.
    fn chance_outcomes(&self, _position: &Self::Position, _outcomes: &mut Vec<(Self::Move, f64)>) {}

    /// # Errors
    /// The text is not a position of this game.
    fn parse_position(&self, text: &str) -> Result<Self::Position, PositionError>;

    /// The canonical one-line text of the position.
    fn position_text(&self, position: &Self::Position) -> String;

    /// # Errors
    /// The text is no move, or not a legal one here.
    fn parse_move(&self, position: &Self::Position, text: &str) -> Result<Self::Move, MoveError>;

    /// The canonical text of a legal move.
    fn move_text(&self, position: &Self::Position, mv: Self::Move) -> String;

    /// The board drawn for people, several lines.
    fn draw(&self, position: &Self::Position) -> String;

    /// What the letters of [`draw`](Game::draw) stand for, in a few words: `F for fox, G for geese`. Empty where the
    /// drawing explains itself.
    fn legend(&self) -> String {
        String::new()
    }

    /// The board as data for GUIs: points with coordinates, lines, regions.
    fn board_json(&self) -> serde_json::Value;

    /// Every key of the rules in force.
    fn rules_json(&self) -> serde_json::Value;
}

/// How positions and moves are told to people and programs.
pub trait Notation: Game {
    /// What stands on the board, the stacks of a game that has them bottom to top.
    fn pieces(&self, position: &Self::Position) -> Vec<Piece>;

    /// What a legal move does to [`pieces`](Notation::pieces).
    fn change(&self, position: &Self::Position, mv: Self::Move) -> Change;

    /// What can happen in this game.
    fn capabilities(&self) -> Capabilities;
}

/// Everything that the engine asks of a game.
pub trait Playable: Notation {}

impl<G: Notation> Playable for G {}
