//! Follows a journal that another process writes.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use reynard_engine::files;

use super::archive::header_of;
use super::compare::check_run;
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
}

impl JournalTail {
    pub(crate) fn new(dir: &Path, header: JournalHeader) -> Self {
        JournalTail { path: dir.join("journal.jsonl"), header, offset: 0, lines: 0 }
    }

    /// Shows every game that was added; a line that is not whole yet is left for the next time.
    ///
    /// # Errors
    /// The journal is another run's, or damaged.
    pub(crate) fn read(&mut self, mut show: impl FnMut(&GameRecord)) -> Result<(), JournalError> {
        let at = |error| JournalError::Io { path: self.path.clone(), error };
        let mut added = match files::open_regular(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            opened => BufReader::new(opened.map_err(at)?),
        };
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
            self.take(&text, &mut show)?;
            self.offset += text.len() as u64;
            self.lines += 1;
        }
    }

    /// Whether the journal has become shorter than what was read of it, as when it is put in order at the end of a run.
    #[cfg(feature = "gui")]
    pub(crate) fn is_outdated(&self) -> bool {
        std::fs::metadata(&self.path).is_ok_and(|about| about.len() < self.offset)
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
