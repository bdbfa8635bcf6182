//! Work on a thread of its own, held by a stop flag.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle};

use crossbeam_channel::{Sender, bounded};

use super::clock::Bounds;
use super::event::{Event, Sink};
use super::request::GoMode;
use super::session::STACK_BYTES;
use crate::search::Control;

/// A running piece of work that gives back an `R`. Dropping it stops it and waits for it.
pub(super) struct Job<R> {
    control: Arc<Control>,
    /// Lets an infinite or pondering job answer.
    release: Sender<()>,
    /// Set just before the last event is delivered.
    finished: Arc<AtomicBool>,
    handle: Option<JoinHandle<R>>,
    /// The time bounds that a ponder hit puts in force.
    pondering: Option<Option<Bounds>>,
    kind: Kind,
    /// The work ends without a stop, and its last event needs no further word.
    ends_by_itself: bool,
}

/// What a job does, which decides how the end of a conversation treats it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A search, with the word whether anything bounds it.
    Search { is_bounded: bool },
    /// A count of nodes: it has an end, and is worth nothing before.
    Count,
}

/// How a job is held.
pub(super) struct Terms {
    pub control: Control,
    pub mode: GoMode,
    pub bounds: Option<Bounds>,
    pub kind: Kind,
}

impl Terms {
    /// The terms of a count of nodes.
    pub(super) fn count(control: Control) -> Self {
        Terms { control, mode: GoMode::Answer, bounds: None, kind: Kind::Count }
    }
}

impl Kind {
    fn has_end(self) -> bool {
        matches!(self, Kind::Count | Kind::Search { is_bounded: true })
    }
}

impl<R: Send + 'static> Job<R> {
    /// Starts the work; the event that it returns is delivered last, when the mode allows it.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub(super) fn spawn<W>(terms: Terms, mut sink: Sink, work: W) -> io::Result<Self>
    where
        W: FnOnce(&Control, &mut Sink) -> (R, Event) + Send + 'static,
    {
        let pondering = (terms.mode == GoMode::Ponder).then_some(terms.bounds);
        if let (None, Some(bounds)) = (pondering, terms.bounds) {
            terms.control.set_time(bounds.soft, bounds.hard);
        }
        let control = Arc::new(terms.control);
        let finished = Arc::new(AtomicBool::new(false));
        let (release, released) = bounded(1);
        let (shared, flag) = (Arc::clone(&control), Arc::clone(&finished));
        let run = move || {
            let (result, last) = work(&shared, &mut sink);
            if terms.mode != GoMode::Answer {
                // An error means that nobody is left to say when: answer.
                let _ = released.recv();
            }
            flag.store(true, Ordering::Release);
            sink(last);
            result
        };
        let handle = Some(Builder::new().name("search".into()).stack_size(STACK_BYTES).spawn(run)?);
        let ends_by_itself = terms.mode == GoMode::Answer && terms.kind.has_end();
        Ok(Job { control, release, finished, handle, pondering, kind: terms.kind, ends_by_itself })
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
        if self.kind != Kind::Count {
            self.stop();
        }
    }

    /// Starts the clock of a pondering job; its time counts from now.
    pub(super) fn ponder_hit(&mut self) {
        let Some(bounds) = self.pondering.take() else { return };
        if let Some(Bounds { soft, hard }) = bounds {
            let now = self.control.elapsed();
            self.control.set_time(now.saturating_add(soft), now.saturating_add(hard));
        }
        self.ends_by_itself = self.kind.has_end();
        self.let_answer();
    }

    fn let_answer(&self) {
        // A full channel already holds the permission.
        let _ = self.release.try_send(());
    }

    pub(super) fn is_finished(&self) -> bool {
        self.finished.load(Ordering::Acquire)
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.control.is_stopped()
    }

    pub(super) fn ends_by_itself(&self) -> bool {
        self.ends_by_itself || self.is_stopping()
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
