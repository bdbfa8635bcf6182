//! The objective of real runs: two points meet in paired games, journaled and shared among processes.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use thiserror::Error;

use super::ledger::{Ledger, Start};
use super::objective::{Meeting, MeetingScore, Objective};
use super::outcome::Trace;
use super::plan::{Plan, Search};
use super::space::Space;
use crate::tournament::arena::{Arena, EngineConfig};
use crate::tournament::fixture::{Fixture, Next};
use crate::tournament::header::{Header, Shard};
use crate::tournament::journal::JournalError;
use crate::tournament::record::FinishedGame;
use crate::tournament::runner::{self, Director, RunEnd, RunError};

/// Why a meeting was not finished.
#[derive(Debug, Error)]
pub(crate) enum GamesError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("{0}")]
    Run(String),
    #[error("all {games} games were forfeits, from which nothing can be learned; the last one: {example}")]
    AllForfeits { games: u64, example: String },
    /// Somebody asked for it; what was played is in the journal.
    #[error("stopped")]
    Stopped,
}

/// What happens while games are played, for whoever watches.
pub(crate) trait Watch {
    /// A game has ended; `done` of `of` are known.
    fn game(&self, done: u64, of: u64);

    /// The games of other shards are awaited, the first of them missing being `game`; `done` of `of` are known.
    fn waiting(&self, game: u64, done: u64, of: u64);

    /// An iteration or a point has been finished.
    fn row(&self, trace: &Trace);
}

/// How the games of a run are played.
pub(crate) struct Manner<'a> {
    pub concurrency: usize,
    pub shard: Option<Shard>,
    pub start: Start,
    pub stop: &'a AtomicBool,
}

/// Which games of a meeting this process plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Split {
    /// Every shard has some pairs of every meeting: each meeting depends on those before it.
    Pairs,
    /// Every shard has whole meetings: they are independent.
    Meetings,
}

/// Pairs of games between points.
pub(crate) struct Games<'a> {
    arena: &'a mut Arena,
    space: Space,
    base: EngineConfig,
    names: [String; 2],
    pairs: u64,
    meetings: u64,
    split: Split,
    manner: Manner<'a>,
    ledger: Ledger,
    watch: &'a dyn Watch,
}

/// So many games without one that was played to its end are enough to give up.
const HOPELESS: u64 = 16;

/// Between two looks at the journals of other shards.
const PATIENCE: Duration = Duration::from_millis(100);

impl<'a> Games<'a> {
    /// Opens the journal in `dir`.
    ///
    /// # Errors
    /// See [`Ledger::open`].
    pub(crate) fn open(
        plan: &'a mut Plan,
        dir: &Path,
        manner: Manner<'a>,
        watch: &'a dyn Watch,
    ) -> Result<Self, JournalError> {
        let header = Header { shard: manner.shard, ..plan.header.clone() };
        let ledger = Ledger::open(dir, &header, manner.start)?;
        let split = if matches!(plan.search, Search::Spsa { .. }) { Split::Pairs } else { Split::Meetings };
        Ok(Games {
            space: plan.space.clone(),
            base: plan.base.clone(),
            names: [plan.arena.engines[0].name.clone(), plan.arena.engines[1].name.clone()],
            pairs: plan.pairs(),
            meetings: plan.meetings(),
            split,
            arena: &mut plan.arena,
            manner,
            ledger,
            watch,
        })
    }

    /// Whether other processes play too.
    pub(crate) fn is_shared(&self) -> bool {
        self.manner.shard.is_some()
    }

    /// Plays the share of this process in a meeting, as far as it is not journaled yet.
    ///
    /// # Errors
    /// See [`GamesError`].
    pub(crate) fn play_share(&mut self, meeting: Meeting<'_>) -> Result<(), GamesError> {
        let fixtures = self.fixtures(meeting.number);
        if fixtures.is_empty() {
            return Ok(());
        }
        let engines = [meeting.first, meeting.second].map(|point| self.space.configure(&self.base, point));
        let named = engines.into_iter().zip(&self.names);
        self.arena.engines = named.map(|(engine, name)| EngineConfig { name: name.clone(), ..engine }).collect();
        let of = self.games();
        let mut batch = Batch { fixtures, ledger: &mut self.ledger, watch: self.watch, of };
        match runner::run(self.arena, self.manner.concurrency, self.manner.stop, &mut batch) {
            Ok(RunEnd::Complete) => Ok(()),
            Ok(RunEnd::Stopped) => Err(GamesError::Stopped),
            Err(RunError::Director(error)) => Err(error.into()),
            Err(RunError::Setup(message)) => Err(GamesError::Run(message)),
            Err(RunError::Forfeit { engine, message }) => Err(GamesError::Run(format!("{engine}: {message}"))),
        }
    }

