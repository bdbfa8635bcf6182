//! The engine processes of all pages, by the names that the pages give them: input, output, and their end.

use std::collections::HashMap;
use std::future::pending;
use std::io;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::sync::{Notify, mpsc, watch};
use tokio::time::{sleep, timeout};

use super::transcript::Transcript;

/// The longest line that an engine may print.
pub(super) const MAX_LINE_BYTES: usize = 1 << 20;
/// The longest line that a page may send.
pub(super) const MAX_INPUT_BYTES: usize = 1 << 18;
/// The most lines that wait for an engine to read them; a page that has more waits itself.
const MAX_INPUT_LINES: usize = 64;
/// The time that an engine may take to read a line; it may be busy with one before it.
const READ_GRACE: Duration = Duration::from_secs(60);
/// The time that a process that closed its output may take to end, and its output to close after its end.
const EXIT_GRACE: Duration = Duration::from_millis(500);

/// A running engine, or one that has ended.
pub(super) struct Engine {
    /// Takes lines, without their ends.
    pub(super) input: mpsc::Sender<String>,
    /// Wakes those who wait for a change of it.
    pub(super) transcript: watch::Sender<Transcript>,
    kill: Notify,
}

impl Engine {
    /// Starts the program and sends it these lines. It ends when no page has had it for as long as the
    /// grace.
    ///
    /// # Errors
    /// The system cannot start it.
    pub(super) fn start(command: Command, first_lines: Vec<String>, limits: &Limits) -> io::Result<Arc<Engine>> {
        let (process, stdin, stdout) = Process::start(command, limits.memory_mib)?;
        let (input, lines) = mpsc::channel(MAX_INPUT_LINES);
        let (transcript, _) = watch::channel(Transcript::default());
        first_lines.into_iter().try_for_each(|line| input.try_send(line)).map_err(io::Error::other)?;
        let engine = Arc::new(Engine { input, transcript, kill: Notify::new() });
        tokio::spawn(drive(Arc::clone(&engine), process, stdin, lines, stdout, limits.grace));
        Ok(engine)
    }

    pub(super) fn has_ended(&self) -> bool {
        self.transcript.borrow().has_ended()
    }

    /// Ends the process, if it has not ended, and waits until nothing is left of it.
    pub(super) async fn end(&self) {
        self.kill.notify_one();
        // The sender lives as long as this engine.
        let _ = self.transcript.subscribe().wait_for(Transcript::has_ended).await;
    }
}

async fn drive(
    engine: Arc<Engine>,
    mut process: Process,
    stdin: ChildStdin,
    lines: mpsc::Receiver<String>,
    stdout: ChildStdout,
    grace: Duration,
) {
    let reason = tokio::select! {
        reason = listen(stdout, &engine.transcript) => reason,
        reason = write_lines(stdin, lines) => reason,
        () = outlive(&mut process.child) => None,
        () = being_left(&engine.transcript, grace) => Some(format!("no page has asked for it for {} s", grace.as_secs())),
        () = engine.kill.notified() => Some("the server has ended it".to_owned()),
    };
    let status = process.end(reason.is_none()).await;
    let reason = reason.unwrap_or_else(|| format!("it {}", status.map_or("ended".to_owned(), describe)));
    engine.transcript.send_modify(|transcript| transcript.end(reason));
}

