//! Follows a journal that another process writes.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::Layout;
use super::error::JournalError;
use super::head::{check_run, check_same, header_of, read_header};
use super::line::{Extent, Scan};
use crate::tournament::header::JournalHeader;
use crate::tournament::record::GameRecord;

/// A place in a journal that may not exist yet: what stands before it has been read.
pub(crate) struct JournalTail {
    path: PathBuf,
    /// What the journal must begin with.
    header: JournalHeader,
    read: Extent,
    /// What tells the file from one that takes its place.
    file: Option<u64>,
}

impl JournalTail {
    pub(crate) fn new(dir: &Path, header: JournalHeader) -> Self {
        JournalTail { path: Layout::new(dir).journal(), header, read: Extent::after(b""), file: None }
    }

    /// Shows every game that was added; a last line that is not whole is left for the next time.
    ///
    /// # Errors
    /// The journal is another run's, or damaged; it was replaced or has become shorter than what was read of it, as
    /// when it is put in order at the end of a run ([`JournalError::Changed`]).
    pub(crate) fn read(&mut self, mut show: impl FnMut(&GameRecord)) -> Result<(), JournalError> {
        let mut scan = match Scan::resume(&self.path, &self.read) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            opened => opened.map_err(JournalError::at(&self.path))?,
        };
        let (file, bytes) = scan.identity().map_err(JournalError::at(&self.path))?;
        if bytes < self.read.bytes || *self.file.get_or_insert(file) != file {
            return Err(JournalError::Changed { path: self.path.clone() });
        }
        while scan.advance()?.is_some() {
            let lines = scan.extent().lines;
            if lines == 1 {
                check_run(&self.path, &header_of(scan.text(), &self.path)?, &self.header)?;
            } else {
                let record = serde_json::from_slice(scan.text());
                show(&record.map_err(|error| JournalError::damaged(&self.path, lines.into(), error))?);
            }
            self.read = scan.extent().clone();
        }
        Ok(())
    }
}

/// The journals of several shards of one run while they are written.
#[derive(Default)]
pub(crate) struct ShardTails {
    /// That of the first journal that there was, without its shard.
    header: Option<JournalHeader>,
    /// Of those that there are by now.
    tails: BTreeMap<PathBuf, JournalTail>,
}

impl ShardTails {
    /// Journals that have been begun.
    pub(crate) fn found(&self) -> usize {
        self.tails.len()
    }

    /// What is played; `None` before there is a journal.
    pub(crate) fn header(&self) -> Option<&JournalHeader> {
        self.header.as_ref()
    }

    /// Takes in the journals of these results directories that have been begun since the last call.
    ///
    /// # Errors
    /// A journal cannot be read, or is not of the run of the others.
    pub(crate) fn find(&mut self, dirs: &[PathBuf]) -> Result<(), JournalError> {
        for dir in dirs {
            if self.tails.contains_key(dir) {
                continue;
            }
            let header = match read_header(dir) {
                Err(JournalError::Missing(_) | JournalError::Unborn(_)) => continue,
                read => read?,
            };
            let whole = self.header.get_or_insert_with(|| JournalHeader { shard: None, ..header.clone() });
            check_same(dir, &header, &dirs[0], whole)?;
            self.tails.insert(dir.clone(), JournalTail::new(dir, header));
        }
        Ok(())
    }

    /// Shows every game that was added.
    ///
    /// # Errors
    /// A journal cannot be read, is damaged, or is that of another run by now.
    pub(crate) fn read(&mut self, mut show: impl FnMut(&GameRecord)) -> Result<(), JournalError> {
        self.tails.values_mut().try_for_each(|tail| tail.read(&mut show))
    }
}
