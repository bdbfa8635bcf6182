//! What is legal and who has won.
//!
//! `game` has the traits of a game, and a [`Record`] is a game as it was played. A family of games is a folder:
//! `ruleset` has the keys of its rulesets and checks them, `mod` compiles them into a [`Game`], `position` and `moves`
//! are its rules, `notation` its texts and drawings. [`hunt`] is the largest, [`solitaire`] the smallest. The families
//! share [`ruleset`] (files), `notation` (texts), `jumps` and `view`; `session::registry` lists the files that a new
//! family touches.

mod game;
mod jumps;
mod notation;
mod perft;
mod record;
pub(crate) mod view;

pub mod catalog;
pub mod goose;
pub mod hunt;
pub mod random;
pub mod ruleset;
pub mod solitaire;
pub mod thegame;

pub use game::{DiceGame, DiceStep, Game, MAX_SEATS, Notation, Outcome, Reason, Repetition, SearchHints, Seat, Turn};
pub(crate) use game::{HistoryRules, MoveError, PositionError};
pub use perft::{MAX_PERFT_PLIES, perft, random_playout};
pub(crate) use record::history_outcome;
pub use record::{Counters, Record};
pub use view::{BoardView, Capabilities, Change, GameInfo, Piece, PieceKind, PieceType, PointView, SeatInfo};
