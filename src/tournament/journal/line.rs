//! Lines of a journal, and files of them. A line is a JSON object whose last key is a checksum.
//!
//! `{"game":3,...,"crc":"0a1b2c3d"}`: the CRC-32 (IEEE), eight lower-case hexadecimal digits, of all bytes before the
//! comma that precedes `"crc"`.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use reynard_engine::files::{self, NewFile};
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use super::error::JournalError;

/// The length of `,"crc":"01234567"}`.
const TAIL_BYTES: usize = 18;
/// A game of ten thousand plies has one; what is longer was not written by us.
pub(crate) const MAX_LINE_BYTES: u64 = 64 << 20;

/// Why a line does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub(crate) enum Damage {
    #[error("it does not end with a line end")]
    NoLineEnd,
    #[error("it does not end with a checksum, \"crc\":\"8 hexadecimal digits\"")]
    NoChecksum,
    #[error("its checksum is {written:08x}, but its contents give {computed:08x}")]
    WrongChecksum { written: u32, computed: u32 },
}

/// The object as a line with its checksum and line end.
///
/// # Errors
/// The value cannot be written as a JSON object.
pub fn seal<T: Serialize>(object: &T) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(object)?;
    if line.pop() != Some(b'}') || line.len() < 2 {
        return Err(serde::ser::Error::custom("only an object with at least one key can be a journal line"));
    }
    let checksum = crc32fast::hash(&line);
    line.extend_from_slice(format!(",\"crc\":\"{checksum:08x}\"}}\n").as_bytes());
    Ok(line)
}

/// Checks a line, line end included, and gives its checksum.
///
/// # Errors
/// The line is cut off or changed.
pub(crate) fn check(line: &[u8]) -> Result<u32, Damage> {
    let line = line.strip_suffix(b"\n").ok_or(Damage::NoLineEnd)?;
    let (body, tail) = line.split_at_checked(line.len().wrapping_sub(TAIL_BYTES)).ok_or(Damage::NoChecksum)?;
    let written = checksum_of(tail).ok_or(Damage::NoChecksum)?;
    let computed = crc32fast::hash(body);
    if written == computed { Ok(written) } else { Err(Damage::WrongChecksum { written, computed }) }
}

fn checksum_of(tail: &[u8]) -> Option<u32> {
    let digits = tail.strip_prefix(b",\"crc\":\"")?.strip_suffix(b"\"}")?;
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let digits = std::str::from_utf8(digits).ok().filter(|digits| digits.bytes().all(|byte| is_digit(&byte)))?;
    u32::from_str_radix(digits, 16).ok()
}

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
    /// Which of several files it is in.
    pub file: u32,
}

/// Where the lines about a game are, by its number.
pub(super) type Spans = BTreeMap<u64, Span>;

impl Span {
    /// Whether the lines say the same, wherever they stand.
    pub(super) fn is_same_line(&self, other: &Span) -> bool {
        (self.bytes, self.checksum) == (other.bytes, other.checksum)
    }
}

/// How far the lines of a file reach, and in what state they are.
#[derive(Clone, Debug)]
pub(super) struct Extent {
    /// Up to the end of the last whole line: everything behind is torn.
    pub bytes: u64,
    pub lines: u32,
    /// What is wrong with the last line, when it is torn.
    pub torn: Option<Damage>,
    /// Damaged lines before it, from 1.
    pub damaged: Vec<u64>,
    /// No game twice, in the order of their numbers, and nothing damaged among them.
    pub is_sorted: bool,
    /// The game of the last line.
    last: Option<u64>,
}

impl Extent {
    /// A file that begins with this.
    pub(super) fn after(head: &[u8]) -> Extent {
        let (bytes, lines) = (head.len() as u64, u32::from(!head.is_empty()));
        Extent { bytes, lines, torn: None, damaged: Vec::new(), is_sorted: true, last: None }
    }

    /// Takes the next line, of this length.
    fn add(&mut self, bytes: usize, checksum: u32, file: u32) -> Span {
        let (offset, line) = (self.bytes, self.lines + 1);
        (self.bytes, self.lines) = (offset + bytes as u64, line);
        Span { offset, bytes: bytes as u32, checksum, line, file }
    }

    /// Says that the last line is about this game.
    pub(super) fn is_about(&mut self, game: u64) {
        self.is_sorted &= self.last.is_none_or(|last| last < game);
        self.last = Some(game);
    }

    /// Takes the next line, which is sealed and about this game.
    pub(super) fn append(&mut self, game: u64, line: &[u8]) -> Span {
        let sealed = line.len().checked_sub(TAIL_BYTES + 1).and_then(|tail| checksum_of(&line[tail..line.len() - 1]));
        self.is_about(game);
        self.add(line.len(), sealed.unwrap_or(0), 0)
    }
}

/// Reads lines in order; the last one may be torn.
pub(super) struct Scan {
    path: PathBuf,
    reader: BufReader<File>,
    text: Vec<u8>,
    /// Which of several files it is.
    file: u32,
    extent: Extent,
}

