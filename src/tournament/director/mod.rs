//! Tells the runner what is still to be played and when the tournament is over, and journals every finished game.

mod queue;

use std::io;
use std::sync::Arc;

pub(crate) use queue::GameQueue;
use thiserror::Error;

use super::events::EventLog;
use super::fixture::Next;
use super::header::JournalHeader;
use super::journal::{Archive, Journal, JournalError};
use super::mistakes::{Assessor, MistakesError};
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
    header: JournalHeader,
    queue: GameQueue,
    standings: Standings,
    /// `None` where nobody wants to keep the games.
    journal: Option<Journal>,
    /// Judges the moves, where there are tables and no journal from which that is done later.
    assessor: Option<Assessor>,
    events: Option<Arc<EventLog>>,
    on_progress: Box<OnProgress<'a>>,
}

type OnProgress<'a> = dyn FnMut(&TournamentProgress<'_>) -> io::Result<()> + 'a;

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
    /// Goes on from the games of the archive, which belong to the journal; the schedule is that of its head.
    ///
    /// # Errors
    /// The journal's games cannot be read.
    pub fn new(schedule: Schedule, journal: Journal, archive: &Archive) -> Result<Self, JournalError> {
        let mut director = TournamentDirector::without_journal(schedule, journal.header());
        director.journal = Some(journal);
        for game in archive.games()? {
            let game = game?;
            director.queue.finished(&game.record);
            director.standings.add(&game.record, &game.times.move_us);
        }
        Ok(director)
    }

    /// Plays a tournament of which only the standings are kept.
    pub fn without_journal(schedule: Schedule, header: &JournalHeader) -> Self {
        TournamentDirector {
            queue: GameQueue::new(schedule, header.shard),
            standings: Standings::new(header),
            header: header.clone(),
            journal: None,
            assessor: None,
            events: None,
            on_progress: Box::new(|_| Ok(())),
        }
    }

    /// Plays no game of this number or a higher one.
    pub fn end_before(mut self, game: u64) -> Self {
        self.queue.end_before(game);
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

    /// Calls this after every game; an error ends the run.
    pub fn on_progress(mut self, on_progress: impl FnMut(&TournamentProgress<'_>) -> io::Result<()> + 'a) -> Self {
        self.on_progress = Box::new(on_progress);
        self
    }

    /// How the engines stand after the games that were taken so far.
    pub fn standings(&self) -> &Standings {
        &self.standings
    }

    /// Pairs up to the one that decided the test; `None` before that, and in a shard, whose pairs alone decide nothing.
    pub fn decided_pairs(&self) -> Option<u64> {
        decided_pairs(&self.standings, &self.header)
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
        let counts = |game: u64| pairs.is_none_or(|pairs| game / 2 < pairs);
        self.journal.as_mut().map_or(Ok(()), |journal| journal.complete(counts))
    }

    fn take(&mut self, game: &FinishedGame) -> Result<(), DirectorError> {
        self.queue.finished(&game.record);
        self.standings.add(&game.record, &game.times.move_us);
        if let Some(assessor) = &mut self.assessor
            && let Some(assessment) = assessor.assess(&game.record)?
        {
            self.standings.add_assessment(&game.record, &assessment);
        }
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
        Ok((self.on_progress)(&progress)?)
    }
}

impl Director for TournamentDirector<'_> {
    type Error = DirectorError;

    fn next(&mut self) -> Next {
        if self.decided_pairs().is_some() {
            return Next::End;
        }
        self.queue.next_game()
    }

    /// One trip to the disk for all of them.
    fn finished(&mut self, games: Vec<FinishedGame>) -> Result<(), DirectorError> {
        if let Some(journal) = &mut self.journal {
            journal.append(&games)?;
        }
        games.iter().try_for_each(|game| self.take(game))
    }
}

/// See [`TournamentDirector::decided_pairs`]; the standings hold the games of the header's tournament.
pub(crate) fn decided_pairs(standings: &Standings, header: &JournalHeader) -> Option<u64> {
    let verdict = standings.sprt().filter(|_| header.shard.is_none())?.verdict();
    verdict.decision.map(|_| verdict.pairs)
}
