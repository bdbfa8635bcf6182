//! How runs of the real program end: what they print and leave behind, and when they are cut short.

use std::fs;
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

use super::tournament_run::Stage;

/// A program that greets and answers `go` as told.
fn program(on_go: &str) -> Value {
    let script = format!(
        "while read -r line; do case \"$line\" in\nugi) echo ugiok;;\nisready) echo readyok;;\ngo*) {on_go};;\nquit) exit;;\nesac; done"
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
    ["games.pgn", "journal.jsonl", "lock", "machines.jsonl", "report.html", "spec.json", "times.jsonl"];

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
    assert!(lines.iter().any(|line| line.starts_with("...      Ptnml(0-2): [")), "{told}");
    let said_lines: Vec<&str> = said.lines().collect();
    let [.., last, report, games, journal] = said_lines[..] else { panic!("{said}") };
    assert!(last.starts_with("6/6 games, ") && last.contains("Elo ") && !last.contains("left"), "{said}");
    assert_eq!(report, "Report:  loud/report.html");
    assert_eq!(games, "Games:   loud/games.pgn");
    assert_eq!(journal, "Journal: loud/journal.jsonl");
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
    assert_eq!((output.status.code(), String::from_utf8(output.stdout).unwrap()), (Some(2), table));
    assert!(said.contains("report.html"), "{said}");
    assert_eq!(names(&stage, "bad"), LEFT_BY_A_RUN, "the other files are there, and no drafts");
}

#[test]
fn forfeits_are_told_while_games_are_played_and_counted_at_the_end() {
    let engines = json!([
        {"name": "good", "options": {"Searcher": "random", "Hash": 1}},
        {"name": "bad", "program": program("exit 3")},
    ]);
    let stage = one_ruleset(&[("engines", engines), ("limits", json!({"depth": 1})), ("pairs", 2.into())]);
    let said = |words: &[&str]| String::from_utf8(stage.output(words).stderr).unwrap();
    let loud = said(&["run", "spec.json", "--out", "loud"]);
    assert_eq!(loud.matches("bad forfeits (crash)").count(), 1, "{loud}");
    assert!(loud.contains("exited with status 3") && loud.contains("forfeits: bad 4 (4 crash)"), "{loud}");
    let quiet = said(&["run", "spec.json", "--out", "quiet", "--quiet"]);
    assert_eq!(quiet.trim(), "reynard: forfeits: bad 4 (4 crash)");
}

#[test]
fn a_verdict_that_forfeits_decide_says_so_everywhere() {
    let engines = json!([
        {"name": "good", "options": {"Searcher": "random", "Hash": 1}},
        {"name": "bad", "program": program("exit 3")},
    ]);
    let test = json!({"elo0": 0, "elo1": 400});
    let keys = [("engines", engines), ("limits", json!({"depth": 1})), ("format", json!("sprt")), ("sprt", test)];
    let stage = one_ruleset(&[&keys[..], &[("pairs", 20.into())]].concat());
    let out = stage.good(&["run", "spec.json", "--out", "out", "--quiet"]);
    let (verdict, warning) = out.trim_end().rsplit_once('\n').unwrap();
    assert!(verdict.ends_with("H1 was accepted") && warning.starts_with("Warning: Forfeits ended"), "{out}");
    let report = |format: &str| stage.good(&["report", "out", "--format", format]);
    let data: Value = serde_json::from_str(&report("json")).unwrap();
    assert_eq!(data["forfeited_games"], data["games"]);
    let sentence = data["warnings"][0].as_str().unwrap();
    assert!(warning.ends_with(sentence) && sentence.contains("(100.0 %): bad "), "{sentence}");
    assert!(report("text").contains(sentence) && report("html").contains(&format!("<p>{sentence}</p>")));
    let output = stage.output(&["run", "spec.json", "--out", "again", "--quiet", "--cutechess"]);
    let [programs, errors] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(!programs.contains("Warning") && errors.contains(&format!("warning: {sentence}")), "{errors}");
}

/// A journal line with one word replaced, sealed again.
fn forge(stage: &Stage, dir: &str, line: usize, from: &str, to: &str) {
    let text = stage.journal(dir);
    let mut lines: Vec<Vec<u8>> = text.split_inclusive('\n').map(|line| line.as_bytes().to_vec()).collect();
    let changed = String::from_utf8(lines[line].clone()).unwrap().replace(from, to);
    assert_ne!(changed.as_bytes(), lines[line], "{from} is not in the line");
    let mut value: Value = serde_json::from_str(&changed).unwrap();
    value.as_object_mut().unwrap().shift_remove("crc");
    lines[line] = reynard::testing::tournament::journal::line::seal(&value).unwrap();
    fs::write(stage.path(dir).join("journal.jsonl"), lines.concat()).unwrap();
}

#[test]
fn a_sealed_line_that_is_no_game_of_the_tournament_is_refused_by_everybody() {
    let stage = one_ruleset(&[("pairs", 2.into())]);
    stage.run("whole", &["--quiet"]);
    let whole = stage.journal("whole");
    let cases = [
        ("\"seats\":[0,1]", "\"seats\":[7,9]", "engine 7"),
        ("\"seats\":[0,1]", "\"seats\":[1,0]", "than the schedule"),
        ("\"ruleset\":0", "\"ruleset\":5", "ruleset 5"),
        ("\"opening\":0", "\"opening\":1", "than the schedule"),
        ("\"game\":0", "\"game\":1000000", "no game 1000000"),
        ("\"winner\":", "\"winner\":9,\"was\":", "seat 9"),
        ("\"reason\":", "\"raison\":", "missing field `reason`"),
    ];
    for (from, to, words) in cases {
        fs::write(stage.path("whole/journal.jsonl"), &whole).unwrap();
        forge(&stage, "whole", 1, from, to);
        for command in [
            &["report", "whole"][..],
            &["run", "spec.json", "--out", "whole", "--resume", "--quiet"],
            &["merge", "whole", "--out", "merged"],
        ] {
            let refusal = stage.refused(command);
            assert!(refusal.contains(words) && refusal.contains("line 2"), "{command:?}: {refusal}");
            assert!(!stage.path("merged").exists());
        }
    }
}

#[test]
fn what_was_torn_or_damaged_is_told_and_times_are_not_needed() {
    let stage = one_ruleset(&[("pairs", 2.into())]);
    let table = stage.run("whole", &["--quiet"]);
    let (journal, times) = (stage.path("whole/journal.jsonl"), stage.path("whole/times.jsonl"));
    let good_times = fs::read_to_string(&times).unwrap();
    fs::write(&times, good_times.replacen("move_us", "move_ms", 1)).unwrap();
    for command in [&["report", "whole"][..], &["replay", "whole", "0"], &["merge", "whole", "--out", "merged"]] {
        let output = stage.output(command);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{command:?}: {said}");
        assert!(said.contains("times.jsonl: 1 damaged line(s), the first is line 1"), "{said}");
    }
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, &text[..text.len() - 9]).unwrap();
    let output = stage.output(&["run", "spec.json", "--out", "whole", "--resume", "--quiet"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stdout).unwrap()), (Some(0), table), "{said}");
    assert!(said.contains("the last line is incomplete") && said.contains("played again"), "{said}");
    assert_eq!(stage.journal("whole"), text);
    // Written anew, without the damaged line.
    let output = stage.output(&["report", "whole"]);
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