/// Takes down what the engine prints, while there is room for it; returns when there will be no more, with the reason
/// if it is not the engine's end.
async fn listen(stdout: ChildStdout, transcript: &watch::Sender<Transcript>) -> Option<String> {
    let mut output = BufReader::new(stdout);
    let mut room = transcript.subscribe();
    loop {
        room.wait_for(Transcript::has_room).await.ok()?;
        let mut bytes = Vec::new();
        let read = (&mut output).take(MAX_LINE_BYTES as u64 + 1).read_until(b'\n', &mut bytes).await;
        match read {
            Ok(0) => return None,
            Err(error) => return Some(format!("its output cannot be read: {error}")),
            Ok(_) if bytes.len() > MAX_LINE_BYTES => {
                return Some(format!("it printed a line of more than {MAX_LINE_BYTES} bytes"));
            }
            Ok(_) => transcript.send_modify(|transcript| transcript.push(line(&bytes))),
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
async fn write_lines(mut stdin: ChildStdin, mut lines: mpsc::Receiver<String>) -> Option<String> {
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

/// Returns when the engine has had no page for so long.
async fn being_left(transcript: &watch::Sender<Transcript>, grace: Duration) {
    let mut pages = transcript.subscribe();
    loop {
        let _ = pages.wait_for(|transcript| !transcript.has_page()).await;
        if timeout(grace, pages.wait_for(Transcript::has_page)).await.is_err() {
            return;
        }
    }
}

/// A child with everything that it starts; both end with this value.
struct Process {
    child: Child,
    id: Option<u32>,
}

impl Process {
    fn start(mut command: Command, memory_mib: u64) -> io::Result<(Process, ChildStdin, ChildStdout)> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        #[cfg(unix)]
        {
            std::os::unix::process::CommandExt::process_group(&mut command, 0);
            crate::tournament::player::end_with_this_thread(&mut command);
            limit_memory(&mut command, memory_mib);
        }
        let mut command = tokio::process::Command::from(command);
        let mut child = command.kill_on_drop(true).spawn()?;
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
#[cfg(all(unix, not(target_os = "linux")))]
fn limit_memory(_command: &mut Command, _mib: u64) {}

#[cfg(unix)]
fn describe(status: ExitStatus) -> String {
    crate::tournament::player::describe(status)
}

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

impl Program {
    /// The command as a person would type it.
    pub(super) fn command_line(&self) -> String {
        let path = self.path.display().to_string();
        std::iter::once(&path).chain(&self.arguments).map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.args(&self.arguments);
        command
    }
}

/// The request of a page, which gets the same engine again as long as it asks for the same.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Wanted {
    pub(super) id: String,
    /// The index of the program.
    pub(super) program: usize,
    /// A ruleset that a page has posted.
    pub(super) ruleset: Option<String>,
}

/// The running engines.
pub(super) struct Engines {
    running: Mutex<Running>,
    limits: Limits,
}

/// The limits of engine processes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Most engine processes at the same time.
    pub engines: usize,
    /// Memory of each of them, MiB; Linux alone knows how to count it.
    pub memory_mib: u64,
    /// The time that an engine waits for its page to come back.
    pub grace: Duration,
}

#[derive(Default)]
struct Running {
    engines: HashMap<Wanted, Arc<Engine>>,
    is_closed: bool,
}

/// Whether an engine is as its page has left it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    Started,
    Resumed,
}

impl Engines {
    pub(super) fn new(limits: Limits) -> Engines {
        Engines { running: Mutex::default(), limits }
    }

    fn running(&self) -> MutexGuard<'_, Running> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.engines.retain(|_, engine| !engine.has_ended());
        running
    }

    /// The engine that a page has left, or a new one. Where there are too many, one that waits for its page in vain
    /// makes room.
    ///
    /// # Errors
    /// There is none; the text says why.
    pub(super) async fn get(
        &self,
        wanted: Wanted,
        program: &Program,
        first_lines: Vec<String>,
    ) -> Result<(Arc<Engine>, Origin), String> {
        loop {
            let left = {
                let mut running = self.running();
                if running.is_closed {
                    return Err("the server is about to end".to_owned());
                }
                if let Some(engine) = running.engines.get(&wanted) {
                    return Ok((Arc::clone(engine), Origin::Resumed));
                }
                if running.engines.len() < self.limits.engines {
                    let engine = Engine::start(program.command(), first_lines, &self.limits)
                        .map_err(|error| format!("cannot start {}: {error}", program.command_line()))?;
                    running.engines.insert(wanted, Arc::clone(&engine));
                    return Ok((engine, Origin::Started));
                }
                running.engines.values().find(|engine| !engine.transcript.borrow().has_page()).cloned()
            };
            let max = self.limits.engines;
            let too_many = || format!("{max} engines are running, and more are not allowed: close another game");
            left.ok_or_else(too_many)?.end().await;
        }
    }

    /// Ends them all, for good.
    pub(super) async fn end_all(&self) {
        let engines: Vec<Arc<Engine>> = {
            let mut running = self.running();
            running.is_closed = true;
            running.engines.values().cloned().collect()
        };
        for engine in engines {
            engine.end().await;
        }
    }
}
