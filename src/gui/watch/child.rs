//! `/api/run`, `/api/learn`: a tournament or a tuning that a page starts, or the learning of a game: this program as a
//! child process, in a folder of its own below the watched one. A page names rulesets, engines and options; folders,
//! programs and what was learned are the server's.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use std::{fs, io};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use reynard_engine::files;
use reynard_engine::session::registry::{self, AnyRuleset, RulesetChoice, RulesetSource};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::sync::watch;
use tokio::time::timeout;

use crate::gui::engine::spawn;
use crate::gui::{Refusal, Server, beside, half_the_processors, json_reply, read, settable};
use crate::tournament::journal::lock;
use crate::tournament::ruleset::fingerprint_text;

/// Between two looks whether a run has begun.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// What pages see of the run that one of them has started last.
#[derive(Clone, Default, Serialize)]
pub(in crate::gui) struct ChildState {
    /// That of its folder.
    name: String,
    running: bool,
    /// The game that it learns.
    learns: Option<String>,
    /// What it said last.
    said: Option<String>,
    error: Option<String>,
}

/// The wish of a page that a hunt is learned.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LessonWish {
    /// Its name in the catalog.
    learn: Option<String>,
    /// The id of a ruleset that was posted, in its place.
    posted: Option<String>,
    effort: Option<f64>,
}

/// What is kept of it.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Lesson {
    /// The name of the game, in the catalog or of one's own.
    learn: String,
    /// The fingerprint of the rules of one's own.
    rules: Option<String>,
    /// As `reynard tune learn` takes it; 1 without it.
    effort: Option<f64>,
}

/// The wish of a page for a tournament or a tuning.
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

/// The runs of the watched folder: its own, and those that pages have started below it, the last at the end.
pub(super) fn runs(folder: &Path) -> Vec<PathBuf> {
    std::iter::once(folder.to_owned()).chain(all_started(folder).into_values()).collect()
}

