//! Writes results directories: of a run, one line for each finished game, on the disk before the game counts; of parts,
//! the whole.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use reynard_engine::files;

use super::archive::{Archive, Part};
use super::error::JournalError;
use super::head::{check_program, check_run};
use super::line::{Extent, Spans, copy};
use super::{Layout, line, machines};
use crate::tournament::header::JournalHeader;
use crate::tournament::machine::Machine;
use crate::tournament::record::FinishedGame;

/// The journal of a run, open for more games; no other process can open it at the same time.
#[derive(Debug)]
pub struct Journal {
    /// What is in it.
    archive: Archive,
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
        let lock = layout.take_lock()?;
        if layout.journal().exists() {
            return Err(JournalError::Exists(dir.to_owned()));
        }
        begin(&layout, header)?;
        Journal::open(Archive::read(dir)?, lock)
    }

    /// Goes on with a journal, or begins it where there is none yet. A torn last line is cut away.
    ///
    /// # Errors
    /// The journal is another tournament's, another shard's, another program's, damaged, or in use.
    pub fn resume(dir: &Path, header: &JournalHeader) -> Result<Journal, JournalError> {
        let layout = Layout::new(dir);
        let lock = layout.take_lock()?;
        let archive = match Archive::read(dir) {
            Err(JournalError::Missing(_) | JournalError::Unborn(_)) => {
                begin(&layout, header)?;
                Archive::read(dir)?
            }
            read => read?,
        };
        check_run(&layout.journal(), &archive.header, header)?;
        check_program(&layout.journal(), &archive.header, header)?;
        cut(&layout.journal(), &archive.parts[0].journal)?;
        cut(&layout.times(), &archive.parts[0].times)?;
        Journal::open(archive, lock)
    }

    fn open(mut archive: Archive, lock: File) -> Result<Journal, JournalError> {
        let layout = archive.layout().clone();
        archive.machines = machines::add(&layout, [Machine::this()])?;
        let (journal, times) = (append_to(&layout.journal())?, append_to(&layout.times())?);
        Ok(Journal { archive, journal, times, _lock: lock })
    }

    /// What is in it.
    pub fn archive(&self) -> &Archive {
        &self.archive
    }

    /// Lets go of the directory.
    pub(crate) fn into_archive(self) -> Archive {
        self.archive
    }

    /// Writes these games; when this returns they outlast the program and the machine. The times come first, so that
    /// a journaled game always has them.
    ///
    /// # Errors
    /// The system refuses; the games may or may not be there when the journal is read again.
    pub fn append(&mut self, games: &[FinishedGame]) -> Result<(), JournalError> {
        let records: Vec<_> = games.iter().map(|game| line::seal(&game.record)).collect::<Result<_, _>>()?;
        let times: Vec<_> = games.iter().map(|game| line::seal(&game.times)).collect::<Result<_, _>>()?;
        let Archive { parts, games: known, times: known_times, .. } = &mut self.archive;
        let part = &mut parts[0];
        write_through(&mut self.times, &times.concat()).map_err(JournalError::at(&part.layout.times()))?;
        write_through(&mut self.journal, &records.concat()).map_err(JournalError::at(&part.layout.journal()))?;
        for ((game, record), times) in games.iter().zip(&records).zip(&times) {
            let number = game.record.fixture.game;
            known.insert(number, part.journal.append(number, record));
            known_times.insert(number, part.times.append(number, times));
        }
        Ok(())
    }

    /// Puts the games into the order of their numbers, and those that `counts` refuses into `surplus.jsonl`: what stays
    /// is the same however the run went.
    ///
    /// # Errors
    /// The files cannot be read or written; what was in the journal is still there.
    pub fn complete(&mut self, counts: impl Fn(u64) -> bool) -> Result<(), JournalError> {
        let archive = &mut self.archive;
        let (layout, head) = (archive.layout().clone(), line::seal(&archive.header)?);
        let has_surplus = archive.games.keys().any(|&game| !counts(game));
        if has_surplus || !archive.parts[0].journal.is_sorted {
            (archive.games, archive.parts[0].journal) = archive.write_games(&layout, &head, counts)?;
            self.journal = append_to(&layout.journal())?;
        }
        if !archive.parts[0].times.is_sorted {
            (archive.times, archive.parts[0].times) =
                copy(archive.sources(Layout::times), &archive.times, &layout.times(), b"")?;
            self.times = append_to(&layout.times())?;
        }
        Ok(())
    }
}

