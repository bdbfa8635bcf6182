//! Meetings of real runs: paired games, journaled and shared among processes.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::error::TuneError;
use super::meeting::{Meeting, MeetingScore};
use super::resolved::ResolvedTuneSpec;
use super::shared_results::SharedResults;
use super::trace::Trace;
use crate::tournament::fixture::{Fixture, Next};
use crate::tournament::header::{JournalHeader, Shard};
use crate::tournament::journal::JournalError;
use crate::tournament::live::{self, LiveGames};
use crate::tournament::plan::{EngineConfig, Sinks};
use crate::tournament::record::FinishedGame;
use crate::tournament::runner::{self, Director, RunEnd, RunError};

/// What happens while games are played.
pub(crate) enum TuneEvent<'a> {
    /// Games have ended; `done` of `of` are known.
    Games { done: u64, of: u64 },
    /// The games of other shards are awaited, the first of them missing being `game`; `done` of `of` are known.
    Waiting { game: u64, done: u64, of: u64 },
    /// An iteration or a point has been finished.
    Row(&'a Trace),
}

/// How the games of a run are played.
pub(crate) struct RunOptions<'a> {
    pub concurrency: usize,
    pub shard: Option<Shard>,
    /// Goes on with a journal that is there.
    pub resume: bool,
    pub stop: &'a AtomicBool,
    /// Is told what happens.
    pub observer: &'a dyn Fn(TuneEvent<'_>),
}

/// Pairs of games between points.
pub(crate) struct PairedGames<'a> {
    resolved: &'a mut ResolvedTuneSpec,
    options: &'a RunOptions<'a>,
    results: SharedResults,
    sinks: Sinks,
}

/// So many games without one that was played to its end are enough to give up.
const ENOUGH_FORFEITS: u64 = 16;

/// Between two looks at the journals of other shards.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

impl<'a> PairedGames<'a> {
    /// Opens the journal in `dir`.
    ///
    /// # Errors
    /// See [`SharedResults::open`].
    pub(crate) fn open(
        resolved: &'a mut ResolvedTuneSpec,
        dir: &Path,
        options: &'a RunOptions<'a>,
    ) -> Result<Self, JournalError> {
        let header = JournalHeader { shard: options.shard, ..resolved.tournament.header.clone() };
        let results = SharedResults::open(dir, &header, options.resume)?;
        let live = Some(LiveGames::new(live::path(dir, options.shard)));
        Ok(PairedGames { resolved, options, results, sinks: Sinks { live, ..Sinks::default() } })
    }

    /// Plays the share of this process in a meeting, as far as it is not journaled yet.
    ///
    /// # Errors
    /// See [`TuneError`].
    pub(crate) fn play_share(&mut self, meeting: Meeting<'_>) -> Result<(), TuneError> {
        let fixtures = self.fixtures(meeting.number);
        if fixtures.is_empty() {
            return Ok(());
        }
        let of = self.games();
        let ResolvedTuneSpec { space, base, tournament, .. } = &mut *self.resolved;
        for (engine, point) in tournament.engines.iter_mut().zip([meeting.first, meeting.second]) {
            *engine = EngineConfig { name: engine.name.clone(), ..space.configure(base, point) };
        }
        let RunOptions { concurrency, stop, observer, .. } = *self.options;
        let mut games = MeetingGames { fixtures, results: &mut self.results, observer, of };
        match runner::run(tournament, &self.sinks, concurrency, stop, &mut games) {
            Ok(RunEnd::Complete) => Ok(()),
            Ok(RunEnd::Stopped) => Err(TuneError::Stopped),
            Err(RunError::Director(error)) => Err(error.into()),
            Err(RunError::Setup(message)) => Err(TuneError::Run(message)),
            Err(RunError::Forfeit { engine, message }) => Err(TuneError::Run(format!("{engine}: {message}"))),
        }
    }

    /// Of the whole run, all shards together.
    fn games(&self) -> u64 {
        self.resolved.meetings() * self.resolved.pairs() * 2
    }

    /// What should be known about forfeits, if there were any.
    pub(crate) fn remark_on_forfeits(&self) -> Option<String> {
        let games = self.results.found().forfeits;
        let remark = || format!("{games} of the games were forfeits, whose results say nothing about the parameters.");
        (games > 0).then(remark)
    }

