//! The entries of a block while it is solved.

use std::io;

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

    /// Sets the entries in some columns of a row.
    #[inline]
    pub(super) fn set(&mut self, row: usize, columns: impl Iterator<Item = u32>, entry: TableEntry) {
        let indices = columns.map(|column| row * self.columns + column as usize);
        match (&mut self.values, u8::try_from(entry.0)) {
            (EntryBytes::Narrow(values), Ok(entry)) => indices.for_each(|index| values[index] = entry),
            (EntryBytes::Wide(values), _) => indices.for_each(|index| values[index] = entry.0),
            (EntryBytes::Narrow(values), Err(_)) => {
                let mut wide: Vec<u16> = values.iter().map(|&value| value.into()).collect();
                indices.for_each(|index| wide[index] = entry.0);
                self.values = EntryBytes::Wide(wide);
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
