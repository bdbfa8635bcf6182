//! `/ws/engine`: the lines between a page and its engine.

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{RawQuery, State};
use axum::response::Response;
use reynard_engine::session::registry::RulesetSource;
use serde_json::{Value, json};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::timeout;

use super::engine::Engine;
use super::watch::child::{hunt, learned};
use super::{OPTIONS, Refusal, Server, beside, number, parameter, settable};

/// The commands that a page may send: no other dialect, which would have its own way to set options.
const COMMANDS: &str = "ugi uci isready uginewgame setoption position go stop ponderhit query quit";
/// This program among the programs.
const OURSELVES: usize = 0;
/// The longest line that a page may send.
const MAX_INPUT_BYTES: usize = 1 << 18;
/// The most lines that wait for an engine to read them, or for its page; who has more waits itself.
const MAX_LINES: usize = 16;
/// The size of the buffer for reads; lines of pages are short.
const BUFFER_BYTES: usize = 1 << 13;
/// The time that a page may take to read why it is left.
const GOODBYE: Duration = Duration::from_secs(5);

pub(super) async fn open(State(server): State<Arc<Server>>, query: RawQuery, socket: WebSocketUpgrade) -> Response {
    let socket = socket.max_message_size(MAX_INPUT_BYTES).read_buffer_size(BUFFER_BYTES).write_buffer_size(0);
    socket.on_upgrade(move |socket| async move {
        let mut page = Page(socket);
        match start(&server, query.0.as_deref()).await {
            Ok((engine, first_lines, learned)) => converse(&mut page, engine, first_lines, &learned).await,
            Err(reason) => page.close(json!({"server": "refused", "reason": reason})).await,
        }
    })
}

/// The weights that were learned here, by the names of their games, or by the fingerprints of rulesets of one's own.
type Learned = HashMap<String, PathBuf>;

/// The engine that an address asks for, and what lies in files, which pages cannot name: the lines that it gets before
/// those of its page, and the weights that it takes for games of the catalog.
async fn start(server: &Server, query: Option<&str>) -> Result<(Engine, Vec<String>, Learned), String> {
    let programs = &server.settings.programs;
    let index = number(query, "engine").map_err(|Refusal(_, reason)| reason)?.unwrap_or(0) as usize;
    let program = programs.get(index).ok_or_else(|| format!("engine is 0 to {}", programs.len() - 1))?;
    let mut options = Vec::new();
    let weights = if index == OURSELVES { learned(&server.settings.watch) } else { Learned::new() };
    if let Some(id) = parameter(query, "ruleset") {
        if index != OURSELVES {
            return Err("only engine 0 plays rulesets of your own".to_owned());
        }
        let file = server.rulesets.file(id)?;
        options.push(("RulesFile", file.clone()));
        if !weights.is_empty() {
            let known = beside(move || hunt(RulesetSource::File(file))).await.ok();
            let found = known.and_then(|[_, fingerprint]| weights.get(&fingerprint));
            options.extend(found.map(|weights| ("EvalFile", weights.clone())));
        }
    }
    if index == OURSELVES {
        options.push(("TablePath", server.settings.tables.clone()));
    }
    let lines = options.into_iter().map(|(name, path)| format!("setoption name {name} value {}", path.display()));
    Ok((server.engines.start(program).await?, lines.collect(), weights))
}

async fn converse(page: &mut Page, engine: Engine, first_lines: Vec<String>, learned: &Learned) {
    let ((input, lines), (printed, output)) = (channel(MAX_LINES), channel(MAX_LINES));
    // Each ends when the other does: an engine without a page, and a page when it has read all that its engine said.
    let (reason, ()) =
        tokio::join!(engine.run(lines, printed), relay(page, first_lines.into(), learned, input, output));
    page.close(json!({"server": "ended", "reason": reason})).await;
}

/// Passes lines until the page or the engine goes away.
async fn relay(
    page: &mut Page,
    mut waiting: VecDeque<String>,
    learned: &Learned,
    input: Sender<String>,
    mut output: Receiver<String>,
) {
    if !page.send(json!({"server": "started"}).to_string()).await {
        return;
    }
    loop {
        tokio::select! {
            frame = page.0.recv(), if waiting.is_empty() => match frame {
                Some(Ok(Message::Text(text))) => {
                    for line in text.split(['\n', '\r']).filter(|line| !line.trim().is_empty()) {
                        match lines(line, learned) {
                            Ok(lines) => waiting.extend(lines),
                            Err(reason) => drop(page.send(format!("info string error {reason}")).await),
                        }
                    }
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => {}
            },
            // A page waits for an engine that does not read.
            room = input.reserve(), if !waiting.is_empty() => match (room, waiting.pop_front()) {
                (Ok(room), Some(line)) => room.send(line),
                // It has ended.
                _ => waiting.clear(),
            },
            line = output.recv() => {
                let Some(line) = line else { return };
                if !page.send(line).await {
                    return;
                }
            }
        }
    }
}

/// The line of a page, unless it would give an engine a path: those come from the command line alone. Behind the name of a
/// game come its weights: those that were learned here, else the engine's own.
///
/// # Errors
/// What is wrong with it.
fn lines(line: &str, learned: &Learned) -> Result<Vec<String>, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (command, rest) = words.split_first().map_or(("", &[][..]), |(command, rest)| (*command, rest));
    if !COMMANDS.split(' ').any(|known| known == command) {
        return Err(format!("{command}: a page may send {COMMANDS}"));
    }
    let mut lines = vec![words.join(" ")];
    if command == "setoption" {
        let mut parts = rest.splitn(2, |word| word.eq_ignore_ascii_case("value"));
        let [name, value] = [(); 2].map(|()| parts.next().unwrap_or_default());
        let spec = settable(&name.get(1..).unwrap_or_default().join(" "))?;
        if spec.name == "UCI_Variant" && !learned.is_empty() {
            let found = learned.iter().find(|(game, _)| game.eq_ignore_ascii_case(&value.join(" ")));
            let file = found.map_or_else(|| OPTIONS.value("EvalFile").into(), |(_, path)| path.to_string_lossy());
            lines.push(format!("setoption name EvalFile value {file}"));
        }
    }
    Ok(lines)
}

/// A page at the other end of a WebSocket.
struct Page(WebSocket);

impl Page {
    /// Sends a line; false where the page is gone.
    async fn send(&mut self, line: String) -> bool {
        self.0.send(Message::Text(line.into())).await.is_ok()
    }

    /// Says goodbye, as far as the page still listens.
    async fn close(&mut self, what: Value) {
        let goodbye = async {
            if self.send(what.to_string()).await && self.0.send(Message::Close(None)).await.is_ok() {
                // A connection that is closed while the page still sends loses what the page has not read.
                while let Some(Ok(_)) = self.0.recv().await {}
            }
        };
        let _ = timeout(GOODBYE, goodbye).await;
    }
}
