//! `/ws/watch`, `/api/archive`: a tournament or a tuning, running or finished, and the games of its journal.

pub(super) mod child;
mod follower;

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use child::ChildState;
use follower::{Follower, about_ruleset};
use serde_json::{Value, json};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::assets::Stored;
use super::{Refusal, Server, answer, no_such_page, number, send_changes};
use crate::page::{POLICY, media_type};
use crate::tournament::journal::{Archive, JournalError};
use crate::tournament::report::{Replays, listed, said};
use crate::tune::journals::journal_dirs;

/// Between two looks at the folder.
const INTERVAL: Duration = Duration::from_millis(200);

/// The knowledge of a run, each part made anew only when it has changed.
#[derive(Clone, Default)]
pub(super) struct Seen {
    /// The rulesets and engines; null where nothing has begun.
    run: Arc<Value>,
    /// Standings and all that changes with the end of a game.
    state: Arc<Value>,
    /// Games under way.
    live: Arc<Value>,
    /// The last run that a page has started.
    child: Option<ChildState>,
    /// The folder that a page has chosen to see, instead of that of the last run.
    shown: Option<PathBuf>,
    /// That of the run which is seen.
    folder: PathBuf,
    /// Whether a page has started the run that is seen, which is neither under way nor complete, as far as that is known.
    can_go_on: Option<bool>,
}