/// What a run is called: its folder's name.
pub(super) fn name_of(run: &Path) -> String {
    run.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The run of a name; without one that which a page has started last, else the last one.
pub(super) fn named(server: &Server, name: Option<&str>) -> Result<PathBuf, Refusal> {
    let mut runs = runs(&server.settings.watch);
    let child = server.child.borrow().clone();
    let known = runs.iter().position(|run| name_of(run) == name.unwrap_or(&child.name));
    let found = known.map(|index| runs.swap_remove(index)).or_else(|| runs.pop().filter(|_| name.is_none()));
    found.ok_or_else(|| Refusal(StatusCode::NOT_FOUND, format!("there is no run '{}' here", name.unwrap_or_default())))
}

/// The runs that pages have started below a folder, by their numbers; some may have been deleted.
fn all_started(folder: &Path) -> BTreeMap<u32, PathBuf> {
    let paths = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    // A folder of somebody else may have such a name, but has no spec.
    let number = |path: &Path| {
        let number = path.file_name()?.to_str()?.strip_prefix("run-")?.parse().ok()?;
        (path.ends_with(format!("run-{number}")) && path.is_dir() && spec_of(path).is_file()).then_some(number)
    };
    paths.filter_map(|path| Some((number(&path)?, path))).collect()
}

/// The games that pages have had learned below a folder, each with the last weights that passed their test, for all
/// searchers that those before them serve.
pub(in crate::gui) fn learned(folder: &Path) -> HashMap<String, PathBuf> {
    let mut last = HashMap::<_, (PathBuf, Value)>::new();
    for run in all_started(folder).into_values() {
        let read = |path: PathBuf| serde_json::from_str::<Value>(&fs::read_to_string(path).ok()?).ok();
        let (spec, result) = (read(spec_of(&run)), read(run.join("result.json")).unwrap_or_default());
        let Some(lesson) = spec.and_then(|spec| Lesson::deserialize(spec).ok()) else { continue };
        let game = lesson.rules.unwrap_or(lesson.learn);
        let known = last.get(&game).and_then(|(_, serves)| serves.as_array());
        let serves = |searcher| result["serves"].as_array().is_some_and(|all| all.contains(searcher));
        if result["verdict"] == "gain" && known.is_none_or(|known| known.iter().all(serves)) {
            last.insert(game, (run.join("learned.weights"), result["serves"].clone()));
        }
    }
    last.into_iter().map(|(game, (weights, _))| (game, weights)).collect()
}

/// The spec of a run that a page has started.
pub(super) fn spec_of(run: &Path) -> PathBuf {
    run.with_extension("json")
}

/// The ruleset that such a run learns, where it is none of the catalog.
fn rules_of(run: &Path) -> PathBuf {
    run.with_extension("rules.json")
}

pub(in crate::gui) async fn start(State(server): State<Arc<Server>>, text: String) -> Result<Response, Refusal> {
    let spec = spec(&server, read(&text)?)?;
    let reply = begin(&server, None, &spec, None)?;
    has_begun(&server).await.map(|()| reply)
}

/// Waits until the run has left something in its folder.
///
/// # Errors
/// It has failed before, as it does where the spec is refused.
async fn has_begun(server: &Server) -> Result<(), Refusal> {
    let mut child = server.child.subscribe();
    let name = child.borrow().name.clone();
    let run = server.settings.watch.join(&name);
    let is_empty = || fs::read_dir(&run).is_ok_and(|mut files| files.next().is_none());
    let is_awaited = |child: &ChildState| child.name == name && child.running;
    while is_awaited(&child.borrow()) && is_empty() {
        let _ = timeout(BETWEEN_LOOKS, child.changed()).await;
    }
    // Another page may have begun the next one.
    let failure = Some(child.borrow().clone()).filter(|child| child.name == name).and_then(|child| child.error);
    failure.map_or(Ok(()), |error| Err(wrong(error)))
}

/// Learns a game, as `reynard tune learn` does.
pub(in crate::gui) async fn learn(State(server): State<Arc<Server>>, text: String) -> Result<Response, Refusal> {
    let LessonWish { learn, posted, effort } = read(&text)?;
    if let Some(effort) = effort.filter(|effort| !(0.001..=1000.0).contains(effort)) {
        return Err(wrong(format!("effort is {effort}; expected a number from 0.001 to 1000")));
    }
    let file = posted.map(|id| server.rulesets.file(&id)).transpose().map_err(|reason| wrong(reason.to_owned()))?;
    let source = match (learn, &file) {
        (Some(name), None) => RulesetSource::Catalog(name),
        (None, Some(file)) => RulesetSource::File(file.clone()),
        _ => return Err(wrong("name a game by learn, or a ruleset of your own by posted".to_owned())),
    };
    let [learn, fingerprint] = beside(move || hunt(source)).await?;
    let rules = file.is_some().then_some(fingerprint);
    begin(&server, None, &json!(Lesson { learn, rules, effort }), file.as_deref())
}

/// The name and the fingerprint of what is to be learned.
///
/// # Errors
/// There is no such game, or it is no hunt.
pub(in crate::gui) fn hunt(source: RulesetSource) -> Result<[String; 2], Refusal> {
    let ruleset = registry::read(&RulesetChoice { source, switches: Vec::new() });
    let ruleset = ruleset.map_err(|error| wrong(error.to_string()))?;
    if !matches!(ruleset, AnyRuleset::Hunt(..)) {
        return Err(wrong("this is no hunt, and only hunts are learned".to_owned()));
    }
    let session = ruleset.open();
    Ok([session.game().ruleset.clone(), fingerprint_text(&*session)])
}

/// Goes on with the run of a name.
pub(in crate::gui) async fn resume(State(server): State<Arc<Server>>, name: String) -> Result<Response, Refusal> {
    let none = || Refusal(StatusCode::NOT_FOUND, format!("no page has started '{name}', so none can go on with it"));
    let run = all_started(&server.settings.watch).into_values().find(|run| name_of(run) == name).ok_or_else(none)?;
    let spec = fs::read_to_string(spec_of(&run)).map_err(|_| none())?;
    let spec = serde_json::from_str(&spec).map_err(|error| wrong(error.to_string()))?;
    begin(&server, Some(run), &spec, None)
}

/// Ends the run; games under way are given up.
pub(in crate::gui) async fn stop(State(server): State<Arc<Server>>) -> Response {
    server.stop_run.send_replace(true);
    json_reply(&json!({"ok": true}))
}

/// Ends the run and waits until nothing is left of it.
pub(in crate::gui) async fn end(server: &Server) {
    server.stop_run.send_replace(true);
    // The sender lives as long as the server.
    let _ = server.child.subscribe().wait_for(|child| !child.running).await;
}

/// Begins what a spec says in a new folder, with a ruleset of one's own, or goes on with the run that has it. Requests are
/// answered by one thread, so that no other run begins meanwhile.
fn begin(
    server: &Arc<Server>,
    known: Option<PathBuf>,
    spec: &Value,
    rules: Option<&Path>,
) -> Result<Response, Refusal> {
    let conflict = |reason: &str| Refusal(StatusCode::CONFLICT, reason.to_owned());
    if server.child.borrow().running {
        return Err(conflict("a run is under way: stop it first"));
    }
    let folder = &server.settings.watch;
    let failed = |error| Refusal(StatusCode::INTERNAL_SERVER_ERROR, format!("{}: {error}", folder.display()));
    let lock = fs::create_dir_all(folder).and_then(|()| lock(&folder.join("board.lock"))).map_err(failed)?;
    let lock = lock.ok_or_else(|| conflict("another board has a run here under way"))?;
    let lesson = Lesson::deserialize(spec).ok();
    let launched = known.map_or_else(|| new_run(folder, spec, rules), Ok).and_then(|run| {
        let process = spawn(command(server, &run, spec, lesson.as_ref())).inspect_err(|_| forget_empty(&run))?;
        Ok((run, process))
    });
    let (run, process) = launched.map_err(failed)?;
    let (name, learns) = (name_of(&run), lesson.map(|lesson| lesson.learn));
    let reply = json_reply(&json!({"ok": true, "run": name}));
    server.child.send_replace(ChildState { name, running: true, learns, ..ChildState::default() });
    // What was wanted of an earlier run is not wanted of this one.
    server.stop_run.send_replace(false);
    let attended = attend(Arc::clone(server), run, process, server.stop_run.subscribe());
    tokio::spawn(async {
        attended.await;
        drop(lock);
    });
    Ok(reply)
}

/// A folder behind all that have such a number, with the spec beside it.
fn new_run(folder: &Path, spec: &Value, rules: Option<&Path>) -> io::Result<PathBuf> {
    let last = all_started(folder).into_keys().last().map_or(0, u64::from);
    let mut runs = (last + 1..).map(|number| folder.join(format!("run-{number}")));
    // One of somebody else is passed over.
    let made = runs.find_map(|run| match fs::create_dir(&run) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => None,
        made => Some(made.map(|()| run)),
    });
    let run = made.unwrap_or_else(|| Err(io::ErrorKind::AlreadyExists.into()))?;
    let kept = rules.map_or(Ok(0), |rules| fs::copy(rules, rules_of(&run)));
    let written = kept.and_then(|_| files::write(&spec_of(&run), format!("{spec:#}").as_bytes()));
    written.inspect_err(|_| forget_empty(&run)).map(|()| run)
}

