//! Compresses and expands the entries of a block.

use std::cell::RefCell;
use std::io;

use zstd::bulk::{Compressor, Decompressor};

/// The entries in a frame are about so many: few enough to expand one in less than two microseconds.
const FRAME_ENTRIES: usize = 2048;
/// Level 1 of Zstandard: higher ones cost more time than the building of the table itself, for a few per cent.
const LEVEL: i32 = 1;

/// How the entries of a block are cut into frames.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BlockShape {
    pub rows: u64,
    /// Entries in a row.
    pub columns: u32,
    pub rows_per_frame: u16,
    /// Bytes of an entry: 1 or 2.
    pub width: u16,
}

impl BlockShape {
    fn new(rows: usize, columns: usize, width: u16) -> BlockShape {
        let rows_per_frame = (FRAME_ENTRIES / columns.max(1)).clamp(1, usize::from(u16::MAX)) as u16;
        BlockShape { rows: rows as u64, columns: columns as u32, rows_per_frame, width }
    }

    pub(super) fn frames(&self) -> u64 {
        self.rows.div_ceil(u64::from(self.rows_per_frame.max(1)))
    }

    /// The rows of a frame that the block has.
    pub(super) fn rows_of(&self, frame: u64) -> usize {
        let first = frame * u64::from(self.rows_per_frame);
        self.rows.saturating_sub(first).min(u64::from(self.rows_per_frame)) as usize
    }

    /// The bytes of a frame when it is expanded.
    pub(super) fn bytes_of(&self, frame: u64) -> usize {
        self.rows_of(frame) * self.columns as usize * usize::from(self.width)
    }
}

/// A block ready to be written.
#[derive(Clone, Debug)]
pub struct EncodedBlock {
    pub(super) shape: BlockShape,
    pub(super) bytes: Vec<u8>,
    /// Where each frame ends in `bytes`.
    pub(super) ends: Vec<u32>,
}

impl EncodedBlock {
    /// Compresses rows of `columns` entries each; the last row is whole, too.
    ///
    /// # Errors
    /// The block takes more than 4 GiB.
    pub fn new(columns: usize, entries: &[u16]) -> io::Result<EncodedBlock> {
        match entries.iter().max() {
            Some(&most) if most > u16::from(u8::MAX) => {
                let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.to_le_bytes()).collect();
                Self::encode(BlockShape::new(entries.len() / columns.max(1), columns, 2), &bytes)
            }
            _ => Self::of_bytes(columns, &entries.iter().map(|&entry| entry as u8).collect::<Vec<u8>>()),
        }
    }

    /// The same for entries that fit a byte each.
    ///
    /// # Errors
    /// The block takes more than 4 GiB.
    pub fn of_bytes(columns: usize, entries: &[u8]) -> io::Result<EncodedBlock> {
        Self::encode(BlockShape::new(entries.len() / columns.max(1), columns, 1), entries)
    }

    fn encode(shape: BlockShape, entries: &[u8]) -> io::Result<EncodedBlock> {
        let mut block = EncodedBlock { shape, bytes: Vec::new(), ends: Vec::new() };
        let mut compressor = Compressor::new(LEVEL)?;
        let frame_bytes = shape.bytes_of(0).max(1);
        let mut columns = Vec::with_capacity(frame_bytes);
        for rows in entries.chunks(frame_bytes) {
            turn(rows, &shape, &mut columns);
            block.push(&columns, &mut compressor)?;
        }
        Ok(block)
    }

    fn push(&mut self, frame: &[u8], compressor: &mut Compressor<'_>) -> io::Result<()> {
        let width = usize::from(self.shape.width);
        if is_uniform(frame, width) {
            self.bytes.extend_from_slice(&frame[..width]);
        } else {
            let start = self.bytes.len();
            self.bytes.resize(start + zstd::zstd_safe::compress_bound(frame.len()), 0);
            let written = compressor.compress_to_buffer(frame, &mut self.bytes[start..])?;
            self.bytes.truncate(start + written);
        }
        let end = u32::try_from(self.bytes.len()).map_err(|_| io::Error::other("a block takes more than 4 GiB"))?;
        self.ends.push(end);
        Ok(())
    }
}

/// Whether all entries are equal: every one is the one before it.
fn is_uniform(frame: &[u8], width: usize) -> bool {
    frame.iter().zip(&frame[width.min(frame.len())..]).all(|(before, after)| before == after)
}

/// Rows to columns.
fn turn(rows: &[u8], shape: &BlockShape, out: &mut Vec<u8>) {
    let (columns, width) = (shape.columns as usize, usize::from(shape.width));
    out.clear();
    for column in 0..columns {
        let entries = rows.chunks_exact(columns * width);
        match width {
            1 => out.extend(entries.map(|row| row[column])),
            _ => entries.for_each(|row| out.extend_from_slice(&row[column * width..(column + 1) * width])),
        }
    }
}

thread_local! {
    /// Making a decompressor takes longer than expanding a frame.
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// Expands the bytes of a frame into `out`; one of equal entries gives one entry.
///
/// # Errors
/// They are no frame of this size.
pub(super) fn expand(bytes: &[u8], shape: &BlockShape, frame: u64, out: &mut Vec<u8>) -> io::Result<()> {
    let (size, width) = (shape.bytes_of(frame), usize::from(shape.width));
    out.clear();
    if bytes.len() == width {
        out.extend_from_slice(bytes);
        return Ok(());
    }
    out.resize(size, 0);
    DECOMPRESSOR.with_borrow_mut(|decompressor| {
        let decompressor = match decompressor {
            Some(ready) => ready,
            empty => empty.insert(Decompressor::new()?),
        };
        match decompressor.decompress_to_buffer(bytes, out.as_mut_slice())? {
            written if written == size => Ok(()),
            written => Err(io::Error::other(format!("a frame of {written} bytes instead of {size}"))),
        }
    })
}
