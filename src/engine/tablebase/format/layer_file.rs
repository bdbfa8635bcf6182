//! Reads the file of a layer, entry by entry or block by block, without loading it.

use std::cell::RefCell;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use zstd::bulk::Decompressor;

use super::{BLOCK_BYTES, BlockShape, END, HEAD, TAIL_BYTES, TableHeader, crc, frame_crc};
use crate::files::RandomAccessFile;
use crate::tablebase::{TableEntry, TableError};

/// The place of an entry in a layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EntryAddress {
    /// The number of the block in the file, from 0.
    pub block: u32,
    /// The row within the block, from 0.
    pub row: u64,
    /// The column within the row, from 0.
    pub column: u32,
}

/// The file of a complete layer, open for reading from any thread.
pub struct LayerFile {
    /// The path of the file.
    pub path: PathBuf,
    /// The header of the file.
    pub header: TableHeader,
    file: RandomAccessFile,
    blocks: Vec<BlockLocation>,
    /// By block: the bytes of its table of frames; see [`LayerFile::frame_table`].
    frame_tables: Box<[OnceLock<Vec<u8>>]>,
    cache: FrameCache,
}

#[derive(Clone, Copy)]
struct BlockLocation {
    begin: u64,
    table: u64,
    shape: BlockShape,
}

/// The most bytes of a frame. This program writes none larger; the limit keeps a false size from taking all memory.
const MAX_FRAME_BYTES: u64 = 1 << 24;
/// The most bytes of the list of blocks and the header together, which are checked only after they have been read.
const MAX_HEADER_BYTES: u64 = 1 << 26;
/// The most entries of a block, few enough that no number overflows.
const MAX_ENTRIES: u64 = 1 << 46;

impl LayerFile {
    /// Opens a file and checks everything but the frames, each of which is checked when it is read.
    ///
    /// # Errors
    /// The file cannot be read, is no table, or is damaged or cut short.
    pub fn open(path: &Path) -> Result<LayerFile, TableError> {
        let failed = |error: io::Error| TableError::Unreadable { path: path.to_owned(), message: error.to_string() };
        let file = RandomAccessFile::open(path).map_err(failed)?;
        let head = file.read(0..file.size().min(HEAD.len() as u64)).map_err(failed)?;
        let tail_begin = file.size().saturating_sub(TAIL_BYTES as u64);
        let tail = file.read(tail_begin..file.size()).map_err(failed)?;
        let parts = read_tail(&head, tail_begin, &tail);
        let (list, header, checksum) = parts.map_err(|(part, message)| TableError::damaged(path, part, message))?;
        let limit = list.start;
        let list = file.read(list).map_err(failed)?;
        let header = file.read(header).map_err(failed)?;
        if crc(&[&list, &header]) != checksum {
            return Err(TableError::damaged(path, "header", "the checksum does not fit"));
        }
        let message = "it points outside the file, or its size is impossible";
        let blocks = list.chunks_exact(BLOCK_BYTES).enumerate().map(|(number, bytes)| {
            read_block(bytes, limit).ok_or_else(|| TableError::damaged(path, format!("block {number}"), message))
        });
        let blocks = blocks.collect::<Result<Vec<BlockLocation>, TableError>>()?;
        let header = serde_json::from_slice(&header).map_err(|error| TableError::damaged(path, "header", error))?;
        let frame_tables = blocks.iter().map(|_| OnceLock::new()).collect();
        Ok(LayerFile { path: path.to_owned(), header, file, blocks, frame_tables, cache: FrameCache::new() })
    }

    /// The size of the file in bytes.
    pub fn size(&self) -> u64 {
        self.file.size()
    }

    /// The number of blocks in the file.
    pub fn blocks(&self) -> u32 {
        self.blocks.len() as u32
    }

    /// The number of rows of a block, and that of entries in a row; 0 and 0 for a block that the file does not have.
    pub fn extent(&self, block: u32) -> (u64, u32) {
        self.blocks.get(block as usize).map_or((0, 0), |block| (block.shape.rows, block.shape.columns))
    }

    /// The entry at a place.
    ///
    /// # Errors
    /// The file has no such place, or is damaged there.
    pub fn entry(&self, place: EntryAddress) -> Result<TableEntry, TableError> {
        let block = self.known(place.block)?;
        if place.row >= block.shape.rows || place.column >= block.shape.columns {
            let message = format!("it has no row {} with a column {}", place.row, place.column);
            return Err(TableError::damaged(&self.path, format!("block {}", place.block), message));
        }
        let frame = place.row / u64::from(block.shape.rows_per_frame);
        let row = (place.row - frame * u64::from(block.shape.rows_per_frame)) as usize;
        let index = place.column as usize * block.shape.rows_of(frame) + row;
        let read = |entries: &[u8]| entry_at(entries, index, block.shape.width);
        self.cache.with(place.block, frame, |out| self.expand(place.block, &block, frame, out), read)
    }

