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
pub(crate) mod general;
mod identity;
mod layout;
mod method;
mod mirror;
pub(crate) mod one_fox;
mod prober;
mod progress;
mod solver;
mod store;
mod table_builder;
#[cfg(test)]
pub(crate) mod toy;
mod value;
pub(crate) mod verify;

pub use entry::TableEntry;
pub use error::TableError;
pub use identity::Identity;
pub(crate) use layout::PositionLayout;
pub use prober::HuntTables;
pub(crate) use progress::LayerProgress;
pub use solver::{LayerCost, LayerSolver, LayerSummary};
pub(crate) use solver::{LongestWin, ResultCounts};
pub(crate) use store::ListedTable;
pub use store::{Store, inventory, table_files};
pub use table_builder::{HuntTableBuilder, TableBuilder};
pub use value::TableValue;

use crate::rules::Game;

/// Whoever knows the value of positions of `G`.
///
/// Asking never panics and never answers from damaged data.
pub trait Tables<G: Game>: Send + Sync {
    /// What perfect play makes of a position that may be over; `None` when no table covers it.
    ///
    /// # Errors
    /// A table that covers the position is damaged or cannot be read; the error names file and block.
    fn probe(&self, game: &G, position: &G::Position) -> Result<Option<TableValue>, TableError>;

    /// The number that the option `TableProbeLimit` bounds: pieces of the geese side on the board and still to come.
    fn pieces(&self, game: &G, position: &G::Position) -> u32;

    /// The most such pieces that a table covers.
    fn most_pieces(&self) -> u32;
}
