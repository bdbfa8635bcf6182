//! Games with engines that come, go and break down leave no descriptor, no thread and no process behind.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::resource::{Resource, setrlimit};
use reynard::testing::tournament::spec::ProtocolName;
use reynard::testing::tournament::{Cause, Conversations};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{list, stage, times};

/// Set in the process that counts: other tests open files of their own at the same time.
const ALONE: &str = "REYNARD_TEST_ALONE";
/// Games that are under way at the same time.
const AT_A_TIME: usize = 4;

/// Descriptors, threads and children of this process.
fn held() -> (usize, usize, String) {
    let count = |folder| fs::read_dir(folder).expect("procfs").count();
    let id = std::process::id();
    let children = fs::read_to_string(format!("/proc/self/task/{id}/children")).unwrap_or_default();
    (count("/proc/self/fd"), count("/proc/self/task"), children)
}

/// Waits until what is held is `expected`: the kernel lists a thread for a moment after it has been joined.
fn assert_held(expected: &(usize, usize, String), when: &str) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while held() != *expected && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(held(), *expected, "{when}");
}

/// Runs a test of this file again in a process of its own; true in that process.
fn is_alone(name: &str) -> bool {
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    let mut test = Command::new(std::env::current_exe().expect("this program"));
    let output = test.args(["--exact", &format!("players::{name}"), "--test-threads", "1"]).env(ALONE, "1").output();
    let output = output.expect("a second run");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
    false
}

#[test]
fn players_leave_nothing_behind() {
    if !is_alone("players_leave_nothing_behind") {
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("engine.sh");
    let script = "#!/bin/sh\nwhile read -r line; do case \"$line\" in\nugi) echo ugiok;;\nisready) echo readyok;;\n\
                  go*) echo bestmove a4a5;;\nquit) exit;;\nesac; done\n";
    fs::write(&path, script).expect("a script");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a program");
    let program = stage::resolved(stage::program(path, &[], ProtocolName::Ugi));
    let logs = Conversations::Kept(folder.path().join("logs"));
    let session = stage::resolved(stage::session(&[("Searcher", "random")]));
    let before = held();
    for restart in 0..times(60) {
        let mut player = stage::open_logged(&program, &logs).expect("a player");
        stage::new_game(&mut *player, "geese").expect("a game");
        let mut own = stage::ready(&session).expect("a player");
        // Now and then somebody is dropped in the middle of things, or has failed.
        if restart % 3 > 0 {
            stage::choose(&mut *player).expect("a move");
            stage::choose(&mut *own).expect("a move");
        }
        if restart % 3 > 1 {
            assert!(stage::choose(&mut *player).is_ok());
        }
    }
    assert_held(&before, "after the restarts");
    let mut players =
        [stage::open_logged(&program, &logs).expect("a player"), stage::open(&session).expect("a player")];
    let open = held();
    for _ in 0..times(200) {
        for player in &mut players {
            stage::new_game(&mut **player, "geese").expect("a game");
            stage::choose(&mut **player).expect("a move");
        }
    }
    assert_held(&open, "after the games");
    drop(players);
    assert_held(&before, "at the end");
}

/// Random movers inside and outside, and one that breaks down at its first move.
fn specs(games: usize, restarts: usize) -> [Value; 2] {
    let outside = json!({"command": env!("CARGO_BIN_EXE_reynard")});
    let crash = "while read -r line; do case \"$line\" in ugi) echo ugiok;; isready) echo readyok;; \
                 go*) exit 1;; quit) exit 0;; esac; done";
    let random = json!({"Searcher": "random", "Hash": 1});
    let spec = |opponent: Value, games: usize| {
        json!({
            "rulesets": ["catch-the-hare"],
            "engines": [{"name": "inside", "options": random}, opponent],
            "format": "match",
            "games": games,
            "limits": {"nodes": 1},
            "max_plies": 4,
            "openings": {"kind": "none"},
        })
    };
    [
        spec(json!({"name": "outside", "options": random, "program": outside}), games),
        spec(json!({"name": "crash", "program": {"command": "/bin/sh", "args": ["-c", crash]}}), restarts),
    ]
}

/// Descriptors that are closed only with the run are too many for it: an engine that cannot be started for want of them
/// forfeits.
#[test]
fn runs_leave_nothing_behind_and_pile_nothing_up() {
    if !is_alone("runs_leave_nothing_behind_and_pile_nothing_up") {
        return;
    }
    let before = held();
    // An engine has three pipes; one that is being started has its own ends of them and two more, and the one before it
    // may not have closed its three yet.
    let most = (before.0 + 12 * AT_A_TIME + 16) as u64;
    setrlimit(Resource::RLIMIT_NOFILE, most, most).expect("a limit");
    let (games, restarts) = (times(600), times(100));
    let (mut played, mut crashes) = (0, 0);
    for spec in specs(games, restarts) {
        list::play(&spec, AT_A_TIME, |record| {
            played += 1;
            let is_crash = record.ending.reason.contains("exited with status 1");
            assert_eq!(matches!(record.ending.cause, Cause::Forfeit(_)), is_crash, "{record:?}");
            crashes += usize::from(is_crash);
        });
    }
    assert_eq!((played, crashes), (games + restarts, restarts));
    assert_held(&before, "at the end");
}
