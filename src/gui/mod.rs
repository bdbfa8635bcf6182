//! The board in the browser: one local web page, a client of the text protocol.
//!
//! The server passes lines between the page and one engine process for each seat of an engine, and tells all that a page
//! shows of a position from sessions of its own; all else it does is folders: rulesets, tables, journals. README.md here has the endpoints, the security and the marks that tests hold on to.
//!
//! ```text
//! page <-- HTTP ---------> door (who may come in) -> assets, look, games, rulesets, ...
//!      <-- WebSocket ----> engine_socket <-> engine process
//! ```

mod assets;
mod door;
mod engine;
mod engine_socket;
mod look;
mod rulesets;
mod tables;
mod watch;

use std::collections::HashMap;
use std::error::Error;
use std::future::Future;
use std::io;
use std::net::{self, Ipv4Addr};
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};
use std::thread;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::serve::ListenerExt;
use axum::{Router, middleware};
pub(crate) use door::Token;
pub(crate) use engine::{Limits, Program};
use reynard_engine::session::{OptionKind, OptionSpec, Options, Session, registry};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::watch::Sender;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use self::assets::Stored;
use self::door::Door;
use self::engine::Engines;
use self::look::Rules;
use self::rulesets::Rulesets;

/// The default port, always the same: the page keeps its games under this address.
pub(crate) const DEFAULT_PORT: u16 = 8415;
/// The largest body that a page may post.
const MAX_BODY_BYTES: usize = 1 << 20;
/// The largest text of games.
const MAX_GAMES_BYTES: usize = 1 << 24;
/// A page gets changes no more often.
const BETWEEN_CHANGES: Duration = Duration::from_millis(200);

/// The programs and folders that a server may use, and how much of them.
pub(crate) struct Settings {
    /// The engines that a page may start, this program first.
    pub programs: Vec<Program>,
    /// The limits of their processes.
    pub limits: Limits,
    /// The folder of tables of perfect play.
    pub tables: PathBuf,
    /// The folder of the run to look at, and of those that pages start.
    pub watch: PathBuf,
}

/// The state from which requests are answered.
struct Server {
    settings: Settings,
    engines: Engines,
    rulesets: Rulesets,
    /// Sessions that wait for the next look at a game of theirs: rules take a moment to be compiled.
    sessions: Mutex<HashMap<Rules, Box<dyn Session>>>,
    /// The texts of the page by their names, and the games.
    assets: Mutex<HashMap<String, Arc<Stored>>>,
    games: OnceLock<Stored>,
    followers: watch::Followers,
    /// The last run that a page has started.
    child: Sender<watch::child::ChildState>,
    /// Whether a page wants the end of the run that one has started.
    stop_run: Sender<bool>,
    builds: tables::Builds,
}

impl Server {
    fn new(settings: Settings, rulesets: Rulesets) -> Server {
        let engines = Engines::new(settings.limits);
        let (sessions, assets, games, followers, child, stop_run, builds) = Default::default();
        Server { settings, engines, rulesets, sessions, assets, games, followers, child, stop_run, builds }
    }
}

