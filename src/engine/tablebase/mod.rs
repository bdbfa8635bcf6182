//! Tables of perfect play: the value of every position, to be solved, stored, verified and probed.
//!
//! A table holds the winner with best play and the *distance to conversion*: the plies to the next irreversible move (a
//! capture, a placement, a forward step of a goose that can never go back, a step that costs a fox), or to the end of
//! the game if that comes first. The winner makes the distance as short, the loser as long as possible. Tables of
//! another [`Metric`] hold the plies to the end of the game instead. A position in which neither side can force its
//! goal is a draw; repetition and lack of progress are ignored.
//!
//! # What solving is
//!
//! A *layer* holds all positions with the same number of geese. Think of it as two matrices of bits, `G` with the geese
//! to move and `F` with the foxes to move, with a row for each pattern of geese `p` and a column for each placement of
//! the foxes. A bit says whether the geese reach a goal from there. Positions that are over have a fixed bit. For all
//! others both goals, "the geese win" and "the geese do not lose", obey the same equations:
//!
//! ```text
//! G[p] = lower(p) | OR of F[p'] over the goose moves from p to p' within the layer
//! F[p] = !before_step(!G[p]) & !exits(p)
//! ```
//!
//! `lower(p)` are the placements from which a goose move out of the layer reaches the goal: a drop or, where layers
//! fall into levels, a forward step. `before_step` are the placements from which a fox steps into a set. `exits(p)` are
//! those from which a fox has a move out of the layer, a capture, after which the goal is missed. The geese win in the
//! least solution and do not lose in the greatest. Applied again and again to empty matrices, the equations add a bit
//! in round `d` where the geese win in `d` plies; applied to full ones they remove a bit where the foxes win in `d`
//! plies. The [`Metric`] is a parameter: for distances to the end an exit counts in the round after the one that
//! decides the position behind it, for distances to conversion every exit counts in round 1.
//!
//! The three methods differ in what they process at a time:
//!
//! - `strips`, for one fox or two: a whole row, as a word of fox placements. Most games are solved this way.
//! - `drops`, where all geese are dropped before one steps: with geese in hand a whole column, the goose patterns
//!   beside one set of foxes; after the last drop single bits.
//! - `general`, for every ruleset, and the reference for the others: single bits, by the legal moves of the rules.
//!
//! # The course of a build
//!
//! `session::registry` opens a [`TableBuilder`], and `hunt` picks the method that solves its game. `build` plans the
//! layers (`build/plan`), takes the lock, and has the [`LayerSolver`] solve the missing layers, from few geese to many
//! or all together. A solver reads lower layers from the [`Store`], the folder of tables, and writes its own through
//! `format`. [`HuntTables`] probes the store, `verify` checks it, and `atlas` sums it up.
//!
//! Files and folders in order of dependence; each imports only from those above it and from this one:
//!
//! - `value`: the value of a position, the metric, the entry of a file, the counts of a layer.
//! - `format`: the file of a layer; `store`: the folder of files, and the rules that say whose they are.
//! - `method`: what a method offers, [`LayerSolver`] and `Method`; `sets`: numbers for sets of points.
//! - `strips`, `drops`, `general`: the methods. None imports from another; tests compare them.
//! - `build`: the driver of all methods; `verify`: checks by the rules alone; `atlas`: who wins from the start.
//! - `hunt`: chooses the method of a game, probes its tables, and opens `build`, `verify` and `atlas` for it.

pub mod atlas;
pub mod build;
mod drops;
pub mod format;
pub(crate) mod general;
mod hunt;
mod method;
mod sets;
mod store;
pub(crate) mod strips;
#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) mod toy;
mod value;
pub mod verify;

pub use build::LayerProgress;
pub use hunt::{HuntTableBuilder, HuntTables, TableBuilder};
pub(crate) use method::Method;
pub use method::{LayerCost, LayerSolver, NewLayer};
pub use store::{Identity, ListedTable, Store, existing_folder, inventory, table_files};
pub(crate) use value::Tally;
pub use value::{LayerSummary, LongestWin, Metric, ResultCounts, TableEntry, TableValue};

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::rules::Game;

/// Probes tables for the value of positions of `G` with best play.
///
/// Probing never panics and never answers from damaged data.
///
/// ```
/// use reynard_engine::rules::Game;
/// use reynard_engine::rules::hunt::{Hunt, Ruleset};
/// use reynard_engine::tablebase::build::{BuildRequest, LayerLimit, Resources};
/// use reynard_engine::tablebase::{HuntTableBuilder, HuntTables, Metric, TableBuilder};
/// let game: Hunt<u64> = Hunt::new(&Ruleset::from_catalog("fox-and-hounds", &[])?);
/// let folder = tempfile::tempdir()?;
/// let request = BuildRequest { limit: LayerLimit::Exactly(4), resources: Resources::default() };
/// HuntTableBuilder::new(game.clone())?.build(folder.path(), &request, &())?;
/// let tables = HuntTables::open(&game, folder.path(), Metric::Conversion)?.expect("there are tables now");
/// let value = tables.probe(&game, &game.start())?.expect("tables of four hounds cover the start");
/// assert_eq!(value.winner.map(|seat| game.side(seat)), Some(reynard_engine::rules::hunt::Side::Geese));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Tables<G: Game>: Send + Sync {
    /// The value of a position, which may be over; `None` when no table covers it.
    ///
    /// # Errors
    /// A table that covers the position is damaged or cannot be read; the error names file and block.
    fn probe(&self, game: &G, position: &G::Position) -> Result<Option<TableValue>, TableError>;

    /// The number of a position's pieces that the option `TableProbeLimit` bounds: the geese side's, on the board and
    /// still to come.
    fn pieces(&self, game: &G, position: &G::Position) -> u32;

    /// The most pieces of the geese side that a table covers.
    fn most_pieces(&self) -> u32;
}

/// An error of a table or its file, or a request for tables that is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TableError {
    /// A file cannot be read or written.
    #[error("{}: {message}", path.display())]
    File {
        /// The path of the file.
        path: PathBuf,
        /// What went wrong.
        message: String,
    },
    /// A checksum, a length or a value inside a file does not fit.
    #[error("{}, {block}: {message}; delete the file and build it anew", path.display())]
    Damaged {
        /// The damaged file.
        path: PathBuf,
        /// The damaged part, such as `block 12`.
        block: String,
        /// What does not fit.
        message: String,
    },
    /// A path with the name of a table is no file, or cannot be read.
    #[error("{}: {message}", path.display())]
    Unreadable {
        /// The path in question.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// A folder of tables does not exist.
    #[error("{}: no such folder; a folder of tables is expected", .0.display())]
    NoFolder(PathBuf),
    /// A request that cannot be met, with the reason as a whole sentence.
    #[error("{0}")]
    Refused(String),
}

impl TableError {
    /// The error of a file that cannot be read or written.
    pub fn file(path: &Path, message: impl ToString) -> Self {
        TableError::File { path: path.to_owned(), message: message.to_string() }
    }

    /// Whether a table itself is faulty, as opposed to a failure of the system.
    pub fn is_of_table(&self) -> bool {
        matches!(self, TableError::Damaged { .. } | TableError::Unreadable { .. })
    }

    /// The error of a damaged part of a file; `block` names it: `header`, `block 12`, `frame 3 of block 12`.
    pub fn damaged(path: &Path, block: impl ToString, message: impl ToString) -> Self {
        TableError::Damaged { path: path.to_owned(), block: block.to_string(), message: message.to_string() }
    }
}
