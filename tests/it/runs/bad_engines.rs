//! A fleet of programs that misbehave, each in its own way: every way is a forfeit with a name, and the run goes on.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use reynard::testing::tournament::{Cause, Forfeit};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::records;

/// A program that greets as an engine does and then answers `go` as told; `tag` marks its process.
fn program(on_go: &str, tag: &str) -> Value {
    let script = format!(
        ": {tag}; while read -r line; do case \"$line\" in\nugi) echo ugiok;;\nisready) echo readyok;;\n\
         go*) {on_go};;\nquit) exit 0;;\nesac; done"
    );
    shell(&script)
}

fn shell(script: &str) -> Value {
    json!({"command": "/bin/sh", "args": ["-c", script]})
}

/// How they misbehave when they are to move, and what that is called.
const ON_GO: &[(&str, Forfeit)] = &[
    ("echo bestmove z9z8", Forfeit::IllegalMove),
    ("echo 'bestmove (none)'", Forfeit::NoMove),
    ("echo bestmove", Forfeit::NoMove),
    ("exit 3", Forfeit::Crash),
    ("kill -SEGV $$", Forfeit::Crash),
    ("exec >&-; sleep 1000", Forfeit::ClosedPipe),
    ("sleep 1000 & sleep 1000", Forfeit::Hang),
    ("sleep 0.3; echo bestmove a4a5", Forfeit::Time),
    (r"printf 'best\377\001move\n'", Forfeit::Garbage),
    ("head -c 300000 /dev/zero | tr '\\0' x", Forfeit::HugeLine),
    ("yes info string hello", Forfeit::Flood),
    ("echo info string error no such thing; sleep 1000", Forfeit::Refused),
];

fn tournament(fleet: Vec<Value>) -> Value {
    let mut engines = vec![json!({"name": "good", "options": {"Searcher": "random"}, "limits": {"nodes": 1}})];
    engines.extend(fleet);
    json!({
        "rulesets": ["masters-15"],
        "engines": engines,
        "format": "gauntlet",
        "games": 2,
        "limits": {"movetime_ms": 20},
        "time_margin_ms": 80,
        "openings": {"kind": "random", "plies": 3},
        "supervision": {
            "start_ms": 400, "ping_ms": 2000, "stop_ms": 600, "untimed_search_ms": 1000, "line_bytes": 100_000, "lines": 20_000
        },
    })
}

/// The good engine wins all games for these reasons, by engine; the whole run is the same again.
fn assert_forfeits(spec: &Value, expected: &[Forfeit]) {
    let played = records(spec, 4, false);
    assert_eq!(played.len(), 2 * expected.len());
    for record in &played {
        let loser = record.ending.winner().expect("a winner").other();
        let engine = record.fixture.seats[loser.index()];
        assert_ne!(engine, 0, "{record:?}");
        assert_eq!(
            record.ending.cause,
            Cause::Forfeit(expected[engine - 1]),
            "{}: {record:?}",
            spec["engines"][engine]
        );
        assert!(!record.ending.reason.is_empty());
    }
}

/// The processes whose command line has the word.
fn processes(word: &str) -> Vec<String> {
    let lines = fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| {
        let line = fs::read(entry.path().join("cmdline")).ok()?;
        Some(format!("{}: {}", entry.path().display(), String::from_utf8_lossy(&line).replace('\0', " ")))
    });
    lines.filter(|line| line.contains(word)).collect()
}

#[test]
fn every_kind_of_misbehaviour_is_a_forfeit_of_its_own() {
    let tag = format!("fleet-{}", std::process::id());
    let engine = |(index, (on_go, _)): (usize, &(&str, Forfeit))| json!({"name": format!("bad {index}"), "program": program(&on_go.replace("1000", "1000.5"), &tag)});
    let spec = tournament(ON_GO.iter().enumerate().map(engine).collect());
    let expected: Vec<Forfeit> = ON_GO.iter().map(|&(_, kind)| kind).collect();
    assert_forfeits(&spec, &expected);
    // The last ones may still be on their way out.
    thread::sleep(Duration::from_millis(50));
    if Path::new("/proc/self/cmdline").exists() {
        assert_eq!(processes(&tag), Vec::<String>::new());
        assert_eq!(processes("sleep 1000.5"), Vec::<String>::new(), "children of engines");
    }
}

#[test]
fn a_program_that_is_no_engine_loses_every_game_at_the_start() {
    let folder = TempDir::new().unwrap();
    let text = folder.path().join("text");
    fs::write(&text, "no program\n").unwrap();
    let nobody = json!({"name": "nobody", "program": {"command": text}});
    let brief = json!({"name": "brief", "program": shell("exit 0")});
    let silent = json!({"name": "silent", "program": shell("sleep 1000")});
    let spec = tournament(vec![nobody, brief, silent]);
    assert_forfeits(&spec, &[Forfeit::Start; 3]);
    assert!(records(&spec, 4, false).iter().all(|record| record.moves.is_empty()));
}

#[test]
fn a_program_that_does_not_quit_is_ended() {
    let stubborn = "trap '' TERM; while :; do read -r line; case \"$line\" in ugi) echo ugiok;; isready) echo readyok;; \
                    go*) echo bestmove z9z8;; quit) while :; do sleep 1; done;; esac; done";
    let mut spec = tournament(vec![json!({"name": "stubborn", "program": shell(stubborn)})]);
    // Beyond the opening, a move for either side.
    spec["max_plies"] = json!(6);
    let start = Instant::now();
    assert_forfeits(&spec, &[Forfeit::IllegalMove]);
    assert!(start.elapsed() < Duration::from_secs(20));
}
