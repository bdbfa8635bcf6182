//! Joining the journals of shards.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::archive::Archive;
use super::compare::first_difference;
use super::error::JournalError;
use super::lock::Lock;
use super::scan::{Fetch, Span};
use super::verify::Verifier;
use super::writer::write_lines;
use super::{Layout, line};
use crate::tournament::header::Header;
use crate::tournament::record::GameRecord;

/// Parts of one tournament, checked against each other.
#[derive(Debug)]
pub(crate) struct Merged {
    pub header: Header,
    parts: Vec<Archive>,
    games: Places,
    times: Places,
}

/// A part and a line in it.
type Place = (usize, Span);
/// Where the games are, by number.
type Places = BTreeMap<u64, Place>;

/// Puts parts of the same tournament together; nothing is written yet. A game may be in several parts when it is the
/// same in all of them.
///
/// # Errors
/// The parts are not of one tournament, not of one program, or contradict each other.
pub(crate) fn merge(parts: Vec<Archive>) -> Result<Merged, JournalError> {
    let Some(first) = parts.first() else { return Err(JournalError::Missing(PathBuf::new())) };
    let header = Header { shard: None, ..first.header.clone() };
    for part in &parts[1..] {
        check_header(first, part)?;
    }
    let games = places(&parts)?;
    let mut times = Places::new();
    for (part, archive) in parts.iter().enumerate() {
        times.extend(archive.times().entries.iter().map(|(&game, &span)| (game, (part, span))));
    }
    Ok(Merged { header, parts, games, times })
}

fn check_header(first: &Archive, part: &Archive) -> Result<(), JournalError> {
    let path = part.layout().journal();
    if let Some(difference) = first_difference(&part.header, &first.header) {
        return Err(JournalError::OtherPart {
            path,
            first: first.layout().journal(),
            difference: Box::new(difference),
        });
    }
    let (there, here) = (&part.header.program, &first.header.program);
    if there != here {
        return Err(JournalError::Program { path, there: there.clone(), here: here.clone() });
    }
    Ok(())
}

fn places(parts: &[Archive]) -> Result<Places, JournalError> {
    let mut games = Places::new();
    for (part, archive) in parts.iter().enumerate() {
        for (&game, &span) in &archive.index().entries {
            match games.entry(game) {
                Entry::Vacant(place) => drop(place.insert((part, span))),
                Entry::Occupied(place) => {
                    let &(other, first) = place.get();
                    if (first.bytes, first.checksum) != (span.bytes, span.checksum) {
                        let dir = |part: usize| parts[part].dir().to_owned();
                        return Err(JournalError::Overlap { game, first: dir(other), second: dir(part) });
                    }
                }
            }
        }
    }
    Ok(games)
}

impl Merged {
    pub(crate) fn parts(&self) -> &[Archive] {
        &self.parts
    }

    /// Reads the games in the order of their numbers.
    ///
    /// # Errors
    /// The files cannot be read any more, or a game is not one of the tournament's.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(&GameRecord)) -> Result<(), JournalError> {
        let mut sources = Sources::new(&self.parts, Layout::journal);
        let mut verifier = Verifier::new(&self.header);
        for &place in self.games.values() {
            let (source, span) = sources.at(place)?;
            let record = source.parse(span)?;
            verifier.verify(&record).map_err(|why| source.damaged(span, why))?;
            visit(&record);
        }
        Ok(())
    }

    /// Writes the journal of the whole into a directory that has none; games that `counts` refuses go to
    /// `surplus.jsonl`.
    ///
    /// # Errors
    /// The directory holds a journal, or the system refuses.
    pub(crate) fn write(&self, dir: &Path, counts: impl Fn(u64) -> bool) -> Result<Layout, JournalError> {
        fs::create_dir_all(dir).map_err(JournalError::at(dir))?;
        let layout = Layout::new(dir);
        let _lock = Lock::take(&layout)?;
        if layout.journal().exists() {
            return Err(JournalError::Exists(dir.to_owned()));
        }
        let head = line::seal(&self.header)?;
        copy(Sources::new(&self.parts, Layout::times), self.times.values(), &layout.times(), b"")?;
        let (counted, surplus): (Vec<_>, Vec<_>) = self.games.iter().partition(|(game, _)| counts(**game));
        let places = |games: Vec<(_, &Place)>| games.into_iter().map(|(_, place)| *place).collect::<Vec<Place>>();
        if !surplus.is_empty() {
            copy(Sources::new(&self.parts, Layout::journal), &places(surplus), &layout.surplus(), &head)?;
        }
        copy(Sources::new(&self.parts, Layout::journal), &places(counted), &layout.journal(), &head)?;
        Ok(layout)
    }
}

/// One file of every part, opened when it is needed.
struct Sources {
    paths: Vec<PathBuf>,
    open: BTreeMap<usize, Fetch>,
}

impl Sources {
    fn new(parts: &[Archive], file: fn(&Layout) -> PathBuf) -> Self {
        Sources { paths: parts.iter().map(|part| file(part.layout())).collect(), open: BTreeMap::new() }
    }

    fn at(&mut self, (part, span): Place) -> Result<(&mut Fetch, Span), JournalError> {
        match self.open.entry(part) {
            Entry::Occupied(open) => Ok((open.into_mut(), span)),
            Entry::Vacant(place) => Ok((place.insert(Fetch::open(&self.paths[part])?), span)),
        }
    }
}

/// Makes a file of a head and lines of several others.
fn copy<'a>(
    mut from: Sources,
    places: impl IntoIterator<Item = &'a Place>,
    to: &Path,
    head: &[u8],
) -> Result<(), JournalError> {
    write_lines(to, head, places, |file, &place| {
        let (source, span) = from.at(place)?;
        file.write_all(source.line(span)?).map_err(JournalError::at(to))
    })
}
