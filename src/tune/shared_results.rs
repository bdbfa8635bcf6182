//! The results of a run's games, from the journals of all shards.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::tournament::header::{JournalHeader, Shard};
use crate::tournament::journal::{Journal, JournalError, JournalTail, Layout};
use crate::tournament::record::{Cause, FinishedGame, GameRecord};

/// Where a run keeps its games: the directory itself, or one below it for every shard.
pub(crate) fn journal_dir(dir: &Path, shard: Option<Shard>) -> PathBuf {
    match shard {
        Some(shard) => dir.join(format!("shard-{}", shard.index)),
        None => dir.to_path_buf(),
    }
}

/// The directories below which a run's journals are: the directory itself, or those of its shards in their order.
pub(crate) fn journal_dirs(dir: &Path) -> Vec<PathBuf> {
    let of_shard = |index| journal_dir(dir, Some(Shard { index, count: 0 }));
    let shards: Vec<PathBuf> = (0..).map(of_shard).take_while(|shard| shard.exists()).collect();
    if Layout::new(dir).journal().exists() || shards.is_empty() { vec![dir.to_path_buf()] } else { shards }
}

/// The results of a run's games, and the journals they come from.
pub(crate) struct SharedResults {
    /// That of this process.
    journal: Journal,
    /// Those of the other shards.
    tails: Vec<JournalTail>,
    found: Found,
}

/// What is kept of the games.
#[derive(Default)]
pub(crate) struct Found {
    /// By game: 1 when the first engine of the meeting won, -1 when the second did.
    nets: BTreeMap<u64, i64>,
    pub forfeits: u64,
    /// Why the last forfeited game ended.
    pub example: String,
}

impl Found {
    fn add(&mut self, record: &GameRecord) {
        let is_new = self.nets.insert(record.fixture.game, net(record)).is_none();
        if is_new && matches!(record.ending.cause, Cause::Forfeit(_)) {
            self.forfeits += 1;
            self.example.clone_from(&record.ending.reason);
        }
    }

    /// The result of a game for the first engine of its meeting: 1, 0 or -1.
    pub(crate) fn net(&self, game: u64) -> Option<i64> {
        self.nets.get(&game).copied()
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
        let mut found = Found::default();
        let journal = if resume {
            let (journal, archive) = Journal::resume(&own, header)?;
            for game in archive.games()? {
                found.add(&game?.record);
            }
            journal
        } else {
            Journal::create(&own, header)?
        };
        Ok(SharedResults { journal, tails: tails(dir, header), found })
    }

    /// What is known by now.
    pub(crate) fn found(&self) -> &Found {
        &self.found
    }

    /// Takes games of this process; they are durable when this returns.
    ///
    /// # Errors
    /// They cannot be written.
    pub(crate) fn append(&mut self, games: &[FinishedGame]) -> Result<(), JournalError> {
        self.journal.append(games)?;
        games.iter().for_each(|game| self.found.add(&game.record));
        Ok(())
    }

    /// Reads what the other shards have added.
    ///
    /// # Errors
    /// A journal is damaged or that of another run.
    pub(crate) fn refresh(&mut self) -> Result<(), JournalError> {
        self.tails.iter_mut().try_for_each(|tail| tail.read(|record| self.found.add(record)))
    }

    /// Puts the games into the order of their numbers. Others may be reading the journal of a shard, which stays as
    /// it is.
    ///
    /// # Errors
    /// The journal cannot be rewritten.
    pub(crate) fn complete(&mut self) -> Result<(), JournalError> {
        match self.journal.header().shard {
            None => self.journal.complete(|_| true),
            Some(_) => Ok(()),
        }
    }
}

/// The journals of the other shards.
fn tails(dir: &Path, header: &JournalHeader) -> Vec<JournalTail> {
    let Some(own) = header.shard else { return Vec::new() };
    let others = (0..own.count).filter(|&index| index != own.index);
    let tail = |index| {
        let shard = Some(Shard { index, count: own.count });
        JournalTail::new(&journal_dir(dir, shard), JournalHeader { shard, ..header.clone() })
    };
    others.map(tail).collect()
}

fn net(record: &GameRecord) -> i64 {
    match record.ending.winner.and_then(|seat| record.fixture.seats.get(usize::from(seat))) {
        None => 0,
        Some(0) => 1,
        Some(_) => -1,
    }
}
