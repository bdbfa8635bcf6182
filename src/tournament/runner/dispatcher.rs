//! Plays games on worker threads: hands fixtures from the director to them and finished games back.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use reynard_engine::rules::Seat;
use reynard_engine::session::STACK_BYTES;

use super::worker::{GameWorker, WorkerReport};
use super::{Director, RunEnd, RunError, Stop};
use crate::tournament::machine;
use crate::tournament::plan::{Plan, Sinks};
use crate::tournament::player::AbandonFlag;
use crate::tournament::record::{Cause, FinishedGame, Forfeit};
use crate::tournament::schedule::Fixture;
use crate::tournament::spec::OnForfeit;

/// How soon a stop is noticed.
const STOP_POLL: Duration = Duration::from_millis(20);

/// Between two writes of finished games, so that the disk costs short games little.
const BETWEEN_COMMITS: Duration = Duration::from_millis(50);

/// Plays what the director asks for, `concurrency` games at the same time, each on a worker thread of its own.
///
/// The director is called from this thread only: it is asked for a game for every worker, and one more for each to go
/// on with, and gets every game as it ends, in no particular order. When `stop` is asked to, no more games are
/// begun; when it gives up, games under way are abandoned, long searches and waits for external programs included.
///
/// With node or depth limits the record of a game is a pure function of plan and fixture, whatever the
/// concurrency and whatever its worker played before.
///
/// # Errors
/// See [`RunError`].
pub fn run<D: Director>(
    plan: &Plan,
    sinks: &Sinks,
    concurrency: usize,
    stop: &Stop,
    director: &mut D,
) -> Result<RunEnd, RunError<D::Error>> {
    machine::raise_file_limit();
    let (workers, abandoned) = (concurrency.max(1), AbandonFlag::default());
    let (fixtures, to_play) = unbounded();
    let (reporter, reports) = unbounded();
    thread::scope(|scope| {
        // Dropped before the scope waits for the workers, whatever way it is left.
        let abandoned = &abandoned;
        let mut dispatcher = Dispatcher {
            plan,
            workers,
            stop,
            abandoned,
            fixtures,
            queued: to_play.clone(),
            reports,
            under_way: 0,
            uncommitted: Vec::new(),
            committed: Instant::now(),
            has_more: true,
            is_ending: false,
        };
        for index in 0..workers {
            let worker = GameWorker::new(plan, sinks, Arc::clone(abandoned), stop);
            let (to_play, reporter) = (to_play.clone(), reporter.clone());
            // Sessions search on this thread.
            let builder = thread::Builder::new().name(format!("worker-{index}")).stack_size(STACK_BYTES);
            let started = builder.spawn_scoped(scope, move || worker.work(index, &to_play, &reporter));
            started.map_err(|error| RunError::Setup(format!("no thread for worker {index}: {error}")))?;
        }
        drop((to_play, reporter));
        dispatcher.direct(director)
    })
}

/// Hands out fixtures and takes games. Dropping it lets the workers go; it abandons what is under way.
struct Dispatcher<'a> {
    plan: &'a Plan,
    workers: usize,
    stop: &'a Stop,
    abandoned: &'a AbandonFlag,
    fixtures: Sender<Fixture>,
    /// What no worker has taken yet.
    queued: Receiver<Fixture>,
    reports: Receiver<WorkerReport>,
    /// Games that workers have or will take.
    under_way: usize,
    /// Finished games that the director does not know yet.
    uncommitted: Vec<FinishedGame>,
    /// When it was given games last.
    committed: Instant,
    /// The director may have more games.
    has_more: bool,
    /// No more games are begun.
    is_ending: bool,
}

impl Drop for Dispatcher<'_> {
    fn drop(&mut self) {
        self.abandoned.store(true, Ordering::Relaxed);
    }
}

