//! Saying and hearing lines, with everything that can go wrong named.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::child::{self, Child};
use super::log::Log;
use super::pipes::{NoLine, Pipes};
use crate::tournament::arena::Program;
use crate::tournament::player::Failure;
use crate::tournament::record::Forfeit;
use crate::tournament::spec::Supervision;

/// How often a silent process is looked at: its output may be held open by a child of its own after its end.
const GLANCE: Duration = Duration::from_millis(50);
/// How long a process that closed a pipe may take to end before it counts as alive.
const LAST_BREATH: Duration = Duration::from_millis(500);
/// How long a process may take to end by itself once it was told to.
const FAREWELL: Duration = Duration::from_millis(500);

/// A line that was heard.
pub(super) struct Line {
    /// Bytes that are not UTF-8 are replaced.
    pub text: String,
    /// Whether it was UTF-8 without control characters.
    is_clean: bool,
}

impl Line {
    pub(super) fn new(bytes: &[u8]) -> Self {
        let (text, is_utf8) = match std::str::from_utf8(bytes) {
            Ok(text) => (text.to_owned(), true),
            Err(_) => (String::from_utf8_lossy(bytes).into_owned(), false),
        };
        let is_clean = is_utf8 && !text.chars().any(|letter| letter.is_control() && letter != '\t');
        Line { text, is_clean }
    }

    /// What follows `word` in lines that begin with it, in any case.
    pub(super) fn after(&self, word: &str) -> Option<&str> {
        let text = self.text.trim();
        let (head, tail) = text.split_at_checked(word.len())?;
        let ends = tail.is_empty() || tail.starts_with([' ', '\t']);
        (ends && head.eq_ignore_ascii_case(word)).then(|| tail.trim_start())
    }

    /// What the program complains about.
    pub(super) fn complaint(&self) -> Option<&str> {
        self.after("info")?.strip_prefix("string error ")
    }

    /// # Errors
    /// The line is no text, and no report either, in which a program may quote what it likes.
    pub(super) fn ensure_clean(&self) -> Result<(), Failure> {
        match self.is_clean || self.after("info").is_some() {
            true => Ok(()),
            false => Err(Failure::new(Forfeit::Garbage, format!("answered with garbage: {}", quoted(&self.text)))),
        }
    }
}

/// A text in quotes, short and without control characters.
pub(super) fn quoted(text: &str) -> String {
    const MAX_CHARS: usize = 80;
    let short: String = text.chars().take(MAX_CHARS).collect();
    let dots = if short.len() < text.len() { "..." } else { "" };
    format!("'{}{dots}'", short.escape_debug())
}

fn noted(bytes: &[u8], log: Option<&mut Log>) -> Line {
    let line = Line::new(bytes);
    if let Some(log) = log {
        log.heard(&line.text);
    }
    line
}

/// Why what was waited for did not come.
pub(super) enum Trouble {
    /// The deadline has passed and the program is alive.
    Late,
    Failed(Failure),
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Trouble::Failed(failure)
    }
}

impl Trouble {
    /// The failure of a program that was waited for in vain.
    pub(super) fn or_hang(self, message: impl FnOnce() -> String) -> Failure {
        match self {
            Trouble::Late => Failure::new(Forfeit::Hang, message()),
            Trouble::Failed(failure) => failure,
        }
    }
}

/// A running program and the lines exchanged with it.
pub(super) struct Conversation {
    child: Child,
    pipes: Pipes,
    log: Option<Log>,
    max_lines: u64,
    max_line: usize,
    /// Nobody waits for an answer any more once it is set.
    abandon: Arc<AtomicBool>,
}

