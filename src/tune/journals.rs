//! The results of a run's games, from the journals of all shards.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::tournament::header::{JournalHeader, Shard};
use crate::tournament::journal::{Archive, Journal, JournalError, JournalTail, Layout};
use crate::tournament::record::{Cause, FinishedGame, GameRecord, GameTimes};

/// Where a run keeps its games: the directory itself, or one below it for every shard.
pub(crate) fn journal_dir(dir: &Path, shard: Option<Shard>) -> PathBuf {
    match shard {
        Some(shard) => dir.join(format!("shard-{}", shard.index)),
        None => dir.to_path_buf(),
    }
}

/// The directories in which a run's journals are: the directory itself, or those of its shards in their order.
pub(crate) fn journal_dirs(dir: &Path) -> Vec<PathBuf> {
    let of_shard = |index| journal_dir(dir, Some(Shard { index, count: 0 }));
    let shards: Vec<PathBuf> = (0..).map(of_shard).take_while(|shard| shard.exists()).collect();
    if Layout::new(dir).journal().exists() || shards.is_empty() { vec![dir.to_path_buf()] } else { shards }
}

/// The games of a run from that number on, of all shards, in the order of their numbers. They have no times: the same
/// games are the same bytes.
///
/// # Errors
/// A journal is damaged, or cannot be read.
pub(crate) fn games_from(dir: &Path, first: u64) -> Result<Vec<FinishedGame>, JournalError> {
    let mut games = Vec::new();
    for dir in journal_dirs(dir) {
        let archive = Archive::read(&dir)?;
        for game in archive.games_of(archive.numbers().filter(|&game| game >= first)) {
            games.push(FinishedGame { times: GameTimes::default(), ..game? });
        }
    }
    games.sort_by_key(|game| game.record.fixture.game);
    Ok(games)
}

/// The results of a run's games, and the journals they come from.
pub(crate) struct SharedResults {
    /// That of this process.
    journal: Journal,
    others: Vec<OtherShard>,
    known: KnownGames,
}

/// The journal of another shard.
struct OtherShard {
    index: u64,
    tail: JournalTail,
    /// When it last had games that were not known.
    news: Instant,
}

/// What is kept of the games.
#[derive(Default)]
pub(crate) struct KnownGames {
    /// By game: 1 when the first engine of its match won, -1 when the second did.
    nets: BTreeMap<u64, i64>,
    /// Forfeited games, with the result of each.
    forfeits: BTreeMap<u64, i64>,
    /// Why the last forfeited game ended.
    pub example: String,
}

impl KnownGames {
    fn add(&mut self, record: &GameRecord) {
        let (game, net) = (record.fixture.game, net(record));
        let is_new = self.nets.insert(game, net).is_none();
        if is_new && matches!(record.ending.cause, Cause::Forfeit(_)) {
            self.forfeits.insert(game, net);
            self.example.clone_from(&record.ending.reason);
        }
    }

    /// The result of a game for the first engine of its match: 1, 0 or -1.
    pub(crate) fn net(&self, game: u64) -> Option<i64> {
        self.nets.get(&game).copied()
    }

    /// How many games were forfeits.
    pub(crate) fn forfeits(&self) -> u64 {
        self.forfeits.len() as u64
    }

    /// How many of these games the first and the second engine of their match lost by forfeit.
    pub(crate) fn forfeits_of(&self, games: &Range<u64>) -> [u64; 2] {
        let of = |loss| self.forfeits.range(games.clone()).filter(|&(_, &net)| net == loss).count() as u64;
        [of(-1), of(1)]
    }

    /// Games whose results are known.
    pub(crate) fn games(&self) -> u64 {
        self.nets.len() as u64
    }
}

impl SharedResults {
    /// Opens the journal of this process, or goes on with it, and looks for those of the other shards.
    ///
    /// # Errors
    /// There is a journal already and it is not to be resumed, or it is that of another run.
    pub(crate) fn open(dir: &Path, header: &JournalHeader, resume: bool) -> Result<Self, JournalError> {
        let own = journal_dir(dir, header.shard);
        let mut known = KnownGames::default();
        let journal = if resume {
            let journal = Journal::resume(&own, header)?;
            for game in journal.archive().games() {
                known.add(&game?.record);
            }
            journal
        } else {
            Journal::create(&own, header)?
        };
        Ok(SharedResults { journal, others: others(dir, header), known })
    }

    /// The games that are known by now.
    pub(crate) fn known(&self) -> &KnownGames {
        &self.known
    }

    /// How long another shard has added nothing that this process has seen.
    pub(crate) fn silence(&self, shard: u64) -> Duration {
        self.others.iter().find(|other| other.index == shard).map_or(Duration::ZERO, |other| other.news.elapsed())
    }

    /// Takes games of this process; they are durable when this returns.
    ///
    /// # Errors
    /// They cannot be written.
    pub(crate) fn append(&mut self, games: &[FinishedGame]) -> Result<(), JournalError> {
        self.journal.append(games)?;
        games.iter().for_each(|game| self.known.add(&game.record));
        Ok(())
    }

    /// Reads what the other shards have added.
    ///
    /// # Errors
    /// A journal is damaged or that of another run.
    pub(crate) fn refresh(&mut self) -> Result<(), JournalError> {
        for other in &mut self.others {
            let before = self.known.games();
            other.tail.read(|record| self.known.add(record))?;
            if self.known.games() > before {
                other.news = Instant::now();
            }
        }
        Ok(())
    }

    /// Puts the games into the order of their numbers. Others may be reading the journal of a shard, which stays as
    /// it is.
    ///
    /// # Errors
    /// The journal cannot be rewritten.
    pub(crate) fn complete(&mut self) -> Result<(), JournalError> {
        match self.journal.archive().header.shard {
            None => self.journal.complete(|_| true),
            Some(_) => Ok(()),
        }
    }
}

fn others(dir: &Path, header: &JournalHeader) -> Vec<OtherShard> {
    let Some(own) = header.shard else { return Vec::new() };
    let others = (0..own.count).filter(|&index| index != own.index);
    let other = |index| {
        let shard = Some(Shard { index, count: own.count });
        let tail = JournalTail::new(&journal_dir(dir, shard), JournalHeader { shard, ..header.clone() });
        OtherShard { index, tail, news: Instant::now() }
    };
    others.map(other).collect()
}

/// The first engines of a run's matches have even numbers.
fn net(record: &GameRecord) -> i64 {
    match record.ending.winner.and_then(|seat| record.fixture.seats.get(usize::from(seat))) {
        None => 0,
        Some(engine) if engine % 2 == 0 => 1,
        Some(_) => -1,
    }
}
