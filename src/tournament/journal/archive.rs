//! Reads results directories: an index of the games in memory, the games themselves from the files.

use std::path::{Path, PathBuf};
use std::{io, iter};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::error::JournalError;
use super::head::{check_same, open_journal};
use super::line::{Extent, Scan, Sources, Span, Spans};
use super::{Layout, OutputError, machines};
use crate::tournament::header::{JournalHeader, Shard};
use crate::tournament::machine::Machine;
use crate::tournament::record::{FinishedGame, GameRecord, GameTimes};
use crate::tournament::schedule::Schedule;

/// The games of a results directory, or of several that hold parts of one tournament. Only the places of the games are
/// held in memory; [`Archive::games`] reads them one after the other, so that 100,000 games need no more room than one.
#[derive(Debug)]
pub struct Archive {
    /// What is played: the first line of the journal, without a shard where parts are joined.
    pub header: JournalHeader,
    /// The results directories; at least one.
    pub parts: Vec<Part>,
    /// On which games were played; none where that was not recorded.
    pub machines: Vec<Machine>,
    pub(super) games: Spans,
    pub(super) times: Spans,
}

/// A results directory whose games are in an [`Archive`].
#[derive(Debug)]
pub struct Part {
    /// Its files.
    pub layout: Layout,
    /// Which part of the tournament it has.
    pub shard: Option<Shard>,
    pub(super) journal: Extent,
    pub(super) times: Extent,
}

impl Part {
    /// Whether the last line of the journal was cut off, as happens when the program or the machine dies; its game does
    /// not count.
    pub fn is_torn(&self) -> bool {
        self.journal.torn.is_some()
    }

    /// Damaged lines of `times.jsonl`, from 1: their games have no times.
    pub fn damaged_times(&self) -> &[u64] {
        &self.times.damaged
    }
}

impl Archive {
    /// Reads the journal of a results directory; a torn last line is left out.
    ///
    /// # Errors
    /// There is no journal, it is of another kind or version, or a line that is not the last one is damaged.
    pub fn read(dir: &Path) -> Result<Archive, JournalError> {
        let layout = Layout::new(dir);
        let (header, scan) = open_journal(&layout.journal(), 0)?;
        let mut archive =
            Archive { header, parts: Vec::new(), machines: Vec::new(), games: Spans::new(), times: Spans::new() };
        archive.add(layout, archive.header.shard, scan)?;
        Ok(archive)
    }

    /// Reads parts of one tournament, one or more, as if one process had played them. A game may be in several parts when it is the
    /// same in all of them.
    ///
    /// # Errors
    /// Those of [`Archive::read`]; the parts are not of one tournament, not of one program, or contradict each other.
    pub(crate) fn join<'a>(first: &Path, others: impl IntoIterator<Item = &'a Path>) -> Result<Archive, JournalError> {
        let mut joined = Archive::read(first)?;
        for (file, dir) in (1..).zip(others) {
            let layout = Layout::new(dir);
            let (header, scan) = open_journal(&layout.journal(), file)?;
            check_same(&layout.journal(), &header, &joined.layout().journal(), &joined.header)?;
            joined.add(layout, header.shard, scan)?;
        }
        joined.header.shard = None;
        Ok(joined)
    }

    /// Adds the games behind the head of a journal.
    fn add(&mut self, layout: Layout, shard: Option<Shard>, mut scan: Scan) -> Result<(), JournalError> {
        let begun = Extent::after(b"");
        self.parts.push(Part { layout, shard, journal: begun.clone(), times: begun });
        let part = self.parts.len() - 1;
        self.parts[part].journal = self.index_games(&mut scan)?;
        let layout = self.parts[part].layout.clone();
        self.parts[part].times = self.index_times(&layout.times(), part as u32)?;
        for machine in machines::read(&layout)? {
            if !self.machines.contains(&machine) {
                self.machines.push(machine);
            }
        }
        Ok(())
    }

    /// The same game twice is an error unless both lines are the same.
    fn index_games(&mut self, scan: &mut Scan) -> Result<Extent, JournalError> {
        while let Some((game, span)) = next_line(scan, GAME_BEGINNING, |line: GameLine| line.fixture.game)? {
            let Some(first) = self.games.insert(game, span).filter(|first| !first.is_same_line(&span)) else {
                continue;
            };
            let path = scan.path().to_owned();
            return Err(if first.file == span.file {
                JournalError::Contradiction { path, game, first: first.line.into(), line: span.line.into() }
            } else {
                let [first, second] = [first, span].map(|span| self.parts[span.file as usize].layout.dir().to_owned());
                JournalError::Overlap { game, first, second }
            });
        }
        Ok(scan.extent().clone())
    }

    /// A game that was replayed has its times twice; the last ones are those of the journaled game. Damaged lines are
    /// left out; a file with some is not sorted, so that it is written anew without them.
    fn index_times(&mut self, path: &Path, file: u32) -> Result<Extent, JournalError> {
        let mut scan = match Scan::open(path, file) {
            Ok(scan) => scan,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Extent::after(b"")),
            Err(error) => return Err(JournalError::Io { path: path.to_owned(), error }),
        };
        loop {
            match next_line(&mut scan, TIMES_BEGINNING, |line: Numbered| line.game) {
                Ok(Some((game, span))) => drop(self.times.insert(game, span)),
                Ok(None) => return Ok(scan.extent().clone()),
                Err(JournalError::Damaged { line, .. }) => {
                    scan.extent().damaged.push(line);
                    scan.extent().is_sorted = false;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// The files of the first results directory.
    pub fn layout(&self) -> &Layout {
        &self.parts[0].layout
    }

    /// See [`Layout::check_output`]; the files of every part are kept.
    pub(crate) fn check_output(&self, path: &Path) -> Result<(), OutputError> {
        self.parts.iter().try_for_each(|part| part.layout.check_output(path))
    }

    /// Number of finished games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether no game has finished yet.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The numbers of the games, ascending.
    pub fn numbers(&self) -> impl Iterator<Item = u64> + '_ {
        self.games.keys().copied()
    }

    /// All games in the order of their numbers.
    ///
    /// # Errors
    /// A file cannot be read any more, or a game is not one of the tournament's.
    pub fn games(&self) -> impl Iterator<Item = Result<FinishedGame, JournalError>> + '_ {
        self.games_of(self.numbers())
    }

    /// One game by its number.
    ///
    /// # Errors
    /// Those of [`Archive::games`].
    pub fn game(&self, game: u64) -> Result<Option<FinishedGame>, JournalError> {
        self.games_of(iter::once(game)).next().transpose()
    }

    /// The games of these numbers, in this order.
    pub(crate) fn games_of<'a>(
        &'a self,
        numbers: impl Iterator<Item = u64> + 'a,
    ) -> impl Iterator<Item = Result<FinishedGame, JournalError>> + 'a {
        let mut reader = self.reader();
        numbers.filter_map(move |game| self.games.get(&game).map(|&span| reader.read(game, span)))
    }

    fn reader(&self) -> GameReader<'_> {
        let (journals, times) = (self.sources(Layout::journal), self.sources(Layout::times));
        GameReader { archive: self, journals, times, schedule: Schedule::of(&self.header).ok() }
    }

    /// That file of every part.
    pub(super) fn sources(&self, file: fn(&Layout) -> PathBuf) -> Sources {
        Sources::new(self.parts.iter().map(|part| file(&part.layout)))
    }
}

