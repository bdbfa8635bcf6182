//! Perfect play: tables of the value of every position, how they are solved, stored, checked and asked.
//!
//! A table tells who wins with best play and the *distance to conversion*: the plies to the next irreversible move
//! (a capture, a placement, a forward step of a goose that can never go back), or to the end of the game if that comes
//! first. The winner makes it as short, the loser as long as can be. A position in which neither side can force its
//! goal is a draw; repetition and lack of progress are ignored.

pub(crate) mod atlas;
mod binomials;
pub(crate) mod build;
mod cache;
mod entry;
mod error;
pub(crate) mod format;
mod identity;
mod layout;
pub(crate) mod lone;
mod method;
mod prober;
mod solver;
mod store;
#[cfg(test)]
pub(crate) mod toy;
mod verdict;
pub(crate) mod verify;
pub(crate) mod whole;
mod workshop;

pub use entry::Entry;
pub use error::TableError;
pub use identity::Identity;
pub(crate) use layout::Layout;
pub use prober::HuntTables;
pub use solver::{Cost, LayerSolver, Summary};
pub(crate) use solver::{Longest, Tally};
pub(crate) use store::Listed;
pub use store::{Store, inventory, table_files};
pub use verdict::Verdict;
pub use workshop::{HuntWorkshop, Workshop};

use crate::rules::Game;

/// Whoever knows the value of positions of `G`.
///
/// Asking never panics and never answers from damaged data.
pub trait Tables<G: Game>: Send + Sync {
    /// What perfect play makes of a position that may be over; `None` when no table covers it.
    ///
    /// # Errors
    /// A table that covers the position is damaged or cannot be read; the error names file and block.
    fn probe(&self, game: &G, position: &G::Position) -> Result<Option<Verdict>, TableError>;

    /// The number that the option `TableProbeLimit` bounds: pieces of the geese side on the board and still to come.
    fn pieces(&self, game: &G, position: &G::Position) -> u32;

    /// The most such pieces that a table covers.
    fn most_pieces(&self) -> u32;
}
