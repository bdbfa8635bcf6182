//! Work on this thread or in the background, on a thread of its own, stopped by a flag.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Sender, bounded};

use super::clock::Bounds;
use super::door::{STACK_BYTES, StartError};
use super::event::{Event, Sink};
use super::request::GoMode;
use crate::search::Control;

/// Work that is ready to be done; its clock runs already.
pub struct Work {
    begun: Instant,
    kind: WorkKind,
    run: Box<Run>,
}

/// Does the work and returns the last event; the sink gets those before it.
type Run = dyn FnOnce(&Control, &mut dyn FnMut(Event)) -> Event + Send;

/// What work does, which decides when it may answer and how the end of a conversation treats it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WorkKind {
    /// Says what is known already: not worth a thread.
    Known,
    /// A search with its bounds in time, and whether anything bounds it.
    Search { mode: GoMode, time: Option<Bounds>, is_bounded: bool },
    /// A count of nodes in a session: it has an end, and is worth nothing before.
    Perft,
    /// The benchmark, which has sessions of its own.
    Bench,
}

impl WorkKind {
    fn waits_for_permission(self) -> bool {
        matches!(self, WorkKind::Search { mode: GoMode::Infinite | GoMode::Ponder, .. })
    }

    fn ends_by_itself(self) -> bool {
        !matches!(self, WorkKind::Search { mode, is_bounded, .. } if mode != GoMode::Answer || !is_bounded)
    }

    /// The last event of work that came to nothing.
    fn without_result(self, elapsed: Duration) -> Event {
        match self {
            WorkKind::Known | WorkKind::Search { .. } => Event::Done(None),
            WorkKind::Perft => Event::Perft { nodes: None, elapsed },
            WorkKind::Bench => Event::BenchTotal { nodes: None, elapsed },
        }
    }

    fn time(self) -> Option<Bounds> {
        if let WorkKind::Search { time, .. } = self { time } else { None }
    }
}

impl Work {
    pub(super) fn new<F>(begun: Instant, kind: WorkKind, run: F) -> Self
    where
        F: FnOnce(&Control, &mut dyn FnMut(Event)) -> Event + Send + 'static,
    {
        Work { begun, kind, run: Box::new(run) }
    }

    /// The same with a clock that runs since an earlier moment.
    pub(super) fn since(self, begun: Instant) -> Self {
        Work { begun, ..self }
    }

    /// What needs no work: all of it is known.
    pub(super) fn known(reports: Vec<Event>, last: Event) -> Self {
        Work::new(Instant::now(), WorkKind::Known, move |_, sink| {
            reports.into_iter().for_each(sink);
            last
        })
    }

    fn control(&self, stop: Arc<AtomicBool>, time: Option<Bounds>) -> Control {
        let begun = self.begun;
        let control = Control::stopped_by(stop, move || begun.elapsed());
        if let Some(Bounds { soft, hard }) = time {
            control.set_time(soft, hard);
        }
        control
    }

    /// Does it on the calling thread, where a search should have a stack of [`STACK_BYTES`], and returns after the last
    /// event; for short searches, which a thread of their own would cost more than their nodes.
    ///
    /// Setting `stop` makes it answer as soon as it can; nobody sets it back. Whatever the mode of a search is, the
    /// answer comes when the search ends.
    pub fn run(self, stop: &Arc<AtomicBool>, sink: &mut dyn FnMut(Event)) {
        let control = self.control(Arc::clone(stop), self.kind.time());
        let last = (self.run)(&control, sink);
        sink(last);
    }

    /// Does it in the background; the last event is delivered when the mode of a search allows it. What is known
    /// already is delivered when this returns.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub fn start(self, sink: Sink) -> Result<Job, StartError> {
        self.start_stopped_by(Arc::default(), sink)
    }

    /// The same under a stop flag that others may hold too.
    pub(super) fn start_stopped_by(self, stop: Arc<AtomicBool>, mut sink: Sink) -> Result<Job, StartError> {
        let kind = self.kind;
        let is_pondering = matches!(kind, WorkKind::Search { mode: GoMode::Ponder, .. });
        let control = Arc::new(self.control(stop, kind.time().filter(|_| !is_pondering)));
        let finished = Arc::new(AtomicBool::new(false));
        let (release, released) = bounded(1);
        let (shared, flag) = (Arc::clone(&control), Arc::clone(&finished));
        let run = move || {
            // A client that waits for an answer gets one even from a program with a bug; the panic has told of itself.
            let last = catch_unwind(AssertUnwindSafe(|| (self.run)(&shared, &mut *sink)));
            let last = last.unwrap_or_else(|_| kind.without_result(shared.elapsed()));
            if kind.waits_for_permission() {
                // An error means that nobody is left to say when: answer.
                let _ = released.recv();
            }
            flag.store(true, Ordering::Release);
            sink(last);
        };
        if kind == WorkKind::Known {
            run();
            return Ok(Job { control, release, finished, handle: None, kind });
        }
        let handle = Builder::new().name("search".into()).stack_size(STACK_BYTES).spawn(run);
        let handle = Some(handle.map_err(|error| StartError::Thread(error.to_string()))?);
        Ok(Job { control, release, finished, handle, kind })
    }
}

/// Work in the background. Dropping it stops it and waits for it; its last event has then been delivered.
pub struct Job {
    control: Arc<Control>,
    /// Lets an infinite or pondering search answer.
    release: Sender<()>,
    /// Set just before the last event is delivered.
    finished: Arc<AtomicBool>,
    handle: Option<JoinHandle<()>>,
    kind: WorkKind,
}

impl Job {
    pub(super) fn kind(&self) -> WorkKind {
        self.kind
    }

    /// Asks the work to end and lets it answer.
    pub(super) fn stop(&self) {
        self.control.stop();
        self.let_answer();
    }

    /// Stops the work if it is a search.
    pub(super) fn stop_search(&self) {
        if matches!(self.kind, WorkKind::Search { .. }) {
            self.stop();
        }
    }

    /// Starts the clock of a pondering search; its time counts from now.
    pub(super) fn ponder_hit(&mut self) {
        let WorkKind::Search { mode: mode @ GoMode::Ponder, time, .. } = &mut self.kind else { return };
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
        !self.finished.load(Ordering::Acquire) && !self.control.is_stopped()
    }

    pub(super) fn ends_by_itself(&self) -> bool {
        self.kind.ends_by_itself() || !self.is_wanted()
    }

    /// Waits for the end, which has to come by itself.
    pub fn join(mut self) {
        if let Some(handle) = self.handle.take() {
            // What panicked has said so.
            let _ = handle.join();
        }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        if let Some(handle) = self.handle.take() {
            self.stop();
            let _ = handle.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use crossbeam_channel::unbounded;

    use super::*;

    #[test]
    fn work_that_panics_still_ends_with_its_last_event() {
        for kind in [WorkKind::Search { mode: GoMode::Answer, time: None, is_bounded: true }, WorkKind::Perft] {
            let (sender, events) = unbounded();
            let work = Work::new(Instant::now(), kind, |_, _| panic!("a bug in a searcher"));
            let job = work.start(Box::new(move |event| sender.send(event).unwrap())).unwrap();
            job.join();
            let events: Vec<Event> = events.iter().collect();
            assert!(matches!(events[..], [Event::Done(None) | Event::Perft { nodes: None, .. }]), "{events:?}");
        }
    }
}
