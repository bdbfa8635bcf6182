//! Lines to and from a child without a thread: nothing here blocks beyond its deadline, and nothing is read that
//! nobody waits for, so that a program which prints too much waits itself.

use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::process::{ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::libc;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

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

/// Both pipes with what is under way in them.
pub(super) struct Pipes {
    input: ChildStdin,
    output: ChildStdout,
    unsent: Vec<u8>,
    received: Vec<u8>,
    /// Where in `received` the next line begins, and up to where no line end has been found.
    start: usize,
    searched: usize,
    max_line: usize,
}

impl Pipes {
    pub(super) fn new(input: ChildStdin, output: ChildStdout, max_line: usize) -> Self {
        Pipes { input, output, unsent: Vec::new(), received: Vec::new(), start: 0, searched: 0, max_line }
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

    /// The next line without its end, sending what is queued meanwhile; `None` when there is none in time.
    ///
    /// # Errors
    /// See [`PipeError`].
    pub(super) fn next_line(&mut self, until: Instant) -> Result<Option<&[u8]>, PipeError> {
        let end = loop {
            if let Some(end) = self.line_end() {
                break end;
            }
            if self.received.len() - self.start > self.max_line {
                return Err(PipeError::LineTooLong(self.max_line));
            }
            let left = until.saturating_duration_since(Instant::now());
            let ready = self.wait(left)?;
            // What was printed before a pipe was closed is still to be heard.
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
        Ok(Some(line.strip_suffix(b"\r").unwrap_or(line)))
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
            // An output that was closed counts as readable: the read tells.
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

/// Rounded up, so that the last wait does not end a moment before its deadline.
fn timeout(left: Duration) -> PollTimeout {
    let millis = left.min(LONGEST_WAIT).as_micros().div_ceil(1000);
    PollTimeout::try_from(millis as i32).unwrap_or(PollTimeout::MAX)
}
