//! Tells the runner what is still to be played and when the tournament is over, and journals every finished game.

mod queue;

use std::sync::Arc;

pub(crate) use queue::GameQueue;

use super::events::EventLog;
use super::fixture::Next;
use super::header::JournalHeader;
use super::journal::{Archive, Journal, JournalError};
use super::record::FinishedGame;
use super::runner::Director;
use super::schedule::Schedule;
use super::standings::Standings;

/// How far a tournament has come, told after every game that counts.
pub struct TournamentProgress<'a> {
    pub standings: &'a Standings,
    /// Games in the journal.
    pub finished: u64,
    /// Games of this shard in all; `None` where results decide it.
    pub total: Option<u64>,
    pub game: &'a FinishedGame,
}

/// Plays exactly the games that are missing from a journal, and ends a sequential test when it is decided.
///
/// The test looks at complete pairs in the order of their numbers, so that its decision does not depend on which game
/// finished first, nor on how often the run was interrupted.
pub struct TournamentDirector<'a> {
    queue: GameQueue,
    standings: Standings,
    journal: Journal,
    events: Option<Arc<EventLog>>,
    on_progress: Box<dyn FnMut(&TournamentProgress<'_>) + 'a>,
}

impl<'a> TournamentDirector<'a> {
    /// Goes on from the games of the archive, which belong to the journal; the schedule is that of its head.
    ///
    /// # Errors
    /// The journal's games cannot be read.
    pub fn new(schedule: Schedule, journal: Journal, archive: &Archive) -> Result<Self, JournalError> {
        let header = journal.header();
        let mut director = TournamentDirector {
            queue: GameQueue::new(schedule, header.shard),
            standings: Standings::new(header),
            journal,
            events: None,
            on_progress: Box::new(|_| ()),
        };
        for game in archive.games()? {
            director.count(&game?);
        }
        Ok(director)
    }

    /// Writes the events of games to come.
    pub fn with_events(mut self, events: Arc<EventLog>) -> Self {
        self.events = Some(events);
        self
    }

    /// Calls this after every game.
    pub fn on_progress(mut self, on_progress: impl FnMut(&TournamentProgress<'_>) + 'a) -> Self {
        self.on_progress = Box::new(on_progress);
        self
    }

    /// How the engines stand after the games that were taken so far.
    pub fn standings(&self) -> &Standings {
        &self.standings
    }

    /// Pairs up to the one that decided the test; `None` before that, and in a shard, whose pairs alone decide nothing.
    pub fn decided_pairs(&self) -> Option<u64> {
        decided_pairs(&self.standings, self.journal.header())
    }

    /// Games that are finished, those beyond the decision of a test included.
    pub fn finished_games(&self) -> u64 {
        self.queue.finished_games()
    }

    /// Games of this shard in all; `None` where results decide it.
    pub fn total_games(&self) -> Option<u64> {
        self.queue.total_games()
    }

    /// Closes the journal of a run that is complete: sorted, and without games beyond the decision of a test.
    ///
    /// # Errors
    /// See [`Journal::complete`].
    pub fn complete(mut self) -> Result<(), JournalError> {
        let pairs = self.decided_pairs();
        self.journal.complete(|game| pairs.is_none_or(|pairs| game / 2 < pairs))
    }

    fn count(&mut self, game: &FinishedGame) {
        self.queue.finished(&game.record);
        self.standings.add(&game.record, &game.times.move_us);
    }

    fn tell(&mut self, game: &FinishedGame) {
        if let Some(events) = &self.events {
            events.ended(&game.record);
            events.standings(&self.standings);
        }
        let progress = TournamentProgress {
            standings: &self.standings,
            finished: self.queue.finished_games(),
            total: self.queue.total_games(),
            game,
        };
        (self.on_progress)(&progress);
    }
}

impl Director for TournamentDirector<'_> {
    type Error = JournalError;

    fn next(&mut self) -> Next {
        if self.decided_pairs().is_some() {
            return Next::End;
        }
        let next = self.queue.next_game();
        if let (Next::Game(fixture), Some(events)) = (&next, &self.events) {
            events.started(fixture);
        }
        next
    }

    /// One trip to the disk for all of them.
    fn finished(&mut self, games: Vec<FinishedGame>) -> Result<(), JournalError> {
        self.journal.append(&games)?;
        for game in &games {
            self.count(game);
            self.tell(game);
        }
        Ok(())
    }
}

/// See [`TournamentDirector::decided_pairs`]; the standings hold the games of the header's tournament.
pub(crate) fn decided_pairs(standings: &Standings, header: &JournalHeader) -> Option<u64> {
    let verdict = standings.sprt().filter(|_| header.shard.is_none())?.verdict();
    verdict.decision.map(|_| verdict.pairs)
}
