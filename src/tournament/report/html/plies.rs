//! The different plies of a report's games: replaying is most of the work, so that all processors share in it.

use indexmap::IndexSet;
use rayon::prelude::*;
use reynard_engine::rules::Change;
use serde::Serialize;

use crate::tournament::header::JournalHeader;
use crate::tournament::record::{FinishedGame, GameRecord};
use crate::tournament::report::{Replay, texts};
use crate::tournament::ruleset::Ruleset;

/// A worker's share of a batch is not smaller, for its sessions have to be opened.
const LEAST_SHARE: usize = 32;

/// One ply as the page shows it; `change` is unknown where the rules are.
#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
pub(super) struct Ply {
    text: String,
    seat: Option<u8>,
    change: Option<Change>,
}

/// Numbers the plies of each ruleset by the order in which they first came.
pub(super) struct PlyNumbers {
    /// By ruleset.
    plies: Vec<IndexSet<Ply>>,
    workers: Vec<ReplayWorker>,
}

impl PlyNumbers {
    pub(super) fn new(header: &JournalHeader) -> PlyNumbers {
        PlyNumbers { plies: header.rulesets.iter().map(|_| IndexSet::new()).collect(), workers: Vec::new() }
    }

    /// The different plies of a ruleset.
    pub(super) fn of(&self, ruleset: usize) -> &IndexSet<Ply> {
        &self.plies[ruleset]
    }

    /// The numbers of the plies of each game; the rulesets must be the header's.
    pub(super) fn add(&mut self, header: &JournalHeader, games: &[FinishedGame]) -> Vec<Vec<usize>> {
        let share = games.len().div_ceil(rayon::current_num_threads()).max(LEAST_SHARE);
        let wanted = games.len().div_ceil(share).max(self.workers.len());
        self.workers.resize_with(wanted, || ReplayWorker::new(header));
        let replay = |(worker, games): (&mut ReplayWorker, &[FinishedGame])| worker.replay(games);
        let replayed: Vec<_> = self.workers.par_iter_mut().zip(games.par_chunks(share)).map(replay).collect();
        // ReplayWorker by worker, the new plies come in the order of the games, however many workers there are.
        let numbers = self.workers.iter_mut().zip(replayed).zip(games.chunks(share));
        numbers.flat_map(|((worker, replayed), games)| worker.number(&mut self.plies, games, replayed)).collect()
    }
}

/// Replays games, and numbers their plies in its own way. By ruleset.
struct ReplayWorker(Vec<Replayer>);

struct Replayer {
    replay: Replay,
    plies: IndexSet<Ply>,
    /// The number on the page of each of the plies.
    numbers: Vec<usize>,
}

impl ReplayWorker {
    fn new(header: &JournalHeader) -> ReplayWorker {
        let replayer =
            |ruleset: &Ruleset| Replayer { replay: Replay::new(ruleset), plies: IndexSet::new(), numbers: Vec::new() };
        ReplayWorker(header.rulesets.iter().map(replayer).collect())
    }

    /// The worker's own numbers of the plies of each game.
    fn replay(&mut self, games: &[FinishedGame]) -> Vec<Vec<usize>> {
        games.iter().map(|game| self.0[game.record.fixture.ruleset].replay(&game.record)).collect()
    }

    /// Turns its own numbers into those of the page.
    fn number(
        &mut self,
        plies: &mut [IndexSet<Ply>],
        games: &[FinishedGame],
        mut replayed: Vec<Vec<usize>>,
    ) -> Vec<Vec<usize>> {
        for (replayer, plies) in self.0.iter_mut().zip(plies) {
            let new = replayer.plies.iter().skip(replayer.numbers.len());
            replayer.numbers.extend(new.map(|ply| plies.insert_full(ply.clone()).0));
        }
        for (game, numbers) in games.iter().zip(&mut replayed) {
            let replayer = &self.0[game.record.fixture.ruleset];
            numbers.iter_mut().for_each(|number| *number = replayer.numbers[*number]);
        }
        replayed
    }
}

impl Replayer {
    fn replay(&mut self, record: &GameRecord) -> Vec<usize> {
        let movers = self.replay.movers(record);
        let mut changes = self.replay.changes(record).into_iter();
        let ply = |(text, seat): (&str, _)| Ply { text: text.to_owned(), seat, change: changes.next() };
        texts(record).zip(movers).map(ply).map(|ply| self.plies.insert_full(ply).0).collect()
    }
}
