//! Scans a file of lines with checksums once, and finds single lines again.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use reynard_engine::files;
use serde::de::DeserializeOwned;

use super::error::JournalError;
use super::line::{self, Damage, MAX_LINE_BYTES};

/// Large, because journals are.
const BUFFER_BYTES: usize = 1 << 17;

/// Where a line is and what it must be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Span {
    pub offset: u64,
    /// With the line end.
    pub bytes: u32,
    pub checksum: u32,
    /// From 1.
    pub line: u32,
}

impl Span {
    /// Whether the lines say the same, wherever they stand.
    pub(super) fn is_same_line(&self, other: &Span) -> bool {
        (self.bytes, self.checksum) == (other.bytes, other.checksum)
    }
}

/// Reads lines in order; the last one may be torn.
pub(super) struct Scan {
    path: PathBuf,
    reader: BufReader<File>,
    text: Vec<u8>,
    offset: u64,
    line: u32,
    torn: Option<Damage>,
}

impl Scan {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let reader = BufReader::with_capacity(BUFFER_BYTES, files::open_regular(path)?);
        Ok(Scan { path: path.to_owned(), reader, text: Vec::new(), offset: 0, line: 0, torn: None })
    }

    /// The next whole line, whose text is then [`Scan::text`]; `None` at the end and at a torn last line.
    ///
    /// # Errors
    /// The file cannot be read, or a line that is not the last one is damaged. Behind a line that is too long nothing
    /// can be read.
    pub(super) fn advance(&mut self) -> Result<Option<Span>, JournalError> {
        self.text.clear();
        let mut limited = self.reader.by_ref().take(MAX_LINE_BYTES + 1);
        let read = limited.read_until(b'\n', &mut self.text).map_err(JournalError::at(&self.path))?;
        if read as u64 > MAX_LINE_BYTES {
            return Err(JournalError::LongLine { path: self.path.clone(), line: u64::from(self.line) + 1 });
        }
        if read == 0 || self.torn.is_some() {
            return Ok(None);
        }
        self.line += 1;
        let checksum = match line::check(&self.text) {
            Ok(checksum) => checksum,
            Err(damage) if self.at_end()? => {
                self.torn = Some(damage);
                return Ok(None);
            }
            Err(damage) => {
                // Whoever can do without the line goes on behind it.
                self.offset += read as u64;
                return Err(JournalError::damaged(&self.path, self.line.into(), damage));
            }
        };
        let span = Span { offset: self.offset, bytes: read as u32, checksum, line: self.line };
        self.offset += read as u64;
        Ok(Some(span))
    }

    fn at_end(&mut self) -> Result<bool, JournalError> {
        self.reader.fill_buf().map(<[u8]>::is_empty).map_err(JournalError::at(&self.path))
    }

    /// The bytes up to the end of the last whole line: everything behind is torn.
    pub(super) fn sound_bytes(&self) -> u64 {
        self.offset
    }

    /// What is wrong with the last line, when it is torn.
    pub(super) fn torn(&self) -> Option<Damage> {
        self.torn
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The text of the line where the scan stopped, whole or torn.
    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }
}

/// Fetches lines that a [`Scan`] has found; quick when they are asked for in the order of the file.
pub(super) struct Fetch {
    path: PathBuf,
    reader: BufReader<File>,
    at: u64,
    text: Vec<u8>,
}

impl Fetch {
    pub(super) fn open(path: &Path) -> Result<Self, JournalError> {
        let file = files::open_regular(path).map_err(JournalError::at(path))?;
        let reader = BufReader::with_capacity(BUFFER_BYTES, file);
        Ok(Fetch { path: path.to_owned(), reader, at: 0, text: Vec::new() })
    }

    /// The line, with its line end.
    ///
    /// # Errors
    /// The file cannot be read or is not what it was.
    pub(super) fn line(&mut self, span: Span) -> Result<&[u8], JournalError> {
        self.read(span).map_err(JournalError::at(&self.path))?;
        if line::check(&self.text) != Ok(span.checksum) {
            return Err(JournalError::Changed { path: self.path.clone() });
        }
        Ok(&self.text)
    }

    /// The line as what it says.
    ///
    /// # Errors
    /// Those of [`Fetch::line`], and a line that says something else.
    pub(super) fn parse<T: DeserializeOwned>(&mut self, span: Span) -> Result<T, JournalError> {
        let parsed = serde_json::from_slice(self.line(span)?);
        parsed.map_err(|error| JournalError::damaged(&self.path, span.line.into(), error))
    }

    /// The error for a whole line that cannot be right.
    pub(super) fn damaged(&self, span: Span, why: impl Display) -> JournalError {
        JournalError::damaged(&self.path, span.line.into(), why)
    }

    fn read(&mut self, span: Span) -> io::Result<()> {
        match i64::try_from(i128::from(span.offset) - i128::from(self.at)) {
            Ok(distance) => self.reader.seek_relative(distance)?,
            Err(_) => self.reader.seek(SeekFrom::Start(span.offset)).map(drop)?,
        }
        self.text.resize(span.bytes as usize, 0);
        self.reader.read_exact(&mut self.text)?;
        self.at = span.offset + u64::from(span.bytes);
        Ok(())
    }
}
