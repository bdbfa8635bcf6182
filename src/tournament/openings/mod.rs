//! Where games begin: the openings of every ruleset by number, the same on every machine.

mod balance;
mod file;
mod random;

use std::path::Path;

use thiserror::Error;

use super::arena::{Arena, ArenaRuleset, OpeningBook};
use super::record::Opening;
use super::spec::{Openings, TournamentSpec};
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

/// Which rulesets have fewer openings than a pairing plays pairs, each in a sentence.
///
/// Pairs repeat then, and where nothing in the engines varies a repeated pair is the same two games once more. Where
/// dice are rolled no two pairs are alike, so nothing is said.
pub fn shortages(spec: &TournamentSpec, arena: &Arena) -> Vec<String> {
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
