//! The engine processes of pages: input, output, and their end.

use std::future::pending;
use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};

/// The longest line that an engine may print.
pub(super) const MAX_LINE_BYTES: usize = 1 << 20;
/// The time that an engine may take to read a line; it may be busy with one before it.
const READ_GRACE: Duration = Duration::from_secs(60);
/// The time that a process that closed its output may take to end, its output to close after its end, and a page that is
/// loaded anew waits for the engines of the old one to make room.
const EXIT_GRACE: Duration = Duration::from_millis(500);

/// An engine that runs, for one page.
pub(super) struct Engine {
    process: Process,
    stdin: ChildStdin,
    stdout: ChildStdout,
    /// Turns true when the server ends.
    is_ending: watch::Receiver<bool>,
    /// Its place among the engines that may run at the same time, free again when nothing is left of it.
    _place: OwnedSemaphorePermit,
}

impl Engine {
    /// Passes lines, without their ends, until the engine ends or nobody is there to receive what is printed. Returns why;
    /// nothing is left of the process then.
    pub(super) async fn run(mut self, lines: Receiver<String>, printed: Sender<String>) -> String {
        let reason = tokio::select! {
            reason = listen(self.stdout, &printed) => reason,
            () = printed.closed() => Some("its page has gone".to_owned()),
            reason = write_lines(self.stdin, lines) => reason,
            () = outlive(&mut self.process.child) => None,
            _ = self.is_ending.wait_for(|is_ending| *is_ending) => Some("the server has ended it".to_owned()),
        };
        let status = self.process.end(reason.is_none()).await;
        reason.unwrap_or_else(|| format!("it {}", status.map_or("ended".to_owned(), describe)))
    }
}

/// Passes on what the engine prints, as fast as its page reads; returns when there will be no more, with the reason if it
/// is not the engine's end.
async fn listen(stdout: ChildStdout, printed: &Sender<String>) -> Option<String> {
    let mut output = BufReader::new(stdout);
    loop {
        let mut bytes = Vec::new();
        let read = (&mut output).take(MAX_LINE_BYTES as u64 + 1).read_until(b'\n', &mut bytes).await;
        match read {
            Ok(0) => return None,
            Err(error) => return Some(format!("its output cannot be read: {error}")),
            Ok(_) if bytes.len() > MAX_LINE_BYTES => {
                return Some(format!("it printed a line of more than {MAX_LINE_BYTES} bytes"));
            }
            Ok(_) => printed.send(line(&bytes)).await.ok()?,
        }
    }
}

/// The text of a line. Lines that begin with a brace are the server's own.
fn line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_end_matches(['\n', '\r']);
    if text.starts_with('{') { format!(" {text}") } else { text.to_owned() }
}

/// Writes lines until one is not read; an engine that has closed its input is noticed by the end of its output.
async fn write_lines(mut stdin: ChildStdin, mut lines: Receiver<String>) -> Option<String> {
    while let Some(line) = lines.recv().await {
        match timeout(READ_GRACE, stdin.write_all((line + "\n").as_bytes())).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) => break,
            Err(_) => return Some("it does not read its input".to_owned()),
        }
    }
    pending().await
}

/// Returns when the process has ended, but something that it has started still holds its output.
async fn outlive(child: &mut Child) {
    let _ = child.wait().await;
    sleep(EXIT_GRACE).await;
}

/// Starts a process, with a group of its own, that ends with its value and with this thread.
pub(super) fn spawn(mut command: Command) -> io::Result<Child> {
    #[cfg(unix)]
    {
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        crate::tournament::player::end_with_this_thread(&mut command);
    }
    tokio::process::Command::from(command).kill_on_drop(true).spawn()
}

/// A child with everything that it starts; both end with this value.
struct Process {
    child: Child,
    id: Option<u32>,
}

impl Process {
    fn start(program: &Program, memory_mib: u64) -> io::Result<(Process, ChildStdin, ChildStdout)> {
        let mut command = Command::new(&program.path);
        command.args(&program.arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        limit_memory(&mut command, memory_mib);
        let mut child = spawn(command)?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (stdin, stdout) = pipes.ok_or_else(|| io::Error::other("the system gave no pipes"))?;
        let id = child.id();
        Ok((Process { child, id }, stdin, stdout))
    }

    /// Ends the process and all that has stayed in its group, and returns how the process ended.
    async fn end(&mut self, by_itself: bool) -> Option<ExitStatus> {
        if by_itself {
            let _ = timeout(EXIT_GRACE, self.child.wait()).await;
        }
        self.kill_group();
        let _ = self.child.start_kill();
        self.child.wait().await.ok()
    }

    #[cfg(unix)]
    fn kill_group(&mut self) {
        use nix::sys::signal::{Signal, killpg};
        // Once: the number may belong to somebody else later.
        if let Some(id) = self.id.take() {
            let _ = killpg(nix::unistd::Pid::from_raw(id as i32), Signal::SIGKILL);
        }
    }

    #[cfg(not(unix))]
    fn kill_group(&mut self) {}
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill_group();
    }
}

/// Limits the memory of the process and of each that it starts; what is only reserved does not count.
#[cfg(target_os = "linux")]
fn limit_memory(command: &mut Command, mib: u64) {
    use nix::sys::resource::{Resource, setrlimit};
    let bytes = mib << 20;
    let ask = move || Ok(setrlimit(Resource::RLIMIT_DATA, bytes, bytes)?);
    // SAFETY: between fork and exec `ask` makes a system call and neither allocates nor locks.
    unsafe { std::os::unix::process::CommandExt::pre_exec(command, ask) };
}

/// Elsewhere the system has no such limit, or does not keep to it.
#[cfg(not(target_os = "linux"))]
fn limit_memory(_command: &mut Command, _mib: u64) {}

#[cfg(unix)]
use crate::tournament::player::describe;

#[cfg(not(unix))]
fn describe(status: ExitStatus) -> String {
    format!("ended with {status}")
}

/// A program that pages may start.
pub(crate) struct Program {
    pub name: String,
    pub path: PathBuf,
    pub arguments: Vec<String>,
}

/// The limits of engine processes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Most engine processes at the same time.
    pub engines: u16,
    /// Memory of each of them, MiB; Linux alone knows how to count it.
    pub memory_mib: u64,
}

/// The places of running engines.
pub(super) struct Engines {
    places: Arc<Semaphore>,
    is_ending: watch::Sender<bool>,
    limits: Limits,
}

impl Engines {
    pub(super) fn new(limits: Limits) -> Engines {
        Engines { places: Arc::new(Semaphore::new(limits.engines.into())), is_ending: watch::Sender::default(), limits }
    }

    /// Starts a program where there is a place for it.
    ///
    /// # Errors
    /// There is none, or the system cannot start it; the text says why.
    pub(super) async fn start(&self, program: &Program) -> Result<Engine, String> {
        let max = self.limits.engines;
        let place = timeout(EXIT_GRACE, Arc::clone(&self.places).acquire_owned()).await.ok().and_then(Result::ok);
        let place =
            place.ok_or_else(|| format!("{max} engines are running, and more are not allowed: close another game"))?;
        let (process, stdin, stdout) = Process::start(program, self.limits.memory_mib)
            .map_err(|error| format!("cannot start {}: {error}", program.path.display()))?;
        Ok(Engine { process, stdin, stdout, is_ending: self.is_ending.subscribe(), _place: place })
    }

    /// Ends them all, for good.
    pub(super) async fn end_all(&self) {
        self.is_ending.send_replace(true);
        let _ = self.places.acquire_many(self.limits.engines.into()).await;
    }
}
