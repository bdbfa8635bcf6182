//! Measures how far the value of an opening is from the wanted one.

use std::path::Path;

use reynard_engine::session::registry;
use reynard_engine::session::{GoRequest, Options, Searched, Session, search_and_wait};
use reynard_engine::tablebase::{Metric, TableError};

use super::BookError;
use crate::tournament::ruleset::Ruleset;
use crate::tournament::spec::{Balance, WantedValue};
use crate::tournament::tables;

/// Measures how far a position is from the wanted value, each afresh: what it says of one does not depend on those
/// before.
pub(super) struct ValueFilter {
    session: Box<dyn Session>,
    options: Options,
    target: Target,
    /// A table could not be read.
    failure: Option<TableError>,
}

/// What is compared with what.
#[derive(Clone, Copy)]
enum Target {
    /// A search of so many nodes with a score, in hundredths of a piece.
    Evaluation {
        most: u32,
        nodes: u64,
    },
    Table(WantedValue),
}

/// The distance of a position that cannot be judged, or is not what the tables should say.
const FAR: u32 = u32::MAX;
/// So many new positions are judged before the most balanced of them is taken.
const JUDGED: usize = 32;
/// So many are asked for in the tables before there are said to be no more.
const ASKED: usize = 20_000;

impl ValueFilter {
    /// `tables` is a folder of tables of perfect play.
    ///
    /// # Errors
    /// The ruleset does not open, or tables are wanted and there is no folder.
    pub(super) fn new(ruleset: &Ruleset, balance: &Balance, tables: Option<&Path>) -> Result<Self, BookError> {
        let session = ruleset.session()?;
        let (options, target) = match (*balance, tables) {
            (Balance::Evaluation { max_cp, nodes }, _) => {
                let mut options = registry::default_options();
                // A small table is emptied quickly, and these searches are small. The name and value are ours.
                let _ = options.set("Hash", Some("1"));
                (options, Target::Evaluation { most: max_cp, nodes })
            }
            (Balance::Table { value }, Some(folder)) => (tables::options(folder), Target::Table(value)),
            (Balance::Table { .. }, None) => return Err(BookError::NoTables),
        };
        Ok(ValueFilter { session, options, target, failure: None })
    }

    /// The most that counts as balanced.
    pub(super) fn tolerance(&self) -> u32 {
        match self.target {
            Target::Evaluation { most, .. } => most,
            Target::Table(_) => 0,
        }
    }

    /// Whether nothing above [`tolerance`](ValueFilter::tolerance) will do, however few positions there are below.
    pub(super) fn is_strict(&self) -> bool {
        matches!(self.target, Target::Table(_))
    }

    /// How many positions are judged for one opening.
    pub(super) fn candidates(&self) -> usize {
        if self.is_strict() { ASKED } else { JUDGED }
    }

    /// Why a table could not be read, once.
    pub(super) fn take_failure(&mut self) -> Option<TableError> {
        self.failure.take()
    }

    /// The distance from what is wanted after these moves, in hundredths of a piece.
    pub(super) fn distance(&mut self, moves: &[String]) -> u32 {
        let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
        if self.session.set_position(None, &texts).is_err() {
            return FAR;
        }
        match self.target {
            Target::Evaluation { nodes, .. } => self.evaluate(nodes),
            Target::Table(wanted) => self.look_up(wanted),
        }
    }

    fn look_up(&mut self, wanted: WantedValue) -> u32 {
        match self.session.table_value(&self.options, Metric::Conversion) {
            Ok(Some(verdict)) if verdict.winner.map(|seat| self.session.game().role(seat)) == wanted.role() => 0,
            Ok(_) => FAR,
            Err(error) => {
                self.failure = Some(error);
                FAR
            }
        }
    }

    fn evaluate(&mut self, nodes: u64) -> u32 {
        self.session.clear_search();
        match search_and_wait(&mut *self.session, &GoRequest::nodes(nodes), &self.options) {
            Ok(Searched { report: Some(info), .. }) => {
                info.lines.first().map_or(FAR, |line| line.score.0.unsigned_abs())
            }
            _ => FAR,
        }
    }
}
