//! Extends a tournament that has been played: more pairs, or more engines behind those that it has.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use reynard_engine::files::NewFile;

use super::archive::Archive;
use super::error::JournalError;
use super::head::{check_program, first_difference};
use super::line::copy;
use super::writer::remove;
use super::{Layout, line};
use crate::tournament::header::{JournalHeader, Played};
use crate::tournament::record::FinishedGame;
use crate::tournament::schedule::Schedule;

/// Makes a journal one of a larger tournament, of which its games are a part; what is missing can then be played by
/// resuming. Returns what has become more, in words; `None` where nothing has, or where the journal is not that of a
/// part, which resuming it reports.
///
/// The games keep their moves. With more engines they get other numbers, as the pairings of an opening are numbered
/// together: they were played with the random numbers of their old ones, of which a new game then plays with the same.
///
/// # Errors
/// The journal cannot be read or written, or another process writes in the directory.
pub(crate) fn extend(dir: &Path, header: &JournalHeader) -> Result<Option<String>, JournalError> {
    let layout = Layout::new(dir);
    if !layout.journal().exists() {
        return Ok(None);
    }
    let _lock = layout.take_lock()?;
    let archive = match Archive::read(dir) {
        Err(JournalError::Unborn(_)) => return Ok(None),
        read => read?,
    };
    let Some(growth) = growth(&archive.header, header) else { return Ok(None) };
    check_program(&layout.journal(), &archive.header, header)?;
    if archive.header.engines.len() == header.engines.len() {
        copy(archive.sources(Layout::journal), &archive.games, &layout.journal(), &line::seal(header)?)?;
        return Ok(Some(growth));
    }
    let Ok(schedule) = Schedule::of(header) else { return Ok(None) };
    let mut renumbered = BTreeMap::new();
    for game in archive.games() {
        let fixture = game?.record.fixture;
        let Some(number) = schedule.number_of(&fixture) else { return Ok(None) };
        renumbered.insert(number, fixture.game);
    }
    let games = || renumbered.keys().copied().zip(archive.games_of(renumbered.values().copied()));
    let journal = draft(&layout.journal(), &line::seal(header)?, games(), |game| line::seal(&game.record))?;
    let times = draft(&layout.times(), b"", games(), |game| line::seal(&game.times))?;
    // Times of other numbers would be those of other games. A run that is killed in between has lost them, and no game.
    remove(&layout.times())?;
    journal.commit().map_err(JournalError::at(&layout.journal()))?;
    times.commit().map_err(JournalError::at(&layout.times()))?;
    Ok(Some(growth))
}

/// Writes the games with these numbers into a file that is still to take its place.
fn draft(
    path: &Path,
    head: &[u8],
    games: impl Iterator<Item = (u64, Result<FinishedGame, JournalError>)>,
    sealed: impl Fn(&FinishedGame) -> serde_json::Result<Vec<u8>>,
) -> Result<NewFile, JournalError> {
    let failed = || JournalError::at(path);
    let mut file = NewFile::create(path).map_err(failed())?;
    file.write_all(head).map_err(failed())?;
    for (number, game) in games {
        let mut game = game?;
        let fixture = &mut game.record.fixture;
        (fixture.game, fixture.pair, game.times.game) = (number, number / 2, number);
        file.write_all(&sealed(&game)?).map_err(failed())?;
    }
    Ok(file)
}

/// What the tournament of one head has more than that of another; `None` where they are the same or differ otherwise.
fn growth(there: &JournalHeader, here: &JournalHeader) -> Option<String> {
    let (Played::Tournament(old), Played::Tournament(new)) = (&there.played, &here.played) else { return None };
    let [old_engines, new_engines] = [there, here].map(|header| header.engines.len());
    let has_more_engines = new_engines > old_engines;
    let has_more_pairs = new.pairs > old.pairs;
    // A shard has its games by their numbers, which more engines change.
    let is_possible = (has_more_engines || has_more_pairs)
        && new.pairs >= old.pairs
        && there.shard == here.shard
        && !(has_more_engines && here.shard.is_some());
    let mut part = here.clone();
    part.engines.truncate(old_engines);
    if let Played::Tournament(part) = &mut part.played {
        part.engines.truncate(old_engines);
        part.pairs = old.pairs;
    }
    if !is_possible || first_difference(there, &part).is_some() {
        return None;
    }
    let pairs = has_more_pairs.then(|| format!("pairs {} -> {}", old.pairs.unwrap_or(0), new.pairs.unwrap_or(0)));
    let engines = has_more_engines.then(|| format!("engines {old_engines} -> {new_engines}"));
    Some(pairs.into_iter().chain(engines).collect::<Vec<_>>().join(", "))
}
