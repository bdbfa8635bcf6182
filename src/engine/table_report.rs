//! The tables' values of a position and of its moves, by name.

use std::cmp::Reverse;

use serde_json::{Value, json};
use thiserror::Error;

use super::options::Options;
use super::session::Session;
use crate::rules::Seat;
use crate::tablebase::{TableError, TableValue};

/// The value of a position and of every legal move, without a search; history does not count.
pub(crate) struct TableReport {
    pub value: NamedValue,
    /// By canonical text, the best first; `None`: the position after it is not covered.
    pub moves: Vec<(String, Option<NamedValue>)>,
}

/// Why there is no report.
#[derive(Debug, Error)]
pub(crate) enum TableGap {
    #[error("'{0}' has no tables: tables are for the family of Fox & Geese only; `reynard rules list` shows its games")]
    Family(String),
    #[error("the option TablePath is empty")]
    NoFolder,
    #[error("no table in '{0}' covers this position")]
    NotCovered(String),
    /// A table that covers it is damaged or cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// A value with names instead of seats, for the side to move.
#[derive(Clone, Copy)]
pub(crate) struct NamedValue {
    /// `win`, `draw` or `loss`.
    pub value: &'static str,
    /// The role of the winner, for example `fox` or `geese`.
    pub winner: Option<&'static str>,
    /// To the next conversion.
    pub plies: u32,
    /// The greater, the better for the side to move.
    rank: i64,
}

impl TableReport {
    /// What the tables in the folder of the option `TablePath` say.
    ///
    /// # Errors
    /// See [`TableGap`].
    pub(crate) fn of(session: &dyn Session, options: &Options) -> Result<Self, TableGap> {
        let folder = options.table_path();
        if !session.has_tables() {
            return Err(TableGap::Family(session.ruleset().to_owned()));
        }
        if folder.is_empty() {
            return Err(TableGap::NoFolder);
        }
        let value = session.table_value(options)?.ok_or_else(|| TableGap::NotCovered(folder.to_owned()))?;
        let mover = session.side_to_move().unwrap_or(Seat::P1);
        let named = |value| NamedValue::of(session, mover, value);
        let values = session.move_table_values(options)?.into_iter();
        let mut moves: Vec<_> = values.map(|(text, value)| (text, value.map(named))).collect();
        moves.sort_by_key(|(_, value)| Reverse(value.map(|value| value.rank)));
        Ok(TableReport { value: named(value), moves })
    }

    /// `value`, `winner` and `plies` of the position; under `moves` the same for each `move`, null where not covered.
    pub(crate) fn json(&self) -> Value {
        let row = |(text, named): &(String, Option<NamedValue>)| {
            let winner = named.and_then(|named| named.winner);
            json!({"move": text, "value": named.map(|named| named.value), "winner": winner,
                "plies": named.map(|named| named.plies)})
        };
        let NamedValue { value, winner, plies, .. } = self.value;
        json!({"value": value, "winner": winner, "plies": plies, "moves": Value::from_iter(self.moves.iter().map(row))})
    }
}

impl NamedValue {
    fn of(session: &dyn Session, mover: Seat, value: TableValue) -> Self {
        let name = match value.winner {
            None => "draw",
            Some(seat) if seat == mover => "win",
            Some(_) => "loss",
        };
        let winner = value.winner.map(|seat| session.role(seat));
        NamedValue { value: name, winner, plies: value.distance, rank: value.rank(mover) }
    }
}
