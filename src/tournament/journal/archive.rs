//! Reading a results directory: an index of the games in memory, the games themselves from the file.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde::Deserialize;

use super::Layout;
use super::error::JournalError;
use super::scan::{Fetch, Scan, Span};
use crate::tournament::header::{Header, VERSION};
use crate::tournament::record::{GameRecord, GameTimes};

/// A finished game as it was journaled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArchivedGame {
    pub record: GameRecord,
    /// `None` when `times.jsonl` says nothing about it.
    pub times: Option<GameTimes>,
}

/// The games of a results directory. Only their places are held in memory; [`Archive::games`] reads them one after the
/// other, so that 100,000 games need no more room than one.
#[derive(Debug)]
pub struct Archive {
    pub header: Header,
    layout: Layout,
    games: Index,
    times: Index,
}

/// Where the lines about a game are, by its number.
pub(super) type Entries = BTreeMap<u64, Span>;

/// The whole lines of one file.
#[derive(Debug, Default)]
pub(super) struct Index {
    pub entries: Entries,
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
        let times = index_times(&layout.times())?;
        Ok(Archive { header, layout, games, times })
    }

    pub fn dir(&self) -> &Path {
        self.layout.dir()
    }

    pub fn len(&self) -> usize {
        self.games.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.games.entries.is_empty()
    }

    /// Whether the last line was cut off, as happens when the program or the machine dies; its game does not count.
    pub fn is_torn(&self) -> bool {
        self.games.is_torn
    }

    /// The numbers of the games, ascending.
    pub fn numbers(&self) -> impl Iterator<Item = u64> + '_ {
        self.games.entries.keys().copied()
    }

    pub fn contains(&self, game: u64) -> bool {
        self.games.entries.contains_key(&game)
    }

    /// All games in the order of their numbers.
    ///
    /// # Errors
    /// The files cannot be opened.
    pub fn games(&self) -> Result<Games<'_>, JournalError> {
        let times = if self.times.entries.is_empty() { None } else { Some(Fetch::open(&self.layout.times())?) };
        let places = self.games.entries.iter();
        Ok(Games { places, index: &self.times.entries, journal: Fetch::open(&self.layout.journal())?, times })
    }

    /// One game by its number.
    ///
    /// # Errors
    /// The files cannot be read any more.
    pub fn game(&self, game: u64) -> Result<Option<ArchivedGame>, JournalError> {
        let Some(&span) = self.games.entries.get(&game) else { return Ok(None) };
        self.games()?.fetch(game, span).map(Some)
    }

    pub(super) fn index(&self) -> &Index {
        &self.games
    }

    pub(super) fn times(&self) -> &Index {
        &self.times
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }
}

/// Iterates over the games of an [`Archive`].
pub struct Games<'a> {
    places: std::collections::btree_map::Iter<'a, u64, Span>,
    index: &'a Entries,
    journal: Fetch,
    times: Option<Fetch>,
}

impl Games<'_> {
    fn fetch(&mut self, game: u64, span: Span) -> Result<ArchivedGame, JournalError> {
        let times = match (&mut self.times, self.index.get(&game)) {
            (Some(times), Some(&span)) => Some(times.parse(span)?),
            _ => None,
        };
        Ok(ArchivedGame { record: self.journal.parse(span)?, times })
    }
}

impl Iterator for Games<'_> {
    type Item = Result<ArchivedGame, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (&game, &span) = self.places.next()?;
        Some(self.fetch(game, span))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.places.size_hint()
    }
}

/// Opens a journal and reads its first line.
pub(super) fn open_journal(path: &Path) -> Result<(Header, Scan), JournalError> {
    let mut scan = Scan::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => JournalError::Missing(path.parent().unwrap_or(path).to_owned()),
        _ => JournalError::Io { path: path.to_owned(), error },
    })?;
    let advanced = scan.advance();
    let text = scan.text();
    let is_ours = text.starts_with(BEGINNING);
    let header = match advanced {
        Ok(Some(_)) => header_of(text, path)?,
        Ok(None) if is_ours || BEGINNING.starts_with(text) => return Err(JournalError::Unborn(path.to_owned())),
        Err(error) if is_ours || matches!(error, JournalError::Io { .. }) => return Err(error),
        Ok(None) | Err(_) => return Err(JournalError::Foreign(path.to_owned())),
    };
    Ok((header, scan))
}

