//! Engines behind WebSockets: they follow their pages and leave nothing behind.

use std::fs;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use serde_json::json;
use tempfile::TempDir;

use super::board::Board;

/// Children of a process that have not been waited for.
pub fn children(id: u32) -> Vec<u32> {
    let text = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
    text.split_whitespace().map(|word| word.parse().expect("a number")).collect()
}

/// Waits until it is so.
pub fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(120), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_game_is_played_through_a_socket() {
    let board = Board::start(&[]);
    let mut socket = board.socket("/ws/engine?id=play&engine=0");
    assert_eq!(socket.json(), json!({"server": "started"}));
    socket.send("ugi");
    assert_eq!(socket.until("ugiok"), "ugiok");
    socket.send("setoption name UCI_Variant value bell-13\nposition startpos moves @d4");
    socket.send("query turn");
    assert_eq!(socket.until("response"), "response p2");
    socket.send("go nodes 2000");
    assert!(socket.until("bestmove").len() > "bestmove ".len());
    socket.send("quit");
    assert_eq!(socket.json(), json!({"server": "ended", "reason": "it exited with status 0"}));
    assert_eq!(socket.line(), None);
    eventually("the engine is waited for", || children(board.id()).is_empty());
}

#[test]
fn a_page_that_comes_back_finds_its_engine_and_what_it_has_missed() {
    let folder = TempDir::new().expect("a folder");
    let (engine, answered) = (folder.path().join("my engine"), folder.path().join("answered"));
    let script = format!(
        "'{}' | while read -r line; do echo \"$line\"; case $line in bestmove*) : >'{}';; esac; done",
        env!("CARGO_BIN_EXE_reynard"),
        answered.display()
    );
    fs::write(&engine, script).expect("a script");
    let board = Board::start(&["--engine", &format!("sh '{}'", engine.display())]);
    let mut socket = board.socket("/ws/engine?id=game&engine=1");
    socket.send("ugi");
    socket.until("ugiok");
    socket.send("position startpos moves b3b4");
    socket.send("go movetime 300");
    drop(socket);
    eventually("the engine answers while no page is there", || answered.exists());
    let mut socket = board.socket("/ws/engine?id=game&engine=1");
    assert_eq!(socket.json(), json!({"server": "resumed"}));
    socket.until("bestmove");
    // Another name, another engine.
    assert_eq!(board.socket("/ws/engine?id=other").json(), json!({"server": "started"}));
    socket.send("query turn");
    assert_eq!(socket.until("response"), "response p2");
    drop(socket);
    // A page that counts its lines gets those again that were lost on the way.
    let mut socket = board.socket("/ws/engine?id=game&engine=1&received=0");
    assert_eq!(socket.json(), json!({"server": "resumed"}));
    assert!(socket.line().expect("a line").starts_with("id name reynard"));
    socket.until("bestmove");
}

#[test]
fn the_page_that_comes_last_has_the_engine() {
    let board = Board::start(&[]);
    let mut first = board.socket("/ws/engine?id=game");
    assert_eq!(first.json(), json!({"server": "started"}));
    let mut second = board.socket("/ws/engine?id=game");
    assert_eq!(second.json(), json!({"server": "resumed"}));
    assert_eq!((first.json(), first.line()), (json!({"server": "replaced"}), None));
    second.send("isready");
    assert_eq!(second.line().as_deref(), Some("readyok"));
}

#[test]
fn an_engine_without_a_page_ends_after_the_grace() {
    let board = Board::start(&["--grace", "1"]);
    let mut seen = board.socket("/ws/engine?id=seen");
    assert_eq!(seen.json(), json!({"server": "started"}));
    let mut socket = board.socket("/ws/engine?id=game");
    socket.send("go infinite");
    socket.until("info");
    let both = children(board.id());
    assert_eq!(both.len(), 2);
    drop(socket);
    eventually("the engine has ended", || children(board.id()).len() < 2);
    // One with a page lives on, however long ago it began.
    assert!(both.starts_with(&children(board.id())) && !children(board.id()).is_empty());
    seen.send("isready");
    assert_eq!(seen.line().as_deref(), Some("readyok"));
    assert_eq!(board.socket("/ws/engine?id=game").json(), json!({"server": "started"}));
}

#[test]
fn engines_are_limited_and_forsaken_ones_make_room() {
    let board = Board::start(&["--max-engines", "2"]);
    let mut sockets = ["a", "b"].map(|id| board.socket(&format!("/ws/engine?id={id}")));
    sockets.iter_mut().for_each(|socket| assert_eq!(socket.json(), json!({"server": "started"})));
    let mut third = board.socket("/ws/engine?id=c");
    let reason = "2 engines are running, and more are not allowed: close another game";
    assert_eq!(third.json(), json!({"server": "refused", "reason": reason}));
    drop(sockets);
    eventually("a forsaken engine makes room", || board.socket("/ws/engine?id=c").json()["server"] == "started");
    assert_eq!(board.get("/api/about").json()["limits"]["engines"], 2);
}

#[test]
fn requests_that_make_no_sense_are_refused_in_words() {
    let board = Board::start(&[]);
    let long = "a".repeat(101);
    for (query, reason) in [
        ("", "an engine has an id of 1 to 100 letters"),
        (&*format!("?id={long}"), "an engine has an id of 1 to 100 letters"),
        ("?id=a&engine=1", "engine is 0 to 0"),
        ("?id=a&engine=x", "engine is no number: x"),
    ] {
        let mut socket = board.socket(&format!("/ws/engine{query}"));
        assert_eq!(socket.json(), json!({"server": "refused", "reason": reason}));
    }
    assert!(children(board.id()).is_empty());
}

#[test]
fn no_engine_outlives_the_server() {
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGKILL] {
        let mut board = Board::start(&[]);
        let mut sockets = ["a", "b", "c"].map(|id| board.socket(&format!("/ws/engine?id={id}")));
        for socket in &mut sockets {
            socket.send("go infinite");
            socket.until("info");
        }
        let engines = children(board.id());
        assert_eq!(engines.len(), 3);
        let status = board.end(signal);
        assert_eq!(status, (signal != Signal::SIGKILL).then_some(0));
        let is_gone =
            |id: &u32| fs::read_to_string(format!("/proc/{id}/stat")).map_or(true, |stat| stat.contains(") Z "));
        eventually(&format!("all is over after {signal}"), || engines.iter().all(is_gone));
    }
}
