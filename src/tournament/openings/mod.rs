//! The openings of every ruleset by number, the same on every machine.

mod balance;
mod file;
mod random;

use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use file::FileBook;
use random::RandomBook;
use reynard_engine::tablebase::TableError;
use serde_json::{Map, Value};
use thiserror::Error;

use super::record::Opening;
use super::ruleset::{Ruleset, RulesetError};
use super::spec::{Balance, Openings};

/// Why there is no book.
#[derive(Debug, Error)]
pub enum BookError {
    #[error("{file}: {message}")]
    File { file: String, message: String },
    #[error("{file}:{line}: {message}")]
    Line { file: String, line: usize, message: String },
    #[error(transparent)]
    Ruleset(#[from] RulesetError),
    #[error("openings balanced by table need a folder of tables")]
    NoTables,
    #[error("the system has no thread to balance openings: {0}")]
    Thread(io::Error),
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
    ///
    /// # Errors
    /// The machine lacks what it takes to balance it.
    pub fn opening(&self, ruleset: usize, number: u64, stop: &Arc<AtomicBool>) -> Result<Opening, BookError> {
        match self {
            OpeningBook::Start => Ok(Opening::default()),
            OpeningBook::File(book) => Ok(book.opening(ruleset, number)),
            OpeningBook::Random(book) => book.opening(ruleset, number, stop),
        }
    }

    /// Why pairs of a ruleset may be split by the side alone although their openings are balanced by search, in a
    /// sentence; to be asked before the first game.
    ///
    /// # Errors
    /// See [`opening`](Self::opening).
    pub(crate) fn imbalance(&self, ruleset: usize, rules: &Ruleset, pairs: u64) -> Result<Option<String>, BookError> {
        let OpeningBook::Random(book) = self else { return Ok(None) };
        let sought = pairs.min(SAMPLE);
        let Some(uneven) = book.uneven(ruleset, sought)? else { return Ok(None) };
        let label = &rules.label;
        Ok(match sure_winner(rules) {
            Some(side) => Some(format!(
                "{label}: openings cannot be balanced (with best play nearly all are won by the {side}), so one side will \
                 win both games of most pairs"
            )),
            None if sought >= FEWEST_SAMPLE && uneven >= sought - 1 => Some(format!(
                "{label}: a search calls {} of the first {sought} openings level, so one side may win both games of many \
                 pairs",
                sought - uneven
            )),
            None => None,
        })
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

/// Openings that are sought to see whether a ruleset has balanced ones. In `siege` and `fox-and-hounds` one of the first
/// 20 has such a candidate, in `masters-15` 12.
const SAMPLE: u64 = 8;
/// Of fewer it is chance that all but one are uneven.
const FEWEST_SAMPLE: u64 = 5;

/// Rules by which one side wins from the start, and from nearly every position after some random plies, with best play:
/// `fox-and-hounds` and `renard-1668`, see the results in src/engine/tablebase/README.md. By fingerprint, with the
/// winning role.
const SURE_WINS: [(&str, &str); 2] = [("c075bae17794a320", "geese"), ("40bfc4c32ac5799d", "fox")];

/// The side that wins nearly every opening of these rules; `None` where it is open or not known.
fn sure_winner(rules: &Ruleset) -> Option<&str> {
    let (_, role) = SURE_WINS.iter().find(|(fingerprint, _)| rules.fingerprint.as_deref() == Some(fingerprint))?;
    rules.seats.iter().find(|seat| seat.role == *role).map(|seat| seat.name.as_str())
}

/// What may be done about pairs that the side alone has split; `conditions` are those of the journal's head.
pub(crate) fn advice(conditions: &Map<String, Value>, rules: &Ruleset) -> String {
    let is_balanced = conditions.get("openings").and_then(|openings| openings.get("balance")).is_some();
    match sure_winner(rules) {
        Some(side) => {
            format!("with best play nearly all openings of it are won by the {side}, so they cannot be balanced")
        }
        None if is_balanced => {
            "its openings were the most balanced of many, so that rather other limits may tell them apart".to_owned()
        }
        None => "other openings or limits may tell them apart".to_owned(),
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

#[cfg(test)]
mod tests {
    use reynard_engine::session::registry::RulesetChoice;
    use serde_json::json;

    use super::*;

    #[test]
    fn advice_where_pairs_are_split_knows_the_rules_and_the_openings() {
        let rules = |name: &str| Ruleset::new(RulesetChoice::catalog(name)).expect("a ruleset");
        let advice = |name: &str, openings: Value| {
            let conditions = json!({"openings": openings});
            super::advice(conditions.as_object().expect("an object"), &rules(name))
        };
        let balanced = || json!({"kind": "random", "plies": 16, "balance": {"by": "evaluation", "max_cp": 20}});
        assert!(advice("fox-and-hounds", balanced()).contains("won by the hounds, so they cannot be balanced"));
        assert!(advice("renard-1668", json!({"kind": "none"})).contains("won by the fox, so they cannot be balanced"));
        assert!(advice("siege", balanced()).starts_with("its openings were the most balanced of many"));
        assert_eq!(advice("siege", json!({"kind": "none"})), "other openings or limits may tell them apart");
        assert_eq!(sure_winner(&rules("masters-15")), None);
    }
}
