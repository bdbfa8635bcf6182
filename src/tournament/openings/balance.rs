//! Measures how far the value of an opening is from the wanted one.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::{self, Builder};

use reynard_engine::session::registry;
use reynard_engine::session::{Event, GoRequest, Options, STACK_BYTES, Session};
use reynard_engine::tablebase::Metric;

use super::BookError;
use crate::tournament::ruleset::Ruleset;
use crate::tournament::spec::{Balance, WantedValue};
use crate::tournament::tables;

/// Measures how far a position is from the wanted value, each afresh: what it says of one does not depend on those
/// before.
pub(super) struct ValueFilter {
    session: Box<dyn Session>,
    options: Options,
    balance: Balance,
}

/// The distance of a position that cannot be judged, or is not what the tables should say.
const FAR: u32 = u32::MAX;

impl ValueFilter {
    /// `tables` is a folder of tables of perfect play, which a search asks too.
    ///
    /// # Errors
    /// The ruleset does not open, or tables are wanted and there is no folder.
    pub(super) fn new(ruleset: &Ruleset, balance: &Balance, tables: Option<&Path>) -> Result<Self, BookError> {
        if matches!(balance, Balance::Table { .. }) && tables.is_none() {
            return Err(BookError::NoTables);
        }
        let mut options = tables.map_or_else(registry::default_options, tables::options);
        // A small table is emptied quickly, and these searches are small. The name and value are ours.
        let _ = options.set("Hash", Some("1"));
        Ok(ValueFilter { session: ruleset.session()?, options, balance: *balance })
    }

    /// The most that counts as balanced.
    pub(super) fn tolerance(&self) -> u32 {
        match self.balance {
            Balance::Evaluation { max_cp, .. } => max_cp,
            Balance::Table { .. } => 0,
        }
    }

    /// Whether positions are searched. Else tables say what they are, and nothing but the wanted value will do.
    pub(super) fn is_search(&self) -> bool {
        matches!(self.balance, Balance::Evaluation { .. })
    }

    /// The distance from what is wanted after these moves, in hundredths of a piece; any once `stop` is set.
    ///
    /// # Errors
    /// A table cannot be read, or the system has no thread for a search.
    pub(super) fn distance(&mut self, moves: &[String], stop: &Arc<AtomicBool>) -> Result<u32, BookError> {
        let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
        if self.session.set_position(None, &texts).is_err() {
            return Ok(FAR);
        }
        match self.balance {
            Balance::Evaluation { nodes, .. } => self.evaluate(nodes, stop),
            Balance::Table { value } => self.look_up(value),
        }
    }

    fn look_up(&mut self, wanted: WantedValue) -> Result<u32, BookError> {
        let verdict = self.session.table_value(&self.options, Metric::Conversion)?;
        let winner = verdict.map(|verdict| verdict.winner.map(|seat| self.session.game().role(seat)));
        Ok(if winner == Some(wanted.role()) { 0 } else { FAR })
    }

    fn evaluate(&mut self, nodes: u64, stop: &Arc<AtomicBool>) -> Result<u32, BookError> {
        self.session.clear_search();
        let Ok(search) = self.session.prepare(&GoRequest::nodes(nodes), &self.options) else { return Ok(FAR) };
        let mut distance = FAR;
        let mut keep = |event| {
            if let Event::Info(info) = event {
                distance = info.lines.first().map_or(FAR, |line| line.score.0.unsigned_abs());
            }
        };
        let run = || search.run(stop, &mut keep);
        // Without the search another candidate would be taken: another opening than on other machines.
        thread::scope(|scope| {
            Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, run).map(drop).map_err(BookError::Thread)
        })?;
        Ok(distance)
    }
}
