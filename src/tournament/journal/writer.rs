//! Writes a results directory: one line for each finished game, on the disk before the game counts.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use reynard_engine::files;

use super::archive::{Archive, Index, Spans};
use super::compare::{check_program, check_run};
use super::copy::{Sources, copy};
use super::error::JournalError;
use super::lock::lock;
use super::{Layout, line, machines};
use crate::tournament::header::JournalHeader;
use crate::tournament::machine::Machine;
use crate::tournament::record::FinishedGame;

/// The journal of a run, open for more games; no other process can open it at the same time.
#[derive(Debug)]
pub struct Journal {
    header: JournalHeader,
    layout: Layout,
    journal: File,
    times: File,
    _lock: File,
}

impl Journal {
    /// Begins a journal; the directory is made where it is missing.
    ///
    /// # Errors
    /// There is a journal already, another process writes here, or the system refuses.
    pub fn create(dir: &Path, header: &JournalHeader) -> Result<Journal, JournalError> {
        let layout = Layout::new(dir);
        let lock = lock(&layout)?;
        if layout.journal().exists() {
            return Err(JournalError::Exists(dir.to_owned()));
        }
        begin(&layout, header)?;
        Journal::open(layout, header, lock)
    }

    /// Goes on with a journal, or begins it where there is none yet. A torn last line is cut away.
    ///
    /// # Errors
    /// The journal is another tournament's, another shard's, another program's, damaged, or in use.
    pub fn resume(dir: &Path, header: &JournalHeader) -> Result<(Journal, Archive), JournalError> {
        let layout = Layout::new(dir);
        let lock = lock(&layout)?;
        let archive = match Archive::read(dir) {
            Err(JournalError::Missing(_) | JournalError::Unborn(_)) => {
                begin(&layout, header)?;
                Archive::read(dir)?
            }
            read => read?,
        };
        check_run(&layout.journal(), &archive.header, header)?;
        check_program(&layout.journal(), &archive.header, header)?;
        cut(&layout.journal(), &archive.games)?;
        cut(&layout.times(), &archive.times)?;
        Ok((Journal::open(layout, header, lock)?, archive))
    }

    fn open(layout: Layout, header: &JournalHeader, lock: File) -> Result<Journal, JournalError> {
        machines::add(&layout, [Machine::this()])?;
        let journal = append_to(&layout.journal())?;
        let times = append_to(&layout.times())?;
        Ok(Journal { header: header.clone(), layout, journal, times, _lock: lock })
    }

    /// The first line of the journal.
    pub fn header(&self) -> &JournalHeader {
        &self.header
    }

    /// The files of the results directory.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Writes these games; when this returns they outlast the program and the machine. The times come first, so that
    /// a journaled game always has them.
    ///
    /// # Errors
    /// The system refuses; the games may or may not be there when the journal is read again.
    pub fn append(&mut self, games: &[FinishedGame]) -> Result<(), JournalError> {
        let (mut records, mut times) = (Vec::new(), Vec::new());
        for game in games {
            records.append(&mut line::seal(&game.record)?);
            times.append(&mut line::seal(&game.times)?);
        }
        write_through(&mut self.times, &times).map_err(JournalError::at(&self.layout.times()))?;
        write_through(&mut self.journal, &records).map_err(JournalError::at(&self.layout.journal()))
    }

    /// Puts the games into the order of their numbers, and those that `counts` refuses into `surplus.jsonl`: what is
    /// left is the same however the run went.
    ///
    /// # Errors
    /// The files cannot be read or written; what was in the journal is still there.
    pub fn complete(&mut self, counts: impl Fn(u64) -> bool) -> Result<(), JournalError> {
        let archive = Archive::read(self.layout.dir())?;
        let (path, head) = (self.layout.journal(), line::seal(&self.header)?);
        let (counted, surplus): (Spans, Spans) = archive.games.spans.iter().partition(|(game, _)| counts(**game));
        let has_surplus = !surplus.is_empty();
        // The surplus goes first: a run that dies in between finds it in the journal still.
        if has_surplus {
            copy_lines(&path, surplus, &self.layout.surplus(), &head)?;
        }
        if has_surplus || !archive.games.is_sorted {
            copy_lines(&path, counted, &path, &head)?;
            self.journal = append_to(&path)?;
        }
        if !archive.times.is_sorted {
            let path = self.layout.times();
            copy_lines(&path, archive.times.spans, &path, b"")?;
            self.times = append_to(&path)?;
        }
        Ok(())
    }
}

/// Makes a new file of a head and some lines of another file, which may be the one of that name.
fn copy_lines(from: &Path, lines: Spans, to: &Path, head: &[u8]) -> Result<(), JournalError> {
    copy(Sources::new([from.to_owned()]), lines.into_values().map(|span| (0, span)), to, head)
}

/// A journal without games.
fn begin(layout: &Layout, header: &JournalHeader) -> Result<(), JournalError> {
    let (path, head) = (layout.journal(), line::seal(header)?);
    files::write(&path, &head).map_err(JournalError::at(&path))
}

/// Removes a torn last line.
fn cut(path: &Path, index: &Index) -> Result<(), JournalError> {
    if !index.is_torn {
        return Ok(());
    }
    let cut = |file: File| file.set_len(index.sound_bytes).and_then(|()| file.sync_all());
    files::open(path, File::options().write(true)).and_then(cut).map_err(JournalError::at(path))
}

fn append_to(path: &Path) -> Result<File, JournalError> {
    files::append_to(path).map_err(JournalError::at(path))
}

/// One write of whole lines, then down to the disk.
fn write_through(file: &mut File, lines: &[u8]) -> std::io::Result<()> {
    file.write_all(lines)?;
    file.sync_data()
}
