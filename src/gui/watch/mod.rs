//! `/ws/watch`, `/api/runs`: tournaments and tunings, running or finished, and the games of their journals.

pub(super) mod child;
mod follower;

use std::collections::HashMap;
use std::fs;
use std::path::{Path as FilePath, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use child::{name_of, named};
use follower::{Follower, about_ruleset};
use serde_json::{Value, json};

use super::assets::Stored;
use super::{Refusal, Server, answer, beside, failed, no_such_page, number, send_changes};
use crate::page::{POLICY, media_type};
use crate::tournament::journal::{Archive, JournalError, Layout};
use crate::tournament::report::{self, Replays, ReportFormat, Subject, listed, said};
use crate::tune::journals::journal_dirs;

/// What is known of each run that pages have asked for: journals are read once, and then what is added.
pub(super) type Followers = Mutex<HashMap<PathBuf, Follower>>;

/// The rulesets and engines of the run in a folder, its state, and its games under way.
fn look(server: &Server, folder: &FilePath) -> [Value; 3] {
    let mut followers = server.followers.lock().unwrap_or_else(PoisonError::into_inner);
    followers.entry(folder.to_owned()).or_default().look(folder)
}

/// `/api/runs`: what a list shows of each run of the folder.
pub(super) async fn list_runs(State(server): State<Arc<Server>>) -> Response {
    answer(move || {
        let about = |folder: PathBuf| {
            let began = journal_dirs(&folder).iter().find_map(|dir| Layout::new(dir).began());
            let spec = fs::read_to_string(child::spec_of(&folder)).ok();
            let name = name_of(&folder);
            let [run, state, _] = look(&server, &folder);
            json!({"name": name, "began": began, "run": run, "state": state, "spec": spec})
        };
        Ok(child::runs(&server.settings.watch).into_iter().map(about).collect())
    })
    .await
}

/// `/api/runs/RUN/FILE`: what a tournament writes for people, made anew where it has not come to its end. The scripts of a
/// report run, but in a page that is nobody's: it reaches nothing here.
pub(super) async fn file(
    State(server): State<Arc<Server>>,
    Path((run, name)): Path<(String, String)>,
    asked: HeaderMap,
) -> Result<Response, Refusal> {
    let kind = media_type(&name);
    // That of a tuning is its trace.
    let (format, written): (_, &[&str]) = match &*name {
        "report.html" => (ReportFormat::Html, &["report.html", "trace.html"]),
        "games.pgn" => (ReportFormat::Pgn, &["games.pgn"]),
        _ => return Ok(no_such_page().await),
    };
    let text = beside(move || {
        let folder = named(&server, Some(&run))?;
        let known = written.iter().find_map(|name| fs::read_to_string(folder.join(name)).ok());
        known.map_or_else(|| made(&folder, format), Ok)
    });
    let stored = Stored::new(kind, text.await?);
    let policy = format!("sandbox allow-scripts allow-downloads; frame-ancestors 'none'; {POLICY}");
    Ok(([(header::CONTENT_SECURITY_POLICY, policy)], stored.reply(&asked)).into_response())
}

/// A report of the games so far.
fn made(folder: &FilePath, format: ReportFormat) -> Result<String, Refusal> {
    let archive = Archive::read(folder)?;
    let subject = Subject { archive: &archive, known: None, assessor: None, goes_on: Box::new(|_| true) };
    let mut text = Vec::new();
    report::write(subject, format, &mut text).map_err(|error| failed(&error))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// `/ws/watch/RUN`: each part of what is known of a run, at first and whenever it has changed; `/ws/watch`: of the last.
pub(super) async fn open(
    State(server): State<Arc<Server>>,
    wanted: Option<Path<String>>,
    socket: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    let wanted = wanted.map(|Path(name)| name);
    let frames = move || {
        // Read before its files: when it has ended, they are complete.
        let mut child = json!(*server.child.borrow());
        let (name, [run, state, live]) = match named(&server, wanted.as_deref()) {
            Ok(folder) => {
                let is_started = server.settings.watch != folder;
                let mut parts = look(&server, &folder);
                // Two runs of one form are alike but for this.
                if let Some(run) = parts[0].as_object_mut() {
                    run.insert("name".to_owned(), json!(name_of(&folder)));
                }
                let is_idle = child["running"] == false && parts[1]["running"] == false;
                child["stopped"] = (is_started && is_idle && parts[1]["complete"] != true).into();
                (Some(name_of(&folder)), parts)
            }
            Err(Refusal(_, reason)) => (wanted.clone(), [Value::Null, json!({"games": 0, "error": reason}), json!([])]),
        };
        [("name", json!(name)), ("run", run), ("state", state), ("live", live), ("child", child)]
            .map(|(part, value)| json!({"watch": part, part: value}))
    };
    Ok(socket.on_upgrade(|socket| send_changes(socket, frames)))
}

/// The most games in one list.
const MOST_LISTED: u64 = 500;

/// `/api/runs/RUN/games?from=N&count=M`: games in the order of their numbers, from the N-th that there is, counted from 0.
pub(super) async fn games(State(server): State<Arc<Server>>, Path(run): Path<String>, query: RawQuery) -> Response {
    answer(move || {
        let [from, count] = ["from", "count"].map(|key| number(query.0.as_deref(), key));
        Ok(list(&named(&server, Some(&run))?, from?.unwrap_or(0), count?.unwrap_or(100).min(MOST_LISTED))?)
    })
    .await
}

/// `/api/runs/RUN/games/N`: the game of that number, with the moves from where it began.
pub(super) async fn game(State(server): State<Arc<Server>>, Path((run, number)): Path<(String, u64)>) -> Response {
    answer(move || find(&named(&server, Some(&run))?, number)).await
}

impl From<JournalError> for Refusal {
    fn from(error: JournalError) -> Refusal {
        failed(&error)
    }
}

fn list(folder: &FilePath, from: u64, count: u64) -> Result<Value, JournalError> {
    let (mut total, mut games) = (0, Vec::new());
    // A tuning and a run that has not begun have no games; what is wrong with a journal, the socket says.
    for archive in journal_dirs(folder).iter().flat_map(|dir| Archive::read(dir)) {
        for number in archive.numbers() {
            total += 1;
            if total > from && (games.len() as u64) < count {
                games.extend(archive.game(number)?.map(|game| listed(&archive.header, &game.record)));
            }
        }
    }
    Ok(json!({"total": total, "from": from, "games": games}))
}

fn find(folder: &FilePath, number: u64) -> Result<Value, Refusal> {
    for dir in journal_dirs(folder) {
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
