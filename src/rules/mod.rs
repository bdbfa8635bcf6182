//! What is legal and who has won.

mod dice_game;
mod drawing;
mod game;
mod jumps;
mod keys;
mod notation;
mod perft;
mod record;

pub mod catalog;
pub mod goose;
pub mod hunt;
pub mod random;
pub mod ruleset;
pub mod solitaire;
pub mod thegame;

pub use dice_game::{DiceGame, Taken};
pub use game::{Game, HistoryRules, MAX_SEATS, MoveError, Outcome, PositionError, Repetition, Seat, Turn};
pub use perft::{divide, perft};
pub use record::{Counters, NO_PROGRESS_REASON, REPETITION_REASON, Record, history_outcome};
