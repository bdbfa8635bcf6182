//! Writes the file of a layer, block by block.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use zstd::bulk::Compressor;

use super::{BLOCK_BYTES, BlockShape, END, HEAD, TableHeader, crc, frame_crc, partial_path};
use crate::tablebase::TableError;
use crate::{files, parallel};

/// The Zstandard level: higher ones take more time than solving, and save a few per cent.
const LEVEL: i32 = 1;

/// Writes a file block by block, under another name until it is complete.
pub struct LayerWriter {
    path: PathBuf,
    file: BufWriter<File>,
    written: u64,
    blocks: Vec<WrittenBlock>,
}

/// A block on disk: its shape, and where its parts are in the file.
struct WrittenBlock {
    shape: BlockShape,
    begin: u64,
    table: Vec<u8>,
}

impl LayerWriter {
    /// Begins the file that will be `path`, and deletes what an interrupted build left of it.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn create(path: &Path) -> Result<LayerWriter, TableError> {
        let partial = partial_path(path);
        files::ensure_regular(path).map_err(|error| TableError::file(path, error))?;
        let file = files::open(&partial, File::options().write(true).create(true).truncate(true));
        let file = file.map_err(|error| TableError::file(&partial, error))?;
        let mut writer = LayerWriter {
            path: path.to_owned(),
            file: BufWriter::with_capacity(1 << 20, file),
            written: 0,
            blocks: Vec::new(),
        };
        writer.checked(|writer| writer.write(HEAD))?;
        Ok(writer)
    }

    /// Writes the next block; blocks are numbered from 0.
    ///
    /// # Errors
    /// The disk is full or fails.
    pub fn append(&mut self, block: &EncodedBlock) -> Result<(), TableError> {
        let number = self.blocks.len() as u32;
        let begin = self.written;
        self.checked(|writer| writer.write(&block.bytes))?;
        let mut table = Vec::with_capacity(block.ends.len() * 8);
        let mut start = 0;
        for (frame, &end) in (0u32..).zip(&block.ends) {
            table.extend(end.to_le_bytes());
            table.extend(frame_crc(number, frame, &block.bytes[start..end as usize]).to_le_bytes());
            start = end as usize;
        }
        self.blocks.push(WrittenBlock { shape: block.shape, begin, table });
        Ok(())
    }

    /// Encodes items as blocks, `at_a_time` of them side by side in memory, and writes the blocks in order.
    ///
    /// # Errors
    /// A block cannot be compressed; the disk is full or fails.
    pub(in crate::tablebase) fn append_encoded<T: Send>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        at_a_time: usize,
        encode: impl Fn(T) -> io::Result<Vec<EncodedBlock>> + Sync,
    ) -> Result<(), TableError> {
        let mut items = items.into_iter().peekable();
        while items.peek().is_some() {
            let encoded = parallel::try_map(items.by_ref().take(at_a_time), &encode);
            let failed = |error| TableError::Refused(format!("a block cannot be compressed: {error}"));
            encoded.map_err(failed)?.iter().flatten().try_for_each(|block| self.append(block))?;
        }
        Ok(())
    }

    /// Completes the file and gives it its final name.
    ///
    /// # Errors
    /// The disk is full or fails.
    pub fn finish(mut self, header: &TableHeader) -> Result<(), TableError> {
        self.checked(|writer| writer.write_end(header))?;
        self.checked(|writer| {
            writer.file.flush()?;
            writer.file.get_ref().sync_all()
        })?;
        let renamed = files::rename(&partial_path(&self.path), &self.path);
        renamed.map_err(|error| TableError::file(&self.path, error))
    }

    fn write_end(&mut self, header: &TableHeader) -> io::Result<()> {
        let mut list = Vec::new();
        for block in std::mem::take(&mut self.blocks) {
            let shape = block.shape;
            list.extend(block.begin.to_le_bytes());
            list.extend(self.written.to_le_bytes());
            list.extend(shape.rows.to_le_bytes());
            list.extend(shape.columns.to_le_bytes());
            list.extend(shape.rows_per_frame.to_le_bytes());
            list.extend(shape.width.to_le_bytes());
            self.write(&block.table)?;
        }
        let header = serde_json::to_vec(header)?;
        let blocks_begin = self.written;
        self.write(&list)?;
        self.write(&header)?;
        let blocks = (list.len() / BLOCK_BYTES) as u64;
        let lengths = [blocks_begin, blocks, blocks_begin + list.len() as u64, header.len() as u64];
        let mut tail: Vec<u8> = lengths.into_iter().flat_map(u64::to_le_bytes).collect();
        tail.extend(crc(&[&list, &header]).to_le_bytes());
        tail.extend(END);
        self.write(&tail)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.written += bytes.len() as u64;
        self.file.write_all(bytes)
    }

    /// Runs a step, and names the file in its error.
    fn checked(&mut self, step: impl FnOnce(&mut Self) -> io::Result<()>) -> Result<(), TableError> {
        step(self).map_err(|error| TableError::file(&partial_path(&self.path), error))
    }
}

/// A compressed block ready to be written.
#[derive(Clone, Debug)]
pub struct EncodedBlock {
    shape: BlockShape,
    bytes: Vec<u8>,
    /// The end of each frame in `bytes`.
    ends: Vec<u32>,
}

impl EncodedBlock {
    /// Compresses rows of `columns` entries each; the last row must be complete.
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

    /// Compresses rows of `columns` one-byte entries each; the last row must be complete.
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

/// Whether all entries of a frame are equal.
fn is_uniform(frame: &[u8], width: usize) -> bool {
    frame.iter().zip(&frame[width.min(frame.len())..]).all(|(before, after)| before == after)
}

/// Transposes the rows of a frame into columns.
fn turn(rows: &[u8], shape: &BlockShape, out: &mut Vec<u8>) {
    let columns = shape.columns as usize;
    let width = usize::from(shape.width);
    out.clear();
    for column in 0..columns {
        let entries = rows.chunks_exact(columns * width);
        match width {
            1 => out.extend(entries.map(|row| row[column])),
            _ => entries.for_each(|row| out.extend_from_slice(&row[column * width..(column + 1) * width])),
        }
    }
}