    /// All entries of a block, row after row.
    ///
    /// # Errors
    /// The file has no such block, or is damaged there.
    pub fn block(&self, block: u32) -> Result<Vec<TableEntry>, TableError> {
        let shape = self.known(block)?.shape;
        let columns = shape.columns as usize;
        // A file may state a false size, so memory for entries grows with those that are found.
        let mut entries = Vec::new();
        let mut bytes = Vec::new();
        for frame in 0..shape.frames() {
            self.expand(block, &self.known(block)?, frame, &mut bytes)?;
            let rows = shape.rows_of(frame);
            for row in 0..rows {
                entries.extend((0..columns).map(|column| entry_at(&bytes, column * rows + row, shape.width)));
            }
        }
        Ok(entries)
    }

    /// Reads every frame and checks it.
    ///
    /// # Errors
    /// A frame is damaged; the error names the first one.
    pub fn check(&self) -> Result<(), TableError> {
        let mut bytes = Vec::new();
        for number in 0..self.blocks() {
            let block = self.known(number)?;
            (0..block.shape.frames()).try_for_each(|frame| self.expand(number, &block, frame, &mut bytes))?;
        }
        Ok(())
    }

    fn known(&self, block: u32) -> Result<BlockLocation, TableError> {
        let known = self.blocks.get(block as usize).copied();
        known.ok_or_else(|| TableError::damaged(&self.path, format!("block {block}"), "it is missing"))
    }

    /// Checks a frame and appends its expanded bytes to `out`.
    fn expand(&self, number: u32, block: &BlockLocation, frame: u64, out: &mut Vec<u8>) -> Result<(), TableError> {
        let damaged = |error| TableError::damaged(&self.path, format!("frame {frame} of block {number}"), error);
        let table = self.frame_table(number, block).map_err(damaged)?;
        let entry = |frame: u64| (number_at(table, 8 * frame as usize), number_at(table, 8 * frame as usize + 4));
        let (end, expected) = entry(frame);
        let start = if frame == 0 { 0 } else { entry(frame - 1).0 };
        // Zstandard makes incompressible bytes a little longer.
        if u64::from(end.saturating_sub(start)) > 2 * MAX_FRAME_BYTES {
            return Err(damaged(io::Error::other("its size is impossible")));
        }
        let bytes = self.file.read(block.begin + u64::from(start)..block.begin + u64::from(end)).map_err(damaged)?;
        if frame_crc(number, frame as u32, &bytes) != expected {
            return Err(damaged(io::Error::other("the checksum does not fit")));
        }
        expand(&bytes, &block.shape, frame, out).map_err(damaged)
    }

    /// The table of a block's frames, their ends and checksums, read when the block is first used.
    fn frame_table(&self, number: u32, block: &BlockLocation) -> io::Result<&[u8]> {
        let table = &self.frame_tables[number as usize];
        if let Some(known) = table.get() {
            return Ok(known);
        }
        let bytes = self.file.read(block.table..block.table + 8 * block.shape.frames())?;
        Ok(table.get_or_init(|| bytes))
    }
}

