//! Where games begin: the openings of every ruleset by number, the same on every machine.

mod balance;
mod file;
mod random;

use std::path::Path;

use thiserror::Error;

use super::arena::{Arena, ArenaRuleset, OpeningBook};
use super::record::Opening;
use super::spec::{Balance, Openings, TournamentSpec};
use crate::engine::registry::OpenError;
use crate::tablebase::TableError;

/// Why there is no book.
#[derive(Debug, Error)]
pub(crate) enum BookError {
    #[error("{file}: {message}")]
    File { file: String, message: String },
    #[error("{file}:{line}: {message}")]
    Line { file: String, line: usize, message: String },
    #[error("random plies need the rules of '{0}', which this program does not know")]
    Unknown(String),
    #[error(transparent)]
    Ruleset(#[from] OpenError),
    #[error("openings balanced by table need a folder of tables")]
    NoTables,
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(
        "only {found} opening(s) of {plies} plies were found that the tables call {value}, and {needed} are to be \
         played in '{ruleset}'; take fewer pairs, other plies, or tables of more geese"
    )]
    TooFew { ruleset: String, plies: u32, value: &'static str, found: u64, needed: u64 },
}

/// A book with a word on what it was made from.
pub(crate) struct MadeBook {
    pub book: Box<dyn OpeningBook>,
    /// Number of openings and a checksum of them, for a book from a file.
    pub contents: Option<(u64, u32)>,
}

/// What a book is made from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order<'a> {
    pub openings: &'a Openings,
    pub seed: u64,
    /// Openings that every pairing plays in every ruleset; so many there must be where only some will do.
    pub pairs: u64,
    /// What file names are relative to.
    pub folder: &'a Path,
    /// The folder of tables of perfect play.
    pub tables: Option<&'a Path>,
}

/// The book that a spec asks for.
///
/// # Errors
/// The file cannot be read or a line is no opening of one of the rulesets; random plies of an unknown game; too few
/// openings of the value that is wanted.
pub(crate) fn book(order: &Order<'_>, rulesets: &[ArenaRuleset]) -> Result<MadeBook, BookError> {
    match order.openings {
        Openings::None => Ok(MadeBook { book: Box::new(StartPosition), contents: None }),
        Openings::Random { plies, balance } => {
            let book = random::RandomBook::new(*plies, balance.as_ref(), order, rulesets)?;
            if let Some(Balance::Table { value }) = balance {
                book.check_number(order.pairs, rulesets, *value)?;
            }
            Ok(MadeBook { book: Box::new(book), contents: None })
        }
        Openings::File { path, order: file_order } => {
            let book = file::FileBook::read(&order.folder.join(path), *file_order, order.seed, rulesets)?;
            let contents = Some((book.len(), book.checksum()));
            Ok(MadeBook { book: Box::new(book), contents })
        }
    }
}

/// Which rulesets have fewer openings than a pairing plays pairs, each in a sentence.
///
/// Pairs repeat then, and where nothing in the engines varies a repeated pair is the same two games once more. Where
/// dice are rolled no two pairs are alike, so nothing is said.
pub(crate) fn shortages(spec: &TournamentSpec, arena: &Arena) -> Vec<String> {
    let needed = spec.pair_count();
    let is_exact = arena.engines.iter().all(|engine| !engine.limits.is_timed());
    let consequence = match (&spec.sprt, is_exact) {
        (Some(_), true) => "the sequential test would take the same games for new evidence; give it more openings",
        (Some(_), false) => "the sequential test may take much the same games for new evidence",
        (None, _) => "engines without chance play the same games again",
    };
    let shortage = |(index, ruleset): (usize, &ArenaRuleset)| {
        let there = arena.openings.distinct(index, needed);
        let s = if there == 1 { "" } else { "s" };
        (there < needed && !ruleset.has_dice()).then(|| {
            let label = &ruleset.label;
            format!("{label}: only {there} different opening{s} for {needed} pairs: pairs repeat, and {consequence}")
        })
    };
    arena.rulesets.iter().enumerate().filter_map(shortage).collect()
}

/// Every game from the start.
struct StartPosition;

impl OpeningBook for StartPosition {
    fn opening(&self, _ruleset: usize, _number: u64) -> Opening {
        Opening::default()
    }

    fn distinct(&self, _ruleset: usize, _enough: u64) -> u64 {
        1
    }
}

/// An opening in little space: books are kept in memory.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Packed {
    start: Option<Box<str>>,
    /// Separated by blanks.
    moves: Box<str>,
}

impl Packed {
    fn new(start: Option<&str>, moves: &[String]) -> Self {
        Packed { start: start.map(Box::from), moves: moves.join(" ").into() }
    }

    fn unpack(&self) -> Opening {
        let moves = self.moves.split_whitespace().map(str::to_owned).collect();
        Opening { start: self.start.as_deref().map(str::to_owned), moves }
    }
}
