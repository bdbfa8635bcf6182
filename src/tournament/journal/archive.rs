//! Reads a results directory: an index of the games in memory, the games themselves from the file.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io;
use std::path::Path;

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Map, Value};

use super::error::JournalError;
use super::scan::{Fetch, Scan, Span};
use super::verify::Verifier;
use super::{Layout, machines};
use crate::tournament::header::{JournalHeader, VERSION};
use crate::tournament::machine::Machine;
use crate::tournament::record::{FinishedGame, GameTimes};
use crate::tournament::spec::retired_format;

/// The games of a results directory. Only their places are held in memory; [`Archive::games`] reads them one after the
/// other, so that 100,000 games need no more room than one.
#[derive(Debug)]
pub struct Archive {
    /// The first line of the journal.
    pub header: JournalHeader,
    /// The files of the results directory.
    pub layout: Layout,
    pub(super) games: Index,
    pub(super) times: Index,
    /// On which games were played; none where that was not recorded.
    pub machines: Vec<Machine>,
    /// Damaged lines of `times.jsonl`, from 1: their games have no times.
    pub damaged_times: Vec<u64>,
}

/// Where the lines about a game are, by its number.
pub(super) type Spans = BTreeMap<u64, Span>;

/// The whole lines of one file.
#[derive(Debug, Default)]
pub(super) struct Index {
    pub spans: Spans,
    /// The length of the file without a torn last line.
    pub sound_bytes: u64,
    pub is_torn: bool,
    /// No game twice, and in the order of their numbers.
    pub is_sorted: bool,
}

impl Archive {
    /// Reads the journal of a results directory; a torn last line is left out.
    ///
    /// # Errors
    /// There is no journal, it is of another kind or version, or a line that is not the last one is damaged.
    pub fn read(dir: &Path) -> Result<Archive, JournalError> {
        let layout = Layout::new(dir);
        let (header, mut scan) = open_journal(&layout.journal())?;
        let games = index_games(&mut scan)?;
        let (times, damaged_times) = index_times(&layout.times())?;
        let machines = machines::read(&layout)?;
        Ok(Archive { header, layout, machines, games, times, damaged_times })
    }

    /// The results directory.
    pub fn dir(&self) -> &Path {
        self.layout.dir()
    }

    /// Number of finished games.
    pub fn len(&self) -> usize {
        self.games.spans.len()
    }

    /// Whether no game has finished yet.
    pub fn is_empty(&self) -> bool {
        self.games.spans.is_empty()
    }

    /// Whether the last line was cut off, as happens when the program or the machine dies; its game does not count.
    pub fn is_torn(&self) -> bool {
        self.games.is_torn
    }

    /// The numbers of the games, ascending.
    pub fn numbers(&self) -> impl Iterator<Item = u64> + '_ {
        self.games.spans.keys().copied()
    }

    /// Whether the game of that number has finished.
    pub fn contains(&self, game: u64) -> bool {
        self.games.spans.contains_key(&game)
    }

    /// All games in the order of their numbers.
    ///
    /// # Errors
    /// The files cannot be opened.
    pub fn games(&self) -> Result<impl Iterator<Item = Result<FinishedGame, JournalError>> + '_, JournalError> {
        let mut reader = self.reader()?;
        Ok(self.games.spans.iter().map(move |(&game, &span)| reader.read(game, span)))
    }

    /// One game by its number.
    ///
    /// # Errors
    /// The files cannot be read any more.
    pub fn game(&self, game: u64) -> Result<Option<FinishedGame>, JournalError> {
        let Some(&span) = self.games.spans.get(&game) else { return Ok(None) };
        self.reader()?.read(game, span).map(Some)
    }

    fn reader(&self) -> Result<GameReader<'_>, JournalError> {
        let times = if self.times.spans.is_empty() { None } else { Some(Fetch::open(&self.layout.times())?) };
        let journal = Fetch::open(&self.layout.journal())?;
        Ok(GameReader { index: &self.times.spans, journal, times, verifier: Verifier::new(&self.header) })
    }
}

/// Reads the games of an [`Archive`].
struct GameReader<'a> {
    index: &'a Spans,
    journal: Fetch,
    times: Option<Fetch>,
    verifier: Verifier<'a>,
}

impl GameReader<'_> {
    fn read(&mut self, game: u64, span: Span) -> Result<FinishedGame, JournalError> {
        let times = match (&mut self.times, self.index.get(&game)) {
            (Some(times), Some(&span)) => told(times.parse(span))?,
            _ => GameTimes::default(),
        };
        let record = self.journal.parse(span)?;
        self.verifier.verify(&record).map_err(|why| self.journal.damaged(span, why))?;
        Ok(FinishedGame { record, times })
    }
}

/// Times are no part of the result: a line that says something else is as good as none.
fn told(times: Result<GameTimes, JournalError>) -> Result<GameTimes, JournalError> {
    match times {
        Err(JournalError::Damaged { .. }) => Ok(GameTimes::default()),
        other => other,
    }
}