/// This program, as it does what a spec says.
fn command(server: &Server, run: &Path, spec: &Value, lesson: Option<&Lesson>) -> Command {
    let mut command = Command::new(&server.settings.programs[0].path);
    match lesson {
        Some(Lesson { learn, rules, effort }) => {
            let [effort, threads] = [effort.unwrap_or(1.0).to_string(), half_the_processors().to_string()];
            command.args(["tune", "learn", "--effort", &effort, "--concurrency", &threads]);
            match rules {
                Some(_) => command.arg("--rules").arg(rules_of(run)),
                None => command.arg(learn),
            };
        }
        None => {
            let words: &[&str] = if spec["parameters"].is_null() { &["tournament", "run"] } else { &["tune"] };
            command.args(words).arg(spec_of(run)).args(["--quiet", "--force"]);
        }
    }
    command.arg("--out").arg(run).arg("--resume");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Removes the empty folder of a run, with its spec: the run before it is seen again.
fn forget_empty(run: &Path) {
    if fs::remove_dir(run).is_ok() {
        [spec_of(run), rules_of(run)].iter().for_each(|file| drop(fs::remove_file(file)));
    }
}

/// Waits for the end of a run, which pages may ask for; one that fails and leaves nothing is forgotten.
async fn attend(
    server: Arc<Server>,
    run: PathBuf,
    mut process: tokio::process::Child,
    mut stop: watch::Receiver<bool>,
) {
    let errors = process.stderr.take();
    let listen = async {
        let Some(errors) = errors else { return };
        let mut lines = BufReader::new(errors).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            server.child.send_modify(|child| child.said = Some(line));
        }
    };
    let is_stopped = tokio::select! {
        () = listen => false,
        _ = stop.wait_for(|&is_wanted| is_wanted) => true,
    };
    if is_stopped {
        terminate(&mut process);
    }
    let code = process.wait().await.ok().and_then(|status| status.code());
    // While tables are built a stop ends the program with 130; before its handler is installed, by the signal.
    let ends_well = matches!(code, Some(0 | 1)) || (is_stopped && matches!(code, Some(130) | None));
    if !ends_well {
        forget_empty(&run);
    }
    server.child.send_modify(|child| {
        let said = child.said.take().unwrap_or("it has failed".to_owned());
        child.error = (!ends_well).then(|| without_path(&said, &spec_of(&run)).to_owned());
        (child.running, child.learns, child.said) = (false, None, None);
    });
}

