//! Matches between two configurations of the engine.
//!
//! A [`MatchSpec`] says what is to be played, [`random_opening`] draws the first plies, a [`Player`] finds moves (in
//! this process or as a child process that speaks UGI), the referee in [`play_game`] keeps the game record and trusts
//! nobody, and a [`Tally`] counts results per side.

mod openings;
mod player;
mod process_player;
mod referee;
mod runner;
mod session_player;
mod spec;
mod tally;

pub use openings::random_opening;
pub use player::{Allowance, Player, PlayerError};
pub use process_player::ProcessPlayer;
pub use referee::{Ending, GameResult, play_game};
pub use runner::{GameReport, run};
pub use session_player::SessionPlayer;
pub use spec::{Contestant, MatchError, MatchSpec, Pace, Seating, Venue};
pub use tally::{Count, Tally};
