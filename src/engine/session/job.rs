//! Work of a session, on the calling thread or on a thread of its own, and the events that it reports.
//!
//! The stop flag is part of the [`Control`] that the searchers poll. [`Work::run`] makes the control from the caller's
//! flag; [`Work::start`] makes a new flag, which only the [`Job`] that it returns can set.

use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Sender, bounded};
use thiserror::Error;

use super::request::GoMode;
use crate::rules::MoveError;
use crate::search::{BestMove, Control, SearchInfo, TimeBounds, reserve};

/// A function that receives the events of one job, on the job's own thread; it should pass them on and return.
pub(crate) type Sink = Box<dyn FnMut(Event) + Send>;

/// A report of work under way, or its result.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A report of a running search.
    Info(SearchInfo<String>),
    /// The last event of a search: its answer; a roll where the dice are to be rolled, `None` when the game is over.
    Done(Option<BestMove<String>>),
    /// One part of a count: a root move of a perft with the leaves below it, or a ruleset of the benchmark with the
    /// nodes of its search.
    Count {
        /// The root move as the game writes it, or the name of the ruleset in the catalog.
        part: String,
        /// Leaves or nodes.
        nodes: u64,
    },
    /// The last event of a perft; `nodes` is `None` when it was stopped before the end.
    Perft {
        /// Leaves below the root.
        nodes: Option<u64>,
        /// Time since the perft began.
        elapsed: Duration,
    },
    /// The last event of the benchmark; `nodes` is `None` when it was stopped before the end.
    BenchTotal {
        /// The nodes of the searches of all rulesets together.
        nodes: Option<u64>,
        /// Time since the benchmark began.
        elapsed: Duration,
    },
}

impl Event {
    /// Whether this is the last event of its job.
    pub fn is_last(&self) -> bool {
        matches!(self, Event::Done(_) | Event::Perft { .. } | Event::BenchTotal { .. })
    }
}

/// Why a search or perft did not start; nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum StartError {
    /// Other work is under way.
    #[error("a search is running; send stop first")]
    Busy,
    /// One of the moves to consider is not legal.
    #[error("searchmoves: {0}")]
    RootMove(MoveError),
}

/// The stack size of a search thread in bytes: deep recursion must not depend on the platform's default.
pub const STACK_BYTES: usize = 16 << 20;

/// Work that is ready to start; its clock is already running.
pub struct Work {
    begun: Instant,
    kind: WorkKind,
    run: Box<Run>,
}

/// A function that does the work, passes events to the sink, and returns the last event.
type Run = dyn FnOnce(&Control, &mut dyn FnMut(Event)) -> Event + Send;

/// The kind of work, which decides when it may answer and whether the end of a conversation stops it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WorkKind {
    /// Events that are known beforehand and need no thread.
    Known,
    /// A search with its time bounds; `is_bounded` says whether any limit bounds it.
    Search { mode: GoMode, time: Option<TimeBounds>, is_bounded: bool },
    /// A perft, which is worth nothing before its end.
    Perft,
    /// The benchmark, which opens sessions of its own.
    Bench,
}

impl WorkKind {
    fn waits_for_permission(self) -> bool {
        matches!(self, WorkKind::Search { mode: GoMode::Infinite | GoMode::Ponder, .. })
    }

    fn ends_by_itself(self) -> bool {
        !matches!(self, WorkKind::Search { mode, is_bounded, .. } if mode != GoMode::Answer || !is_bounded)
    }

    /// The last event of work that has panicked.
    fn without_result(self, elapsed: Duration) -> Event {
        match self {
            WorkKind::Known | WorkKind::Search { .. } => Event::Done(None),
            WorkKind::Perft => Event::Perft { nodes: None, elapsed },
            WorkKind::Bench => Event::BenchTotal { nodes: None, elapsed },
        }
    }

    fn time(self) -> Option<TimeBounds> {
        if let WorkKind::Search { time, .. } = self { time } else { None }
    }
}

impl Work {
    /// Work whose clock starts now.
    pub(super) fn new<F>(kind: WorkKind, run: F) -> Self
    where
        F: FnOnce(&Control, &mut dyn FnMut(Event)) -> Event + Send + 'static,
    {
        Work { begun: Instant::now(), kind, run: Box::new(run) }
    }

    /// This work with the clock started at `begun`.
    pub(super) fn since(self, begun: Instant) -> Self {
        Work { begun, ..self }
    }

    /// Work whose reports and last event are known beforehand.
    pub(super) fn known(reports: Vec<Event>, last: Event) -> Self {
        Work::new(WorkKind::Known, move |_, sink| {
            reports.into_iter().for_each(sink);
            last
        })
    }

    fn control(&self, stop: Arc<AtomicBool>, time: Option<TimeBounds>) -> Control {
        let begun = self.begun;
        let control = Control::stopped_by(stop, move || begun.elapsed());
        if let Some(bounds) = time {
            control.set_time(bounds);
        }
        control
    }

