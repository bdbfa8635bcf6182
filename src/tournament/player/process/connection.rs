//! A running program and the lines exchanged with it; everything that can go wrong has a name.

use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::log::{ConversationLog, KeptOutput};
use super::pipes::{PipeError, Pipes};
use super::process_group::{self, ProcessGroup};
use crate::tournament::plan::Conversations;
use crate::tournament::player::{AbandonFlag, Failure};
use crate::tournament::record::Forfeit;
use crate::tournament::spec::{ProgramSpec, Supervision};

/// How often a silent process is looked at: its output may be held open by a child of its own after its end.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// How long a process that closed a pipe may take to end before it counts as alive.
const EXIT_GRACE: Duration = Duration::from_millis(500);
/// How long a process may take to end by itself once it was told to.
const QUIT_GRACE: Duration = Duration::from_millis(500);

/// A line that the program printed.
pub(super) struct OutputLine {
    /// Bytes that are not UTF-8 are replaced.
    pub text: String,
    /// Whether it was UTF-8 without control characters.
    is_clean: bool,
}

impl OutputLine {
    pub(super) fn new(bytes: &[u8]) -> Self {
        let (text, is_utf8) = match std::str::from_utf8(bytes) {
            Ok(text) => (text.to_owned(), true),
            Err(_) => (String::from_utf8_lossy(bytes).into_owned(), false),
        };
        let is_clean = is_utf8 && !text.chars().any(|letter| letter.is_control() && letter != '\t');
        OutputLine { text, is_clean }
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

/// A running program and the lines exchanged with it.
pub(super) struct Connection {
    process: ProcessGroup,
    pipes: Pipes,
    log: ConversationLog,
    stderr: Option<KeptOutput>,
    max_lines: u64,
    abandoned: AbandonFlag,
}

impl Connection {
    /// Starts the program.
    ///
    /// # Errors
    /// [`Forfeit::Start`].
    pub(super) fn start(
        supervision: &Supervision,
        conversations: &Conversations,
        name: &str,
        program: &ProgramSpec,
        abandoned: &AbandonFlag,
    ) -> Result<Self, Failure> {
        let command = program.command.display();
        let failed = |what: &dyn Display, error| Failure::new(Forfeit::Start, format!("cannot start {what}: {error}"));
        let log = ConversationLog::open(conversations, name);
        let mut log = log.map_err(|error| failed(&format_args!("the log of {command}"), error))?;
        let started = ProcessGroup::spawn(program, log.stderr());
        let (process, input, output, stderr) = started.map_err(|error| failed(&command, error))?;
        let kept = stderr.map_or(Ok(None), |stderr| log.keep(stderr));
        let stderr = kept.map_err(|error| failed(&format_args!("the log of {command}"), error))?;
        log.write('#', &format!("started {command} as process {}", process.id()));
        let pipes = Pipes::new(input, output, supervision.line_bytes);
        Ok(Connection { process, pipes, log, stderr, max_lines: supervision.lines, abandoned: Arc::clone(abandoned) })
    }

    /// Queues a line; it is sent at the latest while an answer is waited for.
    pub(super) fn send(&mut self, line: &str) {
        self.log.write('>', line);
        self.pipes.queue(line);
    }

    /// Reads lines up to the first one that `wanted` makes something of; `None` from a program that is alive when the
    /// deadline has passed.
    ///
    /// # Errors
    /// What `wanted` refuses, or a failure of the program.
    pub(super) fn read_until<T>(
        &mut self,
        deadline: Instant,
        mut wanted: impl FnMut(&OutputLine) -> Result<Option<T>, Failure>,
    ) -> Result<Option<T>, Failure> {
        for _ in 0..self.max_lines {
            let Some(line) = self.read_line(deadline)? else { return Ok(None) };
            if let Some(found) = wanted(&line)? {
                return Ok(Some(found));
            }
        }
        Err(Failure::new(Forfeit::Flood, format!("printed {} lines without an answer", self.max_lines)))
    }

    /// The next line; `None` when the deadline has passed.
    fn read_line(&mut self, deadline: Instant) -> Result<Option<OutputLine>, Failure> {
        let mut has_ended = false;
        loop {
            let poll_until = if has_ended { Instant::now() } else { deadline.min(Instant::now() + POLL_INTERVAL) };
            match self.pipes.next_line(poll_until) {
                Ok(Some(bytes)) => {
                    let line = OutputLine::new(bytes);
                    self.log.write('<', &line.text);
                    return Ok(Some(line));
                }
                Ok(None) if has_ended => return Err(self.gone("output")),
                // What was printed before the end is still in the pipe.
                Ok(None) if self.process.status().is_some() => has_ended = true,
                Ok(None) if Instant::now() >= deadline => return Ok(None),
                Ok(None) if self.abandoned.load(Ordering::Relaxed) => {
                    return Err(Failure::new(Forfeit::Hang, "is not waited for any more"));
                }
                Ok(None) => {}
                Err(error) => return Err(self.failure(error)),
            }
        }
    }

    fn failure(&mut self, error: PipeError) -> Failure {
        match error {
            PipeError::Closed(pipe) => self.gone(pipe),
            PipeError::LineTooLong(most) => {
                Failure::new(Forfeit::HugeLine, format!("printed a line of more than {most} bytes"))
            }
            PipeError::Io(error) => Failure::new(Forfeit::ClosedPipe, format!("the pipe failed: {error}")),
        }
    }

    /// A pipe is closed because the process has ended, or in spite of its being alive.
    fn gone(&mut self, pipe: &str) -> Failure {
        match self.process.wait_until(Instant::now() + EXIT_GRACE) {
            Some(status) => Failure::new(Forfeit::Crash, process_group::describe(status)),
            None => Failure::new(Forfeit::ClosedPipe, format!("closed its {pipe} but goes on running")),
        }
    }

    /// Whether the program has not read everything that was said.
    pub(super) fn is_sending(&self) -> bool {
        self.pipes.is_sending()
    }

    /// Notes a failure in the log and kills the program.
    pub(super) fn give_up(&mut self, failure: &Failure) {
        self.log.write('#', &format!("{:?}: {}", failure.kind, failure.message));
        self.process.kill();
    }

    /// Tells the program to end and gives it a moment for it; what it still prints is thrown away.
    pub(super) fn end(&mut self) {
        if self.process.status().is_some() {
            return;
        }
        self.send("quit");
        let deadline = Instant::now() + QUIT_GRACE;
        while matches!(self.read_line(deadline), Ok(Some(_))) {}
        self.process.wait_until(deadline);
    }
}

impl Drop for Connection {
    /// What the program complained about last is often why it ended.
    fn drop(&mut self) {
        self.process.kill();
        self.stderr.iter().for_each(|stderr| stderr.finish(EXIT_GRACE));
    }
}
