//! `/ws/engine`: the lines between a page and its engine.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{RawQuery, State};
use axum::response::Response;
use reynard_engine::session::OptionKind;
use reynard_engine::session::registry;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::timeout;

use super::engine::{Engine, MAX_INPUT_BYTES, Origin, Wanted};
use super::transcript::{News, PageNumber, Transcript};
use super::{Refusal, Server, number, parameter};

/// The commands that a page may send: no other dialect, which would have its own way to set options.
const COMMANDS: &str = "ugi uci isready uginewgame setoption position go stop ponderhit query quit";
/// This program among the programs.
const OURSELVES: usize = 0;
const MAX_ID_BYTES: usize = 100;
/// The size of the buffer for reads; lines of pages are short.
const BUFFER_BYTES: usize = 1 << 13;
/// The time that a page may take to read why it is left.
const GOODBYE: Duration = Duration::from_secs(5);

/// The request in an address.
struct Request {
    wanted: Wanted,
    /// Lines of the engine that the page has received, if it counts them.
    received: Option<u64>,
}

pub(super) async fn open(
    State(server): State<Arc<Server>>,
    RawQuery(query): RawQuery,
    socket: WebSocketUpgrade,
) -> Response {
    let request = Request::read(query.as_deref());
    let socket = socket.max_message_size(MAX_INPUT_BYTES).read_buffer_size(BUFFER_BYTES).write_buffer_size(0);
    socket.on_upgrade(|socket| async move {
        let mut page = Page(socket);
        match find(&server, request).await {
            Ok((engine, origin, received)) => converse(&mut page, &engine, origin, received).await,
            Err(reason) => page.close(json!({"server": "refused", "reason": reason})).await,
        }
    })
}

impl Request {
    fn read(query: Option<&str>) -> Result<Request, String> {
        let id = parameter(query, "id").unwrap_or_default();
        if id.is_empty() || id.len() > MAX_ID_BYTES {
            return Err(format!("an engine has an id of 1 to {MAX_ID_BYTES} letters"));
        }
        let number = |key| number(query, key).map_err(|Refusal(_, reason)| reason);
        let program = number("engine")?.unwrap_or(0) as usize;
        let ruleset = parameter(query, "ruleset").map(str::to_owned);
        Ok(Request { wanted: Wanted { id: id.to_owned(), program, ruleset }, received: number("received")? })
    }
}

async fn find(server: &Server, request: Result<Request, String>) -> Result<(Arc<Engine>, Origin, Option<u64>), String> {
    let Request { wanted, received } = request?;
    let programs = &server.settings.programs;
    let program = programs.get(wanted.program).ok_or_else(|| format!("engine is 0 to {}", programs.len() - 1))?;
    let first_lines = first_lines(server, &wanted)?;
    let (engine, origin) = server.engines.get(wanted, program, first_lines).await?;
    Ok((engine, origin, received))
}

/// The lines that an engine gets before those of its page: what lies in files, which pages cannot name.
fn first_lines(server: &Server, wanted: &Wanted) -> Result<Vec<String>, String> {
    let mut options = Vec::new();
    if let Some(id) = &wanted.ruleset {
        let file = server.rulesets.file(id)?;
        options.push(("RulesFile", file));
    }
    if wanted.program == OURSELVES {
        options.push(("TablePath", server.settings.tables.clone()));
    } else if wanted.ruleset.is_some() {
        return Err("only engine 0 plays rulesets of your own".to_owned());
    }
    Ok(options.into_iter().map(|(name, path)| format!("setoption name {name} value {}", path.display())).collect())
}

async fn converse(page: &mut Page, engine: &Engine, origin: Origin, received: Option<u64>) {
    let mut number = 0;
    engine.transcript.send_modify(|transcript| number = transcript.attach(received));
    let greeting = match origin {
        Origin::Started => "started",
        Origin::Resumed => "resumed",
    };
    let mut changes = engine.transcript.subscribe();
    tokio::select! {
        () = relay(page, engine, number, greeting) => {}
        // A page that was replaced may be one that does not read any more, and is not waited for.
        _ = changes.wait_for(|transcript| !transcript.is_page(number)) => {}
    }
    let is_replaced = !engine.transcript.borrow().is_page(number);
    if is_replaced {
        page.close(json!({"server": "replaced"})).await;
    }
    engine.transcript.send_modify(|transcript| transcript.detach(number));
}

