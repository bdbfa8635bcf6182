//! Reports go where they are sent, and never over what a run needs.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::thread;

use super::{good, mkfifo, played, refused};

#[test]
fn a_report_does_not_replace_what_the_run_needs() {
    let folder = tempfile::tempdir().unwrap();
    let (folder, out) = (folder.path(), folder.path().join("out"));
    played(folder);
    fs::create_dir(out.join("logs")).unwrap();
    symlink("out/journal.jsonl", folder.join("link")).unwrap();
    symlink("link", folder.join("chain")).unwrap();
    let journal = fs::read(out.join("journal.jsonl")).unwrap();
    for file in ["journal.jsonl", "times.jsonl", "surplus.jsonl", "lock", "spec.json", "events.jsonl", "logs/A.log"] {
        let before = fs::read(out.join(file)).ok();
        for path in [format!("out/{file}"), format!("out/../out/{file}"), out.join(file).display().to_string()] {
            let message = refused(folder, &["tournament", "report", "out", "--output", &path]);
            assert!(message.contains(&path) && message.contains("belongs to the run"), "{message}");
        }
        assert_eq!(fs::read(out.join(file)).ok(), before, "{file}");
    }
    for link in ["link", "chain"] {
        refused(folder, &["tournament", "report", "out", "--output", link]);
    }
    assert_eq!(fs::read(out.join("journal.jsonl")).unwrap(), journal);
    good(folder, &["tournament", "report", "out", "--output", "out/report.txt"]);
}

#[test]
fn a_run_does_not_write_its_report_through_a_link_over_its_journal() {
    let folder = tempfile::tempdir().unwrap();
    let (folder, out) = (folder.path(), folder.path().join("out"));
    played(folder);
    let journal = fs::read(out.join("journal.jsonl")).unwrap();
    fs::remove_file(out.join("games.pgn")).unwrap();
    symlink("journal.jsonl", out.join("games.pgn")).unwrap();
    refused(folder, &["tournament", "run", "four.json", "--out", "out", "--quiet", "--resume"]);
    assert_eq!(fs::read(out.join("journal.jsonl")).unwrap(), journal);
}

#[test]
fn a_report_goes_through_links_and_straight_into_pipes_and_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    played(folder);
    let report = |output: &str| good(folder, &["tournament", "report", "out", "--format", "csv", "--output", output]);
    let expected = good(folder, &["tournament", "report", "out", "--format", "csv"]);
    for path in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        assert_eq!(report(path), expected, "{path}");
    }
    symlink("target", folder.join("link")).unwrap();
    report("link");
    assert_eq!(fs::read_to_string(folder.join("target")).unwrap(), expected);
    assert!(folder.join("link").is_symlink());
    mkfifo(&folder.join("pipe"));
    let reader = thread::spawn({
        let pipe = folder.join("pipe");
        move || fs::read_to_string(pipe).unwrap()
    });
    report("pipe");
    assert_eq!(reader.join().unwrap(), expected);
    report("/dev/null");
    // In the middle of a file that somebody else has open.
    let script = "{ echo head; \"$0\" tournament report out --format csv --output /dev/stdout; echo tail; } > file";
    let shell = Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_reynard")]).current_dir(folder).status();
    assert!(shell.unwrap().success());
    assert_eq!(fs::read_to_string(folder.join("file")).unwrap(), format!("head\n{expected}tail\n"));
}

#[test]
fn tuning_writes_through_links_and_pipes_but_not_over_its_journal() {
    let folder = tempfile::tempdir().unwrap();
    let (folder, out) = (folder.path(), folder.path().join("out"));
    let spec = r#"{"method": "grid", "ruleset": "fox-and-hounds", "pairs": 1, "max_plies": 6, "limits": {"depth": 1},
        "engine": {"options": {"EvalFile": "linear"}},
        "parameters": [{"name": "EvalFoxReach", "values": [0, 40]}], "openings": {"kind": "random", "plies": 2}}"#;
    fs::write(folder.join("tune.json"), spec).unwrap();
    fs::create_dir(&out).unwrap();
    symlink("kept.html", out.join("trace.html")).unwrap();
    mkfifo(&out.join("trace.jsonl"));
    let reader = thread::spawn({
        let pipe = out.join("trace.jsonl");
        move || fs::read_to_string(pipe).unwrap()
    });
    good(folder, &["tune", "tune.json", "--out", "out", "--quiet"]);
    assert!(reader.join().unwrap().starts_with("{\"number\":"));
    assert!(out.join("trace.html").is_symlink());
    assert!(fs::read_to_string(out.join("kept.html")).unwrap().contains("<html"));
    let journal = fs::read(out.join("journal.jsonl")).unwrap();
    fs::remove_file(out.join("trace.jsonl")).unwrap();
    symlink("journal.jsonl", out.join("trace.jsonl")).unwrap();
    let (code, _, error) = super::reynard(folder, &["tune", "tune.json", "--out", "out", "--quiet", "--resume"], "");
    assert!(code != 0 && error.contains("trace.jsonl"), "{error}");
    assert_eq!(fs::read(out.join("journal.jsonl")).unwrap(), journal);
}

#[test]
fn a_limit_for_the_size_of_files_ends_in_an_error_that_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (folder, program) = (folder.path(), env!("CARGO_BIN_EXE_reynard"));
    played(folder);
    fs::remove_dir_all(folder.join("out")).unwrap();
    for (blocks, words, file) in [
        (10, &["tournament", "run", "four.json", "--quiet", "--out", "out"][..], "out/journal.jsonl"),
        (100, &["table", "build", "bell-13", "--geese", "4"], "-04.partial"),
    ] {
        let script = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script, program]).args(words).current_dir(folder).env("REYNARD_TABLES", folder);
        let output = shell.output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{words:?}: {error}");
        assert!(error.contains(file) && error.contains("File too large"), "{words:?}: {error}");
    }
    assert!(fs::read_to_string(folder.join("out/journal.jsonl")).unwrap().lines().count() > 2);
    // What was written before counts, and the run goes on where there is room.
    good(folder, &["tournament", "run", "four.json", "--quiet", "--out", "out", "--resume"]);
}
