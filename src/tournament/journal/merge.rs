//! Joins the journals of shards.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use super::archive::Archive;
use super::compare::{check_run, check_same};
use super::copy::{LineAddress, Sources, copy, remove};
use super::error::JournalError;
use super::lock::lock;
use super::scan::Span;
use super::verify::Verifier;
use super::{Layout, line, machines};
use crate::tournament::header::JournalHeader;
use crate::tournament::record::GameRecord;

/// Parts of one tournament, checked against each other.
#[derive(Debug)]
pub(crate) struct Merged {
    pub header: JournalHeader,
    pub parts: Vec<Archive>,
    games: Places,
    times: Places,
}

/// Where the games are, by number.
type Places = BTreeMap<u64, LineAddress>;

/// Puts parts of the same tournament together; nothing is written yet. A game may be in several parts when it is the
/// same in all of them.
///
/// # Errors
/// The parts are not of one tournament, not of one program, or contradict each other.
pub(crate) fn merge(parts: Vec<Archive>) -> Result<Merged, JournalError> {
    let Some(first) = parts.first() else { return Err(JournalError::Missing(PathBuf::new())) };
    let header = JournalHeader { shard: None, ..first.header.clone() };
    for part in &parts[1..] {
        check_same(&part.layout.journal(), &part.header, &first.layout.journal(), &first.header)?;
    }
    let games = places(&parts)?;
    let mut times = Places::new();
    for (part, archive) in parts.iter().enumerate() {
        times.extend(archive.times.spans.iter().map(|(&game, &span)| (game, (part, span))));
    }
    Ok(Merged { header, parts, games, times })
}

fn places(parts: &[Archive]) -> Result<Places, JournalError> {
    let mut games = Places::new();
    for (part, archive) in parts.iter().enumerate() {
        for (&game, &span) in &archive.games.spans {
            match games.entry(game) {
                Entry::Vacant(place) => drop(place.insert((part, span))),
                Entry::Occupied(place) => {
                    let &(other, first) = place.get();
                    if !first.is_same_line(&span) {
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
    /// Reads the games in the order of their numbers.
    ///
    /// # Errors
    /// The files cannot be read any more, or a game is not one of the tournament's.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(&GameRecord)) -> Result<(), JournalError> {
        let mut sources = self.sources(Layout::journal);
        let verifier = Verifier::new(&self.header);
        for &place in self.games.values() {
            let (source, span) = sources.at(place)?;
            let record = source.parse(span)?;
            verifier.verify(&record).map_err(|why| source.damaged(span, why))?;
            visit(&record);
        }
        Ok(())
    }

    /// Writes the journal of the whole into a directory that has none, or that of an earlier merge with no other games;
    /// games that `counts` refuses go to `surplus.jsonl`.
    ///
    /// # Errors
    /// The directory holds another journal, or the system refuses.
    pub(crate) fn write(&self, dir: &Path, counts: impl Fn(u64) -> bool) -> Result<Layout, JournalError> {
        let layout = Layout::new(dir);
        let _lock = lock(&layout)?;
        if layout.journal().exists() {
            self.check_earlier(&Archive::read(dir)?)?;
        }
        let head = line::seal(&self.header)?;
        machines::add(&layout, self.parts.iter().flat_map(|part| part.machines.clone()))?;
        copy(self.sources(Layout::times), self.times.values().copied(), &layout.times(), b"")?;
        let (counted, surplus): (Places, Places) = self.games.iter().partition(|(game, _)| counts(**game));
        remove(&layout.surplus())?;
        if !surplus.is_empty() {
            copy(self.sources(Layout::journal), surplus.into_values(), &layout.surplus(), &head)?;
        }
        copy(self.sources(Layout::journal), counted.into_values(), &layout.journal(), &head)?;
        Ok(layout)
    }

    /// Fails unless every game of an earlier merge is one of these.
    fn check_earlier(&self, earlier: &Archive) -> Result<(), JournalError> {
        check_run(&earlier.layout.journal(), &earlier.header, &self.header)?;
        let is_there =
            |(game, span): (&u64, &Span)| self.games.get(game).is_some_and(|(_, same)| same.is_same_line(span));
        let is_part = earlier.games.spans.iter().all(is_there);
        if is_part { Ok(()) } else { Err(JournalError::Exists(earlier.dir().to_owned())) }
    }

    /// That file of every part.
    fn sources(&self, file: fn(&Layout) -> PathBuf) -> Sources {
        Sources::new(self.parts.iter().map(|part| file(&part.layout)))
    }
}