    /// Of the whole run, all shards together.
    fn games(&self) -> u64 {
        self.meetings * self.pairs * 2
    }

    /// Games known so far that were forfeited.
    pub(crate) fn forfeits(&self) -> u64 {
        self.ledger.forfeits()
    }

    /// Refuses to go on when there was nothing but forfeits: there is nothing to be learned from them.
    ///
    /// # Errors
    /// All games were forfeited, and there were enough of them.
    fn check_forfeits(&self) -> Result<(), GamesError> {
        let games = self.ledger.known() as u64;
        let is_enough = games >= HOPELESS.min(self.games());
        if is_enough && self.forfeits() == games {
            return Err(GamesError::AllForfeits { games, example: self.ledger.example().to_owned() });
        }
        Ok(())
    }

    /// The games of a meeting that this process has to play still.
    fn fixtures(&self, meeting: u64) -> VecDeque<Fixture> {
        let is_own = |pair: u64| match (self.manner.shard, self.split) {
            (None, _) => true,
            // Counted through all meetings, so that more shards than pairs have their share too.
            (Some(shard), Split::Pairs) => shard.has(meeting * self.pairs + pair),
            (Some(shard), Split::Meetings) => shard.has(meeting),
        };
        let pairs = (0..self.pairs).filter(|&pair| is_own(pair));
        let fixtures = pairs.flat_map(|pair| (0..2).map(move |turn| self.fixture(meeting, pair, turn)));
        fixtures.filter(|fixture| self.ledger.net(fixture.game).is_none()).collect()
    }

    /// Game `turn` of a pair: the first engine has seat 0, then seat 1.
    fn fixture(&self, meeting: u64, pair: u64, turn: usize) -> Fixture {
        let number = meeting * self.pairs + pair;
        let opening = match self.split {
            Split::Pairs => number,
            Split::Meetings => pair,
        };
        let (game, seats) = (2 * number + turn as u64, vec![turn, 1 - turn]);
        Fixture { game, pair: number, round: 0, ruleset: 0, opening, seats }
    }

    /// The result of a meeting, or its first game that is missing.
    fn score(&self, meeting: u64) -> Result<MeetingScore, u64> {
        let mut score = MeetingScore::default();
        for pair in meeting * self.pairs..(meeting + 1) * self.pairs {
            let net = |turn: u64| self.ledger.net(2 * pair + turn).ok_or(2 * pair + turn);
            score.add_pair([net(0)?, net(1)?]);
        }
        Ok(score)
    }

    /// Ends the run: puts the journal in order.
    ///
    /// # Errors
    /// The journal cannot be rewritten.
    pub(crate) fn complete(mut self) -> Result<(), JournalError> {
        self.ledger.complete()
    }
}

impl Objective for Games<'_> {
    type Error = GamesError;

    fn meet(&mut self, meeting: Meeting<'_>) -> Result<MeetingScore, GamesError> {
        self.play_share(meeting)?;
        loop {
            let missing = match self.score(meeting.number) {
                Ok(score) => {
                    self.check_forfeits()?;
                    return Ok(score);
                }
                Err(game) => game,
            };
            self.ledger.refresh()?;
            if self.ledger.net(missing).is_none() {
                if self.manner.stop.load(Ordering::Relaxed) {
                    return Err(GamesError::Stopped);
                }
                self.watch.waiting(missing, self.ledger.known() as u64, self.games());
                thread::sleep(PATIENCE);
            }
        }
    }
}

/// The games of one meeting on their way through the runner.
struct Batch<'a> {
    fixtures: VecDeque<Fixture>,
    ledger: &'a mut Ledger,
    watch: &'a dyn Watch,
    of: u64,
}

impl Director for Batch<'_> {
    type Error = JournalError;

    fn next(&mut self) -> Next {
        self.fixtures.pop_front().map_or(Next::End, Next::Game)
    }

    /// One trip to the disk for all of them.
    fn finished(&mut self, games: Vec<FinishedGame>) -> Result<(), JournalError> {
        self.ledger.append(&games)?;
        self.watch.game(self.ledger.known() as u64, self.of);
        Ok(())
    }
}
