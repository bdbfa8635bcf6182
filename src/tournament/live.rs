//! Shows the games that are under way to whoever looks at the results directory: `live.json`, written anew while moves
//! fall and gone with the run. Nothing depends on it; [`journal`](super::journal) alone holds results.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime};

use serde::{Deserialize, Serialize};

use super::header::Shard;
use super::record::{Opening, PlayedMove};
use super::schedule::Fixture;

/// Between two versions of the file: as fast as people follow.
const INTERVAL: Duration = Duration::from_millis(200);
/// It is written so often even if no move falls: a file that grows old is one of a run that was killed.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// A game under way.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct LiveGame {
    /// Its number, ruleset and engines.
    pub fixture: Fixture,
    /// `None` for the start position of the ruleset.
    pub start: Option<String>,
    /// All moves from there, the opening's included.
    pub moves: Vec<String>,
    /// What was said about the moves behind the opening by those who made them, with the lines of the last two alone.
    #[serde(default)]
    pub said: Vec<PlayedMove>,
    /// Time left by seat, ms, when the last move had been made; `None` without a clock.
    #[serde(default)]
    pub clocks_ms: [Option<u64>; 2],
    /// When that was, or the game was begun: ms of Unix time.
    #[serde(default)]
    pub since_ms: u64,
}

fn now_ms() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64)
}

/// The games under way of one run.
pub struct LiveGames {
    games: Arc<Mutex<Shown>>,
    /// The writer ends when this is dropped.
    ending: Option<Sender<()>>,
    writer: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shown {
    games: BTreeMap<u64, LiveGame>,
    has_changed: bool,
}

fn locked(games: &Mutex<Shown>) -> MutexGuard<'_, Shown> {
    games.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The file of a run in its directory; shards that share one have a file each.
pub(crate) fn path(dir: &Path, shard: Option<Shard>) -> PathBuf {
    dir.join(shard.map_or("live.json".to_owned(), |shard| format!("live-{}.json", shard.index)))
}

/// The games under way in these directories, those of all shards; `None` where no run is under way.
#[cfg(any(test, feature = "gui"))]
pub(crate) fn read(dirs: &[PathBuf]) -> Option<Vec<LiveGame>> {
    let is_live = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let written = || fs::metadata(path).and_then(|about| about.modified()).ok()?.elapsed().ok();
        name.starts_with("live") && name.ends_with(".json") && written().is_some_and(|age| age < 5 * HEARTBEAT)
    };
    let files =
        dirs.iter().filter_map(|dir| fs::read_dir(dir).ok()).flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let parts = files.filter(is_live).filter_map(|path| serde_json::from_slice(&fs::read(path).ok()?).ok());
    let parts: Vec<Vec<LiveGame>> = parts.collect();
    (!parts.is_empty()).then(|| parts.into_iter().flatten().collect())
}

impl LiveGames {
    /// Begins to write this file.
    pub(crate) fn new(path: PathBuf) -> LiveGames {
        let games = Arc::<Mutex<Shown>>::default();
        let (ending, end) = channel();
        let shown = Arc::clone(&games);
        // Without a thread there is nothing to see, and the run goes on.
        let writer =
            thread::Builder::new().name("live".to_owned()).spawn(move || write_until(&end, &path, &shown)).ok();
        LiveGames { games, ending: Some(ending), writer }
    }

    /// A game has its opening on the board.
    pub(crate) fn begin(&self, fixture: &Fixture, opening: &Opening, clocks_ms: [Option<u64>; 2]) -> Showing {
        let Opening { start, moves } = opening.clone();
        self.change(|games| {
            let game =
                LiveGame { fixture: fixture.clone(), start, moves, said: Vec::new(), clocks_ms, since_ms: now_ms() };
            games.insert(fixture.game, game);
        });
        Showing { games: Arc::clone(&self.games), game: fixture.game }
    }

    fn change(&self, change: impl FnOnce(&mut BTreeMap<u64, LiveGame>)) {
        let mut shown = locked(&self.games);
        shown.has_changed = true;
        change(&mut shown.games);
    }
}

impl Drop for LiveGames {
    fn drop(&mut self) {
        self.ending = None;
        if let Some(writer) = self.writer.take() {
            // Whatever became of it, there is nothing more to show.
            let _ = writer.join();
        }
    }
}

/// One game that is shown, until this is dropped.
pub(crate) struct Showing {
    games: Arc<Mutex<Shown>>,
    game: u64,
}

impl Showing {
    /// A move was accepted.
    pub(crate) fn moved(&self, played: PlayedMove, clocks_ms: [Option<u64>; 2]) {
        let mut shown = locked(&self.games);
        shown.has_changed = true;
        if let Some(game) = shown.games.get_mut(&self.game) {
            game.moves.push(played.text().to_owned());
            if let Some(before) = game.said.iter_mut().nth_back(1) {
                before.4 = None;
            }
            game.said.push(played);
            (game.clocks_ms, game.since_ms) = (clocks_ms, now_ms());
        }
    }
}

impl Drop for Showing {
    fn drop(&mut self) {
        let mut shown = locked(&self.games);
        shown.has_changed = true;
        shown.games.remove(&self.game);
    }
}

fn write_until(end: &Receiver<()>, path: &Path, games: &Mutex<Shown>) {
    let mut written: Option<Instant> = None;
    while end.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
        let is_due = written.is_none_or(|written| written.elapsed() >= HEARTBEAT);
        let text = {
            let mut shown = locked(games);
            (std::mem::take(&mut shown.has_changed) || is_due)
                .then(|| serde_json::to_string(&shown.games.values().collect::<Vec<_>>()))
        };
        if let Some(Ok(text)) = text {
            // A directory that cannot be written to shows nothing.
            let draft = path.with_extension("json.part");
            let _ = fs::write(&draft, text).and_then(|()| fs::rename(&draft, path));
            written = Some(Instant::now());
        }
    }
    if written.is_some() {
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::record::Opinion;

    fn fixture(game: u64) -> Fixture {
        Fixture { game, pair: game / 2, ruleset: 0, opening: 0, seats: [0, 1] }
    }

    #[test]
    fn games_are_shown_while_they_are_played_and_leave_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path();
        let read = || super::read(&[dir.to_owned()]);
        let wait_for = |count| {
            let deadline = Instant::now() + Duration::from_secs(120);
            while read().map(|games| games.len()) != count {
                assert!(Instant::now() < deadline, "{:?}", read());
                thread::sleep(Duration::from_millis(10));
            }
        };
        assert_eq!(read(), None);
        let live = LiveGames::new(path(dir, None));
        let other = LiveGames::new(path(dir, Some(Shard { index: 3, count: 4 })));
        let opening = Opening { start: None, moves: vec!["a3a4".to_owned()] };
        let first = live.begin(&fixture(4), &opening, [Some(1000), None]);
        let second = other.begin(&fixture(7), &Opening::default(), [None; 2]);
        first.moved(PlayedMove::new("d4d5".to_owned(), Opinion::default()), [Some(900), None]);
        wait_for(Some(2));
        let games = read().unwrap();
        let game = games.iter().find(|game| game.fixture.game == 4).unwrap();
        assert_eq!(game.moves, ["a3a4", "d4d5"]);
        assert_eq!((game.said.last().map(PlayedMove::text), game.clocks_ms), (Some("d4d5"), [Some(900), None]));
        drop(first);
        wait_for(Some(1));
        drop((second, live, other));
        assert_eq!(fs::read_dir(dir).unwrap().count(), 0);
    }
}