    /// Does the work on the calling thread and returns after the last event: for short searches, for which a thread
    /// would cost more than the nodes. A deep search needs a stack of [`STACK_BYTES`].
    ///
    /// If `stop` is set, it answers as soon as possible. In every mode a search answers when it ends.
    pub fn run(self, stop: &Arc<AtomicBool>, sink: &mut dyn FnMut(Event)) {
        let control = self.control(Arc::clone(stop), self.kind.time());
        let last = (self.run)(&control, sink);
        sink(last);
    }

    /// Does the work on a thread of its own; a search answers when its mode allows it. Events that are known beforehand
    /// have been delivered when this returns. If the system has no thread to give, the work says so and ends at once.
    pub fn start(self, mut sink: Sink) -> Job {
        let kind = self.kind;
        let is_pondering = matches!(kind, WorkKind::Search { mode: GoMode::Ponder, .. });
        let control = Arc::new(self.control(Arc::default(), kind.time().filter(|_| !is_pondering)));
        let finished = Arc::new(AtomicBool::new(false));
        let (release, released) = bounded(1);
        let shared = Arc::clone(&control);
        let flag = Arc::clone(&finished);
        let run = move |mut refusal: Option<String>| {
            let mut sink = |mut event| {
                if let Event::Info(info) = &mut event {
                    info.remark = refusal.take().or_else(|| info.remark.take());
                }
                sink(event);
            };
            // A client that waits for an answer gets one even from a program with a bug; the panic hook has printed the
            // panic.
            let last = catch_unwind(AssertUnwindSafe(|| (self.run)(&shared, &mut sink)));
            let last = last.unwrap_or_else(|_| kind.without_result(shared.elapsed()));
            if kind.waits_for_permission() {
                // An error means that the job, which has the only sender, is gone: then it may answer.
                let _ = released.recv();
            }
            flag.store(true, Ordering::Release);
            sink(last);
        };
        if kind == WorkKind::Known {
            run(None);
            return Job { control, release, finished, handle: None, kind };
        }
        let (hand_over, handed) = bounded::<Box<dyn FnOnce(_) + Send>>(1);
        let work = move || handed.into_iter().for_each(|run| run(None));
        let has_memory = reserve::<u8>(STACK_BYTES).map(drop).ok_or_else(|| ErrorKind::OutOfMemory.into());
        let thread = has_memory.and_then(|()| Builder::new().name("search".into()).stack_size(STACK_BYTES).spawn(work));
        let mut job = Job { control, release, finished, handle: None, kind };
        match thread {
            Ok(handle) => {
                job.handle = Some(handle);
                let _ = hand_over.send(Box::new(run));
            }
            Err(error) => {
                job.stop();
                run(Some(format!("no thread for the search: {error}")));
            }
        }
        job
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
    pub(super) kind: WorkKind,
}

impl Job {
    /// Sets the stop flag and lets the work answer.
    pub(super) fn stop(&self) {
        self.control.stop();
        self.let_answer();
    }

    /// Stops the work if it is a search; other work goes on.
    pub(super) fn stop_search(&self) {
        if matches!(self.kind, WorkKind::Search { .. }) {
            self.stop();
        }
    }

    /// Starts the clock of a pondering search; its time bounds count from now.
    pub(super) fn ponder_hit(&mut self) {
        let WorkKind::Search { mode: mode @ GoMode::Ponder, time, .. } = &mut self.kind else { return };
        *mode = GoMode::Answer;
        if let Some(TimeBounds { soft, hard }) = *time {
            let now = self.control.elapsed();
            self.control.set_time(TimeBounds { soft: now.saturating_add(soft), hard: now.saturating_add(hard) });
        }
        self.let_answer();
    }

    fn let_answer(&self) {
        // If the channel is full, it already holds the permission.
        let _ = self.release.try_send(());
    }

    /// Whether the work is under way and was not stopped.
    pub(super) fn is_wanted(&self) -> bool {
        !self.is_over() && !self.control.is_stopped()
    }

    /// Whether the last event has been delivered, or is just about to be.
    pub(super) fn is_over(&self) -> bool {
        self.finished.load(Ordering::Acquire)
    }

    pub(super) fn ends_by_itself(&self) -> bool {
        self.kind.ends_by_itself() || !self.is_wanted()
    }

    /// Waits for the end of work that ends by itself.
    pub fn join(mut self) {
        if let Some(handle) = self.handle.take() {
            // The panic hook has already printed a panic.
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
            let work = Work::new(kind, |_, _| panic!("a bug in a searcher"));
            let job = work.start(Box::new(move |event| sender.send(event).unwrap()));
            job.join();
            let events: Vec<Event> = events.iter().collect();
            assert!(matches!(events[..], [Event::Done(None) | Event::Perft { nodes: None, .. }]), "{events:?}");
        }
    }
}
