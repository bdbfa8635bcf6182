//! The tables' values of a position and of its moves, by name.

use std::cmp::Reverse;

use serde_json::{Value, json};
use thiserror::Error;

use super::door::Session;
use super::options::Options;
use crate::rules::Seat;
use crate::rules::ruleset::Family;
use crate::tablebase::{Metric, TableError, TableValue};

/// The value of a position and of every legal move, without a search; history does not count.
pub struct TableReport {
    /// The value of the position.
    pub value: NamedValue,
    /// The moves by canonical text, the best first; `None` where the position after it is not covered.
    pub moves: Vec<(String, Option<NamedValue>)>,
    /// Why tables with distances to the end cannot be read; `None` when they can or there are none.
    pub without_ends: Option<TableError>,
}

/// Why there is no report.
#[derive(Debug, Error)]
pub enum TableGap {
    /// The family has no tables.
    #[error("'{0}' has no tables: tables are for the family of Fox & Geese only; `reynard rules list` shows its games")]
    Family(String),
    /// No folder is named.
    #[error("the option TablePath is empty")]
    NoFolder,
    /// The folder has no table for the position.
    #[error("no table in '{0}' covers this position; `reynard table list --dir '{0}'` names those that are there")]
    NotCovered(String),
    /// A table that covers it is damaged or cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// A value with names instead of seats, for the side to move.
#[derive(Clone, Copy)]
pub struct NamedValue {
    /// `win`, `draw` or `loss`.
    pub value: &'static str,
    /// The role of the winner, for example `fox` or `geese`.
    pub winner: Option<&'static str>,
    /// To the next conversion.
    pub plies: u32,
    /// To the end of the game; `None` in draws and where no table says it.
    pub plies_to_end: Option<u32>,
}

impl TableReport {
    /// The report of a session's position by the tables in the folder of the option `TablePath`.
    ///
    /// # Errors
    /// See [`TableGap`].
    pub fn of(session: &dyn Session, options: &Options) -> Result<Self, TableGap> {
        let folder = options.table_path();
        if session.game().family != Family::Hunt {
            return Err(TableGap::Family(session.game().ruleset.clone()));
        }
        if folder.is_empty() {
            return Err(TableGap::NoFolder);
        }
        let value =
            session.table_value(options, Metric::Conversion)?.ok_or_else(|| TableGap::NotCovered(folder.to_owned()))?;
        let mover = session.side_to_move().unwrap_or(Seat::P1);
        let moves = session.move_table_values(options, Metric::Conversion)?;
        let ends = session.move_table_values(options, Metric::End);
        let ends = ends.and_then(|moves| Ok((moves, session.table_value(options, Metric::End)?)));
        let (move_ends, end, without_ends) = match ends {
            Ok((moves, value)) => (moves.into_iter().map(|(_, value)| value).collect(), value, None),
            Err(error) => (vec![None; moves.len()], None, Some(error)),
        };
        // Distances of two kinds cannot be compared.
        let by_end = moves.iter().zip(&move_ends).all(|((_, value), end)| value.is_some() == end.is_some());
        let rank = |value: Option<TableValue>| value.map(|value| value.rank(mover));
        let mut moves: Vec<_> =
            moves.into_iter().zip(move_ends).map(|((text, value), end)| (text, value, end)).collect();
        moves.sort_by_key(|&(_, value, end)| {
            Reverse(if by_end { [rank(end), rank(value)] } else { [rank(value), rank(end)] })
        });
        let named = |value, end| NamedValue::of(session, mover, value, end);
        let moves = moves.into_iter().map(|(text, value, end)| (text, value.map(|value| named(value, end))));
        Ok(TableReport { value: named(value, end), moves: moves.collect(), without_ends })
    }

    /// The keys `value`, `winner`, `plies` and, where known, `plies_to_end` of the position; under `moves` these of
    /// each `move`, null where not covered; under `without_ends` why distances to the end cannot be read.
    pub fn json(&self) -> Value {
        let row = |(text, named): &(String, Option<NamedValue>)| {
            let mut row = json!({"move": text, "value": null, "winner": null, "plies": null});
            named.iter().for_each(|named| named.add_to(&mut row));
            row
        };
        let mut report = json!({});
        self.value.add_to(&mut report);
        report["moves"] = self.moves.iter().map(row).collect();
        if let Some(error) = &self.without_ends {
            report["without_ends"] = error.to_string().into();
        }
        report
    }
}

impl NamedValue {
    fn of(session: &dyn Session, mover: Seat, value: TableValue, to_end: Option<TableValue>) -> Self {
        let name = match value.winner {
            None => "draw",
            Some(seat) if seat == mover => "win",
            Some(_) => "loss",
        };
        let winner = value.winner.map(|seat| session.game().role(seat));
        let plies_to_end = to_end.filter(|value| value.winner.is_some()).map(|value| value.distance);
        NamedValue { value: name, winner, plies: value.distance, plies_to_end }
    }

    fn add_to(&self, object: &mut Value) {
        object["value"] = self.value.into();
        object["winner"] = self.winner.into();
        object["plies"] = self.plies.into();
        if let Some(plies) = self.plies_to_end {
            object["plies_to_end"] = plies.into();
        }
    }
}
