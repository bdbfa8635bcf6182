//! The entries of a block in the making.

use std::io;

use super::rules::singles;
use crate::tablebase::Entry;
use crate::tablebase::format::EncodedBlock;

/// One byte an entry as long as that suffices.
pub(super) struct Entries {
    columns: usize,
    values: Values,
}

enum Values {
    Narrow(Vec<u8>),
    Wide(Vec<u16>),
}

impl Entries {
    /// All draws.
    pub(super) fn new(rows: usize, columns: usize) -> Entries {
        Entries { columns, values: Values::Narrow(vec![0; rows * columns]) }
    }

    /// Sets the entries of some fox points in the row of a pattern whose empty points are given.
    #[inline]
    pub(super) fn set(&mut self, row: usize, empty: u64, points: u64, entry: Entry) {
        let start = row * self.columns;
        let index = |point: u64| start + (empty & (point - 1)).count_ones() as usize;
        match (&mut self.values, u8::try_from(entry.0)) {
            (Values::Narrow(values), Ok(entry)) => singles(points).for_each(|point| values[index(point)] = entry),
            (Values::Wide(values), _) => singles(points).for_each(|point| values[index(point)] = entry.0),
            (Values::Narrow(values), Err(_)) => {
                self.values = Values::Wide(values.iter().map(|&value| value.into()).collect());
                self.set(row, empty, points, entry);
            }
        }
    }

    /// # Errors
    /// The block is too large for the format.
    pub(super) fn encode(&self) -> io::Result<EncodedBlock> {
        match &self.values {
            Values::Narrow(values) => EncodedBlock::of_bytes(self.columns, values),
            Values::Wide(values) => EncodedBlock::new(self.columns, values),
        }
    }
}
