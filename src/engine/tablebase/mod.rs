//! Tables of perfect play: the value of every position, solved, stored, verified and probed.
//!
//! A table tells who wins with best play and the *distance to conversion*: the plies to the next irreversible move
//! (a capture, a placement, a forward step of a goose that can never go back, a step that costs a fox), or to the end of
//! the game if that comes first. The winner makes it as short, the loser as long as can be. Tables of another [`Metric`]
//! tell the plies to the end of the game instead. A position in which neither side can force its goal is a draw;
//! repetition and lack of progress are ignored.
//!
//! The way of a build: `session::registry` opens a [`TableBuilder`], `build` plans the layers (`build/plan`), takes the
//! lock, and has each missing layer solved, from few geese to many or together, by the [`LayerSolver`] that `method`
//! picks; a solver reads lower layers from the [`Store`] and writes its own through `format`.
//!
//! `format` stores layers in files and a `Store` is the folder of them; `build` fills it with the solver that `method`
//! picks, `strips`, `drops` or `general`; `prober` asks it, `verify` checks it, `atlas` sums it up. One circle is
//! meant: a solver writes layers and reads lower ones through `Store`, whose files hold the summary that a solver
//! returns.

pub mod atlas;
mod binomials;
pub mod build;
mod cache;
mod drops;
mod entry;
mod error;
pub mod format;
pub(crate) mod general;
mod identity;
mod layout;
mod method;
mod metric;
mod mirror;
mod prober;
mod progress;
mod solver;
mod store;
pub(crate) mod strips;
mod table_builder;
#[cfg(test)]
pub(crate) mod toy;
mod value;
pub mod verify;

pub use entry::TableEntry;
pub use error::TableError;
pub use identity::Identity;
pub(crate) use layout::PositionLayout;
pub use metric::Metric;
pub use prober::HuntTables;
pub use progress::LayerProgress;
pub use solver::{LayerCost, LayerSolver, LayerSummary, NewLayer};
pub use solver::{LongestWin, ResultCounts};
pub use store::{ListedTable, existing_folder};
pub use store::{Store, inventory, table_files};
pub use table_builder::{HuntTableBuilder, TableBuilder};
pub use value::TableValue;

use crate::rules::Game;

/// Tells the value of positions of `G` with best play.
///
/// Asking never panics and never answers from damaged data.
///
/// ```
/// use reynard_engine::rules::Game;
/// use reynard_engine::rules::hunt::{Hunt, Ruleset};
/// use reynard_engine::tablebase::build::{BuildRequest, LayerLimit, Resources};
/// use reynard_engine::tablebase::{HuntTableBuilder, HuntTables, TableBuilder};
/// let game: Hunt<u64> = Hunt::new(&Ruleset::from_catalog("fox-and-hounds", &[])?);
/// let folder = tempfile::tempdir()?;
/// let request = BuildRequest { limit: LayerLimit::Exactly(4), resources: Resources::default() };
/// HuntTableBuilder::new(game.clone())?.build(folder.path(), &request, &())?;
/// let tables = HuntTables::open(&game, folder.path())?.expect("there are tables now");
/// let value = tables.probe(&game, &game.start())?.expect("tables of four hounds cover the start");
/// assert_eq!(value.winner.map(|seat| game.side(seat)), Some(reynard_engine::rules::hunt::Side::Geese));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
