//! `/api/run`: a tournament or a tuning that a page starts: this program as a child process, in a folder of its own below
//! the watched one. A page names rulesets, engines and options; folders and programs are the server's.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use reynard_engine::session::{OptionKind, registry};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::io::AsyncReadExt;
use tokio::sync::watch;

use super::watched;
use crate::gui::{Refusal, Server, json_reply};

/// The run that a page has started, if any.
#[derive(Default)]
pub(in crate::gui) struct Child {
    state: watch::Sender<ChildState>,
    /// Whether a page wants its end.
    stop: watch::Sender<bool>,
}

/// What pages see of it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub(super) struct ChildState {
    running: bool,
    /// Whether it was stopped before its end, so that it can go on.
    stopped: bool,
    error: Option<String>,
}

impl ChildState {
    /// Where nothing is known, as after a new start of the server, what the folder shows counts.
    pub(super) fn or_stopped(self, can_go_on: bool) -> ChildState {
        let is_unknown = self == ChildState::default();
        ChildState { stopped: self.stopped || is_unknown && can_go_on, ..self }
    }
}

/// The wish of a page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    name: String,
    /// Of the catalog.
    rulesets: Vec<String>,
    engines: Vec<WishedEngine>,
    /// As in a spec: `{"nodes": 2000}`.
    limits: Value,
    pairs: u64,
    /// Begins a tuning of the first engine instead: numeric options by their names.
    #[serde(default)]
    parameters: Vec<String>,
    #[serde(default)]
    iterations: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WishedEngine {
    name: String,
    /// The index of the program.
    program: usize,
    options: Map<String, Value>,
}

/// The folder of the run that is seen: the watched folder, or the last of those that pages have started below it.
pub(super) fn current(folder: &Path) -> PathBuf {
    last_started(folder).unwrap_or_else(|| folder.to_owned())
}

fn last_started(folder: &Path) -> Option<PathBuf> {
    (1..).map(|number| started(folder, number)).take_while(|run| run.exists()).last()
}

fn started(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("run-{number}"))
}

/// The spec of a run that a page has started.
fn spec_of(run: &Path) -> PathBuf {
    run.with_extension("json")
}

pub(in crate::gui) async fn start(State(server): State<Arc<Server>>, text: String) -> Response {
    begin(&server, Some(&text)).map_or_else(IntoResponse::into_response, |reply| json_reply(&reply))
}

/// Goes on with the run that was stopped.
pub(in crate::gui) async fn resume(State(server): State<Arc<Server>>) -> Response {
    begin(&server, None).map_or_else(IntoResponse::into_response, |reply| json_reply(&reply))
}

/// Ends the run; games under way are given up.
pub(in crate::gui) async fn stop(State(server): State<Arc<Server>>) -> Response {
    server.child.stop.send_replace(true);
    json_reply(&json!({"ok": true}))
}

impl Child {
    pub(super) fn state(&self) -> ChildState {
        self.state.borrow().clone()
    }

    /// Ends the run and waits until nothing is left of it.
    pub(in crate::gui) async fn end(&self) {
        self.stop.send_replace(true);
        // The sender lives as long as this value.
        let _ = self.state.subscribe().wait_for(|state| !state.running).await;
    }
}

