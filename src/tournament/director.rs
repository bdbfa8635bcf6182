//! Tells the runner what is still to be played and when the tournament is over, and journals every finished game.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use thiserror::Error;

use super::events::EventLog;
use super::header::JournalHeader;
use super::journal::{Archive, Journal, JournalError};
use super::mistakes::{Assessor, MistakesError};
use super::record::{FinishedGame, GameRecord};
use super::runner::Director;
use super::schedule::{Fixture, Schedule, ScheduleError};
use super::standings::Standings;

/// How far a tournament has come: which of its games are finished, and what they say of the engines.
pub struct Progress {
    schedule: Schedule,
    finished: BTreeSet<u64>,
    /// How the engines stand.
    pub standings: Standings,
}

impl Progress {
    /// Nothing is finished of the tournament that a journal's head names.
    ///
    /// # Errors
    /// See [`ScheduleError`].
    pub fn new(header: &JournalHeader) -> Result<Progress, ScheduleError> {
        let schedule = Schedule::of(header)?;
        Ok(Progress { schedule, finished: BTreeSet::new(), standings: Standings::new(header) })
    }

    /// Counts a finished game; `move_us` are the times of its moves as far as they are known.
    pub(crate) fn add(&mut self, game: &GameRecord, move_us: &[u64]) {
        self.finished.insert(game.fixture.game);
        self.standings.add(game, move_us);
    }

    /// Finished games, those beyond the decision of a test included.
    pub fn finished(&self) -> u64 {
        self.finished.len() as u64
    }

    /// Games of this shard in all.
    pub fn total(&self) -> u64 {
        self.schedule.games()
    }

    /// The first game of this shard that is not finished, and how many there are. Costs what was played.
    pub(crate) fn missing(&self) -> Option<(u64, u64)> {
        let count = self.total().checked_sub(self.finished()).filter(|&count| count > 0)?;
        Some(((0..).find(|&game| self.is_missing(game))?, count))
    }

    fn is_missing(&self, game: u64) -> bool {
        self.schedule.has(game) && !self.finished.contains(&game)
    }
}

/// Plays exactly the games that are missing from a journal, and ends a sequential test when it is decided.
///
/// The test looks at complete pairs in the order of their numbers, so that its decision does not depend on which game
/// finished first, nor on how often the run was interrupted.
pub struct TournamentDirector<'a> {
    progress: Progress,
    /// Games before this one are finished or under way.
    cursor: u64,
    /// The first game that is not to be played.
    end: u64,
    /// `None` where nobody wants to keep the games.
    journal: Option<Journal>,
    /// Judges the moves, where there are tables and no journal from which that is done later.
    assessor: Option<Assessor>,
    events: Option<Arc<EventLog>>,
    on_progress: Box<OnProgress<'a>>,
}

type OnProgress<'a> = dyn FnMut(&Progress, &FinishedGame) -> io::Result<()> + 'a;