impl Archive {
    /// Writes the journal of the whole into a directory that has none, or that of an earlier merge with no other games;
    /// games that `counts` refuses go to `surplus.jsonl`.
    ///
    /// # Errors
    /// The directory holds another journal, or the system refuses.
    pub(crate) fn write(&self, dir: &Path, counts: impl Fn(u64) -> bool) -> Result<Archive, JournalError> {
        let layout = Layout::new(dir);
        let _lock = layout.take_lock()?;
        if layout.journal().exists() {
            self.check_earlier(&Archive::read(dir)?)?;
        }
        let machines = machines::add(&layout, self.machines.iter().cloned())?;
        let (times, times_extent) = copy(self.sources(Layout::times), &self.times, &layout.times(), b"")?;
        remove(&layout.surplus())?;
        let (games, journal) = self.write_games(&layout, &line::seal(&self.header)?, counts)?;
        let parts = vec![Part { layout, shard: self.header.shard, journal, times: times_extent }];
        Ok(Archive { header: self.header.clone(), parts, machines, games, times })
    }

    /// Writes the journal, and the games that `counts` refuses beside it.
    fn write_games(
        &self,
        layout: &Layout,
        head: &[u8],
        counts: impl Fn(u64) -> bool,
    ) -> Result<(Spans, Extent), JournalError> {
        let (counted, surplus): (Spans, Spans) = self.games.iter().partition(|(game, _)| counts(**game));
        // The surplus goes first: a run that dies in between finds it in the journal still.
        if !surplus.is_empty() {
            copy(self.sources(Layout::journal), &surplus, &layout.surplus(), head)?;
        }
        copy(self.sources(Layout::journal), &counted, &layout.journal(), head)
    }

    /// Fails unless every game of an earlier merge is one of these.
    fn check_earlier(&self, earlier: &Archive) -> Result<(), JournalError> {
        check_run(&earlier.layout().journal(), &earlier.header, &self.header)?;
        let mut games = earlier.games.iter();
        let is_part = games.all(|(game, span)| self.games.get(game).is_some_and(|same| same.is_same_line(span)));
        if is_part { Ok(()) } else { Err(JournalError::Exists(earlier.layout().dir().to_owned())) }
    }
}

/// A journal without games.
fn begin(layout: &Layout, header: &JournalHeader) -> Result<(), JournalError> {
    let (path, head) = (layout.journal(), line::seal(header)?);
    files::write(&path, &head).map_err(JournalError::at(&path))
}

/// Removes a torn last line.
fn cut(path: &Path, extent: &Extent) -> Result<(), JournalError> {
    if extent.torn.is_none() {
        return Ok(());
    }
    let cut = |file: File| file.set_len(extent.bytes).and_then(|()| file.sync_all());
    files::open(path, File::options().write(true)).and_then(cut).map_err(JournalError::at(path))
}

/// Removes a file, if it is there.
pub(super) fn remove(path: &Path) -> Result<(), JournalError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(JournalError::at(path)(error)),
        _ => Ok(()),
    }
}

fn append_to(path: &Path) -> Result<File, JournalError> {
    files::append_to(path).map_err(JournalError::at(path))
}

/// One write of whole lines, then down to the disk.
fn write_through(file: &mut File, lines: &[u8]) -> io::Result<()> {
    file.write_all(lines)?;
    file.sync_data()
}
