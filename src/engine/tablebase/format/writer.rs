//! Writes the file of a layer.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crc32fast::Hasher;

use super::frames::{BlockShape, EncodedBlock};
use super::{END, HEAD, TableHeader, partial_path};
use crate::files;
use crate::tablebase::TableError;

/// A file in the making, under another name until it is complete.
pub struct LayerWriter {
    path: PathBuf,
    file: BufWriter<File>,
    written: u64,
    blocks: Vec<WrittenBlock>,
}

/// A block on disk.
struct WrittenBlock {
    shape: BlockShape,
    begin: u64,
    table: Vec<u8>,
}

impl LayerWriter {
    /// Begins the file that will be `path`; what an interrupted build left is thrown away.
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

    /// Writes the next block; the first is number 0.
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

    /// Completes the file and gives it its name.
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

    /// Bytes so far.
    pub fn written(&self) -> u64 {
        self.written
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
        let blocks = (list.len() / super::BLOCK_BYTES) as u64;
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

    /// Names the file in the error of a step.
    fn checked(&mut self, step: impl FnOnce(&mut Self) -> io::Result<()>) -> Result<(), TableError> {
        step(self).map_err(|error| TableError::file(&partial_path(&self.path), error))
    }
}

pub(super) fn crc(parts: &[&[u8]]) -> u32 {
    let mut hasher = Hasher::new();
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finalize()
}

/// A frame's place is part of its checksum: a sound frame in the wrong place is an error, too.
pub(super) fn frame_crc(block: u32, frame: u32, bytes: &[u8]) -> u32 {
    crc(&[&block.to_le_bytes(), &frame.to_le_bytes(), bytes])
}