/// Passes lines until the page or the engine goes away.
async fn relay(page: &mut Page, engine: &Engine, number: PageNumber, greeting: &str) {
    let mut changes = engine.transcript.subscribe();
    let mut waiting = VecDeque::new();
    if !page.send_json(json!({"server": greeting})).await {
        return;
    }
    loop {
        tokio::select! {
            frame = page.0.recv(), if waiting.is_empty() => match frame {
                Some(Ok(Message::Text(text))) => waiting.extend(allowed(engine, &text)),
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => {}
            },
            // A page waits for an engine that does not read.
            room = engine.input.reserve(), if !waiting.is_empty() => match (room, waiting.pop_front()) {
                (Ok(room), Some(line)) => room.send(line),
                // It has ended, as its transcript tells.
                _ => waiting.clear(),
            },
            news = next(&mut changes, number) => match news {
                News::Line(line) => {
                    if !page.send(line).await {
                        return;
                    }
                    engine.transcript.send_modify(|transcript| transcript.count_sent(number));
                }
                News::Replaced => return,
                News::Ended(reason) => return page.close(json!({"server": "ended", "reason": reason})).await,
            },
        }
    }
}

/// The lines of a frame that may go on; the page gets an error in place of each other one.
fn allowed(engine: &Engine, frame: &str) -> Vec<String> {
    let tell = |reason| engine.transcript.send_modify(|all| all.push(format!("info string error {reason}")));
    let lines = frame.split(['\n', '\r']).filter(|line| !line.trim().is_empty());
    lines.filter_map(|line| check(line).map_err(tell).ok()).collect()
}

/// A line, unless it would give an engine a path: those come from the command line alone.
///
/// # Errors
/// What is wrong with it.
fn check(line: &str) -> Result<String, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (command, rest) = words.split_first().map_or(("", &[][..]), |(command, rest)| (*command, rest));
    if !COMMANDS.split(' ').any(|known| known == command) {
        return Err(format!("{command}: a page may send {COMMANDS}"));
    }
    if command == "setoption" {
        let name = rest.iter().skip(1).take_while(|word| !word.eq_ignore_ascii_case("value"));
        let name = name.copied().collect::<Vec<_>>().join(" ");
        // Any text may be taken for a path, and nobody knows what options of other engines mean.
        match registry::default_options().spec(&name) {
            Ok(spec) if spec.kind != OptionKind::Text => {}
            Ok(_) => return Err(format!("{name}: pages may not choose files; post a ruleset instead")),
            Err(error) => return Err(error.to_string()),
        }
    }
    Ok(words.join(" "))
}

async fn next(changes: &mut watch::Receiver<Transcript>, number: PageNumber) -> News {
    let news = changes.wait_for(|transcript| transcript.next(number).is_some()).await;
    // The sender belongs to the engine, which the caller holds.
    news.ok().and_then(|transcript| transcript.next(number)).unwrap_or(News::Replaced)
}

/// A page at the other end of a WebSocket.
struct Page(WebSocket);

impl Page {
    /// Sends a line; false where the page is gone.
    async fn send(&mut self, line: String) -> bool {
        self.0.send(Message::Text(line.into())).await.is_ok()
    }

    /// Sends a message of the server itself.
    async fn send_json(&mut self, what: Value) -> bool {
        self.send(what.to_string()).await
    }

    /// Says goodbye, as far as the page still listens.
    async fn close(&mut self, what: Value) {
        let goodbye = async {
            if self.send_json(what).await && self.0.send(Message::Close(None)).await.is_ok() {
                // A connection that is closed while the page still sends loses what the page has not read.
                while let Some(Ok(_)) = self.0.recv().await {}
            }
        };
        let _ = timeout(GOODBYE, goodbye).await;
    }
}
