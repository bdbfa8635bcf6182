//! Reads the file of a layer in place.

use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};

use memmap2::Mmap;

use super::frames::{BlockShape, expand};
use super::writer::{crc, frame_crc};
use super::{BLOCK_BYTES, END, HEAD, TAIL_BYTES, TableHeader};
use crate::files::ensure_regular;
use crate::tablebase::cache::FrameCache;
use crate::tablebase::{TableEntry, TableError};

/// Where an entry stands in a layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EntryAddress {
    /// Number of the block in the file, from 0.
    pub block: u32,
    /// Row within the block, from 0.
    pub row: u64,
    /// Column within the row, from 0.
    pub column: u32,
}

/// A complete layer, mapped into memory.
pub struct LayerFile {
    path: PathBuf,
    map: Mmap,
    header: TableHeader,
    blocks: Vec<BlockLocation>,
    cache: FrameCache,
}

#[derive(Clone, Copy)]
struct BlockLocation {
    begin: usize,
    table: usize,
    shape: BlockShape,
}

/// No frame that was ever written is larger, and a lie about its size must not take all memory.
const MAX_FRAME_BYTES: u64 = 1 << 24;
/// As many entries as the numbers of this program can hold.
const MAX_ENTRIES: u64 = 1 << 46;

impl LayerFile {
    /// Maps a file and checks everything but the frames, which are checked whenever one is read.
    ///
    /// # Errors
    /// It cannot be read, is no table, or is damaged or cut short.
    pub fn open(path: &Path) -> Result<LayerFile, TableError> {
        let open = || {
            ensure_regular(path)?;
            let file = File::open(path)?;
            // SAFETY: the map is read only. Should another program cut the file short while it is mapped, the system
            // ends this one; that is the price of reading in place, which every program with such tables pays.
            unsafe { Mmap::map(&file) }
        };
        let map = open().map_err(|error| TableError::file(path, error))?;
        let parts = read_tail(&map).map_err(|(part, message)| TableError::damaged(path, part, message))?;
        let (list, header, checksum) = parts;
        let (limit, list, header) = (list.start, &map[list], &map[header]);
        if crc(&[list, header]) != checksum {
            return Err(TableError::damaged(path, "header", "the checksum does not fit"));
        }
        let message = "it points outside the file, or its size is impossible";
        let blocks = list.chunks_exact(BLOCK_BYTES).enumerate().map(|(number, bytes)| {
            read_block(bytes, limit).ok_or_else(|| TableError::damaged(path, format!("block {number}"), message))
        });
        let blocks = blocks.collect::<Result<Vec<BlockLocation>, TableError>>()?;
        let header = serde_json::from_slice(header).map_err(|error| TableError::damaged(path, "header", error))?;
        Ok(LayerFile { path: path.to_owned(), map, header, blocks, cache: FrameCache::new() })
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the file says about itself.
    pub fn header(&self) -> &TableHeader {
        &self.header
    }

    /// Bytes on disk.
    pub fn size(&self) -> u64 {
        self.map.len() as u64
    }

    /// The number of blocks in the file.
    pub fn blocks(&self) -> u32 {
        self.blocks.len() as u32
    }

    /// The number of rows of a block and of entries in each; none for a block that is not there.
    pub fn extent(&self, block: u32) -> (u64, u32) {
        self.blocks.get(block as usize).map_or((0, 0), |block| (block.shape.rows, block.shape.columns))
    }

    /// The entry at a place.
    ///
    /// # Errors
    /// The file has no such place, or it is damaged there.
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
    /// As [`entry`](LayerFile::entry).
    pub fn block(&self, block: u32) -> Result<Vec<TableEntry>, TableError> {
        let shape = self.known(block)?.shape;
        let columns = shape.columns as usize;
        // A file may lie about its size: the room for entries grows with what is found.
        let (mut entries, mut bytes) = (Vec::new(), Vec::new());
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
    /// The first that is damaged.
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

    /// Expands a frame after checking it.
    fn expand(&self, number: u32, block: &BlockLocation, frame: u64, out: &mut Vec<u8>) -> Result<(), TableError> {
        let damaged =
            |message: String| TableError::damaged(&self.path, format!("frame {frame} of block {number}"), message);
        let entry = |frame: u64| {
            let at = block.table + 8 * frame as usize;
            (number_at(&self.map, at), number_at(&self.map, at + 4))
        };
        let (end, expected) = entry(frame);
        let start = if frame == 0 { 0 } else { entry(frame - 1).0 };
        let range = block.begin + start as usize..block.begin + end as usize;
        let bytes = self.map.get(range).ok_or_else(|| damaged("it points outside the file".to_owned()))?;
        if frame_crc(number, frame as u32, bytes) != expected {
            return Err(damaged("the checksum does not fit".to_owned()));
        }
        expand(bytes, &block.shape, frame, out).map_err(|error| damaged(error.to_string()))
    }
}

fn entry_at(bytes: &[u8], index: usize, width: u16) -> TableEntry {
    match width {
        1 => TableEntry(u16::from(bytes[index])),
        _ => TableEntry(u16::from_le_bytes([bytes[2 * index], bytes[2 * index + 1]])),
    }
}

/// What is wrong: the part and the message.
type Fault = (&'static str, &'static str);

/// Where the list of blocks and the header stand, and the checksum of both.
fn read_tail(map: &[u8]) -> Result<(Range<usize>, Range<usize>, u32), Fault> {
    if !map.starts_with(HEAD) {
        return Err(("head", "this is no table of reynard, or one of another version"));
    }
    let at = map.len().checked_sub(TAIL_BYTES).filter(|_| map.ends_with(END));
    let at = at.ok_or(("tail", "the file is cut short"))?;
    let number = |index: usize| usize::try_from(long_at(map, at + 8 * index)).unwrap_or(usize::MAX);
    let [list, blocks, header, header_bytes] = [0, 1, 2, 3].map(number);
    let list_end = blocks.checked_mul(BLOCK_BYTES).and_then(|bytes| bytes.checked_add(list));
    let fits = list_end == Some(header) && header.checked_add(header_bytes) == Some(at);
    if fits { Ok((list..header, header..at, number_at(map, at + 32))) } else { Err(("tail", "the lengths do not fit")) }
}

/// Reads a block's record; `None` if it cannot be true.
fn read_block(bytes: &[u8], limit: usize) -> Option<BlockLocation> {
    let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let shape = BlockShape {
        rows: long_at(bytes, 16),
        columns: number_at(bytes, 24),
        rows_per_frame: short(28),
        width: short(30),
    };
    let begin = usize::try_from(long_at(bytes, 0)).ok()?;
    let table = usize::try_from(long_at(bytes, 8)).ok()?;
    if shape.rows_per_frame == 0 || !(1..=2).contains(&shape.width) {
        return None;
    }
    let frame_bytes = u64::from(shape.columns) * u64::from(shape.rows_per_frame) * u64::from(shape.width);
    if shape.rows > 0 && frame_bytes > MAX_FRAME_BYTES || shape.rows.checked_mul(shape.columns.into())? > MAX_ENTRIES {
        return None;
    }
    let table_bytes = usize::try_from(shape.frames()).ok()?.checked_mul(8)?;
    (begin <= limit && table.checked_add(table_bytes)? <= limit).then_some(BlockLocation { begin, table, shape })
}

/// The `u32` at an offset that was checked.
fn number_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// The `u64` at an offset that was checked.
fn long_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(number_at(bytes, at)) | u64::from(number_at(bytes, at + 4)) << 32
}
