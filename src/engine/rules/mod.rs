//! What is legal and who has won.
//!
//! `game` has the traits behind which every game stands, and a [`Record`] is a game as it was played. A family of games
//! is a folder: `ruleset` has the keys of its rulesets and checks them, `mod` compiles them into a [`Game`],
//! `position`, `moves` and `play` are its rules, `notation` its texts and drawings, `analysis` what evaluators ask.
//! [`hunt`] is the largest, [`solitaire`] the smallest. The families share [`ruleset`] (files), `notation` (texts),
//! `jumps` and `view`; `session::registry` lists what a new family touches.

mod dice_game;
mod game;
mod jumps;
mod notation;
mod outcome;
mod perft;
mod record;
mod view;

pub mod catalog;
pub mod goose;
pub mod hunt;
pub mod random;
pub mod ruleset;
pub mod solitaire;
pub mod thegame;

pub use dice_game::{DiceGame, DiceStep};
pub use game::{Game, Notation, Repetition, SearchHints, Turn};
pub(crate) use game::{HistoryRules, MoveError, PositionError};
pub use outcome::{MAX_SEATS, Outcome, Reason, Seat};
pub use perft::{MAX_PERFT_PLIES, perft, random_playout};
pub use record::Record;
pub(crate) use record::{Counters, history_outcome};
pub use view::{BoardView, Capabilities, Change, GameInfo, Piece, PieceKind, PieceType, PointView, SeatInfo};
