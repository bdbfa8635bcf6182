//! Engines of others at the board, good and bad.

use std::fs;

use serde_json::json;
use tempfile::TempDir;

use super::board::{Board, Socket};
use super::engines::{children, eventually};

/// A board with an engine that behaves like this.
fn board(mode: &str) -> (Board, Socket) {
    let engine = format!("{}/tests/engines/bad_engine.sh {mode}", env!("CARGO_MANIFEST_DIR"));
    let board = Board::start(&["--engine", &engine]);
    let mut socket = board.socket("/ws/engine?engine=1");
    assert_eq!(socket.json(), json!({"server": "started"}));
    (board, socket)
}

/// The most that a process has ever held.
fn peak_kib(id: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{id}/status")).expect("procfs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a size");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

#[test]
fn an_engine_of_somebody_else_sits_at_the_board() {
    let (board, mut socket) = board("good --moves a3a4,b3b4");
    let engines = board.get("/api/about").json()["engines"].clone();
    assert_eq!((&engines[0]["name"], &engines[1]["name"]), (&json!("reynard"), &json!("bad_engine")));
    socket.send("ugi");
    socket.until("ugiok");
    socket.send("position startpos");
    socket.send("go nodes 5");
    assert_eq!(socket.until("bestmove"), "bestmove a3a4");
    // Only this program is known to play rulesets that the page has posted.
    let id = board.post("/api/ruleset", r#"{"name": "own", "extends": "masters-15"}"#).json()["id"].clone();
    let mut own = board.socket(&format!("/ws/engine?engine=1&ruleset={}", id.as_str().expect("an id")));
    assert_eq!(own.json(), json!({"server": "refused", "reason": "only engine 0 plays rulesets of your own"}));
    let missing = Board::start(&[]).socket("/ws/engine?engine=1").json();
    assert_eq!(missing["server"], "refused");
}

#[test]
fn an_engine_that_fails_is_ended_with_the_reason() {
    for (mode, reason) in [
        ("dies-at-start", "it exited with status 4"),
        ("dies-on-go", "it exited with status 3"),
        ("killed-on-go", "it was killed by SIGSEGV"),
        ("dies-with-child", "it exited with status 3"),
        ("closes-output", "it was killed by SIGKILL"),
        ("huge-line", "it printed a line of more than 1048576 bytes"),
    ] {
        let (board, mut socket) = board(mode);
        socket.send("ugi\nisready\nposition startpos\ngo nodes 1");
        let end = socket.until("{\"server\":\"ended\"");
        assert!(end.contains(reason), "{mode}: {end}");
        assert_eq!(socket.line(), None, "{mode}");
        assert_eq!(board.socket("/ws/engine?engine=1").json(), json!({"server": "started"}), "{mode}");
    }
}

#[test]
fn a_burst_of_lines_reaches_an_engine_that_reads_slowly() {
    let board = Board::start(&[]);
    let mut socket = board.socket("/ws/engine");
    let lines: Vec<String> =
        (0..3000).map(|count| format!("position startpos\nquery p{}name", 1 + count % 2)).collect();
    socket.send(&lines.join("\n"));
    socket.send("quit");
    assert_eq!(socket.json(), json!({"server": "started"}));
    let answers: Vec<String> = (0..3000).map(|_| socket.line().expect("an answer")).collect();
    assert!(answers.chunks(2).all(|pair| *pair == ["response geese", "response fox"]));
    assert_eq!(socket.json()["server"], "ended");
}

#[test]
fn an_engine_that_does_not_read_makes_its_page_wait_and_nobody_else() {
    let (board, mut socket) = board("stops-reading");
    socket.send("ugi");
    socket.until("ugiok");
    let line = format!("position startpos moves {}", "a3a4 ".repeat(10_000));
    (0..20).for_each(|_| socket.send(&line));
    let mut second = board.socket("/ws/engine");
    assert_eq!(second.json(), json!({"server": "started"}));
    second.send("isready");
    assert_eq!(second.line().as_deref(), Some("readyok"));
}

/// An engine that counts the blocks of 64 KiB that it has got rid of.
const ENDLESS: &str = r#"
block="info string 0123456789012345678901234567890123456789012345678901"
for _ in 0 1 2 3 4 5 6 7 8 9; do block="$block
$block"; done
read -r line
count=0
while printf '%s\n' "$block"; do count=$((count + 1)); echo $count >"$0.count"; done
"#;

#[test]
fn a_page_that_does_not_read_costs_no_memory() {
    let folder = TempDir::new().expect("a folder");
    let engine = folder.path().join("engine");
    fs::write(&engine, ENDLESS).expect("a script");
    let board = Board::start(&["--engine", &format!("sh {}", engine.display())]);
    let mut socket = board.socket("/ws/engine?engine=1");
    socket.send("go");
    socket.until("info");
    let before = peak_kib(board.id());
    let blocks = || {
        let count = fs::read_to_string(folder.path().join("engine.count")).unwrap_or_default();
        count.trim().parse::<u64>().unwrap_or(0)
    };
    // The server takes so much for the page, then the engine has to wait.
    eventually("the engine has filled what there is room for", || {
        let seen = blocks();
        (0..200).for_each(|_| drop(board.get("/api/about")));
        seen >= 2 && seen == blocks()
    });
    let grown = peak_kib(board.id()).saturating_sub(before);
    assert!(grown < 40_000, "{grown} KiB more");
    drop(socket);
    eventually("it ends with its page", || children(board.id()).is_empty());
}

#[test]
fn an_engine_takes_no_more_memory_than_it_may() {
    let board = Board::start(&["--engine-memory", "256"]);
    let mut socket = board.socket("/ws/engine");
    socket.send("setoption name Hash value 1024\nposition startpos\ngo nodes 100000");
    // It makes do with less.
    assert!(socket.until("bestmove").len() > "bestmove ".len());
    let limits = fs::read_to_string(format!("/proc/{}/limits", children(board.id())[0])).expect("procfs");
    let data = limits.lines().find(|line| line.starts_with("Max data size")).expect("a limit");
    assert_eq!(data.split_whitespace().nth(3), Some("268435456"), "{data}");
    assert_eq!(board.get("/api/about").json()["limits"]["engine_memory_mib"], 256);
}
