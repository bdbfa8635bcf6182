//! Follows a journal that another process writes.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::tournament::header::JournalHeader;
use crate::tournament::journal::{JournalError, check_run, line};
use crate::tournament::record::GameRecord;

/// A place in a journal that may not exist yet: what stands before it has been read.
pub(super) struct JournalTail {
    path: PathBuf,
    /// What the journal must begin with.
    header: JournalHeader,
    offset: u64,
    lines: u64,
}

impl JournalTail {
    pub(super) fn new(dir: &Path, header: JournalHeader) -> Self {
        JournalTail { path: dir.join("journal.jsonl"), header, offset: 0, lines: 0 }
    }

    /// Shows every game that was added; a line that is not whole yet is left for the next time.
    ///
    /// # Errors
    /// The journal is another run's, or damaged.
    pub(super) fn read(&mut self, mut show: impl FnMut(&GameRecord)) -> Result<(), JournalError> {
        let at = |error| JournalError::Io { path: self.path.clone(), error };
        let added = match added(&self.path, self.offset) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            added => added.map_err(at)?,
        };
        for text in added.split_inclusive(|&byte| byte == b'\n').filter(|text| text.ends_with(b"\n")) {
            self.take(text, &mut show)?;
            self.offset += text.len() as u64;
            self.lines += 1;
        }
        Ok(())
    }

    fn take(&self, text: &[u8], show: &mut impl FnMut(&GameRecord)) -> Result<(), JournalError> {
        line::check(text).map_err(|damage| self.damaged(damage.to_string()))?;
        if self.lines > 0 {
            let record = serde_json::from_slice(text).map_err(|error| self.damaged(error.to_string()))?;
            show(&record);
            return Ok(());
        }
        let there = serde_json::from_slice(text).map_err(|_| JournalError::Foreign(self.path.clone()))?;
        check_run(&self.path, &there, &self.header)
    }

    fn damaged(&self, why: String) -> JournalError {
        JournalError::Damaged { path: self.path.clone(), line: self.lines + 1, why }
    }
}

/// What stands behind `offset` now.
fn added(path: &Path, offset: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(offset))?;
    let mut text = Vec::new();
    file.read_to_end(&mut text)?;
    Ok(text)
}
