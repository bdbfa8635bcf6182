//! The engine's side of a conversation: the engine, the output, and the jobs that are under way.

use std::io::Write;

use crossbeam_channel::Sender;

use crate::session::{Engine, Event, Sink, StartError, Task};

/// Reports that may wait for a slow client; more are dropped, answers never.
const WAITING_REPORTS: usize = 4096;

/// The engine's side of a conversation.
pub(crate) struct Server<'a> {
    pub engine: Engine,
    output: &'a mut dyn Write,
    events: Sender<Event>,
    /// Jobs whose last event has not been passed on yet.
    open_jobs: usize,
    closed: bool,
}

impl<'a> Server<'a> {
    pub(super) fn new(engine: Engine, output: &'a mut dyn Write, events: Sender<Event>) -> Self {
        Server { engine, output, events, open_jobs: 0, closed: false }
    }

    /// Writes one line and flushes it; control characters become blanks. A client that has gone away ends the
    /// conversation quietly.
    pub(crate) fn say(&mut self, line: &str) {
        let line: String = line.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        let result = writeln!(self.output, "{line}").and_then(|()| self.output.flush());
        self.closed |= result.is_err();
    }

    /// Writes a text of several lines.
    pub(crate) fn say_lines(&mut self, text: &str) {
        text.lines().for_each(|line| self.say(line));
    }

    /// Starts work in the background, whose events the dialect gets.
    ///
    /// # Errors
    /// See [`Engine::start`].
    pub(crate) fn start(&mut self, task: Task<'_>) -> Result<(), StartError> {
        let sink = self.sink();
        self.engine.start(task, sink).inspect(|()| self.open_jobs += 1)
    }

    /// Whether the last event of some work is still to come.
    pub(crate) fn awaits_events(&self) -> bool {
        self.open_jobs > 0 && !self.closed
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    pub(super) fn note(&mut self, event: &Event) {
        if event.is_last() {
            self.open_jobs = self.open_jobs.saturating_sub(1);
        }
    }

    fn sink(&self) -> Sink {
        let events = self.events.clone();
        Box::new(move |event| {
            if event.is_last() || events.len() < WAITING_REPORTS {
                // Nobody listens any more: the work is about to be stopped.
                let _ = events.send(event);
            }
        })
    }
}
