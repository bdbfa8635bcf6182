//! The labels of positions: by the result of their game, or by tables of perfect play.

use std::path::Path;

use reynard_engine::rules::Seat;
use reynard_engine::session::registry::AnyRuleset;
use reynard_engine::session::{Options, Session};
use reynard_engine::tablebase::{Metric, Store, TableError, existing_folder};

use super::TexelError;
use crate::tournament::tables;
use crate::tune::spec::LabelSource;

/// Says what a position is worth for seat 0: 1 a win, 1/2 a draw, 0 a loss.
pub struct Labels {
    /// Options with which a session knows the truth; without them the results of the games themselves count.
    tables: Option<Options>,
}

impl Labels {
    /// The labels that a spec asks for; `folder` is that of the tables.
    ///
    /// # Errors
    /// Tables are asked for, and there are none or they cannot be read.
    pub fn new(ruleset: &AnyRuleset, source: LabelSource, folder: Option<&Path>) -> Result<Labels, TexelError> {
        if source == LabelSource::Result {
            return Ok(Labels { tables: None });
        }
        let none = || TexelError::NoTables { ruleset: ruleset.open().game().ruleset.clone() };
        let folder = folder.ok_or_else(none)?;
        let builder = ruleset.table_builder().map_err(|_| none())?;
        let store = Store::open(existing_folder(folder)?, builder.identity().clone())?;
        if store.layers().is_empty() {
            return Err(none());
        }
        Ok(Labels { tables: Some(tables::options(folder)) })
    }

    /// `result` is how the game of the session's position ended, in the same measure; `None` leaves the position out.
    ///
    /// # Errors
    /// A table that covers the position is damaged or cannot be read.
    pub fn label(&self, session: &dyn Session, result: f32) -> Result<Option<f32>, TableError> {
        let Some(options) = &self.tables else { return Ok(Some(result)) };
        Ok(session.table_value(options, Metric::Conversion)?.map(|known| worth(known.winner)))
    }
}

/// What a result is worth for seat 0.
pub(super) fn worth(winner: Option<Seat>) -> f32 {
    winner.map_or(0.5, |seat| if seat == Seat::P1 { 1.0 } else { 0.0 })
}