/// How every journal begins.
const BEGINNING: &[u8] = b"{\"version\":";

/// The version is looked at first: a later one may have another head.
fn header_of(line: &[u8], path: &Path) -> Result<Header, JournalError> {
    #[derive(Deserialize)]
    struct Versioned {
        version: u64,
    }
    let foreign = |_| JournalError::Foreign(path.to_owned());
    let Versioned { version } = serde_json::from_slice(line).map_err(foreign)?;
    if version != u64::from(VERSION) {
        return Err(JournalError::Version { path: path.to_owned(), found: version, known: VERSION });
    }
    serde_json::from_slice(line).map_err(foreign)
}

/// The games behind the head; the same game twice is an error unless both lines are the same.
fn index_games(scan: &mut Scan) -> Result<Index, JournalError> {
    let same = |a: Span, b: Span| (a.bytes, a.checksum) == (b.bytes, b.checksum);
    index(scan, GAME_BEGINNING, fixture_number, |path, game, first, second| {
        let contradiction = || JournalError::Contradiction {
            path: path.to_owned(),
            game,
            first: first.line.into(),
            line: second.line.into(),
        };
        if same(first, second) { Ok(()) } else { Err(contradiction()) }
    })
}

/// A game that was replayed has its times twice; the last ones are those of the journaled game.
fn index_times(path: &Path) -> Result<Index, JournalError> {
    match Scan::open(path) {
        Ok(mut scan) => index(&mut scan, TIMES_BEGINNING, times_number, |_, _, _, _| Ok(())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Index { is_sorted: true, ..Index::default() }),
        Err(error) => Err(JournalError::Io { path: path.to_owned(), error }),
    }
}

fn index(
    scan: &mut Scan,
    beginning: &[u8],
    number: fn(&[u8]) -> serde_json::Result<u64>,
    twice: impl Fn(&Path, u64, Span, Span) -> Result<(), JournalError>,
) -> Result<Index, JournalError> {
    let mut index = Index { is_sorted: true, ..Index::default() };
    let path = scan.path().to_owned();
    while let Some(span) = scan.advance()? {
        let line = scan.text();
        let game = leading_number(line, beginning).map_or_else(|| number(line), Ok);
        let game = game.map_err(|error| JournalError::damaged(&path, span.line.into(), error))?;
        index.is_sorted &= index.entries.last_key_value().is_none_or(|(&last, _)| last < game);
        if let Some(first) = index.entries.insert(game, span) {
            twice(&path, game, first, span)?;
        }
    }
    index.sound_bytes = scan.sound_bytes();
    index.is_torn = scan.torn().is_some();
    Ok(index)
}

const GAME_BEGINNING: &[u8] = b"{\"fixture\":{\"game\":";
const TIMES_BEGINNING: &[u8] = b"{\"game\":";

/// The number behind `beginning`: lines that we have written ourselves need no parsing to find it.
fn leading_number(line: &[u8], beginning: &[u8]) -> Option<u64> {
    let rest = line.strip_prefix(beginning)?;
    let digits = rest.iter().position(|byte| !byte.is_ascii_digit())?;
    std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()
}

fn fixture_number(line: &[u8]) -> serde_json::Result<u64> {
    #[derive(Deserialize)]
    struct Outer {
        fixture: Numbered,
    }
    serde_json::from_slice(line).map(|outer: Outer| outer.fixture.game)
}

fn times_number(line: &[u8]) -> serde_json::Result<u64> {
    serde_json::from_slice(line).map(|numbered: Numbered| numbered.game)
}

#[derive(Deserialize)]
struct Numbered {
    game: u64,
}