impl Conversation {
    /// Starts the program.
    ///
    /// # Errors
    /// [`Forfeit::Start`].
    pub(super) fn start(
        program: &Program,
        name: &str,
        supervision: &Supervision,
        log_dir: Option<&Path>,
        abandon: &Arc<AtomicBool>,
    ) -> Result<Self, Failure> {
        let command = program.command.display();
        let failed =
            |what: &dyn std::fmt::Display, error| Failure::new(Forfeit::Start, format!("cannot start {what}: {error}"));
        let log = log_dir.map(|folder| Log::open(folder, name)).transpose();
        let mut log = log.map_err(|error| failed(&format_args!("the log of {command}"), error))?;
        let started = Child::spawn(program, log.as_ref().map(Log::stderr));
        let (child, input, output) = started.map_err(|error| failed(&command, error))?;
        if let Some(log) = &mut log {
            log.note(&format!("started {command} as process {}", child.id()));
        }
        let pipes = Pipes::new(input, output, supervision.line_bytes);
        let (max_lines, max_line) = (supervision.lines, supervision.line_bytes);
        Ok(Conversation { child, pipes, log, max_lines, max_line, abandon: Arc::clone(abandon) })
    }

    /// Queues a line; it is sent at the latest while an answer is waited for.
    pub(super) fn say(&mut self, line: &str) {
        if let Some(log) = &mut self.log {
            log.sent(line);
        }
        self.pipes.queue(line);
    }

    /// Reads lines up to the first one that `wanted` makes something of.
    ///
    /// # Errors
    /// What `wanted` refuses, the deadline, or a failure of the program.
    pub(super) fn hear_until<T>(
        &mut self,
        deadline: Instant,
        mut wanted: impl FnMut(&Line) -> Result<Option<T>, Failure>,
    ) -> Result<T, Trouble> {
        for _ in 0..self.max_lines {
            let line = self.hear(deadline)?;
            if let Some(found) = wanted(&line)? {
                return Ok(found);
            }
        }
        let message = format!("printed {} lines without an answer", self.max_lines);
        Err(Failure::new(Forfeit::Flood, message).into())
    }

    fn hear(&mut self, deadline: Instant) -> Result<Line, Trouble> {
        let mut has_ended = false;
        loop {
            let glance = if has_ended { Instant::now() } else { deadline.min(Instant::now() + GLANCE) };
            match self.pipes.next_line(glance) {
                Ok(bytes) => return Ok(noted(bytes, self.log.as_mut())),
                Err(NoLine::Late) if has_ended => return Err(self.gone("output").into()),
                // What was printed before the end is still in the pipe.
                Err(NoLine::Late) if self.child.status().is_some() => has_ended = true,
                Err(NoLine::Late) if Instant::now() >= deadline => return Err(Trouble::Late),
                Err(NoLine::Late) if self.abandon.load(Ordering::Relaxed) => {
                    return Err(Failure::new(Forfeit::Hang, "is not waited for any more").into());
                }
                Err(NoLine::Late) => {}
                Err(no_line) => return Err(self.failure(no_line).into()),
            }
        }
    }

    fn failure(&mut self, no_line: NoLine) -> Failure {
        match no_line {
            NoLine::Late | NoLine::OutputClosed => self.gone("output"),
            NoLine::InputClosed => self.gone("input"),
            NoLine::TooLong => {
                Failure::new(Forfeit::HugeLine, format!("printed a line of more than {} bytes", self.max_line))
            }
            NoLine::Failed(error) => Failure::new(Forfeit::ClosedPipe, format!("the pipe failed: {error}")),
        }
    }

    /// A pipe is closed because the process has ended, or in spite of its being alive.
    fn gone(&mut self, pipe: &str) -> Failure {
        match self.child.wait_until(Instant::now() + LAST_BREATH) {
            Some(status) => Failure::new(Forfeit::Crash, child::describe(status)),
            None => Failure::new(Forfeit::ClosedPipe, format!("closed its {pipe} but goes on running")),
        }
    }

    /// Whether the program has not read everything that was said.
    pub(super) fn is_sending(&self) -> bool {
        self.pipes.is_sending()
    }

    /// Notes a failure in the log and kills the program.
    pub(super) fn give_up(&mut self, failure: &Failure) {
        if let Some(log) = &mut self.log {
            log.note(&format!("{:?}: {}", failure.kind, failure.message));
        }
        self.child.kill();
    }

    /// Tells the program to end and gives it a moment for it; what it still prints is thrown away.
    pub(super) fn end(&mut self) {
        if self.child.status().is_some() {
            return;
        }
        self.say("quit");
        let deadline = Instant::now() + FAREWELL;
        while self.hear(deadline).is_ok() {}
        self.child.wait_until(deadline);
    }
}
