//! `/api/watch`, `/ws/watch`: a tournament or a tuning, running or finished, and the games of its journal.

mod archive;
mod follower;

use std::sync::Arc;
use std::time::Duration;

pub(super) use archive::{game, games};
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use follower::Follower;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::Server;
use super::reply::{json_reply, refusal};

/// Between two looks at the folder.
const INTERVAL: Duration = Duration::from_millis(200);

/// What is known of a run, each part made anew only when it has changed.
#[derive(Clone, Default)]
pub(super) struct Seen {
    /// What is played, and by whom; null where nothing has begun.
    run: Arc<Value>,
    /// Standings and all that changes with the end of a game.
    state: Arc<Value>,
    /// Games under way.
    live: Arc<Value>,
}

impl Seen {
    fn parts(&self) -> [(&'static str, &Arc<Value>); 3] {
        [("run", &self.run), ("state", &self.state), ("live", &self.live)]
    }

    /// The parts that are known and not those of `older`.
    fn news<'a>(&'a self, older: &'a Seen) -> impl Iterator<Item = (&'static str, &'a Arc<Value>)> {
        let both = self.parts().into_iter().zip(older.parts());
        both.filter(|((_, new), (_, old))| !Arc::ptr_eq(new, old) && !new.is_null()).map(|(new, _)| new)
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
            let has_changed = now.news(seen).next().is_some();
            *seen = now;
            has_changed
        });
        sleep(INTERVAL).await;
    }
}

fn nothing_to_watch() -> Response {
    refusal(StatusCode::NOT_FOUND, "nothing is watched: start the board with --watch DIR")
}

pub(super) async fn watch(State(server): State<Arc<Server>>) -> Response {
    if server.settings.watch.is_none() {
        return nothing_to_watch();
    }
    let seen = server.seen.borrow().clone();
    json_reply(&json!({"run": *seen.run, "state": *seen.state, "live": *seen.live}))
}

pub(super) async fn open(State(server): State<Arc<Server>>, socket: WebSocketUpgrade) -> Response {
    if server.settings.watch.is_none() {
        return nothing_to_watch();
    }
    let seen = server.seen.subscribe();
    socket.on_upgrade(|socket| async move { tell(socket, seen).await })
}

/// Sends each part at first and whenever it has changed; a slow page misses what was outdated meanwhile.
async fn tell(mut page: WebSocket, mut seen: watch::Receiver<Seen>) {
    let mut told = Seen::default();
    seen.mark_changed();
    loop {
        tokio::select! {
            message = page.recv() => if !matches!(message, Some(Ok(_))) { return },
            changed = seen.changed() => {
                if changed.is_err() {
                    return;
                }
                let now = seen.borrow_and_update().clone();
                for (name, part) in now.news(&told) {
                    let frame = json!({"watch": name, name: **part}).to_string();
                    if page.send(Message::Text(frame.into())).await.is_err() {
                        return;
                    }
                }
                told = now;
            }
        }
    }
}

/// A number in the query of an address; `default` without one.
fn number(query: &RawQuery, key: &str, default: u64) -> Result<u64, String> {
    match super::reply::parameter(query.0.as_deref(), key) {
        Some(text) => text.parse().map_err(|_| format!("{key} is no number: {text}")),
        None => Ok(default),
    }
}