impl Scan {
    /// Opens a file, which is this one of several.
    pub(super) fn open(path: &Path, file: u32) -> io::Result<Self> {
        let reader = BufReader::with_capacity(BUFFER_BYTES, files::open_regular(path)?);
        Ok(Scan { path: path.to_owned(), reader, text: Vec::new(), file, extent: Extent::after(b"") })
    }

    /// Opens a file behind what has been read of it.
    pub(super) fn resume(path: &Path, read: &Extent) -> io::Result<Self> {
        let mut scan = Scan::open(path, 0)?;
        scan.reader.seek(SeekFrom::Start(read.bytes))?;
        scan.extent = read.clone();
        Ok(scan)
    }

    /// What tells the file from one that takes its place, where the system tells it, and its length.
    pub(super) fn identity(&self) -> io::Result<(u64, u64)> {
        let about = self.reader.get_ref().metadata()?;
        #[cfg(unix)]
        return Ok((std::os::unix::fs::MetadataExt::ino(&about), about.len()));
        #[cfg(not(unix))]
        return Ok((0, about.len()));
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
        let line = u64::from(self.extent.lines) + 1;
        if read as u64 > MAX_LINE_BYTES {
            return Err(JournalError::LongLine { path: self.path.clone(), line });
        }
        if read == 0 || self.extent.torn.is_some() {
            return Ok(None);
        }
        match check(&self.text) {
            Ok(checksum) => Ok(Some(self.extent.add(read, checksum, self.file))),
            // What is behind a line without its end was written after we had read it.
            Err(damage) if damage == Damage::NoLineEnd || self.at_end()? => {
                self.extent.torn = Some(damage);
                Ok(None)
            }
            Err(damage) => {
                // Readers that can do without the line go on behind it.
                self.extent.add(read, 0, self.file);
                Err(JournalError::damaged(&self.path, line, damage))
            }
        }
    }

    fn at_end(&mut self) -> Result<bool, JournalError> {
        self.reader.fill_buf().map(<[u8]>::is_empty).map_err(JournalError::at(&self.path))
    }

    /// What has been read so far.
    pub(super) fn extent(&mut self) -> &mut Extent {
        &mut self.extent
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
        if check(&self.text) != Ok(span.checksum) {
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

/// Files, each opened when it is needed.
pub(super) struct Sources {
    paths: Vec<PathBuf>,
    open: BTreeMap<u32, Fetch>,
}

/// More open files than these are more than some systems allow.
const MOST_OPEN: usize = 200;

impl Sources {
    pub(super) fn new(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        Sources { paths: paths.into_iter().collect(), open: BTreeMap::new() }
    }

    /// The file that has this line.
    pub(super) fn of(&mut self, span: Span) -> Result<&mut Fetch, JournalError> {
        if self.open.len() == MOST_OPEN && !self.open.contains_key(&span.file) {
            self.open.clear();
        }
        match self.open.entry(span.file) {
            Entry::Occupied(open) => Ok(open.into_mut()),
            Entry::Vacant(place) => Ok(place.insert(Fetch::open(&self.paths[span.file as usize])?)),
        }
    }
}

/// Makes a file of a head and lines of others, of which one may be the file that it replaces; gives the places that the
/// lines have in it.
pub(super) fn copy(mut from: Sources, lines: &Spans, to: &Path, head: &[u8]) -> Result<(Spans, Extent), JournalError> {
    let failed = || JournalError::at(to);
    files::ensure_regular(to).map_err(failed())?;
    let mut file = NewFile::create(to).map_err(failed())?;
    file.write_all(head).map_err(failed())?;
    let (mut placed, mut extent) = (Spans::new(), Extent::after(head));
    for (&game, &span) in lines {
        let line = from.of(span)?.line(span)?;
        file.write_all(line).map_err(failed())?;
        placed.insert(game, extent.append(game, line));
    }
    file.commit().map_err(failed())?;
    Ok((placed, extent))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_sealed_line_is_json_that_ends_with_its_checksum() {
        let line = seal(&json!({"a": "ü", "b": [1, 2]})).unwrap();
        assert_eq!(check(&line), Ok(crc32fast::hash("{\"a\":\"ü\",\"b\":[1,2]".as_bytes())));
        let value: Value = serde_json::from_slice(&line).unwrap();
        assert_eq!(value.as_object().unwrap().keys().next_back().map(String::as_str), Some("crc"));
        assert!(seal(&json!({})).is_err() && seal(&json!([1])).is_err());
    }

    #[test]
    fn every_cut_and_every_changed_byte_is_noticed() {
        let line = seal(&json!({"name": "größe", "moves": ["a4a5", "b1b2"]})).unwrap();
        for length in 0..line.len() {
            assert_eq!(check(&line[..length]), Err(Damage::NoLineEnd), "cut to {length}");
            let mut changed = line.clone();
            changed[length] ^= 1;
            assert!(check(&changed).is_err(), "byte {length} changed");
            let joined = [&line[..length], b"\n"].concat();
            assert!(check(&joined).is_err() || length == line.len() - 1, "cut to {length} with a line end");
        }
    }
}
