//! The results of a run's games, journaled here or by the other shards.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::tail::Tail;
use crate::tournament::header::{Header, Shard};
use crate::tournament::journal::{Journal, JournalError};
use crate::tournament::record::{FinishedGame, GameRecord};

/// Where a run keeps its games: the directory itself, or one below it for every shard.
pub fn journal_dir(dir: &Path, shard: Option<Shard>) -> PathBuf {
    match shard {
        Some(shard) => dir.join(format!("shard-{}", shard.index)),
        None => dir.to_path_buf(),
    }
}

/// Whether a journal is begun or gone on with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    Fresh,
    Resume,
}

/// Every result that is known, and the way to more.
pub struct Ledger {
    journal: Journal,
    tails: Vec<Tail>,
    /// By game: 1 when the first engine of the meeting won, -1 when the second did.
    nets: BTreeMap<u64, i8>,
}

impl Ledger {
    /// Opens the journal of this process and looks for those of the other shards.
    ///
    /// # Errors
    /// There is a journal already and it is not to be resumed, or it is that of another run.
    pub fn open(dir: &Path, header: &Header, start: Start) -> Result<Ledger, JournalError> {
        let own = journal_dir(dir, header.shard);
        let mut nets = BTreeMap::new();
        let journal = match start {
            Start::Fresh => Journal::create(&own, header)?,
            Start::Resume => {
                let (journal, archive) = Journal::resume(&own, header)?;
                for game in archive.games()? {
                    let record = game?.record;
                    nets.insert(record.fixture.game, net(&record));
                }
                journal
            }
        };
        Ok(Ledger { journal, tails: tails(dir, header), nets })
    }

    /// The result of a game for the first engine of its meeting: 1, 0 or -1.
    pub fn net(&self, game: u64) -> Option<i64> {
        self.nets.get(&game).copied().map(i64::from)
    }

    /// How many results are known.
    pub fn known(&self) -> usize {
        self.nets.len()
    }

    /// Takes a game of this process; it is durable when this returns.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn append(&mut self, game: FinishedGame) -> Result<(), JournalError> {
        let entry = (game.record.fixture.game, net(&game.record));
        self.journal.append(&[game])?;
        self.nets.insert(entry.0, entry.1);
        Ok(())
    }

    /// Reads what the other shards have added.
    ///
    /// # Errors
    /// A journal is damaged or that of another run.
    pub fn refresh(&mut self) -> Result<(), JournalError> {
        let nets = &mut self.nets;
        for tail in &mut self.tails {
            tail.read(|record| {
                nets.insert(record.fixture.game, net(record));
            })?;
        }
        Ok(())
    }

    /// Puts the games into the order of their numbers. Others may be reading the journal of a shard, which stays as
    /// it is.
    ///
    /// # Errors
    /// The journal cannot be rewritten.
    pub fn complete(&mut self) -> Result<(), JournalError> {
        match self.journal.header().shard {
            None => self.journal.complete(|_| true),
            Some(_) => Ok(()),
        }
    }
}

/// The journals of the other shards.
fn tails(dir: &Path, header: &Header) -> Vec<Tail> {
    let Some(own) = header.shard else { return Vec::new() };
    let others = (0..own.count).filter(|&index| index != own.index);
    let tail = |index| {
        let shard = Some(Shard { index, count: own.count });
        Tail::new(&journal_dir(dir, shard), Header { shard, ..header.clone() })
    };
    others.map(tail).collect()
}

fn net(record: &GameRecord) -> i8 {
    match record.ending.winner.and_then(|seat| record.fixture.seats.get(usize::from(seat))) {
        None => 0,
        Some(0) => 1,
        Some(_) => -1,
    }
}
