//! A running program and the lines exchanged with it; everything that can go wrong has a name.

use std::io;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use nix::errno::Errno;

use super::child::{self, Child, PipeError};
use super::log::{ConversationLog, KeptOutput};
use crate::tournament::plan::Conversations;
use crate::tournament::player::{AbandonFlag, Failure, OpenError};
use crate::tournament::record::Forfeit;
use crate::tournament::spec::{ProgramSpec, Supervision};

/// How often a silent process is looked at: its output may be held open by a child of its own after its end.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// How long a process that closed a pipe may take to end before it counts as alive.
const EXIT_GRACE: Duration = Duration::from_millis(500);

/// What follows `word` in a line that begins with it, in any case.
pub(super) fn after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let (head, tail) = line.trim().split_at_checked(word.len())?;
    let ends = tail.is_empty() || tail.starts_with([' ', '\t']);
    (ends && head.eq_ignore_ascii_case(word)).then(|| tail.trim_start())
}

/// What the program complains about in this line.
pub(super) fn complaint(line: &str) -> Option<&str> {
    after(line, "info")?.strip_prefix("string error ")
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
    child: Child,
    log: ConversationLog,
    stderr: Option<KeptOutput>,
    max_lines: u64,
    abandoned: AbandonFlag,
}

impl Connection {
    /// Starts the program.
    ///
    /// # Errors
    /// The program cannot be started ([`Forfeit::Start`]), or the machine has no more files, processes or memory.
    pub(super) fn start(
        supervision: &Supervision,
        conversations: &Conversations,
        name: &str,
        program: &ProgramSpec,
        abandoned: &AbandonFlag,
    ) -> Result<Self, OpenError> {
        let command = program.command.display();
        let no_log = |error: io::Error| OpenError::Shortage(format!("cannot write the log of {command}: {error}"));
        let mut log = ConversationLog::open(conversations, name).map_err(no_log)?;
        let started = Child::spawn(program, log.stderr(), supervision.line_bytes);
        let (child, stderr) = started.map_err(|error| not_started(program, &error))?;
        let stderr = stderr.map_or(Ok(None), |stderr| log.keep(stderr)).map_err(no_log)?;
        log.write('#', &format!("started {command} as process {}", child.id()));
        Ok(Connection { child, log, stderr, max_lines: supervision.lines, abandoned: Arc::clone(abandoned) })
    }

    /// Queues a line; it is sent at the latest while an answer is waited for.
    pub(super) fn send(&mut self, line: &str) {
        self.log.write('>', line);
        self.child.queue(line);
    }

    /// Reads lines up to the first one that `wanted` makes something of; what else the program prints is logged and
    /// means nothing. `None` from a program that is alive when the deadline has passed.
    ///
    /// # Errors
    /// What `wanted` refuses, or a failure of the program.
    pub(super) fn read_until<T>(
        &mut self,
        deadline: Instant,
        mut wanted: impl FnMut(&str) -> Result<Option<T>, Failure>,
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
    fn read_line(&mut self, deadline: Instant) -> Result<Option<String>, Failure> {
        let mut has_ended = false;
        loop {
            let poll_until = if has_ended { Instant::now() } else { deadline.min(Instant::now() + POLL_INTERVAL) };
            match self.child.next_line(poll_until) {
                Ok(Some(line)) => {
                    self.log.write('<', &line);
                    self.check_abandoned()?;
                    return Ok(Some(line));
                }
                Ok(None) if has_ended => return Err(self.gone("output")),
                // What was printed before the end is still in the pipe.
                Ok(None) if self.child.status().is_some() => has_ended = true,
                Ok(None) if Instant::now() >= deadline => return Ok(None),
                Ok(None) => self.check_abandoned()?,
                Err(error) => return Err(self.failure(error)),
            }
        }
    }

    /// Fails when the run gives up what is under way.
    fn check_abandoned(&self) -> Result<(), Failure> {
        let is_abandoned = self.abandoned.load(Ordering::Relaxed);
        if is_abandoned { Err(Failure::new(Forfeit::Hang, "is not waited for any more")) } else { Ok(()) }
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
        match self.child.wait_until(Instant::now() + EXIT_GRACE) {
            Some(status) => Failure::new(Forfeit::Crash, child::describe(status)),
            None => Failure::new(Forfeit::ClosedPipe, format!("closed its {pipe} but goes on running")),
        }
    }

    /// Whether the program has not read everything that was sent.
    pub(super) fn is_sending(&self) -> bool {
        self.child.is_sending()
    }

    /// Notes a failure in the log and kills the program.
    pub(super) fn give_up(&mut self, failure: &Failure) {
        self.log.write('#', &format!("{:?}: {}", failure.kind, failure.message));
        self.child.kill();
    }

    /// Tells the program to end and gives it a moment for it; what it still prints is thrown away. How it has ended, if
    /// it has.
    pub(super) fn end(&mut self, within: Duration) -> Option<ExitStatus> {
        if let Some(status) = self.child.status() {
            return Some(status);
        }
        self.send("quit");
        let deadline = Instant::now() + within;
        while matches!(self.read_line(deadline), Ok(Some(_))) {}
        self.child.wait_until(deadline)
    }

    /// Whether processes live that the program has started.
    pub(super) fn has_descendants(&self) -> bool {
        self.child.has_descendants()
    }
}

impl Drop for Connection {
    /// What the program complained about last is often why it ended.
    fn drop(&mut self) {
        self.child.kill();
        self.stderr.iter().for_each(|stderr| stderr.finish(EXIT_GRACE));
    }
}

/// A program that the system does not start: its own fault, or what the machine lacks.
fn not_started(program: &ProgramSpec, error: &io::Error) -> OpenError {
    let message = format!("cannot start {}: {error}", program.command.display());
    let raise = match error.raw_os_error().map(Errno::from_raw) {
        Some(Errno::EMFILE | Errno::ENFILE) => "raise the limit of open files (ulimit -n)",
        Some(Errno::EAGAIN) => "raise the limit of processes (ulimit -u)",
        Some(Errno::ENOMEM) => "give the engines less memory (Hash)",
        _ => return Failure::new(Forfeit::Start, message).into(),
    };
    OpenError::Shortage(format!("{message}; play fewer games at the same time (--concurrency), or {raise}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_machine_lacks_is_no_fault_of_the_program() {
        let program = ProgramSpec { command: "./a".into(), ..ProgramSpec::default() };
        let started = |errno: Errno| not_started(&program, &io::Error::from_raw_os_error(errno as i32));
        for (errno, help) in [
            (Errno::EMFILE, "ulimit -n"),
            (Errno::ENFILE, "ulimit -n"),
            (Errno::EAGAIN, "ulimit -u"),
            (Errno::ENOMEM, "Hash"),
        ] {
            let OpenError::Shortage(message) = started(errno) else { panic!("{errno} is not the program's") };
            assert!(message.starts_with("cannot start ./a: ") && message.contains(help), "{message}");
        }
        for errno in [Errno::ENOENT, Errno::EACCES, Errno::ENOEXEC] {
            assert!(matches!(started(errno), OpenError::Failed(Failure { kind: Forfeit::Start, .. })), "{errno}");
        }
    }
}
