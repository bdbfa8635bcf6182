//! Follows a journal that another process writes.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use reynard_engine::files;

use super::Layout;
use super::archive::{header_of, read_header};
use super::compare::{check_run, check_same};
use super::error::JournalError;
use super::line::{self, MAX_LINE_BYTES};
use crate::tournament::header::JournalHeader;
use crate::tournament::record::GameRecord;

/// A place in a journal that may not exist yet: what stands before it has been read.
pub(crate) struct JournalTail {
    path: PathBuf,
    /// What the journal must begin with.
    header: JournalHeader,
    offset: u64,
    lines: u64,
    /// What tells the file from one that takes its place.
    file: Option<u64>,
}

/// Changes when a file is replaced; the same for all where the system does not tell.
fn identity(about: &Metadata) -> u64 {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::ino(about);
    #[cfg(not(unix))]
    return u64::from(about.is_dir());
}

impl JournalTail {
    pub(crate) fn new(dir: &Path, header: JournalHeader) -> Self {
        JournalTail { path: Layout::new(dir).journal(), header, offset: 0, lines: 0, file: None }
    }

    /// Shows every game that was added; a line that is not whole yet is left for the next time.
    ///
    /// # Errors
    /// The journal is another run's, or damaged; it was replaced or has become shorter than what was read of it, as
    /// when it is put in order at the end of a run ([`JournalError::Changed`]).
    pub(crate) fn read(&mut self, mut show: impl FnMut(&GameRecord)) -> Result<(), JournalError> {
        let at = |error| JournalError::Io { path: self.path.clone(), error };
        let mut added = match files::open_regular(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            opened => BufReader::new(opened.map_err(at)?),
        };
        let about = added.get_ref().metadata().map_err(at)?;
        if about.len() < self.offset || *self.file.get_or_insert(identity(&about)) != identity(&about) {
            return Err(JournalError::Changed { path: self.path.clone() });
        }
        added.seek(SeekFrom::Start(self.offset)).map_err(at)?;
        loop {
            let mut text = Vec::new();
            added.by_ref().take(MAX_LINE_BYTES + 1).read_until(b'\n', &mut text).map_err(at)?;
            if text.len() as u64 > MAX_LINE_BYTES {
                return Err(JournalError::LongLine { path: self.path.clone(), line: self.lines + 1 });
            }
            if !text.ends_with(b"\n") {
                return Ok(());
            }
            if let Err(error) = self.take(&text, &mut show) {
                // A bad last line was cut off, and is cut away when the run goes on.
                let is_last = added.fill_buf().map_err(at)?.is_empty() && self.lines > 0;
                return if is_last { Ok(()) } else { Err(error) };
            }
            self.offset += text.len() as u64;
            self.lines += 1;
        }
    }

    fn take(&self, text: &[u8], show: &mut impl FnMut(&GameRecord)) -> Result<(), JournalError> {
        line::check(text).map_err(|damage| self.damaged(damage.to_string()))?;
        if self.lines > 0 {
            let record = serde_json::from_slice(text).map_err(|error| self.damaged(error.to_string()))?;
            show(&record);
            return Ok(());
        }
        check_run(&self.path, &header_of(text, &self.path)?, &self.header)
    }

    fn damaged(&self, why: String) -> JournalError {
        let path = self.path.clone();
        match self.lines {
            0 => JournalError::DamagedHead { path, why },
            lines => JournalError::Damaged { path, line: lines + 1, why },
        }
    }
}

/// The journals of several shards of one tournament while they are written.
pub(crate) struct ShardTails {
    dirs: Vec<PathBuf>,
    /// That of the first journal that there was, without its shard.
    header: Option<JournalHeader>,
    /// Of those that there are by now.
    tails: BTreeMap<PathBuf, JournalTail>,
}

impl ShardTails {
    /// Follows the journals of these results directories, which need not be there yet.
    pub(crate) fn new(dirs: &[PathBuf]) -> ShardTails {
        ShardTails { dirs: dirs.to_vec(), header: None, tails: BTreeMap::new() }
    }

    /// Journals that have been begun.
    pub(crate) fn found(&self) -> usize {
        self.tails.len()
    }

    /// What is played; `None` before there is a journal.
    pub(crate) fn header(&self) -> Option<&JournalHeader> {
        self.header.as_ref()
    }

    /// Takes in the journals that have been begun since the last call.
    ///
    /// # Errors
    /// A journal cannot be read, or is not of the tournament of the others.
    pub(crate) fn find(&mut self) -> Result<(), JournalError> {
        for dir in &self.dirs {
            if self.tails.contains_key(dir) {
                continue;
            }
            let header = match read_header(dir) {
                Err(JournalError::Missing(_) | JournalError::Unborn(_)) => continue,
                read => read?,
            };
            let whole = self.header.get_or_insert_with(|| JournalHeader { shard: None, ..header.clone() });
            check_same(dir, &header, &self.dirs[0], whole)?;
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
