//! `/api/tables`, `/api/atlas`, `/ws/tables`: which tables of perfect play there are, who wins from where, and builds
//! of more.

use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path as FilePath;
use std::sync::{Arc, PoisonError};
use std::thread;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use rayon::ThreadPoolBuilder;
use reynard_engine::rules::hunt::Side;
use reynard_engine::session::registry::{self, RulesetChoice};
use reynard_engine::tablebase::atlas::{Survey, longest_wins};
use reynard_engine::tablebase::build::{BuildPlan, BuildRequest, LayerLimit, Resources, remove_partial_files};
use reynard_engine::tablebase::{
    LayerProgress, ListedTable, LongestWin, Metric, Store, TableBuilder, TableError, TableValue, inventory,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::sync::watch;

use super::{OPTIONS, Refusal, Server, answer, half_the_processors, json_reply, read, send_changes};
use crate::page::query_answer;

/// The progress of a build.
#[derive(Clone, Serialize)]
pub(super) struct Build {
    ruleset: String,
    geese: u32,
    metric: Metric,
    /// The number of geese of the table under way.
    layer: u32,
    /// Positions.
    done: u64,
    of: u64,
    is_running: bool,
    /// A page has stopped it; it runs on until it next reports progress.
    is_stopped: bool,
    /// The reason for which there are no tables at the end.
    error: Option<String>,
}

/// The last build, if there was any.
pub(super) type Builds = watch::Sender<Option<Build>>;

impl From<TableError> for Refusal {
    fn from(error: TableError) -> Refusal {
        let is_request = matches!(error, TableError::Refused(_) | TableError::NoFolder(_));
        let status = if is_request { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::INTERNAL_SERVER_ERROR };
        Refusal(status, error.to_string())
    }
}

pub(super) async fn list(State(server): State<Arc<Server>>) -> Response {
    answer(move || Ok(json!({"tables": listed(&server.settings.tables)?}))).await
}

/// The sound tables, by the rules that they are of.
fn listed(folder: &FilePath) -> Result<Vec<Value>, TableError> {
    let mut tables = Map::new();
    let names = registry::names_by_tables();
    for ListedTable { about, .. } in inventory(folder)? {
        let Ok((header, bytes)) = about else { continue };
        let known = names.get(&header.fingerprint);
        let fresh = || json!({"name": header.ruleset, "rulesets": known, "geese": [], "bytes": 0, "ends": false});
        let table = tables.entry(header.fingerprint.clone()).or_insert_with(fresh);
        if header.metric == Metric::End {
            table["ends"] = true.into();
        }
        table["bytes"] = (table["bytes"].as_u64().unwrap_or(0) + bytes).into();
        if let Some(geese) = table["geese"].as_array_mut() {
            geese.push(header.geese.into());
            geese.sort_by_key(Value::as_u64);
        }
    }
    Ok(tables.into_iter().map(|(_, table)| table).collect())
}

/// `/api/atlas/NAME`: who wins from the start of a game by the tables that are there, by the point of the fox, and what
/// builds this machine can do.
pub(super) async fn atlas(State(server): State<Arc<Server>>, Path(name): Path<String>) -> Response {
    answer(move || {
        let folder = &*server.settings.tables;
        let builders = [Metric::Conversion, Metric::End].map(|metric| builder(&name, metric));
        let (conversions, ends) = match builders {
            [Ok(conversions), Ok(ends)] => (conversions, ends),
            [Err(reason), _] | [_, Err(reason)] => {
                registry::read(&RulesetChoice::catalog(&name))
                    .map_err(|error| TableError::Refused(error.to_string()))?;
                // Rules that no method solves.
                return Ok(json!({"geese": null, "reason": reason.to_string()}));
            }
        };
        let survey = conversions.survey(folder)?;
        // Whatever is wrong with tables of the other kind, these are there.
        let to_end = ends.survey(folder).ok().flatten();
        let builds = [priced(&[&*conversions], folder), priced(&[&*ends, &*conversions], folder)].concat();
        Ok(json!({
            "geese": conversions.geese_at_start(), "map": survey.map(|survey| map(&survey, to_end.as_ref())),
            "longest_wins": longest(&name, &ends.store(folder)?)?, "builds": builds,
        }))
    })
    .await
}

fn builder(name: &str, metric: Metric) -> Result<Box<dyn TableBuilder>, TableError> {
    let ruleset = registry::read(&RulesetChoice::catalog(name));
    let mut builder = ruleset.map_err(|error| TableError::Refused(error.to_string()))?.table_builder()?;
    builder.set_metric(metric);
    Ok(builder)
}

/// The builds of the first builder that are left to do and fit, from few geese to many, each with the price of all.
fn priced(builders: &[&dyn TableBuilder], folder: &FilePath) -> Vec<Value> {
    let request = request(LayerLimit::UpTo(builders[0].geese_at_start()), folder);
    let plans: Result<Vec<_>, _> = builders.iter().map(|builder| builder.plan(folder, &request)).collect();
    let Ok(plans) = plans else { return Vec::new() };
    let price = |&(geese, _): &(u32, _)| {
        let part = |plan: &BuildPlan| {
            let missing = plan.missing.iter().filter(|layer| layer.0 <= geese).cloned().collect();
            BuildPlan { missing, ..plan.clone() }
        };
        let parts: Vec<_> = plans.iter().map(part).collect();
        let seconds: u64 = parts.iter().map(|plan| plan.processor().as_secs()).sum();
        json!({
            "metric": builders[0].identity().metric, "geese": geese,
            "memory": parts.iter().map(BuildPlan::memory_bytes).max(),
            "disk": parts.iter().map(BuildPlan::disk_bytes).sum::<u64>(),
            "seconds": seconds / half_the_processors() as u64,
        })
    };
    plans[0].missing.iter().map(price).collect()
}

/// A build with three quarters of the memory that is free: engines play beside it.
fn request(limit: LayerLimit, folder: &FilePath) -> BuildRequest {
    let available = Resources::available(folder);
    let memory = available.memory.map(|bytes| bytes / 4 * 3);
    BuildRequest { limit, resources: Resources { memory, ..available } }
}

/// The longest wins of each layer, ready to be drawn, with the plies to the end.
fn longest(name: &str, store: &Store) -> Result<Value, TableError> {
    let session = registry::open(&RulesetChoice::catalog(name));
    let mut session = session.map_err(|error| TableError::Refused(error.to_string()))?;
    let drawn = |(geese, win): (u32, LongestWin)| {
        let ([turn, winner], LongestWin { plies, position, .. }) = (win.sides().map(Side::role), win);
        // A header is a file's; a position that cannot be read is not drawn.
        session.set_position(Some(&position), &[]).ok()?;
        let pieces = query_answer("pieces", &*session, &OPTIONS);
        Some(json!({
            "geese": geese, "winner": winner, "turn": turn, "plies": plies, "position": position, "pieces": pieces,
        }))
    };
    Ok(longest_wins(store).into_iter().filter_map(drawn).collect())
}

fn map(survey: &Survey, to_end: Option<&Survey>) -> Value {
    let value = |(at, (point, found)): (usize, &(String, TableValue<Side>))| {
        let to_end = to_end.map(|ends| ends.points[at].1).filter(|value| value.winner.is_some());
        let plies = to_end.map(|value| value.distance);
        (point.clone(), json!({"winner": found.winner.map_or("draw", Side::role), "plies_to_end": plies}))
    };
    let points: Map<String, Value> = survey.points.iter().enumerate().map(value).collect();
    json!({"first": survey.first.role(), "start": survey.start().map(|(point, _)| point), "points": points})
}

/// The request of the page.
#[derive(Deserialize)]
struct Wish {
    ruleset: String,
    geese: u32,
    #[serde(default)]
    metric: Metric,
}

/// `/api/tables/build`: begins a build, one at a time.
pub(super) async fn build(State(server): State<Arc<Server>>, body: String) -> Response {
    answer(move || {
        let Wish { ruleset, geese, metric } = read(&body)?;
        // Distances to the end are of use beside those to conversion alone.
        let metrics = if metric == Metric::End { &Metric::ALL[..] } else { &[Metric::Conversion] };
        let builders = metrics.iter().map(|&metric| builder(&ruleset, metric)).collect::<Result<Vec<_>, _>>()?;
        let (is_running, is_stopped) = (true, false);
        let fresh = Build { ruleset, geese, metric, layer: 0, done: 0, of: 0, is_running, is_stopped, error: None };
        let has_begun = server.builds.send_if_modified(|build| {
            let is_free = build.as_ref().is_none_or(|build| !build.is_running);
            if is_free {
                *build = Some(fresh);
            }
            is_free
        });
        if !has_begun {
            return Err(Refusal(StatusCode::CONFLICT, "a build is under way: wait for its end".to_owned()));
        }
        thread::spawn(move || {
            let (folder, builds) = (&server.settings.tables, &server.builds);
            let run_all = || builders.iter().try_for_each(|builder| run(&**builder, folder, geese, builds));
            let error = match catch_unwind(AssertUnwindSafe(run_all)) {
                Ok(done) => done.err(),
                Err(panic) if panic.is::<Stopped>() => {
                    let mut partial = builders.iter().map(|builder| remove_partial_files(folder, builder.identity()));
                    partial.find_map(Result::err).map(|error| error.to_string())
                }
                Err(_) => Some("the build has failed".to_owned()),
            };
            // They know the tables that there were.
            server.sessions.lock().unwrap_or_else(PoisonError::into_inner).clear();
            change(&server.builds, |build| (build.is_running, build.error) = (false, error));
        });
        Ok(json!({"ok": true}))
    })
    .await
}

/// `/api/tables/stop`: ends the build that is under way. The layers that are complete stay, and the next build goes on from them.
pub(super) async fn stop(State(server): State<Arc<Server>>) -> Response {
    let stopped = server.builds.send_if_modified(|build| {
        let running = build.as_mut().filter(|build| build.is_running);
        running.map(|build| build.is_stopped = true).is_some()
    });
    let nothing = || Refusal(StatusCode::NOT_FOUND, "no build is under way".to_owned());
    if stopped { json_reply(&json!({"ok": true})) } else { nothing().into_response() }
}

fn run(builder: &dyn TableBuilder, folder: &FilePath, geese: u32, builds: &Builds) -> Result<(), String> {
    let pool =
        ThreadPoolBuilder::new().num_threads(half_the_processors()).build().map_err(|error| error.to_string())?;
    let request = request(LayerLimit::Exactly(geese), folder);
    let plan =
        pool.install(|| builder.build(folder, &request, &Reporter(builds))).map_err(|error| error.to_string())?;
    plan.notice.filter(|_| plan.last == 0).map_or(Ok(()), Err)
}

fn change(builds: &Builds, change: impl FnOnce(&mut Build)) {
    builds.send_modify(|build| build.as_mut().map_or((), change));
}

/// Reports the progress of a build to the pages, and unwinds with [`Stopped`] when one has stopped it.
struct Reporter<'a>(&'a Builds);

struct Stopped;

impl Reporter<'_> {
    fn report(&self, change_build: impl FnOnce(&mut Build)) {
        change(self.0, change_build);
        let is_stopped = self.0.borrow().as_ref().is_some_and(|build| build.is_stopped);
        if is_stopped {
            resume_unwind(Box::new(Stopped));
        }
    }
}

impl LayerProgress for Reporter<'_> {
    fn planned(&self, plan: &BuildPlan) {
        self.report(|build| build.of += plan.positions());
    }

    fn begin(&self, layers: RangeInclusive<u32>, _positions: u64) {
        self.report(|build| build.layer = *layers.end());
    }

    fn advance(&self, positions: u64) {
        self.report(|build| build.done += positions);
    }
}

/// `/ws/tables`: how far the build is, whenever that changes.
pub(super) async fn open(State(server): State<Arc<Server>>, socket: WebSocketUpgrade) -> Response {
    socket.on_upgrade(|socket| send_changes(socket, move || [json!({"build": *server.builds.borrow()})]))
}
