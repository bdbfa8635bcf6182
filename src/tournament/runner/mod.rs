//! Plays games on several threads, in the order in which a director asks for them.

mod dispatcher;
mod worker;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use crossbeam_channel::unbounded;
use dispatcher::Dispatcher;
use reynard_engine::session::STACK_BYTES;
use thiserror::Error;
use worker::GameWorker;

use super::machine;
use super::plan::{Plan, Sinks};
use super::player::AbandonFlag;
use super::record::FinishedGame;
use super::schedule::Fixture;

/// Decides what is played and takes what was played. Called from one thread only.
pub trait Director {
    /// Why finished games could not be taken.
    type Error;

    /// The next game; after `None` games under way are finished.
    fn next(&mut self) -> Option<Fixture>;

    /// Takes all games that have finished by now; they count, durably, when this returns.
    ///
    /// # Errors
    /// The run ends.
    fn finished(&mut self, games: Vec<FinishedGame>) -> Result<(), Self::Error>;
}

/// Why a run ended before its director said so. Games that were under way then have left no trace.
#[derive(Debug, Error)]
pub enum RunError<E> {
    /// The director refused a finished game.
    #[error("{0}")]
    Director(E),
    /// A ruleset of the spec cannot be played, the machine lacks what it takes, or a worker broke down.
    #[error("{0}")]
    Setup(String),
    /// The spec says to stop at such a forfeit; the game has been recorded.
    #[error("{engine}: {message}; the spec stops at such a forfeit")]
    Forfeit { engine: String, message: String },
}

/// How a run is asked to end, from any thread.
pub struct Stop {
    asked: AtomicBool,
    gives_up: AtomicBool,
    /// Says that so many games under way are still finished.
    announce: fn(usize),
}

impl Stop {
    /// Nothing is asked; `announce` is called with the number of games that are still finished when there are some.
    pub const fn new(announce: fn(usize)) -> Self {
        Stop { asked: AtomicBool::new(false), gives_up: AtomicBool::new(false), announce }
    }

    /// Lets the games under way be finished and begins no others.
    pub fn finish(&self) {
        self.asked.store(true, Ordering::Relaxed);
    }

    /// Gives up the games under way, which leave no trace.
    pub fn give_up(&self) {
        self.gives_up.store(true, Ordering::Relaxed);
        self.finish();
    }

    /// Set once the run is to end in any way.
    pub fn flag(&self) -> &AtomicBool {
        &self.asked
    }

    /// Whether the run is to end in any way.
    pub fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// Whether games under way are not to be finished.
    pub fn gives_up(&self) -> bool {
        self.gives_up.load(Ordering::Relaxed)
    }
}

impl Default for Stop {
    fn default() -> Self {
        Stop::new(|_| ())
    }
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// The director had no more games.
    Complete,
    /// It was asked to stop before that.
    Stopped,
}

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
    check(plan).map_err(RunError::Setup)?;
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

/// Refuses a spec whose games could not be played at all.
fn check(plan: &Plan) -> Result<(), String> {
    let spec = &plan.spec;
    if spec.adjudication.table && plan.tables.is_none() {
        return Err("adjudication.table needs a folder of tables".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests;