    /// Refuses to go on when there was nothing but forfeits: there is nothing to be learned from them.
    ///
    /// # Errors
    /// All games were forfeited, and there were enough of them.
    fn check_forfeits(&self) -> Result<(), TuneError> {
        let (found, games) = (self.results.found(), self.results.found().games());
        if games >= ENOUGH_FORFEITS.min(self.games()) && found.forfeits == games {
            return Err(TuneError::AllForfeits { games, example: found.example.clone() });
        }
        Ok(())
    }

    /// The games of a meeting that this process has to play still.
    fn fixtures(&self, meeting: u64) -> VecDeque<Fixture> {
        let all = self.resolved.pairs();
        let is_own = |pair: u64| match self.options.shard {
            None => true,
            // Meetings with the start do not depend on each other: every shard has whole ones.
            Some(shard) if self.resolved.spec.method.is_landscape() => shard.has(meeting),
            // Counted through all meetings, so that more shards than pairs have their share too.
            Some(shard) => shard.has(meeting * all + pair),
        };
        let fixtures = (0..all).filter(|&pair| is_own(pair)).flat_map(|pair| self.fixtures_of(meeting, pair));
        fixtures.filter(|fixture| self.results.found().net(fixture.game).is_none()).collect()
    }

    /// The games of a pair: the first engine has seat 0, then seat 1.
    fn fixtures_of(&self, meeting: u64, pair: u64) -> [Fixture; 2] {
        let number = meeting * self.resolved.pairs() + pair;
        let opening = if self.resolved.spec.method.is_landscape() { pair } else { number };
        [0, 1].map(|turn: usize| {
            let (game, seats) = (2 * number + turn as u64, [turn, 1 - turn]);
            Fixture { game, pair: number, round: 0, ruleset: 0, opening, seats }
        })
    }

    /// The result of a meeting, or its first game that is missing.
    fn score(&self, meeting: u64) -> Result<MeetingScore, u64> {
        let mut score = MeetingScore::default();
        let pairs = self.resolved.pairs();
        for pair in meeting * pairs..(meeting + 1) * pairs {
            let net = |turn: u64| self.results.found().net(2 * pair + turn).ok_or(2 * pair + turn);
            score.add_pair([net(0)?, net(1)?]);
        }
        Ok(score)
    }

    /// Plays a meeting, together with the other shards.
    ///
    /// # Errors
    /// See [`TuneError`].
    pub(crate) fn meet(&mut self, meeting: Meeting<'_>) -> Result<MeetingScore, TuneError> {
        self.play_share(meeting)?;
        loop {
            let missing = match self.score(meeting.number) {
                Ok(score) => return self.check_forfeits().map(|()| score),
                Err(game) => game,
            };
            self.results.refresh()?;
            if self.results.found().net(missing).is_none() {
                if self.options.stop.load(Ordering::Relaxed) {
                    return Err(TuneError::Stopped);
                }
                let (done, of) = (self.results.found().games(), self.games());
                (self.options.observer)(TuneEvent::Waiting { game: missing, done, of });
                thread::sleep(BETWEEN_LOOKS);
            }
        }
    }

    /// Ends the run: puts the journal in order.
    ///
    /// # Errors
    /// The journal cannot be rewritten.
    pub(crate) fn complete(mut self) -> Result<(), JournalError> {
        self.results.complete()
    }
}

/// The games of one meeting on their way through the runner.
struct MeetingGames<'a> {
    fixtures: VecDeque<Fixture>,
    results: &'a mut SharedResults,
    observer: &'a dyn Fn(TuneEvent<'_>),
    of: u64,
}

impl Director for MeetingGames<'_> {
    type Error = JournalError;

    fn next(&mut self) -> Next {
        self.fixtures.pop_front().map_or(Next::End, Next::Game)
    }

    /// One trip to the disk for all of them.
    fn finished(&mut self, games: Vec<FinishedGame>) -> Result<(), JournalError> {
        self.results.append(&games)?;
        (self.observer)(TuneEvent::Games { done: self.results.found().games(), of: self.of });
        Ok(())
    }
}
