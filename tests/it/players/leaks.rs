//! Hundreds of restarts and thousands of games leave no descriptor, no thread and no process behind.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use reynard::testing::tournament::Conversations;
use reynard::testing::tournament::spec::ProtocolName;
use tempfile::TempDir;

use super::stage;

/// Set in the process that counts: other tests open files of their own at the same time.
const ALONE: &str = "REYNARD_TEST_ALONE";
const RESTARTS: usize = 200;
const GAMES: usize = 2000;

/// Descriptors, threads and children of this process.
fn held() -> (usize, usize, String) {
    let count = |folder| fs::read_dir(folder).expect("procfs").count();
    let id = std::process::id();
    let children = fs::read_to_string(format!("/proc/self/task/{id}/children")).unwrap_or_default();
    (count("/proc/self/fd"), count("/proc/self/task"), children)
}

/// Waits until what is held is `expected`: the kernel lists a thread for a moment after it has been joined.
fn assert_held(expected: &(usize, usize, String), when: &str) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while held() != *expected && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(held(), *expected, "{when}");
}

#[test]
fn nothing_is_left_behind() {
    if std::env::var_os(ALONE).is_some() {
        return play_and_count();
    }
    let name = concat!(module_path!(), "::nothing_is_left_behind");
    let name = name.split_once("::").expect("the crate's name").1;
    let mut test = Command::new(std::env::current_exe().expect("this program"));
    let output = test.args(["--exact", name, "--test-threads", "1"]).env(ALONE, "1").output().expect("a second run");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

fn play_and_count() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("engine.sh");
    let script = "#!/bin/sh\nwhile read -r line; do case \"$line\" in\nugi) echo ugiok;;\nisready) echo readyok;;\n\
                  go*) echo bestmove a4a5;;\nquit) exit;;\nesac; done\n";
    fs::write(&path, script).expect("a script");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a program");
    let mut program = stage::resolved(stage::program(path, &[], ProtocolName::Ugi));
    program.conversations = Conversations::Kept(folder.path().join("logs"));
    let session = stage::resolved(stage::session(&[("Searcher", "random")]));
    let before = held();
    for restart in 0..RESTARTS {
        let mut player = stage::ready(&program).expect("a player");
        let mut own = stage::ready(&session).expect("a player");
        // Now and then somebody is dropped in the middle of things, or has failed.
        if restart % 3 > 0 {
            stage::choose(&mut *player).expect("a move");
            stage::choose(&mut *own).expect("a move");
        }
        if restart % 3 > 1 {
            assert_eq!(player.ask(stage::start_of(&[]), "fen").as_deref(), Ok("unknown"));
        }
    }
    assert_held(&before, &format!("after {RESTARTS} restarts"));
    let mut players = [stage::open(&program).expect("a player"), stage::open(&session).expect("a player")];
    let open = held();
    for _ in 0..GAMES {
        for player in &mut players {
            stage::new_game(&mut **player, "geese").expect("a game");
            stage::choose(&mut **player).expect("a move");
        }
    }
    assert_held(&open, &format!("after {GAMES} games"));
    drop(players);
    assert_held(&before, "at the end");
}
