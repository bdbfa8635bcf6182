//! Background work: a thread of its own, stopped by a flag.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle};

use crossbeam_channel::{Sender, bounded};

use super::clock::Bounds;
use super::event::{Event, Sink};
use super::request::GoMode;
use super::session::{STACK_BYTES, StartError};
use crate::search::Control;

/// A running piece of work that gives back an `R`. Dropping it stops it and waits for it.
pub(super) struct Job<R> {
    control: Arc<Control>,
    /// Lets an infinite or pondering search answer.
    release: Sender<()>,
    /// Set just before the last event is delivered.
    finished: Arc<AtomicBool>,
    handle: Option<JoinHandle<R>>,
    work: JobKind,
}

/// What a job does, which decides when it may answer and how the end of a conversation treats it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum JobKind {
    /// A search with its bounds in time, and whether anything bounds it.
    Search { mode: GoMode, time: Option<Bounds>, is_bounded: bool },
    /// A count of nodes: it has an end, and is worth nothing before.
    Count,
}

impl JobKind {
    fn waits_for_permission(self) -> bool {
        matches!(self, JobKind::Search { mode: GoMode::Infinite | GoMode::Ponder, .. })
    }

    fn ends_by_itself(self) -> bool {
        matches!(self, JobKind::Count | JobKind::Search { mode: GoMode::Answer, is_bounded: true, .. })
    }
}

impl<R: Send + 'static> Job<R> {
    /// Starts the work; the event that `run` returns is delivered last, when the mode allows it.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub(super) fn spawn<F>(control: Control, work: JobKind, mut sink: Sink, run: F) -> Result<Self, StartError>
    where
        F: FnOnce(&Control, &mut dyn FnMut(Event)) -> (R, Event) + Send + 'static,
    {
        if let JobKind::Search { mode: GoMode::Answer | GoMode::Infinite, time: Some(Bounds { soft, hard }), .. } = work
        {
            control.set_time(soft, hard);
        }
        let control = Arc::new(control);
        let finished = Arc::new(AtomicBool::new(false));
        let (release, released) = bounded(1);
        let (shared, flag) = (Arc::clone(&control), Arc::clone(&finished));
        let run = move || {
            let (result, last) = run(&shared, &mut *sink);
            if work.waits_for_permission() {
                // An error means that nobody is left to say when: answer.
                let _ = released.recv();
            }
            flag.store(true, Ordering::Release);
            sink(last);
            result
        };
        let handle = Builder::new().name("search".into()).stack_size(STACK_BYTES).spawn(run);
        let handle = Some(handle.map_err(|error| StartError::Thread(error.to_string()))?);
        Ok(Job { control, release, finished, handle, work })
    }
}

impl<R> Job<R> {
    /// Asks the work to end and lets it answer.
    pub(super) fn stop(&self) {
        self.control.stop();
        self.let_answer();
    }

    /// Stops the work if it is a search.
    pub(super) fn stop_search(&self) {
        if self.work != JobKind::Count {
            self.stop();
        }
    }

    /// Starts the clock of a pondering search; its time counts from now.
    pub(super) fn ponder_hit(&mut self) {
        let JobKind::Search { mode: mode @ GoMode::Ponder, time, .. } = &mut self.work else { return };
        *mode = GoMode::Answer;
        if let Some(Bounds { soft, hard }) = *time {
            let now = self.control.elapsed();
            self.control.set_time(now.saturating_add(soft), now.saturating_add(hard));
        }
        self.let_answer();
    }

    fn let_answer(&self) {
        // A full channel already holds the permission.
        let _ = self.release.try_send(());
    }

    /// Whether it is still at work and nobody has told it to stop.
    pub(super) fn is_wanted(&self) -> bool {
        !self.is_finished() && !self.control.is_stopped()
    }

    pub(super) fn is_finished(&self) -> bool {
        self.finished.load(Ordering::Acquire)
    }

    pub(super) fn ends_by_itself(&self) -> bool {
        self.work.ends_by_itself() || !self.is_wanted()
    }

    /// Waits for the end; `None` when the work panicked.
    pub(super) fn join(mut self) -> Option<R> {
        self.handle.take().and_then(|handle| handle.join().ok())
    }
}

impl<R> Drop for Job<R> {
    fn drop(&mut self) {
        if let Some(handle) = self.handle.take() {
            self.stop();
            let _ = handle.join();
        }
    }
}
