//! A child process with everything that it starts: one process group, which ends with this value.
//!
//! On Linux the process itself ends with the thread that started it too, so that not even a killed runner leaves it
//! behind. A program that moves into a session of its own, and what a killed runner's engine had started, are out of
//! reach.

use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{self, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use crate::tournament::spec::ProgramSpec;

/// How often an ending process is looked at.
const WAIT_STEP: Duration = Duration::from_millis(1);

/// A running program. Dropping it kills its group and leaves no zombie.
pub(super) struct ProcessGroup {
    process: process::Child,
    status: Option<ExitStatus>,
    is_killed: bool,
}

impl ProcessGroup {
    /// Starts the program; its error output goes where `stderr` says.
    ///
    /// # Errors
    /// The system cannot start it.
    pub(super) fn spawn(
        program: &ProgramSpec,
        stderr: Stdio,
    ) -> io::Result<(ProcessGroup, ChildStdin, ChildStdout, Option<ChildStderr>)> {
        let mut command = Command::new(located(&program.command)?);
        command.args(&program.args).envs(&program.env).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr);
        if let Some(dir) = &program.dir {
            command.current_dir(dir);
        }
        end_with_this_thread(&mut command);
        let mut process = command.spawn()?;
        let pipes = process.stdin.take().zip(process.stdout.take());
        let stderr = process.stderr.take();
        let child = ProcessGroup { process, status: None, is_killed: false };
        let (input, output) = pipes.ok_or_else(|| io::Error::other("the system gave no pipes"))?;
        Ok((child, input, output, stderr))
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
}

impl Drop for ProcessGroup {
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