/// Why a finished game does not count, or ends the run.
#[derive(Debug, Error)]
pub enum DirectorError {
    /// It cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A table cannot be read.
    #[error(transparent)]
    Tables(#[from] MistakesError),
    /// What is written of every game, such as a PGN file, cannot be written.
    #[error(transparent)]
    Output(#[from] io::Error),
}

impl<'a> TournamentDirector<'a> {
    /// Plays a tournament from its first game; only the standings are kept.
    pub fn new(progress: Progress) -> Self {
        TournamentDirector {
            progress,
            cursor: 0,
            end: u64::MAX,
            journal: None,
            assessor: None,
            events: None,
            on_progress: Box::new(|_, _| Ok(())),
        }
    }

    /// Keeps the games in a journal, and goes on from those that are in it.
    ///
    /// # Errors
    /// The journal's games cannot be read.
    pub fn with_journal(mut self, journal: Journal) -> Result<Self, JournalError> {
        for game in journal.archive().games() {
            let game = game?;
            self.progress.add(&game.record, &game.times.move_us);
        }
        self.journal = Some(journal);
        Ok(self)
    }

    /// Plays no game of this number or a higher one.
    pub fn end_before(mut self, game: u64) -> Self {
        self.end = game;
        self
    }

    /// Judges every move.
    pub fn with_assessor(mut self, assessor: Option<Assessor>) -> Self {
        self.assessor = assessor;
        self
    }

    /// Writes the events of games to come.
    pub fn with_events(mut self, events: Arc<EventLog>) -> Self {
        self.events = Some(events);
        self
    }

    /// Calls this after every game that counts; an error ends the run.
    pub fn on_progress(mut self, on_progress: impl FnMut(&Progress, &FinishedGame) -> io::Result<()> + 'a) -> Self {
        self.on_progress = Box::new(on_progress);
        self
    }

    /// How far the tournament has come.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// How the engines stand after the games that were taken so far.
    pub fn standings(&self) -> &Standings {
        &self.progress.standings
    }

    /// Closes the journal of a run that is complete, sorted and without games beyond the decision of a test; gives what
    /// is in it, with the standings.
    ///
    /// # Errors
    /// See [`Journal::complete`].
    pub fn complete(mut self) -> Result<(Option<Archive>, Standings), JournalError> {
        let pairs = self.standings().decided_pairs();
        let counts = |game: u64| pairs.is_none_or(|pairs| game / 2 < pairs);
        self.journal.as_mut().map_or(Ok(()), |journal| journal.complete(counts))?;
        Ok(self.end())
    }

    /// Closes the journal as it is; gives what is in it, with the standings.
    pub fn end(self) -> (Option<Archive>, Standings) {
        (self.journal.map(Journal::into_archive), self.progress.standings)
    }

    fn take(&mut self, game: &FinishedGame) -> Result<(), DirectorError> {
        self.progress.add(&game.record, &game.times.move_us);
        let standings = &mut self.progress.standings;
        if let Some(assessor) = &mut self.assessor
            && let Some(assessment) = assessor.assess(&game.record)?
        {
            standings.add_assessment(&game.record, &assessment);
        }
        if let Some(events) = &self.events {
            events.ended(&game.record);
            events.standings(standings);
        }
        Ok((self.on_progress)(&self.progress, game)?)
    }
}

impl Director for TournamentDirector<'_> {
    type Error = DirectorError;

    fn next(&mut self) -> Option<Fixture> {
        if self.standings().decided_pairs().is_some() {
            return None;
        }
        while self.cursor < self.end {
            let fixture = self.progress.schedule.fixture(self.cursor)?;
            self.cursor += 1;
            if self.progress.is_missing(fixture.game) {
                return Some(fixture);
            }
        }
        None
    }

    /// One trip to the disk for all of them.
    fn finished(&mut self, games: Vec<FinishedGame>) -> Result<(), DirectorError> {
        if let Some(journal) = &mut self.journal {
            journal.append(&games)?;
        }
        games.iter().try_for_each(|game| self.take(game))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::header::Shard;
    use crate::tournament::journal::samples;
    use crate::tournament::record::{Cause, Ending};
    use crate::tournament::spec::Format;

    fn progress(pairs: u64, shard: Option<Shard>) -> Progress {
        let played = serde_json::json!({"format": "match", "pairs": pairs});
        let played = serde_json::from_value(played).expect("a head");
        Progress::new(&JournalHeader { shard, played, ..samples::header() }).expect("a schedule")
    }

    fn finish(progress: &mut Progress, games: impl IntoIterator<Item = u64>) {
        let schedule = Schedule::new(Format::Match, 2, 1, 1_000);
        for game in games {
            let ending = Ending { winner: Some(0), cause: Cause::Rules, reason: String::new() };
            let fixture = schedule.fixture(game).expect("a game");
            progress.add(&GameRecord::without_moves(fixture, ending), &[]);
        }
    }

    fn rest(progress: Progress) -> Vec<u64> {
        let mut director = TournamentDirector::new(progress);
        std::iter::from_fn(|| director.next()).map(|fixture| fixture.game).collect()
    }

    #[test]
    fn exactly_the_missing_games_are_played_in_order() {
        let mut progress = progress(4, None);
        finish(&mut progress, [1, 6, 2]);
        assert_eq!(progress.missing(), Some((0, 5)));
        assert_eq!(rest(progress), [0, 3, 4, 5, 7]);
    }

    #[test]
    fn what_is_missing_of_a_huge_run_is_known_at_once() {
        let mut huge = progress(1_000_000_000_000, None);
        finish(&mut huge, (0..100).filter(|game| *game != 7));
        assert_eq!(huge.missing(), Some((7, 1_999_999_999_901)));
        let mut whole = progress(4, None);
        finish(&mut whole, 0..8);
        assert_eq!(whole.missing(), None);
    }

    #[test]
    fn shards_play_the_pairs_without_rest() {
        for count in 1..9 {
            let mut all = Vec::new();
            for index in 0..count {
                let progress = progress(7, Some(Shard { index, count }));
                let total = progress.total();
                let games = rest(progress);
                assert_eq!(total, games.len() as u64, "{index}/{count}");
                all.extend(games);
            }
            all.sort_unstable();
            assert_eq!(all, (0..14).collect::<Vec<_>>(), "{count} shards");
        }
    }
}