thread_local! {
    /// A decompressor for each thread: making one takes longer than expanding a frame.
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// Calls `work` with the decompressor of the present thread.
///
/// # Errors
/// There is no memory for one, or the work fails.
pub(in crate::tablebase) fn with_decompressor<T>(
    work: impl FnOnce(&mut Decompressor<'static>) -> io::Result<T>,
) -> io::Result<T> {
    DECOMPRESSOR.with_borrow_mut(|decompressor| match decompressor {
        Some(ready) => work(ready),
        empty => work(empty.insert(Decompressor::new()?)),
    })
}

/// Expands the bytes of a frame into `out`; the frame may be one entry that stands for all.
///
/// # Errors
/// The bytes are no frame of this size.
fn expand(bytes: &[u8], shape: &BlockShape, frame: u64, out: &mut Vec<u8>) -> io::Result<()> {
    let size = shape.bytes_of(frame);
    let width = usize::from(shape.width);
    out.clear();
    if bytes.len() == width {
        out.extend_from_slice(bytes);
        return Ok(());
    }
    out.resize(size, 0);
    match with_decompressor(|decompressor| decompressor.decompress_to_buffer(bytes, out.as_mut_slice()))? {
        written if written == size => Ok(()),
        written => Err(io::Error::other(format!("a frame of {written} bytes instead of {size}"))),
    }
}

/// The entry at an index of an expanded frame.
fn entry_at(bytes: &[u8], index: usize, width: u16) -> TableEntry {
    let is_uniform = bytes.len() == usize::from(width);
    let index = if is_uniform { 0 } else { index };
    match width {
        1 => TableEntry(u16::from(bytes[index])),
        _ => TableEntry(u16::from_le_bytes([bytes[2 * index], bytes[2 * index + 1]])),
    }
}

/// The name of a damaged part, and what is wrong with it.
type Fault = (&'static str, &'static str);

/// Parses the tail: the places of the list of blocks and of the header, and the checksum of both.
fn read_tail(head: &[u8], at: u64, tail: &[u8]) -> Result<(Range<u64>, Range<u64>, u32), Fault> {
    if head != HEAD {
        return Err(("head", "this is no table of reynard, or one of another version"));
    }
    if tail.len() < TAIL_BYTES || !tail.ends_with(END) {
        return Err(("tail", "the file is cut short"));
    }
    let [list, blocks, header, header_bytes] = [0, 1, 2, 3].map(|index| long_at(tail, 8 * index));
    let list_end = blocks.checked_mul(BLOCK_BYTES as u64).and_then(|bytes| bytes.checked_add(list));
    let fits = list_end == Some(header) && header.checked_add(header_bytes) == Some(at);
    if fits && at - list <= MAX_HEADER_BYTES {
        Ok((list..header, header..at, number_at(tail, 32)))
    } else {
        Err(("tail", "the lengths do not fit"))
    }
}

/// Parses the record of a block; `None` if it contradicts itself or the size of the file.
fn read_block(bytes: &[u8], limit: u64) -> Option<BlockLocation> {
    let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let shape = BlockShape {
        rows: long_at(bytes, 16),
        columns: number_at(bytes, 24),
        rows_per_frame: short(28),
        width: short(30),
    };
    let begin = long_at(bytes, 0);
    let table = long_at(bytes, 8);
    if shape.rows_per_frame == 0 || !(1..=2).contains(&shape.width) {
        return None;
    }
    let frame_bytes = u64::from(shape.columns) * u64::from(shape.rows_per_frame) * u64::from(shape.width);
    let is_frame_too_large = shape.rows > 0 && frame_bytes > MAX_FRAME_BYTES;
    if is_frame_too_large || shape.rows.checked_mul(shape.columns.into())? > MAX_ENTRIES {
        return None;
    }
    let table_bytes = shape.frames().checked_mul(8)?;
    (begin <= limit && table.checked_add(table_bytes)? <= limit).then_some(BlockLocation { begin, table, shape })
}

/// The `u32` at an offset that was checked.
fn number_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// The `u64` at an offset that was checked.
fn long_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(number_at(bytes, at)) | (u64::from(number_at(bytes, at + 4)) << 32)
}

/// The number of slots of a cache, a power of two. With frames of 2 KiB they take 512 KiB for each layer in use.
const CACHE_SLOTS: usize = 256;

/// A slot of the cache: an expanded frame and its number.
#[derive(Default)]
struct Slot {
    /// The numbers of block and frame; `None` while empty.
    holds: Option<(u32, u64)>,
    bytes: Vec<u8>,
}

/// A direct-mapped cache of expanded frames that threads share.
struct FrameCache {
    slots: Box<[Mutex<Slot>]>,
}

impl FrameCache {
    fn new() -> Self {
        FrameCache { slots: (0..CACHE_SLOTS).map(|_| Mutex::default()).collect() }
    }

    /// Calls `read` with an expanded frame; `expand` fills the buffer if the cache does not hold the frame.
    fn with<T>(
        &self,
        block: u32,
        frame: u64,
        expand: impl FnOnce(&mut Vec<u8>) -> Result<(), TableError>,
        read: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, TableError> {
        let hash = ((u64::from(block) << 32) ^ frame).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = &self.slots[(hash >> 32) as usize % CACHE_SLOTS];
        // A thread that panicked while it filled the slot has left it marked as empty.
        let mut slot = slot.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if slot.holds != Some((block, frame)) {
            slot.holds = None;
            expand(&mut slot.bytes)?;
            slot.holds = Some((block, frame));
        }
        Ok(read(&slot.bytes))
    }
}