/// Listens at a port, on this machine only.
///
/// # Errors
/// The port is taken, or may not be used.
pub(crate) fn listen(port: u16) -> io::Result<net::TcpListener> {
    let listener = net::TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// Serves the board until `end` is done; no engine is left then. `once` lets one browser in, `token` any.
///
/// # Errors
/// The system refuses what a server needs.
pub(crate) fn serve(
    listener: net::TcpListener,
    [token, once]: [Token; 2],
    settings: Settings,
    end: impl Future<Output = ()>,
) -> io::Result<()> {
    let port = listener.local_addr()?.port();
    // One thread for all: engines that are to end with the server end with the thread that started them.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let posted = rulesets::private_folder()?;
    let served = runtime.block_on(async {
        let listener = TcpListener::from_std(listener)?;
        // Lines are short and waited for.
        let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
        let server = Arc::new(Server::new(settings, Rulesets::new(posted.path().to_owned())));
        // The first page asks for them soon.
        let early = Arc::clone(&server);
        spawn_blocking(move || {
            rulesets::all_games(&early);
        });
        let answers = router(Arc::clone(&server), Arc::new(Door::new(port, token, once)));
        let served = tokio::select! {
            served = async { axum::serve(listener, answers).await } => served,
            () = end => Ok(()),
        };
        server.engines.end_all().await;
        watch::child::end(&server).await;
        served
    });
    // Nobody waits for what is read from files, nor for a build: what it has not finished is thrown away by the next.
    runtime.shutdown_background();
    served
}

fn router(server: Arc<Server>, door: Arc<Door>) -> Router {
    let index = |server, asked| assets::asset(server, Path("index.html".to_owned()), asked);
    Router::new()
        .route("/", get(index))
        .route("/assets/{name}", get(assets::asset))
        .route("/api/about", get(about))
        .route("/api/games", get(rulesets::games))
        .route("/api/ruleset", post(rulesets::post))
        .route("/api/look", post(look::look))
        .route("/api/pgn", post(rulesets::read_games).layer(DefaultBodyLimit::max(MAX_GAMES_BYTES)))
        .route("/api/parameters", get(|| async { json_reply(&json!(registry::PARAMETERS)) }))
        .route("/api/run", post(watch::child::start))
        .route("/api/learn", post(watch::child::learn))
        .route("/api/runs", get(watch::list_runs))
        .route("/api/runs/{run}/{file}", get(watch::file))
        .route("/api/runs/{run}/games", get(watch::games))
        .route("/api/runs/{run}/games/{number}", get(watch::game))
        .route("/api/run/stop", post(watch::child::stop))
        .route("/api/run/resume", post(watch::child::resume))
        .route("/api/tables", get(tables::list))
        .route("/api/tables/build", post(tables::build))
        .route("/api/tables/stop", post(tables::stop))
        .route("/api/atlas/{name}", get(tables::atlas))
        .route("/ws/watch", get(watch::open))
        .route("/ws/watch/{run}", get(watch::open))
        .route("/ws/tables", get(tables::open))
        .route("/ws/engine", get(engine_socket::open))
        .fallback(no_such_page)
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .layer(middleware::from_fn_with_state(door, door::guard))
        .with_state(server)
}

async fn about(State(server): State<Arc<Server>>) -> Response {
    let settings = &server.settings;
    json_reply(&json!({
        "version": env!("CARGO_PKG_VERSION"),
        "engines": settings.programs.iter().map(|program| json!({"name": program.name})).collect::<Value>(),
        "final_match": crate::tune::FINAL_MATCH,
        "learned": watch::child::learned(&settings.watch).keys().collect::<Vec<_>>(),
        "limits": {"engines": settings.limits.engines, "engine_memory_mib": settings.limits.memory_mib},
    }))
}

/// A JSON reply that nobody keeps.
fn json_reply(value: &Value) -> Response {
    ([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")], value.to_string())
        .into_response()
}

/// What a page has sent, as JSON.
fn read<T: DeserializeOwned>(text: &str) -> Result<T, Refusal> {
    serde_json::from_str(text).map_err(|error| Refusal(StatusCode::BAD_REQUEST, error.to_string()))
}

/// Why a request is not answered.
struct Refusal(StatusCode, String);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.0, json_reply(&json!({"ok": false, "error": self.1}))).into_response()
    }
}

/// The options of this program's engines, as they are at first.
static OPTIONS: LazyLock<Options> = LazyLock::new(registry::default_options);

/// An option that a page may set. Any text may be taken for a path, and nobody knows what options of other engines mean.
fn settable(name: &str) -> Result<&'static OptionSpec, String> {
    match OPTIONS.spec(name) {
        Ok(spec) if spec.kind != OptionKind::Text => Ok(spec),
        Ok(_) => Err(format!("{name}: pages may not choose files; post a ruleset instead")),
        Err(error) => Err(error.to_string()),
    }
}

/// People go on using the machine.
fn half_the_processors() -> usize {
    thread::available_parallelism().map_or(1, |count| count.get() / 2).max(1)
}

/// Work that takes a moment, beside the server's thread, so that other pages go on meanwhile.
async fn beside<T: Send + 'static>(work: impl FnOnce() -> Result<T, Refusal> + Send + 'static) -> Result<T, Refusal> {
    spawn_blocking(work).await.unwrap_or_else(|error| Err(failed(&error)))
}

/// What such work has found.
async fn answer(work: impl FnOnce() -> Result<Value, Refusal> + Send + 'static) -> Response {
    beside(work).await.map_or_else(IntoResponse::into_response, |found| json_reply(&found))
}

/// A failure that is no fault of the page.
fn failed(error: &dyn Error) -> Refusal {
    Refusal(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
}

async fn no_such_page() -> Response {
    Refusal(StatusCode::NOT_FOUND, "there is no such page".to_owned()).into_response()
}

/// The value of a key in a query of an address; values of this server need no escapes.
fn parameter<'a>(query: Option<&'a str>, key: &str) -> Option<&'a str> {
    query?.split('&').find_map(|pair| pair.split_once('=').filter(|(name, _)| *name == key).map(|(_, value)| value))
}

/// A number in the query of an address, if it has one.
fn number(query: Option<&str>, key: &str) -> Result<Option<u64>, Refusal> {
    let refuse = |text| Refusal(StatusCode::BAD_REQUEST, format!("{key} is no number: {text}"));
    parameter(query, key).map(|text| text.parse().map_err(|_| refuse(text))).transpose()
}

/// Sends each of the frames, at first and whenever it has changed, until the page goes away. A slow page misses what was
/// outdated meanwhile.
async fn send_changes<const N: usize>(mut page: WebSocket, mut frames: impl FnMut() -> [Value; N] + Send + 'static) {
    let mut sent = [const { Value::Null }; N];
    loop {
        let Ok((now, back)) = spawn_blocking(move || (frames(), frames)).await else { return };
        for (frame, _) in now.iter().zip(&sent).filter(|(frame, sent)| frame != sent) {
            if page.send(Message::Text(frame.to_string().into())).await.is_err() {
                return;
            }
        }
        (sent, frames) = (now, back);
        tokio::select! {
            message = page.recv() => if !matches!(message, Some(Ok(_))) { return },
            () = sleep(BETWEEN_CHANGES) => {}
        }
    }
}