impl Dispatcher<'_> {
    /// Runs until the director has had enough or something prevents more.
    pub(super) fn direct<D: Director>(&mut self, director: &mut D) -> Result<RunEnd, RunError<D::Error>> {
        loop {
            if self.stop.gives_up() {
                self.take_finished();
                self.commit(director)?;
                return Ok(RunEnd::Stopped);
            }
            if self.is_commit_due() {
                self.commit(director)?;
            }
            if self.stop.is_asked() {
                self.begin_no_more();
            } else {
                self.hand_out(director);
            }
            if self.under_way == 0 && self.uncommitted.is_empty() {
                return Ok(if self.has_more { RunEnd::Stopped } else { RunEnd::Complete });
            }
            match self.reports.recv_timeout(STOP_POLL) {
                Ok(Ok(game)) => {
                    self.under_way -= 1;
                    self.uncommitted.push(game);
                }
                // What failed does not take finished games with it.
                Ok(Err(message)) => {
                    self.take_finished();
                    self.commit(director)?;
                    return Err(RunError::Setup(message));
                }
                Err(RecvTimeoutError::Timeout) => {}
                // Workers may hear of it first.
                Err(RecvTimeoutError::Disconnected) if self.stop.gives_up() => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(RunError::Setup("every worker has ended".to_owned()));
                }
            }
        }
    }

    /// Finished games go to the disk together: of games that take less than a write, most would wait for one. Nothing
    /// waits where somebody waits for results.
    fn is_commit_due(&self) -> bool {
        let somebody_waits =
            self.under_way == 0 || !self.has_more || self.is_ending || self.plan.spec.on_forfeit == OnForfeit::Stop;
        !self.uncommitted.is_empty() && (somebody_waits || self.committed.elapsed() >= BETWEEN_COMMITS)
    }

    /// Takes the games that have ended by now.
    fn take_finished(&mut self) {
        let games: Vec<FinishedGame> = self.reports.try_iter().flatten().collect();
        self.under_way -= games.len();
        self.uncommitted.extend(games);
    }

    /// Hands finished games to the director, for whom they count from then on.
    fn commit<D: Director>(&mut self, director: &mut D) -> Result<(), RunError<D::Error>> {
        let games = std::mem::take(&mut self.uncommitted);
        if games.is_empty() {
            return Ok(());
        }
        let end = games.iter().find_map(|game| self.end_by_forfeit(game));
        director.finished(games).map_err(RunError::Director)?;
        self.committed = Instant::now();
        end.map_or(Ok(()), |(engine, message)| Err(RunError::Forfeit { engine, message }))
    }

    /// Games handed out at the same time: one for every worker to play and one for it to go on with, so that nobody
    /// waits while finished games go to the disk. Where a forfeit may be the end there is nothing to go on with.
    fn most_under_way(&self) -> usize {
        match self.plan.spec.on_forfeit {
            OnForfeit::Continue => 2 * self.workers,
            OnForfeit::Stop => self.workers,
        }
    }

    /// Fixtures for the workers, as far as the director has any.
    fn hand_out<D: Director>(&mut self, director: &mut D) {
        while self.has_more && self.under_way < self.most_under_way() {
            let Some(fixture) = director.next() else {
                self.has_more = false;
                return;
            };
            self.under_way += 1;
            // Without workers the reports end, which is noticed.
            let _ = self.fixtures.send(fixture);
        }
    }

    /// Takes back what no worker has begun.
    fn begin_no_more(&mut self) {
        if std::mem::replace(&mut self.is_ending, true) {
            return;
        }
        let taken_back = self.queued.try_iter().count();
        if taken_back > 0 {
            self.under_way -= taken_back;
            self.has_more = true;
        }
        if self.under_way > 0 {
            (self.stop.announce)(self.under_way);
        }
    }

    /// The engine whose forfeit ends the run, with its message.
    fn end_by_forfeit(&self, game: &FinishedGame) -> Option<(String, String)> {
        let ending = &game.record.ending;
        let Cause::Forfeit(kind) = ending.cause else { return None };
        if self.plan.spec.on_forfeit != OnForfeit::Stop || !is_breakdown(kind) {
            return None;
        }
        // Without a winner both have forfeited; the message names what both lack.
        let engine = game.record.fixture.loser(ending.winner().unwrap_or(Seat::P2));
        Some((self.plan.engines[engine].name.clone(), ending.reason.clone()))
    }
}

/// Whether a forfeit is more than bad play.
fn is_breakdown(kind: Forfeit) -> bool {
    !matches!(kind, Forfeit::Time | Forfeit::IllegalMove)
}