impl Seen {
    fn parts(&self) -> [(&'static str, Arc<Value>); 4] {
        let mut child = self.child.clone().unwrap_or_default();
        // Of a run that is not seen only that it is under way, or what went wrong.
        if self.shown.as_ref().is_some_and(|shown| *shown != child.folder) {
            let elsewhere = child.folder.file_name().filter(|_| child.running).map(|name| name.display().to_string());
            child = ChildState { elsewhere, error: child.error, ..ChildState::default() };
        }
        let child = self.can_go_on.map(|can| ChildState { stopped: can && !child.running, ..child });
        let [run, state, live] = [&self.run, &self.state, &self.live].map(Arc::clone);
        [("run", run), ("state", state), ("live", live), ("child", Arc::new(json!(child)))]
    }

    /// The parts that are not those of `older`.
    fn news(&self, older: &Seen) -> impl Iterator<Item = (&'static str, Arc<Value>)> {
        let both = self.parts().into_iter().zip(older.parts());
        both.filter(|((_, new), (_, old))| new != old).map(|(new, _)| new)
    }
}

/// Follows the folder of the command line for ever, if there is one.
pub(super) async fn follow(server: Arc<Server>) {
    let Some(folder) = server.settings.watch.clone() else { return };
    let mut follower = Follower::new(folder);
    loop {
        let mut now = server.seen.borrow().clone();
        let looked = spawn_blocking(move || {
            follower.look(&mut now);
            (follower, now)
        });
        let Ok((back, now)) = looked.await else { return };
        follower = back;
        server.seen.send_if_modified(|seen| {
            // These may have changed meanwhile.
            let now = Seen { child: seen.child.clone(), shown: seen.shown.clone(), ..now };
            let has_changed = now.folder != seen.folder || now.news(seen).next().is_some();
            *seen = now;
            has_changed
        });
        sleep(INTERVAL).await;
    }
}

fn watched(server: &Server) -> Result<PathBuf, Refusal> {
    let nothing = || Refusal(StatusCode::NOT_FOUND, "nothing is watched: start the board with --watch DIR".to_owned());
    server.settings.watch.clone().ok_or_else(nothing)
}

/// The folders of all runs, and of the one that is seen.
fn runs(server: &Server) -> Result<(Vec<PathBuf>, PathBuf), Refusal> {
    let runs = child::runs(&watched(server)?);
    let shown = server.seen.borrow().shown.clone().or_else(|| runs.last().cloned());
    Ok((runs, shown.unwrap_or_default()))
}

/// `/api/runs`: what a list shows of each run of the folder.
pub(super) async fn list_runs(State(server): State<Arc<Server>>) -> Response {
    answer(move || {
        let (runs, shown) = runs(&server)?;
        let about = |folder: PathBuf| {
            let mut now = Seen { shown: Some(folder.clone()), ..Seen::default() };
            let time = folder.metadata().and_then(|about| about.modified()).ok();
            let spec = fs::read_to_string(child::spec_of(&folder)).ok();
            let (name, is_shown) = (folder.file_name().map(|name| name.to_string_lossy().into_owned()), folder == shown);
            Follower::new(folder).look(&mut now);
            json!({"name": name, "shown": is_shown, "changed": time, "run": *now.run, "state": *now.state, "spec": spec})
        };
        Ok(runs.into_iter().map(about).collect())
    })
    .await
}

/// What a run writes for people.
const FILES: [&str; 2] = ["report.html", "games.pgn"];

/// `/api/runs/RUN/FILE`: one of them. The scripts of a report run, but in a page that is nobody's: it reaches nothing here.
pub(super) async fn file(State(server): State<Arc<Server>>, at: Path<(String, String)>, asked: HeaderMap) -> Response {
    let Path((run, name)) = at;
    let known = FILES.contains(&&*name).then(|| child::named(&server, &run)).flatten();
    let Some(text) = known.and_then(|run| fs::read_to_string(run.join(&name)).ok()) else {
        return no_such_page().await;
    };
    let policy = format!("sandbox allow-scripts allow-downloads; frame-ancestors 'none'; {POLICY}");
    ([(header::CONTENT_SECURITY_POLICY, policy)], Stored::new(media_type(&name), text).reply(&asked)).into_response()
}

/// `/ws/watch`: each part of what is known, at first and whenever it has changed.
pub(super) async fn open(State(server): State<Arc<Server>>, socket: WebSocketUpgrade) -> Response {
    if let Err(refusal) = watched(&server) {
        return refusal.into_response();
    }
    let seen = server.seen.subscribe();
    let mut sent = Seen::default();
    let frames = move |now: Seen| {
        let frames = now.news(&sent).map(|(name, part)| json!({"watch": name, name: *part})).collect();
        sent = now;
        frames
    };
    socket.on_upgrade(|socket| send_changes(socket, seen, frames))
}

/// The most games in one list.
const MOST_LISTED: u64 = 500;

/// `/api/archive?from=N&count=M`: games in the order of their numbers, from the N-th that there is, counted from 0.
pub(super) async fn games(State(server): State<Arc<Server>>, query: RawQuery) -> Response {
    answer(move || {
        let [from, count] = ["from", "count"].map(|key| number(query.0.as_deref(), key));
        Ok(list(runs(&server)?.1, from?.unwrap_or(0), count?.unwrap_or(100).min(MOST_LISTED))?)
    })
    .await
}

/// `/api/archive/N`: the game of that number, with the moves from where it began.
pub(super) async fn game(State(server): State<Arc<Server>>, Path(number): Path<u64>) -> Response {
    answer(move || find(runs(&server)?.1, number)).await
}

impl From<JournalError> for Refusal {
    fn from(error: JournalError) -> Refusal {
        Refusal(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
    }
}

fn list(folder: PathBuf, from: u64, count: u64) -> Result<Value, JournalError> {
    let (mut total, mut games) = (0, Vec::new());
    for dir in journal_dirs(&folder) {
        // A tuning and a run that has not begun have no games; what is wrong with a journal, the socket says.
        let Ok(archive) = Archive::read(&dir) else { continue };
        for number in archive.numbers() {
            total += 1;
            if total > from && (games.len() as u64) < count {
                games.extend(archive.game(number)?.map(|game| listed(&archive.header, &game.record)));
            }
        }
    }
    Ok(json!({"total": total, "from": from, "games": games}))
}

fn find(folder: PathBuf, number: u64) -> Result<Value, Refusal> {
    for dir in journal_dirs(&folder) {
        let archive = Archive::read(&dir)?;
        if let Some(finished) = archive.game(number)? {
            let record = &finished.record;
            let mut game = listed(&archive.header, record);
            game["rules"] = archive.header.rulesets.get(record.fixture.ruleset).map(about_ruleset).into();
            game["start"] = json!(record.opening.start);
            game["moves"] = record.texts().collect();
            game["movers"] = json!(Replays::new(&archive.header).movers(record));
            game["said"] = said(&finished);
            return Ok(game);
        }
    }
    Err(Refusal(StatusCode::NOT_FOUND, "there is no such game".to_owned()))
}