fn begin(server: &Arc<Server>, wish: Option<&str>) -> Result<Value, Refusal> {
    let none = || Refusal(StatusCode::NOT_FOUND, "no page has started a run here that could go on".to_owned());
    let folder = watched(server)?;
    if server.child.state.borrow().running {
        return Err(Refusal(StatusCode::CONFLICT, "a run is under way: stop it first".to_owned()));
    }
    let run = match wish {
        None => last_started(&folder).ok_or_else(none)?,
        Some(wish) => {
            let wish =
                serde_json::from_str(wish).map_err(|error| Refusal(StatusCode::BAD_REQUEST, error.to_string()))?;
            let spec = spec(server, wish).map_err(|reason| Refusal(StatusCode::UNPROCESSABLE_ENTITY, reason))?;
            let run = (1..).map(|number| started(&folder, number)).find(|run| !run.exists()).unwrap_or_default();
            let keep = || fs::create_dir_all(&run).and_then(|()| fs::write(spec_of(&run), format!("{spec:#}")));
            let failed = |error| Refusal(StatusCode::INTERNAL_SERVER_ERROR, format!("{}: {error}", run.display()));
            keep().map_err(failed)?;
            run
        }
    };
    let spec = fs::read_to_string(spec_of(&run)).map_err(|_| none())?;
    let words: &[&str] = if spec.contains("\"parameters\"") { &["tune"] } else { &["tournament", "run"] };
    let mut command = Command::new(&server.settings.programs[0].path);
    command.args(words).arg(spec_of(&run)).arg("--out").arg(&run).args(["--quiet", "--resume", "--force"]);
    let started = launch(command).map_err(|error| Refusal(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    server.child.state.send_replace(ChildState { running: true, ..ChildState::default() });
    // What was wanted of an earlier run is not wanted of this one.
    server.child.stop.send_replace(false);
    tokio::spawn(attend(Arc::clone(server), started, server.child.stop.subscribe()));
    Ok(json!({"ok": true}))
}

fn launch(mut command: Command) -> std::io::Result<tokio::process::Child> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    #[cfg(unix)]
    {
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        crate::tournament::player::end_with_this_thread(&mut command);
    }
    tokio::process::Command::from(command).kill_on_drop(true).spawn()
}

/// Waits for the end of a run, which pages may ask for.
async fn attend(server: Arc<Server>, mut run: tokio::process::Child, mut stop: watch::Receiver<bool>) {
    let mut said = String::new();
    let mut errors = run.stderr.take();
    let listen = async {
        if let Some(errors) = &mut errors {
            // What it says is wanted when it has failed, and is little.
            let _ = errors.read_to_string(&mut said).await;
        }
    };
    let is_stopped = tokio::select! {
        () = listen => false,
        _ = stop.wait_for(|&is_wanted| is_wanted) => true,
    };
    if is_stopped {
        terminate(&mut run);
    }
    let code = run.wait().await.ok().and_then(|status| status.code());
    let error = (!matches!(code, Some(0 | 1))).then(|| said.lines().last().unwrap_or("it has failed").to_owned());
    server.child.state.send_replace(ChildState { running: false, stopped: code == Some(1), error });
}

/// Asks a run to end: the games that are over are kept.
#[cfg(unix)]
fn terminate(run: &mut tokio::process::Child) {
    use nix::sys::signal::{Signal, kill};
    if let Some(id) = run.id() {
        let _ = kill(nix::unistd::Pid::from_raw(id as i32), Signal::SIGTERM);
    }
}

#[cfg(not(unix))]
fn terminate(run: &mut tokio::process::Child) {
    let _ = run.start_kill();
}

/// The spec of a wish.
///
/// # Errors
/// What is wrong with it.
fn spec(server: &Server, wish: Wish) -> Result<Value, String> {
    let Wish { name, rulesets, engines, limits, pairs, parameters, iterations } = wish;
    let known = registry::all_ruleset_names();
    if let Some(name) = rulesets.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(format!("{name} is no ruleset of the catalog: {}", known.join(", ")));
    }
    let engines: Vec<Value> =
        engines.into_iter().map(|engine| engine_spec(server, engine)).collect::<Result<_, _>>()?;
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let mut spec = json!({
        "name": name, "pairs": pairs, "limits": limits, "concurrency": (processors / 2).max(1),
        "openings": {"kind": "random", "plies": 4},
    });
    if parameters.is_empty() {
        spec["rulesets"] = json!(rulesets);
        spec["format"] = json!("round-robin");
        spec["engines"] = json!(engines);
    } else {
        let [ruleset] = &rulesets[..] else { return Err("a tuning is of one ruleset".to_owned()) };
        let mut engine = engines.into_iter().next().ok_or("a tuning has one engine")?;
        engine.as_object_mut().map(|engine| engine.remove("name"));
        let named = parameters.iter().map(|name| json!({"name": name}));
        spec["method"] = json!("spsa");
        spec["ruleset"] = json!(ruleset);
        spec["engine"] = engine;
        spec["iterations"] = json!(iterations);
        spec["parameters"] = named.collect();
    }
    Ok(spec)
}

fn engine_spec(server: &Server, engine: WishedEngine) -> Result<Value, String> {
    let WishedEngine { name, program: index, options } = engine;
    let programs = &server.settings.programs;
    let program = programs.get(index).ok_or_else(|| format!("engine is 0 to {}", programs.len() - 1))?;
    for name in options.keys() {
        match registry::default_options().spec(name) {
            Ok(spec) if spec.kind != OptionKind::Text => {}
            Ok(_) => return Err(format!("{name}: pages may not choose files")),
            Err(error) => return Err(error.to_string()),
        }
    }
    let mut spec = json!({"name": name, "options": options});
    if index > 0 {
        spec["program"] = json!({"command": program.path, "args": program.arguments});
    }
    Ok(spec)
}
