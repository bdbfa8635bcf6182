//! The entries of a block while it is solved.

use std::io;

use super::words::singles;
use crate::tablebase::TableEntry;
use crate::tablebase::format::EncodedBlock;

/// One byte an entry as long as that suffices.
pub(super) struct BlockEntries {
    columns: usize,
    values: EntryBytes,
}

enum EntryBytes {
    Narrow(Vec<u8>),
    Wide(Vec<u16>),
}

impl BlockEntries {
    /// All draws.
    pub(super) fn new(rows: usize, columns: usize) -> BlockEntries {
        BlockEntries { columns, values: EntryBytes::Narrow(vec![0; rows * columns]) }
    }

    /// Sets the entries of some fox points in the row of a pattern whose empty points are given.
    #[inline]
    pub(super) fn set(&mut self, row: usize, empty: u64, points: u64, entry: TableEntry) {
        let start = row * self.columns;
        let index = |point: u64| start + (empty & (point - 1)).count_ones() as usize;
        match (&mut self.values, u8::try_from(entry.0)) {
            (EntryBytes::Narrow(values), Ok(entry)) => singles(points).for_each(|point| values[index(point)] = entry),
            (EntryBytes::Wide(values), _) => singles(points).for_each(|point| values[index(point)] = entry.0),
            (EntryBytes::Narrow(values), Err(_)) => {
                self.values = EntryBytes::Wide(values.iter().map(|&value| value.into()).collect());
                self.set(row, empty, points, entry);
            }
        }
    }

    /// # Errors
    /// The block is too large for the format.
    pub(super) fn encode(&self) -> io::Result<EncodedBlock> {
        match &self.values {
            EntryBytes::Narrow(values) => EncodedBlock::of_bytes(self.columns, values),
            EntryBytes::Wide(values) => EncodedBlock::new(self.columns, values),
        }
    }
}
