//! Engines behind WebSockets: they follow their pages and leave nothing behind.

use std::fs;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use serde_json::json;

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
    let mut socket = board.socket("/ws/engine?engine=0");
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
fn an_engine_ends_with_its_page_and_not_before() {
    let board = Board::start(&[]);
    let mut seen = board.socket("/ws/engine");
    assert_eq!(seen.json(), json!({"server": "started"}));
    let mut socket = board.socket("/ws/engine");
    socket.send("go infinite");
    socket.until("info");
    let both = children(board.id());
    assert_eq!(both.len(), 2);
    drop(socket);
    eventually("the engine has ended", || children(board.id()).len() < 2);
    assert!(both.starts_with(&children(board.id())) && !children(board.id()).is_empty());
    seen.send("isready");
    assert_eq!(seen.line().as_deref(), Some("readyok"));
}

#[test]
fn engines_are_limited_and_those_of_a_page_that_is_loaded_anew_make_room() {
    let board = Board::start(&["--max-engines", "2"]);
    let mut sockets = [(); 2].map(|()| board.socket("/ws/engine"));
    sockets.iter_mut().for_each(|socket| assert_eq!(socket.json(), json!({"server": "started"})));
    let mut third = board.socket("/ws/engine");
    let reason = "2 engines are running, and more are not allowed: close another game";
    assert_eq!(third.json(), json!({"server": "refused", "reason": reason}));
    drop(sockets);
    eventually("an engine whose page has gone makes room", || board.socket("/ws/engine").json()["server"] == "started");
    assert_eq!(board.get("/api/about").json()["limits"]["engines"], 2);
}

#[test]
fn requests_that_make_no_sense_are_refused_in_words() {
    let board = Board::start(&[]);
    for (query, reason) in [("?engine=1", "engine is 0 to 0"), ("?engine=x", "engine is no number: x")] {
        let mut socket = board.socket(&format!("/ws/engine{query}"));
        assert_eq!(socket.json(), json!({"server": "refused", "reason": reason}));
    }
    assert!(children(board.id()).is_empty());
}

#[test]
fn no_engine_outlives_the_server() {
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGKILL] {
        let mut board = Board::start(&[]);
        let mut sockets = [(); 3].map(|()| board.socket("/ws/engine"));
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
