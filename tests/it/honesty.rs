//! A mistake in a spec is an error, not a tournament of forfeits; and what a result is not worth is said.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::tournament_run::Stage;

const PROGRAM: &str = env!("CARGO_BIN_EXE_reynard");

/// Keys of a spec with other values.
type Changes<'a> = &'a [(&'a str, Value)];

fn against(engine: Value, more: Changes<'_>) -> Stage {
    let ours = json!({"name": "ours", "options": {"Searcher": "random", "Hash": 1}});
    let own = [
        ("rulesets", json!(["masters-15"])),
        ("engines", json!([ours, engine])),
        ("limits", json!({"nodes": 1})),
        ("pairs", json!(1)),
    ];
    Stage::with(&[&own, more].concat())
}

fn shell(script: &str) -> Value {
    json!({"command": "/bin/sh", "args": ["-c", script]})
}

fn stderr(stage: &Stage, words: &[&str]) -> String {
    String::from_utf8(stage.output(words).stderr).unwrap()
}

#[test]
fn an_engine_that_does_not_get_through_its_start_forfeits_every_game() {
    let stage = against(json!({"name": "theirs", "program": shell("exit 0")}), &[]);
    let output = stage.output(&["run", "spec.json", "--out", "out"]);
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("forfeits: theirs") && said.contains("start"), "{said}");
}

#[test]
fn an_engine_that_refuses_its_settings_is_an_error_before_the_first_game() {
    let reynard = json!({"command": PROGRAM});
    let cases = [
        (json!({"name": "theirs", "program": reynard, "options": {"Hsah": 1}}), "Hsah"),
        (json!({"name": "theirs", "program": reynard, "as": {"fox": {"Hash": 0}}}), "Hash"),
    ];
    for (engine, word) in cases {
        let stage = against(engine, &[]);
        let said = stage.refused(&["run", "spec.json", "--out", "out"]);
        assert!(said.contains("theirs cannot play") && said.contains(word), "{said}");
        assert!(!stage.path("out").exists(), "nothing has begun");
    }
}

#[test]
fn a_parameter_that_the_engine_does_not_have_ends_a_tuning_run() {
    let folder = TempDir::new().unwrap();
    let spec = json!({
        "name": "test", "method": "grid", "ruleset": "fox-and-hounds", "pairs": 1,
        "engine": {"program": {"command": PROGRAM}},
        "parameters": [{"name": "Nope", "start": 1, "min": 0, "max": 10, "values": [0, 5]}],
        "openings": {"kind": "random", "plies": 2}, "limits": {"nodes": 1}
    });
    fs::write(folder.path().join("spec.json"), spec.to_string()).unwrap();
    let mut command = Command::new(PROGRAM);
    let output = command.current_dir(folder.path()).args(["tune", "spec.json", "--out", "out"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("the engine cannot play fox-and-hounds") && said.contains("Nope"), "{said}");
    assert!(!folder.path().join("out/tuned.json").exists());
}

#[test]
fn no_engine_outlives_a_runner_that_is_killed() {
    let tag = format!("orphan-{}", std::process::id());
    let script = format!(
        ": {tag}; while read -r line; do case \"$line\" in ugi) echo ugiok;; isready) echo readyok;; go*) : >searching; \
         while :; do sleep 1; done;; esac; done"
    );
    let more = [("limits", json!({"movetime_ms": 3_600_000}))];
    let stage = against(json!({"name": "hung", "program": shell(&script)}), &more);
    let mut child = stage.start(&["run", "spec.json", "--out", "out", "--quiet"]);
    let alive = || {
        let lines = fs::read_dir("/proc").unwrap().flatten().map(|entry| fs::read(entry.path().join("cmdline")));
        lines.flatten().filter(|line| String::from_utf8_lossy(line).contains(&format!(": {tag};"))).count()
    };
    let deadline = Instant::now() + Duration::from_secs(120);
    while !stage.path("searching").exists() {
        assert!(Instant::now() < deadline && child.try_wait().unwrap().is_none(), "the engine does not search");
        thread::sleep(Duration::from_millis(10));
    }
    assert!(!cfg!(target_os = "linux") || alive() > 0);
    kill(Pid::from_raw(child.id() as i32), Signal::SIGKILL).unwrap();
    child.wait().unwrap();
    let deadline = Instant::now() + Duration::from_secs(120);
    while cfg!(target_os = "linux") && alive() > 0 {
        assert!(Instant::now() < deadline, "the engine lives on");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_key_that_stands_twice_is_refused_with_its_path() {
    let stage = against(json!({"name": "theirs"}), &[]);
    let text = fs::read_to_string(stage.path("spec.json")).unwrap();
    let cases = [
        (r#""options":{"Hash":1,"Hash":2}"#, "engines[1].options.Hash"),
        (r#""as":{"fox":{"Hash":1,"Hash":2}}"#, "engines[1].as.fox.Hash"),
        (r#""as":{"fox":{},"fox":{}}"#, "engines[1].as.fox"),
        (r#""program":{"command":"sh","env":{"A":"1","A":"2"}}"#, "engines[1].program.env.A"),
    ];
    for (twice, path) in cases {
        let changed = text.replace(r#""name":"theirs""#, &format!(r#""name":"theirs",{twice}"#));
        assert_ne!(changed, text);
        fs::write(stage.path("spec.json"), changed).unwrap();
        let said = stage.refused(&["check", "spec.json"]);
        assert!(said.contains(&format!("{path}: this key is given twice")), "{said}");
    }
    let ruleset = text.replace(r#"["masters-15"]"#, r#"[{"name":"masters-15","set":{"chain":true,"chain":false}}]"#);
    fs::write(stage.path("spec.json"), ruleset).unwrap();
    let said = stage.refused(&["check", "spec.json"]);
    assert!(said.contains("rulesets[0].set.chain: this key is given twice"), "{said}");
}

#[test]
fn too_few_openings_are_told_before_and_after() {
    let engine = |name: &str| json!({"name": name, "options": {"Searcher": "alphabeta", "Hash": 1}});
    let sprt = json!({"elo0": 0, "elo1": 50, "alpha": 0.05, "beta": 0.05});
    for (format, sprt, word) in [("match", Value::Null, "same games again"), ("sprt", sprt, "sequential test")] {
        let mut more = vec![
            ("engines", json!([engine("one"), engine("two")])),
            ("limits", json!({"depth": 1})),
            ("pairs", json!(20)),
            ("openings", json!({"kind": "random", "plies": 1})),
            ("max_plies", json!(20)),
            ("format", json!(format)),
        ];
        more.extend((!sprt.is_null()).then_some(("sprt", sprt)));
        let stage = against(json!({"name": "theirs"}), &more);
        let warning = "different openings for 20 pairs";
        let told = stage.good(&["check", "spec.json"]);
        assert!(told.contains(warning) && told.contains(word), "{told}");
        let said = stderr(&stage, &["run", "spec.json", "--out", "out"]);
        assert!(said.contains("warning: masters-15: only ") && said.contains(warning), "{said}");
        let told = stage.good(&["report", "out"]);
        assert!(told.contains("games are different"), "{told}");
    }
    let enough = against(json!({"name": "theirs"}), &[("pairs", json!(5))]);
    assert!(!enough.good(&["check", "spec.json"]).contains("different openings"));
}

fn write_engine(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn an_engine_that_was_rebuilt_does_not_go_on_with_the_old_ones_games() {
    let stage = against(json!({"name": "theirs", "program": {"command": "./engine"}}), &[("pairs", json!(1))]);
    let script = format!("#!/bin/sh\nexec '{PROGRAM}'\n");
    write_engine(&stage.path("engine"), &script);
    stage.good(&["run", "spec.json", "--out", "out", "--quiet"]);
    stage.good(&["run", "spec.json", "--out", "out", "--quiet", "--resume"]);
    write_engine(&stage.path("engine"), &format!("{script}# another build\n"));
    let said = stage.refused(&["run", "spec.json", "--out", "out", "--resume"]);
    assert!(said.contains("engines[1].program.crc"), "{said}");
}
