//! How runs of the real program end: what they print and leave behind, in every format, and when they are cut short.

use std::fs;
use std::thread;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

use super::tournament_run::Stage;

/// A program that greets, does not leave when it is told to, and answers `go` as told.
fn program(on_go: &str) -> Value {
    let script = format!(
        "while read -r line; do case \"$line\" in\nugi) echo ugiok;;\nisready) echo readyok;;\ngo*) {on_go};;\nesac; \
         done; sleep 2"
    );
    json!({"command": "/bin/sh", "args": ["-c", script]})
}

fn one_ruleset(changes: &[(&str, Value)]) -> Stage {
    Stage::with(&[&[("rulesets", json!(["masters-15"]))], changes].concat())
}

fn names(stage: &Stage, dir: &str) -> Vec<String> {
    let entries = fs::read_dir(stage.path(dir)).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

const LEFT_BY_A_RUN: [&str; 7] =
    ["games.jsonl", "games.pgn", "journal.jsonl", "lock", "report.html", "spec.json", "times.jsonl"];

#[test]
fn a_finished_run_leaves_its_reports_and_says_the_score_last() {
    let stage = one_ruleset(&[("pairs", 3.into())]);
    let output = stage.output(&["run", "spec.json", "--out", "loud"]);
    let (told, said) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert_eq!(names(&stage, "loud"), LEFT_BY_A_RUN);
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines[0].starts_with("Score of mcts vs ab: "), "{told}");
    assert!(lines.last().unwrap().starts_with("Elo difference: "), "{told}");
    let last = said.lines().last().unwrap();
    assert!(last.starts_with("6/6 games, ") && last.contains("Elo ") && !last.contains("left"), "{said}");
    let output = stage.output(&["run", "spec.json", "--out", "quiet", "--quiet"]);
    assert_eq!((String::from_utf8(output.stdout).unwrap(), output.stderr), (told, vec![]));
    assert_eq!(stage.journal("quiet"), stage.journal("loud"));
}

#[test]
fn a_report_that_cannot_be_written_does_not_hide_the_result() {
    let stage = one_ruleset(&[("pairs", 1.into())]);
    let table = stage.run("good", &["--quiet"]);
    fs::create_dir_all(stage.path("bad/report.html/in the way")).unwrap();
    let output = stage.output(&["run", "spec.json", "--out", "bad", "--quiet"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stdout).unwrap()), (Some(3), table));
    assert!(said.contains("report.html"), "{said}");
    assert_eq!(names(&stage, "bad"), LEFT_BY_A_RUN, "the other files are there, and no drafts");
}

#[test]
fn formats_with_rounds_go_on_after_a_kill_and_are_reported() {
    let engine = |name: &str, depth: u32| json!({"name": name, "options": {"Searcher": "alphabeta", "Hash": 1}, "limits": {"depth": depth}});
    let engines = json!([engine("one", 1), engine("two", 2), engine("three", 1), engine("four", 2), engine("five", 1)]);
    for (format, rounds) in [("swiss", json!(3)), ("knockout", Value::Null)] {
        let mut changes = vec![("format", json!(format)), ("engines", engines.clone()), ("pairs", 1.into())];
        changes.extend((!rounds.is_null()).then_some(("rounds", rounds)));
        let stage = one_ruleset(&changes);
        let table = stage.run("whole", &["--quiet"]);
        assert!(table.starts_with("Rank Name") && table.lines().count() == 6, "{table}");
        assert_eq!(names(&stage, "whole"), LEFT_BY_A_RUN, "{format}");
        for lines in [2, 7] {
            let mut child = stage.start(&["run", "spec.json", "--out", "torn", "--resume", "--quiet"]);
            stage.await_lines("torn", lines, &mut child);
            child.kill().unwrap();
            child.wait().unwrap();
        }
        assert_eq!(stage.run("torn", &["--resume", "--quiet", "--concurrency", "2"]), table, "{format}");
        assert_eq!(stage.journal("torn"), stage.journal("whole"), "{format}");
        let report = stage.good(&["report", "whole"]);
        for expected in ["Cross table", "three", format] {
            assert!(report.contains(expected), "no {expected} in\n{report}");
        }
        let pgn = fs::read_to_string(stage.path("whole/games.pgn")).unwrap();
        assert!(pgn.contains("[Round \"1\"]") && pgn.contains("[White \"five\"]"), "{pgn}");
    }
}

#[test]
fn a_test_that_was_killed_is_decided_as_if_it_had_not_been() {
    let sprt = json!({"elo0": 0, "elo1": 300, "alpha": 0.3, "beta": 0.3});
    let stage = Stage::with(&[("format", "sprt".into()), ("pairs", 20.into()), ("sprt", sprt)]);
    let table = stage.run("whole", &["--quiet"]);
    assert!(table.lines().last().unwrap().starts_with("SPRT: llr "), "{table}");
    for lines in [1, 3, 6] {
        let mut child =
            stage.start(&["run", "spec.json", "--out", "torn", "--resume", "--concurrency", "3", "--quiet"]);
        stage.await_lines("torn", lines, &mut child);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_eq!(stage.run("torn", &["--resume", "--quiet"]), table);
    assert_eq!(stage.journal("torn"), stage.journal("whole"));
}

#[test]
fn a_second_ctrl_c_ends_the_program_at_once() {
    let slow = |name: &str| json!({"name": name, "program": program("sleep 5")});
    let engines = json!([slow("one"), slow("two")]);
    let stage =
        one_ruleset(&[("engines", engines), ("limits", json!({"movetime_ms": 4000})), ("events", json!(["start"]))]);
    let mut child = stage.start(&["run", "spec.json", "--out", "out", "--quiet"]);
    stage.await_lines("out", 1, &mut child);
    // Both programs have to be up: the one that is not searching then does not leave, and the run waits for it.
    thread::sleep(Duration::from_millis(800));
    for _ in 0..2 {
        kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
        thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn every_forfeit_is_an_event_and_engines_leave_logs() {
    let engines = json!([
        {"name": "good", "options": {"Searcher": "random", "Hash": 1}},
        {"name": "bad", "program": program("exit 3")},
    ]);
    let stage = one_ruleset(&[
        ("engines", engines),
        ("limits", json!({"depth": 1})),
        ("pairs", 2.into()),
        ("events", json!(["forfeit", "engine-log"])),
    ]);
    stage.run("out", &["--quiet"]);
    let text = fs::read_to_string(stage.path("out/events.jsonl")).unwrap();
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events.len(), 4, "{text}");
    for (game, event) in events.iter().enumerate() {
        assert_eq!((&event["event"], &event["game"]), (&json!("forfeit"), &json!(game)), "{event}");
        assert_eq!((&event["engine"], &event["kind"]), (&json!("bad"), &json!("crash")), "{event}");
        assert!(event["reason"].as_str().unwrap().contains("exited with status 3"), "{event}");
    }
    let logs = names(&stage, "out/logs");
    let log = fs::read_to_string(stage.path("out/logs").join(&logs[0])).unwrap();
    assert!(log.contains("ugiok") && log.contains("go depth 1"), "{log}");
}
