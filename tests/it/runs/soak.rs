//! Thousands of games in one process, with engines that have to be started again: nothing piles up.

use std::env;
use std::fs;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use reynard::testing::tournament::Cause;
use serde_json::{Value, json};

use super::play;

/// Set in the process that plays.
const INSIDE: &str = "REYNARD_TEST_SOAK";
/// More than the few seconds that belong to every test run are played by hand.
const GAMES: u64 = 3_000;
/// Games that are under way at the same time.
const AT_A_TIME: usize = 4;
/// Threads that may come and go with them.
const MORE_THREADS: usize = 24;
/// Descriptors that may. An engine has three pipes; one that is being started has its own
/// ends of them, two of another and one of the process besides, and that before it may not have closed its three yet.
const MORE_FILES: usize = 12 * AT_A_TIME;

fn count(folder: &str) -> usize {
    fs::read_dir(folder).unwrap().count()
}

fn open_files() -> usize {
    count("/proc/self/fd")
}

fn threads() -> usize {
    count("/proc/self/task")
}

/// Random movers inside and outside, and one that breaks down at its second move.
fn spec(games: u64, restarts: u64) -> [Value; 2] {
    let outside = json!({"command": env!("CARGO_BIN_EXE_reynard")});
    let crash = "while read -r line; do case \"$line\" in ugi) echo ugiok;; isready) echo readyok;; \
                 go*) exit 1;; quit) exit 0;; esac; done";
    let random = json!({"Searcher": "random", "Hash": 1});
    let spec = |opponent: Value, games: u64| {
        json!({
            "rulesets": ["catch-the-hare"],
            "engines": [{"name": "inside", "options": random}, opponent],
            "format": "match",
            "games": games,
            "limits": {"nodes": 1},
            "max_plies": 4,
        })
    };
    [
        spec(json!({"name": "outside", "options": random, "program": outside}), games),
        spec(json!({"name": "crash", "program": {"command": "/bin/sh", "args": ["-c", crash]}}), restarts),
    ]
}

/// Played in a process of its own, where nobody else opens files or starts threads.
#[test]
fn soak_inside() {
    if env::var_os(INSIDE).is_none() {
        return;
    }
    let before = (open_files(), threads());
    let (mut games, mut forfeits, mut most) = (0, 0, (0, 0));
    for spec in spec(GAMES, 60) {
        play(&spec, AT_A_TIME, false, |record| {
            games += 1;
            forfeits += u64::from(matches!(record.ending.cause, Cause::Forfeit(_)));
            most = (open_files().max(most.0), threads().max(most.1));
        });
    }
    assert_eq!((games, forfeits), (GAMES + 60, 60));
    assert!(
        most.0 <= before.0 + MORE_FILES && most.1 <= before.1 + MORE_THREADS,
        "{before:?} before, at most {most:?}"
    );
    // A thread that has been joined may still be listed for a moment.
    let deadline = Instant::now() + Duration::from_secs(2);
    while (open_files(), threads()) != before && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!((open_files(), threads()), before);
    let children = fs::read_to_string(format!("/proc/self/task/{}/children", std::process::id())).unwrap_or_default();
    assert_eq!(children.trim(), "");
}

#[test]
fn thousands_of_games_leave_nothing_behind() {
    let test = Command::new(env::current_exe().unwrap())
        .args(["--exact", "runs::soak::soak_inside", "--test-threads=1"])
        .env(INSIDE, "1")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&test.stdout);
    assert!(test.status.success() && text.contains("1 passed"), "{text}");
}
