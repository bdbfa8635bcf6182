//! Joining the journals of shards.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs;
use std::path::{Path, PathBuf};

use super::archive::Archive;
use super::compare::first_difference;
use super::error::JournalError;
use super::lock::Lock;
use super::rewrite::Rewrite;
use super::scan::{Fetch, Span};
use super::{Layout, line};
use crate::tournament::header::Header;

/// Parts of one tournament, checked against each other.
#[derive(Debug)]
pub struct Merged {
    pub header: Header,
    parts: Vec<Archive>,
    games: Places,
    times: Places,
}

/// The part and the line in which a game is, by its number.
type Places = BTreeMap<u64, (usize, Span)>;

/// Puts parts of the same tournament together; nothing is written yet. A game may be in several parts when it is the
/// same in all of them.
///
/// # Errors
/// The parts are not of one tournament, not of one program, or contradict each other.
pub fn merge(parts: Vec<Archive>) -> Result<Merged, JournalError> {
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
    pub fn parts(&self) -> &[Archive] {
        &self.parts
    }

    /// The numbers of the games, ascending.
    pub fn numbers(&self) -> impl Iterator<Item = u64> + '_ {
        self.games.keys().copied()
    }

    /// Writes the journal of the whole into a directory that has none; games that `counts` refuses go to
    /// `surplus.jsonl`.
    ///
    /// # Errors
    /// The directory holds a journal, or the system refuses.
    pub fn write(&self, dir: &Path, counts: impl Fn(u64) -> bool) -> Result<Layout, JournalError> {
        fs::create_dir_all(dir).map_err(JournalError::at(dir))?;
        let layout = Layout::new(dir);
        let _lock = Lock::take(&layout)?;
        if layout.journal().exists() {
            return Err(JournalError::Exists(dir.to_owned()));
        }
        let head = line::seal(&self.header)?;
        let journals: Vec<PathBuf> = self.parts.iter().map(|part| part.layout().journal()).collect();
        let times: Vec<PathBuf> = self.parts.iter().map(|part| part.layout().times()).collect();
        copy(&times, self.times.values(), &layout.times(), b"")?;
        let surplus: Vec<_> = self.games.iter().filter(|(game, _)| !counts(**game)).map(|(_, place)| place).collect();
        if !surplus.is_empty() {
            copy(&journals, surplus.into_iter(), &layout.surplus(), &head)?;
        }
        let counted = self.games.iter().filter(|(game, _)| counts(**game)).map(|(_, place)| place);
        copy(&journals, counted, &layout.journal(), &head)?;
        Ok(layout)
    }
}

/// Makes a file of a head and lines of several others.
fn copy<'a>(
    from: &[PathBuf],
    places: impl Iterator<Item = &'a (usize, Span)>,
    to: &Path,
    head: &[u8],
) -> Result<(), JournalError> {
    let mut file = Rewrite::begin(to)?;
    file.write(head)?;
    let mut sources: Vec<Option<Fetch>> = from.iter().map(|_| None).collect();
    for &(part, span) in places {
        let source = match &mut sources[part] {
            Some(source) => source,
            empty => empty.insert(Fetch::open(&from[part])?),
        };
        file.write(source.line(span)?)?;
    }
    file.finish()
}
