//! Plays games on several threads, in the order in which a director asks for them.

mod dispatcher;
mod worker;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use crossbeam_channel::unbounded;
use dispatcher::{DirectorState, Dispatcher};
use reynard_engine::session::STACK_BYTES;
use thiserror::Error;
use worker::GameWorker;

use super::fixture::Next;
use super::plan::{Plan, Sinks};
use super::player::AbandonFlag;
use super::record::FinishedGame;

/// Decides what is played and takes what was played. Called from one thread only.
pub trait Director {
    /// Why finished games could not be taken.
    type Error;

    /// The next game; after [`Next::End`] games under way are finished.
    fn next(&mut self) -> Next;

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
    /// A ruleset of the spec cannot be played, the system has no thread to give, or a worker broke down.
    #[error("{0}")]
    Setup(String),
    /// The spec says to stop at such a forfeit; the game has been recorded.
    #[error("{engine}: {message}; the spec stops at such a forfeit")]
    Forfeit { engine: String, message: String },
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// The director had no more games.
    Complete,
    /// `stop` was set: games under way were abandoned and left no trace.
    Stopped,
}

/// Plays what the director asks for, `concurrency` games at the same time, each on a worker thread of its own.
///
/// The director is called from this thread only: it is asked for a game for every worker, and one more for each to go
/// on with, and told of every game as it ends, in no particular order. When `stop` is set, games under way are
/// abandoned, long searches and waits for external programs included.
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
    stop: &AtomicBool,
    director: &mut D,
) -> Result<RunEnd, RunError<D::Error>> {
    check(plan).map_err(RunError::Setup)?;
    let (workers, abandoned) = (concurrency.max(1), AbandonFlag::default());
    let (fixtures, to_play) = unbounded();
    let (reporter, reports) = unbounded();
    thread::scope(|scope| {
        // Dropped before the scope waits for the workers, whatever way it is left.
        let (abandoned, state) = (&abandoned, DirectorState::HasGames);
        let mut dispatcher =
            Dispatcher { plan, workers, stop, abandoned, fixtures, reports, under_way: 0, director: state };
        for index in 0..workers {
            let worker = GameWorker::new(plan, sinks, Arc::clone(abandoned));
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
