//! The openings of every ruleset by number, the same on every machine.

mod balance;
mod file;
mod random;

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use file::FileBook;
use random::RandomBook;
use reynard_engine::tablebase::TableError;
use thiserror::Error;

use super::record::Opening;
use super::ruleset::{Ruleset, RulesetError};
use super::spec::{Balance, Openings};

/// Why there is no book.
#[derive(Debug, Error)]
pub(crate) enum BookError {
    #[error("{file}: {message}")]
    File { file: String, message: String },
    #[error("{file}:{line}: {message}")]
    Line { file: String, line: usize, message: String },
    #[error(transparent)]
    Ruleset(#[from] RulesetError),
    #[error("openings balanced by table need a folder of tables")]
    NoTables,
    #[error("only positions of two opponents without dice are balanced, and in '{0}' dice are rolled")]
    Dice(String),
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(
        "only {found} opening(s) of {plies} plies were found that the tables call {value}, and {needed} are to be \
         played in '{ruleset}'; take fewer pairs, other plies, or tables of more geese"
    )]
    TooFew { ruleset: String, plies: u32, value: &'static str, found: u64, needed: u64 },
}

/// What a book is made from.
#[derive(Clone, Copy)]
pub(crate) struct BookRequest<'a> {
    pub openings: &'a Openings,
    pub seed: u64,
    /// Openings that every pairing plays in every ruleset; so many there must be where only some will do.
    pub pairs: u64,
    /// What file names are relative to.
    pub folder: &'a Path,
    /// The folder of tables of perfect play.
    pub tables: Option<&'a Path>,
    /// Called now and then with how many openings of all rulesets are ready, and how many are to be.
    pub report: &'a dyn Fn(u64, u64),
}

#[cfg(test)]
impl BookRequest<'_> {
    /// Nothing but a seed.
    pub(crate) fn plain(seed: u64) -> Self {
        BookRequest {
            openings: &Openings::None,
            seed,
            pairs: 1,
            folder: Path::new(""),
            tables: None,
            report: &|_, _| (),
        }
    }
}

/// The openings of every ruleset by number, the same on every machine.
pub enum OpeningBook {
    /// Every game from the start.
    Start,
    /// Every game from a line of a file.
    File(FileBook),
    /// Every game after random plies.
    Random(RandomBook),
}

impl OpeningBook {
    /// The book that a spec asks for.
    ///
    /// # Errors
    /// The file cannot be read or a line is no opening of one of the rulesets; too few openings of the value
    /// that is wanted.
    pub(crate) fn new(request: &BookRequest<'_>, rulesets: &[Ruleset]) -> Result<OpeningBook, BookError> {
        match request.openings {
            Openings::None => Ok(OpeningBook::Start),
            Openings::Random { plies, balance } => {
                let book = RandomBook::new(*plies, balance.as_ref(), request, rulesets)?;
                if let Some(Balance::Table { value }) = balance {
                    book.find_all(*value, request, rulesets)?;
                }
                Ok(OpeningBook::Random(book))
            }
            Openings::File(file) => FileBook::read(file, request, rulesets).map(OpeningBook::File),
        }
    }

    /// The opening of that number; any once `stop` is set, which ends a long search. Openings repeat only when the book
    /// has fewer than are asked for.
    pub fn opening(&self, ruleset: usize, number: u64, stop: &Arc<AtomicBool>) -> Opening {
        match self {
            OpeningBook::Start => Opening::default(),
            OpeningBook::File(book) => book.opening(ruleset, number),
            OpeningBook::Random(book) => book.opening(ruleset, number, stop),
        }
    }

    /// How many different openings have these numbers.
    pub fn distinct(&self, ruleset: usize, numbers: Range<u64>) -> u64 {
        match self {
            OpeningBook::Start => numbers.end.saturating_sub(numbers.start).min(1),
            OpeningBook::File(book) => book.distinct(ruleset, numbers),
            // None comes again before all have been played.
            OpeningBook::Random(book) => book.distinct(ruleset, numbers.end.saturating_sub(numbers.start)),
        }
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