/// Opens a journal and reads its first line.
pub(super) fn open_journal(path: &Path) -> Result<(JournalHeader, Scan), JournalError> {
    let mut scan = Scan::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            JournalError::Missing(path.parent().unwrap_or(path).to_owned())
        }
        _ => JournalError::Io { path: path.to_owned(), error },
    })?;
    let advanced = scan.advance();
    let is_ours = scan.text().starts_with(BEGINNING);
    let damaged = |why: &dyn Display| Err(JournalError::damaged_head(path, why));
    match advanced {
        Ok(Some(_)) if is_ours => Ok((header_of(scan.text(), path)?, scan)),
        Ok(Some(_)) if scan.text().starts_with(GAME_BEGINNING) => Err(JournalError::NoHead(path.to_owned())),
        Ok(None) if is_ours && scan.text().ends_with(b"\n") => {
            damaged(&scan.torn().map_or(String::new(), |damage| damage.to_string()))
        }
        Ok(None) if is_ours || BEGINNING.starts_with(scan.text()) => Err(JournalError::Unborn(path.to_owned())),
        Err(JournalError::Damaged { why, .. }) if is_ours || games_follow(&mut scan) => damaged(&why),
        Ok(Some(_)) if games_follow(&mut scan) => damaged(&"it is something else"),
        Err(error @ (JournalError::Io { .. } | JournalError::LongLine { .. })) => Err(error),
        Ok(_) | Err(_) => Err(JournalError::Foreign(path.to_owned())),
    }
}

/// The first line of the journal of a results directory.
///
/// # Errors
/// As [`Archive::read`], of the first line.
pub(crate) fn read_header(dir: &Path) -> Result<JournalHeader, JournalError> {
    Ok(open_journal(&Layout::new(dir).journal())?.0)
}

/// How every journal begins.
const BEGINNING: &[u8] = b"{\"version\":";

/// How far a file without a head is looked at.
const LOOKED_AT_LINES: usize = 100;

/// Whether a whole line about a game is to be found: what comes before it was a head once.
fn games_follow(scan: &mut Scan) -> bool {
    for _ in 0..LOOKED_AT_LINES {
        match scan.advance() {
            Ok(Some(_)) if scan.text().starts_with(GAME_BEGINNING) => return true,
            Ok(Some(_)) | Err(JournalError::Damaged { .. }) => {}
            Ok(None) | Err(_) => return false,
        }
    }
    false
}

/// The head in a journal's first line. The version is looked at first, as a later one may have another head, and then
/// what earlier programs played: puzzles, games of more than two, and formats with rounds.
pub(crate) fn header_of(line: &[u8], path: &Path) -> Result<JournalHeader, JournalError> {
    #[derive(Deserialize)]
    struct Versioned {
        version: u64,
    }
    #[derive(Deserialize)]
    struct Played {
        program: String,
        #[serde(default)]
        spec: Map<String, Value>,
        rulesets: Vec<Seated>,
    }
    #[derive(Deserialize)]
    struct Seated {
        seats: Vec<IgnoredAny>,
    }
    let damaged = |error: serde_json::Error| JournalError::damaged_head(path, error);
    let Versioned { version } = serde_json::from_slice(line).map_err(damaged)?;
    if version != u64::from(VERSION) {
        return Err(JournalError::Version { path: path.to_owned(), found: version, known: VERSION });
    }
    let Played { program, spec, rulesets } = serde_json::from_slice(line).map_err(damaged)?;
    let gone = |what: String| Err(JournalError::Gone { path: path.to_owned(), what, program });
    if let Some(seats) = rulesets.iter().map(|ruleset| ruleset.seats.len()).find(|&seats| seats != 2) {
        return gone(format!("{seats} seat{}", if seats == 1 { "" } else { "s" }));
    }
    if let Some(format) = spec.get("format").and_then(retired_format) {
        return gone(format!("the format `{format}`"));
    }
    serde_json::from_slice(line).map_err(damaged)
}

/// The games behind the head; the same game twice is an error unless both lines are the same.
fn index_games(scan: &mut Scan) -> Result<Index, JournalError> {
    let mut index = Index { is_sorted: true, ..Index::default() };
    while let Some((game, span)) = next_line(scan, GAME_BEGINNING, |line: GameLine| line.fixture.game)? {
        let other = index.add(game, span).filter(|first| !first.is_same_line(&span));
        if let Some(first) = other {
            let (path, first, line) = (scan.path().to_owned(), first.line.into(), span.line.into());
            return Err(JournalError::Contradiction { path, game, first, line });
        }
    }
    index.end(scan);
    Ok(index)
}

/// A game that was replayed has its times twice; the last ones are those of the journaled game. Damaged lines are
/// left out and told by number; an index with some is not sorted, so that the file is written anew without them.
fn index_times(path: &Path) -> Result<(Index, Vec<u64>), JournalError> {
    let mut index = Index { is_sorted: true, ..Index::default() };
    let mut damaged = Vec::new();
    let mut scan = match Scan::open(path) {
        Ok(scan) => scan,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((index, damaged)),
        Err(error) => return Err(JournalError::Io { path: path.to_owned(), error }),
    };
    loop {
        match next_line(&mut scan, TIMES_BEGINNING, |line: Numbered| line.game) {
            Ok(Some((game, span))) => drop(index.add(game, span)),
            Ok(None) => break,
            Err(JournalError::Damaged { line, .. }) => damaged.push(line),
            Err(error) => return Err(error),
        }
    }
    index.end(&scan);
    index.is_sorted &= damaged.is_empty();
    Ok((index, damaged))
}

impl Index {
    /// Takes a line; gives the one that said something about the same game before.
    fn add(&mut self, game: u64, span: Span) -> Option<Span> {
        self.is_sorted &= self.spans.last_key_value().is_none_or(|(&last, _)| last < game);
        self.spans.insert(game, span)
    }

    fn end(&mut self, scan: &Scan) {
        self.sound_bytes = scan.sound_bytes();
        self.is_torn = scan.torn().is_some();
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
    game.map(|game| Some((game, span))).map_err(|error| JournalError::damaged(scan.path(), span.line.into(), error))
}

const GAME_BEGINNING: &[u8] = b"{\"fixture\":{\"game\":";
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