/// What is wrong with a spec, without the file of it, which no page knows.
fn without_path<'a>(said: &'a str, spec: &Path) -> &'a str {
    let said = said.strip_prefix("reynard: ").unwrap_or(said);
    let told = said.strip_prefix(&*spec.to_string_lossy()).and_then(|rest| rest.split_once(": "));
    told.map_or(said, |(_, told)| told)
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
fn spec(server: &Server, wish: Wish) -> Result<Value, Refusal> {
    let Wish { name, rulesets, engines, limits, pairs, parameters, iterations } = wish;
    known(&rulesets)?;
    if iterations > 0 && parameters.is_empty() {
        return Err(wrong("a tuning has parameters: name at least one option that it may change".to_owned()));
    }
    let mut engines: Vec<Value> =
        engines.into_iter().map(|engine| engine_spec(server, engine)).collect::<Result<_, _>>().map_err(wrong)?;
    let mut spec = json!({
        "name": name, "pairs": pairs, "limits": limits, "concurrency": half_the_processors(),
        "openings": {"kind": "random", "plies": 4}, "time_margin_ms": 1000,
    });
    if parameters.is_empty() {
        let mut learned = learned(&server.settings.watch);
        // An engine has one file of weights, which is of one game.
        if let [ruleset] = &rulesets[..]
            && let Some(weights) = learned.remove(ruleset)
        {
            for engine in engines.iter_mut().filter(|engine| engine["program"].is_null()) {
                engine["options"]["EvalFile"] = json!(weights.display().to_string());
            }
        }
        spec["rulesets"] = json!(rulesets);
        spec["format"] = json!("round-robin");
        spec["engines"] = json!(engines);
    } else {
        let [ruleset] = &rulesets[..] else { return Err(wrong("a tuning is of one ruleset".to_owned())) };
        let mut engine = engines.into_iter().next().ok_or_else(|| wrong("a tuning has one engine".to_owned()))?;
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

fn wrong(reason: String) -> Refusal {
    Refusal(StatusCode::UNPROCESSABLE_ENTITY, reason)
}

/// # Errors
/// One of them is none of the catalog.
fn known(rulesets: &[String]) -> Result<(), Refusal> {
    let known = registry::all_ruleset_names();
    match rulesets.iter().find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(wrong(format!("{name} is no ruleset of the catalog: {}", known.join(", ")))),
        None => Ok(()),
    }
}

fn engine_spec(server: &Server, engine: WishedEngine) -> Result<Value, String> {
    let WishedEngine { name, program: index, options } = engine;
    let programs = &server.settings.programs;
    let program = programs.get(index).ok_or_else(|| format!("engine is 0 to {}", programs.len() - 1))?;
    options.keys().try_for_each(|name| settable(name).map(drop))?;
    let mut spec = json!({"name": name, "options": options});
    if index > 0 {
        spec["program"] = json!({"command": program.path, "args": program.arguments});
    }
    Ok(spec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lesson_takes_no_searcher_its_weights_away() {
        let folder = tempfile::tempdir().expect("a folder");
        let teach = |number: u32, serves: &[&str]| {
            let run = folder.path().join(format!("run-{number}"));
            fs::create_dir(&run).expect("a folder");
            fs::write(spec_of(&run), r#"{"learn": "bell-13"}"#).expect("a spec");
            let verdict = if serves.is_empty() { "no evidence of a gain" } else { "gain" };
            fs::write(run.join("result.json"), json!({"verdict": verdict, "serves": serves}).to_string())
                .expect("a result");
            learned(folder.path())
                .remove("bell-13")
                .map(|weights| weights.strip_prefix(folder.path()).unwrap().to_owned())
        };
        let of = |number: u32| Some(PathBuf::from(format!("run-{number}/learned.weights")));
        assert_eq!(teach(1, &[]), None);
        assert_eq!(teach(2, &["mcts"]), of(2));
        assert_eq!(teach(3, &["alphabeta"]), of(2));
        assert_eq!(teach(4, &["alphabeta", "mcts"]), of(4));
        assert_eq!(teach(5, &["mcts"]), of(4));
        assert_eq!(teach(6, &["alphabeta", "mcts"]), of(6), "the last one");
    }
}