/// A pipe that takes nothing more, and its other end.
fn full_pipe() -> (OwnedFd, OwnedFd) {
    let (from, to) = nix::unistd::pipe().unwrap();
    fcntl(&to, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).unwrap();
    for bytes in [&[0; 4096][..], &[0]] {
        while nix::unistd::write(&to, bytes).is_ok() {}
    }
    fcntl(&to, FcntlArg::F_SETFL(OFlag::empty())).unwrap();
    (from, to)
}

/// The answer to the first one is never read.
#[test]
fn a_third_ctrl_c_ends_the_program_at_once() {
    let stage = one_ruleset(&[("pairs", 1_000_000.into())]);
    let (_unread, stderr) = full_pipe();
    let mut child = stage.command(&["run", "spec.json", "--out", "out", "--quiet"]);
    let mut child = child.stdout(Stdio::null()).stderr(stderr).spawn().unwrap();
    stage.await_lines("out", 2, &mut child);
    let deadline = Instant::now() + Duration::from_secs(120);
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if Instant::now() > deadline {
            child.kill().unwrap();
        }
        kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
        thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(status.code(), Some(130));
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
    // The trial of the engine before the first game has a log of its own.
    let logs = names(&stage, "out/logs");
    let of_games = logs.iter().find(|name| name.ends_with("worker-0.log")).unwrap_or_else(|| panic!("{logs:?}"));
    let log = fs::read_to_string(stage.path("out/logs").join(of_games)).unwrap();
    assert!(log.contains("ugiok") && log.contains("go depth 1"), "{log}");
}

#[test]
fn what_the_machine_lacks_is_no_engines_loss() {
    let player = |name: &str| json!({"name": name, "program": program("echo bestmove a4a5")});
    let engines = json!([player("one"), player("two")]);
    let stage = one_ruleset(&[
        ("engines", engines),
        ("limits", json!({"depth": 1})),
        ("pairs", 10.into()),
        ("max_plies", 5.into()),
    ]);
    let limited = |limit: &str, dir: &str| {
        let words = ["run", "spec.json", "--out", dir, "--concurrency", "20", "--quiet"];
        let run = stage.command(&words);
        let mut shell = Command::new("/bin/sh");
        shell.current_dir(stage.path(".")).args(["-c", &format!("ulimit {limit} 40; exec \"$0\" \"$@\"")]);
        let output = shell.arg(run.get_program()).args(run.get_args()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, said) = limited("-n", "hard");
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("Too many open files") && said.contains("ulimit -n") && said.contains("--resume"), "{said}");
    assert!(!stage.journal("hard").contains("cannot start"));
    // What the system allows is asked for.
    let (code, said) = limited("-Sn", "soft");
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(stage.journal("soft").lines().count(), 21);
}