/// Reads the games of an [`Archive`].
struct GameReader<'a> {
    archive: &'a Archive,
    journals: Sources,
    times: Sources,
    /// `None` for a journal that is no tournament's, such as that of a tuning run.
    schedule: Option<Schedule>,
}

impl GameReader<'_> {
    fn read(&mut self, game: u64, span: Span) -> Result<FinishedGame, JournalError> {
        let times = match self.archive.times.get(&game) {
            Some(&span) => known(self.times.of(span)?.parse(span))?,
            None => GameTimes::default(),
        };
        let record = self.journals.of(span)?.parse(span)?;
        match self.verify(&record) {
            Ok(()) => Ok(FinishedGame { record, times }),
            Err(why) => Err(self.journals.of(span)?.damaged(span, why)),
        }
    }

    /// Whether a game is one of the schedule that the journal's head decides.
    ///
    /// # Errors
    /// What is wrong with it.
    fn verify(&self, record: &GameRecord) -> Result<(), String> {
        let fixture = &record.fixture;
        let (game, header) = (fixture.game, &self.archive.header);
        let (engines, ruleset, rulesets) = (header.engines.len(), fixture.ruleset, header.rulesets.len());
        if let Some(stranger) = fixture.seats.iter().find(|&&engine| engine >= engines) {
            return Err(format!("game {game} names engine {stranger}, but there are {engines} engines"));
        }
        if ruleset >= rulesets {
            return Err(format!("game {game} names ruleset {ruleset}, but there are {rulesets} rulesets"));
        }
        if let Some(winner) = record.ending.winner.filter(|&winner| winner > 1) {
            return Err(format!("game {game} was won by seat {winner}, which it does not have"));
        }
        let Some(schedule) = &self.schedule else { return Ok(()) };
        if !schedule.has(game) {
            return Err(format!("game {game} belongs to another shard"));
        }
        match schedule.fixture(game) {
            None => Err(format!("there is no game {game} in this tournament")),
            Some(planned) if planned == *fixture => Ok(()),
            Some(_) => {
                Err(format!("game {game} has other players, another ruleset or another opening than the schedule"))
            }
        }
    }
}

/// Times are no part of the result: a line that says something else is as good as none.
fn known(times: Result<GameTimes, JournalError>) -> Result<GameTimes, JournalError> {
    match times {
        Err(JournalError::Damaged { .. }) => Ok(GameTimes::default()),
        other => other,
    }
}

/// The next whole line and the game that it is about; `number` is asked where the line does not begin as ours do.
fn next_line<T: DeserializeOwned>(
    scan: &mut Scan,
    beginning: &[u8],
    number: fn(T) -> u64,
) -> Result<Option<(u64, Span)>, JournalError> {
    let Some(span) = scan.advance()? else { return Ok(None) };
    let line = scan.text();
    let game = leading_number(line, beginning).map_or_else(|| serde_json::from_slice(line).map(number), Ok);
    let game = game.map_err(|error| JournalError::damaged(scan.path(), span.line.into(), error))?;
    scan.extent().is_about(game);
    Ok(Some((game, span)))
}

pub(super) const GAME_BEGINNING: &[u8] = b"{\"fixture\":{\"game\":";
const TIMES_BEGINNING: &[u8] = b"{\"game\":";

/// The number behind `beginning`: lines that we have written ourselves need no parsing to find it.
fn leading_number(line: &[u8], beginning: &[u8]) -> Option<u64> {
    let rest = line.strip_prefix(beginning)?;
    let digits = rest.iter().position(|byte| !byte.is_ascii_digit())?;
    std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()
}

#[derive(Deserialize)]
struct GameLine {
    fixture: Numbered,
}

#[derive(Deserialize)]
struct Numbered {
    game: u64,
}
