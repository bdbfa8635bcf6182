//! A child process with everything that it starts, and the lines to and from it.
//!
//! The process leads a group, which ends with this value. On Linux it ends with the thread that started it too, so that
//! not even a killed runner leaves it behind. A program that moves into a session of its own, and what a killed
//! runner's engine had started, are out of reach.
//!
//! Nothing here blocks beyond its deadline, and nothing is read that nobody waits for, so that a program which prints
//! too much waits itself.

use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{self, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::libc;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use crate::tournament::spec::ProgramSpec;

/// How often an ending process is looked at.
const WAIT_STEP: Duration = Duration::from_millis(1);
/// A pipe that is ready for writing takes so much at once without blocking.
const WRITE_BYTES: usize = libc::PIPE_BUF;
const READ_BYTES: usize = 1 << 14;
/// The longest wait that the system call is asked for.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// Why there will be no line.
#[derive(Debug)]
pub(super) enum PipeError {
    /// The other side has closed its `output` or its `input`.
    Closed(&'static str),
    /// A line is longer than so many bytes.
    LineTooLong(usize),
    Io(io::Error),
}

/// What a wait has found.
#[derive(Clone, Copy, Default)]
struct Ready {
    can_read: bool,
    can_write: bool,
    /// Nobody will ever read the input again.
    is_unread: bool,
}

/// A running program with its pipes and what is under way in them. Dropping it kills its group and leaves no zombie.
pub(super) struct Child {
    process: process::Child,
    status: Option<ExitStatus>,
    is_killed: bool,
    input: ChildStdin,
    output: ChildStdout,
    unsent: Vec<u8>,
    received: Vec<u8>,
    /// Where in `received` the next line begins, and up to where no line end has been found.
    start: usize,
    searched: usize,
    max_line: usize,
}

impl Child {
    /// Starts the program; its error output goes where `stderr` says. Its lines have `max_line` bytes at most.
    ///
    /// # Errors
    /// The system cannot start it.
    pub(super) fn spawn(
        program: &ProgramSpec,
        stderr: Stdio,
        max_line: usize,
    ) -> io::Result<(Child, Option<ChildStderr>)> {
        let mut command = Command::new(located(&program.command)?);
        command.args(&program.args).envs(&program.env).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr);
        if let Some(dir) = &program.dir {
            command.current_dir(dir);
        }
        end_with_this_thread(&mut command);
        let mut process = command.spawn()?;
        let pipes = process.stdin.take().zip(process.stdout.take());
        let (input, output) = pipes.ok_or_else(|| io::Error::other("the system gave no pipes"))?;
        let stderr = process.stderr.take();
        let (unsent, received) = (Vec::new(), Vec::new());
        let child = Child {
            process,
            status: None,
            is_killed: false,
            input,
            output,
            unsent,
            received,
            start: 0,
            searched: 0,
            max_line,
        };
        Ok((child, stderr))
    }

    pub(super) fn id(&self) -> u32 {
        self.process.id()
    }

    /// How the process ended, if it has.
    pub(super) fn status(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            // An error means that somebody else has waited for it: then there is nothing to learn any more.
            self.status = self.process.try_wait().unwrap_or_default();
        }
        self.status
    }

    /// Waits until the process has ended, but not beyond `until`.
    pub(super) fn wait_until(&mut self, until: Instant) -> Option<ExitStatus> {
        while self.status().is_none() && Instant::now() < until {
            thread::sleep(WAIT_STEP);
        }
        self.status
    }

    /// Whether the group has members beside the process, once this has ended.
    pub(super) fn has_descendants(&self) -> bool {
        self.status.is_some() && killpg(Pid::from_raw(self.process.id() as i32), None).is_ok()
    }

    /// Kills the process and all its descendants that have stayed in its group; once, since the group's number may
    /// belong to somebody else later.
    pub(super) fn kill(&mut self) {
        if std::mem::replace(&mut self.is_killed, true) {
            return;
        }
        // The group outlives its leader while a member lives, and without members there is nothing to kill.
        let _ = killpg(Pid::from_raw(self.process.id() as i32), Signal::SIGKILL);
        if self.status.is_none() {
            self.status = self.process.wait().ok();
        }
    }

    /// Queues a line; it leaves with the next wait for an answer.
    pub(super) fn queue(&mut self, line: &str) {
        self.unsent.extend_from_slice(line.as_bytes());
        self.unsent.push(b'\n');
    }

    /// Whether the other side has not read all yet.
    pub(super) fn is_sending(&self) -> bool {
        !self.unsent.is_empty()
    }

    /// The next line without its end, bytes that are not UTF-8 replaced, sending what is queued meanwhile; `None` when
    /// there is none in time.
    ///
    /// # Errors
    /// See [`PipeError`].
    pub(super) fn next_line(&mut self, until: Instant) -> Result<Option<String>, PipeError> {
        let end = loop {
            if let Some(end) = self.line_end() {
                break end;
            }
            if self.received.len() - self.start > self.max_line {
                return Err(PipeError::LineTooLong(self.max_line));
            }
            let left = until.saturating_duration_since(Instant::now());
            let ready = self.wait(left)?;
            // What was printed before a pipe was closed is still to be read.
            if ready.is_unread && !ready.can_read {
                return Err(PipeError::Closed("input"));
            }
            if ready.can_write && !ready.is_unread {
                self.write()?;
            }
            if ready.can_read {
                self.read()?;
            }
            if left.is_zero() && !ready.can_read && !ready.can_write {
                return Ok(None);
            }
        };
        if end - self.start > self.max_line {
            return Err(PipeError::LineTooLong(self.max_line));
        }
        let line = &self.received[self.start..end];
        self.start = end + 1;
        self.searched = self.start;
        Ok(Some(String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line)).into_owned()))
    }

    fn line_end(&mut self) -> Option<usize> {
        let end = self.received[self.searched..].iter().position(|&byte| byte == b'\n').map(|at| self.searched + at);
        self.searched = end.unwrap_or(self.received.len());
        end
    }

    /// Waits for one of the pipes.
    fn wait(&self, left: Duration) -> Result<Ready, PipeError> {
        let write = if self.is_sending() { PollFlags::POLLOUT } else { PollFlags::empty() };
        let output = PollFd::new(self.output.as_fd(), PollFlags::POLLIN);
        let mut pipes = [output, PollFd::new(self.input.as_fd(), write)];
        match poll(&mut pipes, timeout(left)) {
            Ok(_) => {}
            Err(Errno::EINTR) => return Ok(Ready::default()),
            Err(error) => return Err(PipeError::Io(error.into())),
        }
        let [output, input] = pipes.map(|pipe| pipe.revents().unwrap_or(PollFlags::empty()));
        Ok(Ready {
            // An output that was closed counts as readable: the read finds out.
            can_read: !output.is_empty(),
            can_write: input.contains(PollFlags::POLLOUT),
            is_unread: input.intersects(PollFlags::POLLERR | PollFlags::POLLHUP),
        })
    }

    fn read(&mut self) -> Result<(), PipeError> {
        self.received.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        let old = self.received.len();
        self.received.resize(old + READ_BYTES, 0);
        let read = self.output.read(&mut self.received[old..]);
        self.received.truncate(old + read.as_ref().map_or(0, |&count| count));
        match read {
            Ok(0) => Err(PipeError::Closed("output")),
            Ok(_) => Ok(()),
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(()),
            Err(error) => Err(PipeError::Io(error)),
        }
    }

    fn write(&mut self) -> Result<(), PipeError> {
        let count = self.unsent.len().min(WRITE_BYTES);
        match self.input.write(&self.unsent[..count]) {
            Ok(written) => {
                self.unsent.drain(..written);
                Ok(())
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(()),
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(PipeError::Closed("input")),
            Err(error) => Err(PipeError::Io(error)),
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The system kills the process when this thread ends, however it ends. Workers outlive their players, so nobody is
/// killed in the middle of a game.
#[cfg(target_os = "linux")]
pub(crate) fn end_with_this_thread(command: &mut Command) {
    let parent = nix::unistd::getpid();
    let ask = move || {
        nix::sys::prctl::set_pdeathsig(Signal::SIGKILL)?;
        match nix::unistd::getppid() == parent {
            true => Ok(()),
            // It was over before the system had been asked.
            false => Err(io::Error::from_raw_os_error(nix::libc::ECHILD)),
        }
    };
    // SAFETY: between fork and exec `ask` makes two system calls and neither allocates nor locks.
    unsafe { command.pre_exec(ask) };
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn end_with_this_thread(_command: &mut Command) {}

/// Rounded up, so that the last wait does not end a moment before its deadline.
fn timeout(left: Duration) -> PollTimeout {
    let millis = left.min(LONGEST_WAIT).as_micros().div_ceil(1000);
    PollTimeout::try_from(millis as i32).unwrap_or(PollTimeout::MAX)
}

/// A command with a slash must not change its meaning with the folder in which it is started.
fn located(command: &Path) -> io::Result<PathBuf> {
    match command.components().count() {
        0 | 1 if command.is_relative() => Ok(command.to_owned()),
        _ => std::path::absolute(command),
    }
}

/// `exited with status 3` or `was killed by SIGSEGV`.
pub(crate) fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exited with status {code}"),
        (None, Some(number)) => match Signal::try_from(number) {
            Ok(signal) => format!("was killed by {signal}"),
            Err(_) => format!("was killed by signal {number}"),
        },
        (None, None) => "ended".to_owned(),
    }
}
