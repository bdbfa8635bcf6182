//! Where games begin: the openings of every ruleset by number, the same on every machine.

mod balance;
mod file;
mod random;

use std::path::Path;

use thiserror::Error;

use super::arena::{ArenaRuleset, OpeningBook};
use super::record::Opening;
use super::spec::Openings;
use crate::engine::registry::OpenError;

/// Why there is no book.
#[derive(Debug, Error)]
pub enum BookError {
    #[error("{file}: {message}")]
    File { file: String, message: String },
    #[error("{file}:{line}: {message}")]
    Line { file: String, line: usize, message: String },
    #[error("random plies need the rules of '{0}', which this program does not know")]
    Unknown(String),
    #[error(transparent)]
    Ruleset(#[from] OpenError),
}

/// A book with a word on what it was made from.
pub struct MadeBook {
    pub book: Box<dyn OpeningBook>,
    /// Number of openings and a checksum of them, for a book from a file.
    pub contents: Option<(u64, u32)>,
}

/// The book that a spec asks for; file names are relative to `folder`.
///
/// # Errors
/// The file cannot be read or a line is no opening of one of the rulesets; random plies of an unknown game.
pub fn book(openings: &Openings, seed: u64, rulesets: &[ArenaRuleset], folder: &Path) -> Result<MadeBook, BookError> {
    match openings {
        Openings::None => Ok(MadeBook { book: Box::new(StartPosition), contents: None }),
        Openings::Random { plies, balance } => {
            let book = random::RandomBook::new(*plies, balance.as_ref(), seed, rulesets)?;
            Ok(MadeBook { book: Box::new(book), contents: None })
        }
        Openings::File { path, order } => {
            let book = file::FileBook::read(&folder.join(path), *order, seed, rulesets)?;
            let contents = Some((book.len(), book.checksum()));
            Ok(MadeBook { book: Box::new(book), contents })
        }
    }
}

/// Every game from the start.
struct StartPosition;

impl OpeningBook for StartPosition {
    fn opening(&self, _ruleset: usize, _number: u64) -> Opening {
        Opening::default()
    }
}

/// An opening in little space: books are kept in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
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
