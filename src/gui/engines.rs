//! The engines of all pages, by the names that the pages give them.

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::engine::Engine;

/// A program that pages may start.
pub(crate) struct Program {
    pub name: String,
    pub path: PathBuf,
    pub arguments: Vec<String>,
}

impl Program {
    /// As a person would type it.
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

/// What a page asks for: it gets the same engine again as long as it asks for the same.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Wanted {
    pub(super) id: String,
    /// Which of the programs.
    pub(super) program: usize,
    /// A ruleset that a page has posted.
    pub(super) ruleset: Option<String>,
}

/// The running engines.
pub(super) struct Engines {
    running: Mutex<Running>,
    limits: Limits,
}

/// What engines may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Most engine processes at the same time.
    pub engines: usize,
    /// Memory of each of them, MiB; Linux alone knows how to count it.
    pub memory_mib: u64,
    /// How long an engine waits for its page to come back.
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
    /// Why there is none, in words.
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
