//! `/api/tables`, `/api/atlas`, `/ws/tables`: which tables of perfect play there are, who wins from where, and builds
//! of small ones.

use std::ops::RangeInclusive;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use std::thread;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use rayon::ThreadPoolBuilder;
use reynard_engine::rules::hunt::Side;
use reynard_engine::session::registry::{self, RulesetChoice};
use reynard_engine::tablebase::atlas::{Survey, longest_wins};
use reynard_engine::tablebase::build::{BuildPlan, BuildRequest, LayerLimit, Resources};
use reynard_engine::tablebase::{
    LayerProgress, ListedTable, LongestWin, Metric, Store, TableBuilder, TableError, TableValue, inventory,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::sync::watch;

use super::{Refusal, Server, answer, rulesets, send_changes};

/// The memory and the disk that a build from the page may take.
pub(super) const BUILD_MEMORY_BYTES: u64 = 1 << 30;
pub(super) const BUILD_DISK_BYTES: u64 = 1 << 28;

/// The progress of a build.
#[derive(Clone, Serialize)]
pub(super) struct Build {
    ruleset: String,
    geese: u32,
    /// The number of geese of the table under way.
    layer: u32,
    /// Positions.
    done: u64,
    of: u64,
    is_running: bool,
    /// The reason for which there are no tables at the end.
    error: Option<String>,
}

/// The last build, if there was any.
pub(super) type Builds = watch::Sender<Option<Build>>;

fn folder(server: &Server) -> Result<PathBuf, Refusal> {
    let none = "there is no folder for tables: start the board with --tables DIR";
    server.settings.tables.clone().ok_or_else(|| Refusal(StatusCode::NOT_FOUND, none.to_owned()))
}

impl From<TableError> for Refusal {
    fn from(error: TableError) -> Refusal {
        let is_request = matches!(error, TableError::Refused(_) | TableError::NoFolder(_));
        let status = if is_request { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::INTERNAL_SERVER_ERROR };
        Refusal(status, error.to_string())
    }
}

pub(super) async fn list(State(server): State<Arc<Server>>) -> Response {
    answer(move || {
        let build = server.builds.borrow().clone();
        Ok(json!({"tables": listed(&folder(&server)?)?, "build": build}))
    })
    .await
}

/// The sound tables, by the rules that they are of.
fn listed(folder: &FilePath) -> Result<Vec<Value>, TableError> {
    let mut tables = Map::new();
    let names = registry::names_by_tables();
    for ListedTable { about, .. } in inventory(folder)? {
        let Ok((header, bytes)) = about else { continue };
        let known = names.get(&header.fingerprint);
        let fresh = || json!({"name": header.ruleset, "rulesets": known, "geese": [], "bytes": 0});
        let table = tables.entry(header.fingerprint.clone()).or_insert_with(fresh);
        table["bytes"] = (table["bytes"].as_u64().unwrap_or(0) + bytes).into();
        if let Some(geese) = table["geese"].as_array_mut() {
            geese.push(header.geese.into());
            geese.sort_by_key(Value::as_u64);
        }
    }
    Ok(tables.into_iter().map(|(_, table)| table).collect())
}

/// `/api/atlas/NAME`: who wins from the start of a game, by the point of the fox.
pub(super) async fn atlas(State(server): State<Arc<Server>>, Path(name): Path<String>) -> Response {
    answer(move || {
        let folder = folder(&server)?;
        let mut builder = builder(&name)?;
        let survey = builder.survey(&folder)?;
        let missing = || TableError::Refused(format!("{name}: the tables do not reach to its start"));
        let mut atlas = map(&name, &survey.ok_or_else(missing)?);
        atlas["longest_wins"] = longest(&name, &builder.store(&folder)?)?;
        builder.set_metric(Metric::End);
        // Whatever is wrong with tables of the other kind, these are there.
        let ends = builder.survey(&folder).ok().flatten();
        let end = ends.and_then(|survey| survey.value()).filter(|value| value.winner.is_some());
        atlas["plies_to_end"] = end.map(|value| value.distance).into();
        Ok(atlas)
    })
    .await
}

fn builder(name: &str) -> Result<Box<dyn TableBuilder>, TableError> {
    let ruleset = registry::read(&RulesetChoice::catalog(name));
    ruleset.map_err(|error| TableError::Refused(error.to_string()))?.table_builder()
}

/// The longest wins of each layer, ready to be drawn.
fn longest(name: &str, store: &Store) -> Result<Value, TableError> {
    let options = registry::default_options();
    let session = registry::open(&RulesetChoice::catalog(name));
    let mut session = session.map_err(|error| TableError::Refused(error.to_string()))?;
    let drawn = |(geese, win): (u32, LongestWin)| {
        let ([turn, winner], LongestWin { plies, position, .. }) = (win.sides().map(Side::role), win);
        // A header is a file's; a position that cannot be read is not drawn.
        session.set_position(Some(&position), &[]).ok()?;
        let pieces = rulesets::query_answer("pieces", &*session, &options);
        Some(json!({
            "geese": geese, "winner": winner, "turn": turn, "plies": plies, "position": position, "pieces": pieces,
        }))
    };
    Ok(longest_wins(store).into_iter().filter_map(drawn).collect())
}

fn map(name: &str, survey: &Survey) -> Value {
    let value = |value: &TableValue<Side>| json!({"winner": value.winner.map(Side::role), "plies": value.distance});
    let points: Map<String, Value> = survey.points.iter().map(|(point, found)| (point.clone(), value(found))).collect();
    json!({
        "ruleset": name, "geese": survey.geese, "set_up": survey.set_up, "first": survey.first.role(),
        "fox_start": survey.fox_start, "best_or_own_point": survey.start().map(|(point, _)| point),
        "value": survey.value().as_ref().map(value), "points": points,
    })
}

/// The request of the page.
#[derive(Deserialize)]
struct Wish {
    ruleset: String,
    geese: u32,
}

/// `/api/tables/build`: begins a build; one at a time, and a small one.
pub(super) async fn build(State(server): State<Arc<Server>>, body: String) -> Response {
    answer(move || {
        let folder = folder(&server)?;
        let expected =
            |error| Refusal(StatusCode::BAD_REQUEST, format!("expected {{\"ruleset\", \"geese\"}}: {error}"));
        let wish: Wish = serde_json::from_str(&body).map_err(expected)?;
        let builder = builder(&wish.ruleset)?;
        let Wish { ruleset, geese } = wish;
        let fresh = Build { ruleset, geese, layer: 0, done: 0, of: 0, is_running: true, error: None };
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
        let builds = server.builds.clone();
        thread::spawn(move || {
            let error = run(&*builder, &folder, geese, &builds).err();
            change(&builds, |build| (build.is_running, build.error) = (false, error));
        });
        Ok(json!({"ok": true}))
    })
    .await
}

/// Leaves half of the processors to the engines.
fn run(builder: &dyn TableBuilder, folder: &FilePath, geese: u32, builds: &Builds) -> Result<(), String> {
    let threads = thread::available_parallelism().map_or(1, |count| count.get() / 2).max(1);
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| error.to_string())?;
    let Resources { memory, disk } = Resources::available(folder);
    let at_most = |available: Option<u64>, most: u64| Some(available.map_or(most, |available| available.min(most)));
    let resources = Resources { memory: at_most(memory, BUILD_MEMORY_BYTES), disk: at_most(disk, BUILD_DISK_BYTES) };
    let request = BuildRequest { limit: LayerLimit::Exactly(geese), resources };
    let plan =
        pool.install(|| builder.build(folder, &request, &Reporter(builds))).map_err(|error| error.to_string())?;
    match plan.notice.filter(|_| plan.last == 0) {
        Some(notice) => Err(notice),
        None => Ok(()),
    }
}

fn change(builds: &Builds, change: impl FnOnce(&mut Build)) {
    builds.send_modify(|build| {
        if let Some(build) = build {
            change(build);
        }
    });
}

/// Reports the progress of a build to the pages.
struct Reporter<'a>(&'a Builds);

impl LayerProgress for Reporter<'_> {
    fn planned(&self, plan: &BuildPlan) {
        change(self.0, |build| build.of = plan.positions());
    }

    fn begin(&self, layers: RangeInclusive<u32>, _positions: u64) {
        change(self.0, |build| build.layer = *layers.end());
    }

    fn advance(&self, positions: u64) {
        change(self.0, |build| build.done += positions);
    }
}

/// `/ws/tables`: how far the build is, whenever that changes.
pub(super) async fn open(State(server): State<Arc<Server>>, socket: WebSocketUpgrade) -> Response {
    let builds = server.builds.subscribe();
    socket.on_upgrade(|socket| send_changes(socket, builds, |build| vec![json!({"build": build})]))
}
