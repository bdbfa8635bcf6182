//! How far from what is wanted a position is.

use std::path::Path;

use super::BookError;
use crate::engine::registry::{self, RulesetChoice};
use crate::engine::{GoRequest, Options, SearchSession, search_and_wait};
use crate::tablebase::TableError;
use crate::tournament::spec::{Balance, WantedValue};
use crate::tournament::tables;

/// A session that judges positions, each afresh: what it says of one does not depend on those before.
pub(super) struct Scale {
    session: Box<dyn SearchSession>,
    options: Options,
    measure: Measure,
    /// A table could not be read.
    failure: Option<TableError>,
}

/// What is compared with what.
#[derive(Clone, Copy)]
enum Measure {
    /// A search of so many nodes with a score, in hundredths of a piece.
    Evaluation {
        most: u32,
        nodes: u64,
    },
    Table(WantedValue),
}

/// The weight of a position that cannot be judged, or is not what the tables should say.
const FAR: u32 = u32::MAX;
/// So many new positions are weighed before the most balanced of them is taken.
const WEIGHED: usize = 32;
/// So many are asked for in the tables before there are said to be no more.
const ASKED: usize = 20_000;

impl Scale {
    /// `tables` is a folder of tables of perfect play.
    ///
    /// # Errors
    /// The ruleset does not open, or tables are wanted and there is no folder.
    pub(super) fn new(choice: &RulesetChoice, balance: &Balance, tables: Option<&Path>) -> Result<Self, BookError> {
        let session = registry::open(choice)?;
        let (options, measure) = match (*balance, tables) {
            (Balance::Evaluation { max_cp, nodes }, _) => {
                let mut options = registry::default_options();
                // A small table is emptied quickly, and these searches are small. The name and value are ours.
                let _ = options.set("Hash", Some("1"));
                (options, Measure::Evaluation { most: max_cp, nodes })
            }
            (Balance::Table { value }, Some(folder)) => (tables::options(folder), Measure::Table(value)),
            (Balance::Table { .. }, None) => return Err(BookError::NoTables),
        };
        Ok(Scale { session, options, measure, failure: None })
    }

    /// The most that counts as balanced.
    pub(super) fn most(&self) -> u32 {
        match self.measure {
            Measure::Evaluation { most, .. } => most,
            Measure::Table(_) => 0,
        }
    }

    /// Whether nothing above [`most`](Scale::most) will do, however few positions there are below.
    pub(super) fn is_strict(&self) -> bool {
        matches!(self.measure, Measure::Table(_))
    }

    /// How many positions are weighed for one opening.
    pub(super) fn patience(&self) -> usize {
        if self.is_strict() { ASKED } else { WEIGHED }
    }

    /// Why a table could not be read, once.
    pub(super) fn take_failure(&mut self) -> Option<TableError> {
        self.failure.take()
    }

    /// The distance from what is wanted after these moves, in hundredths of a piece.
    pub(super) fn weigh(&mut self, moves: &[String]) -> u32 {
        let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
        if self.session.set_position(None, &texts).is_err() {
            return FAR;
        }
        match self.measure {
            Measure::Evaluation { nodes, .. } => self.evaluate(nodes),
            Measure::Table(wanted) => self.look_up(wanted),
        }
    }

    fn look_up(&mut self, wanted: WantedValue) -> u32 {
        match self.session.table_value(&self.options) {
            Ok(Some(verdict)) if verdict.winner.map(|seat| self.session.role(seat)) == wanted.role() => 0,
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
            Ok((Some(info), _)) => info.lines.first().map_or(FAR, |line| line.score.0.unsigned_abs()),
            _ => FAR,
        }
    }
}
