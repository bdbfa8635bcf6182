//! Devices, pipes, endless lines and damaged heads: refused at once and by name.

use std::fs;
use std::io::Read;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::{PATIENCE, endless, good, mkfifo, played, refused, reynard};

#[test]
fn what_people_name_is_never_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    mkfifo(&folder.join("pipe"));
    for path in ["/dev/zero", "pipe"] {
        let spec = |openings: &str, engine: &str| {
            let spec = format!(
                r#"{{"rulesets": ["masters-15"], "format": "match", "pairs": 1, "limits": {{"depth": 1}},
                "engines": [{{"name": "A"{engine}}}, {{"name": "B"}}]{openings}}}"#
            );
            fs::write(folder.join("spec.json"), spec).unwrap();
        };
        let run = ["tournament", "run", "spec.json", "--quiet"];
        let named =
            |message: String| assert!(message.contains(path) && message.contains("not a regular file"), "{message}");
        named(refused(folder, &["tune", path]));
        named(refused(folder, &["tournament", "run", path]));
        named(reynard(folder, &["rules", "check", path], "").2);
        named(refused(folder, &["perft", "--rules", path, "2"]));
        named(refused(folder, &["--options", path]));
        spec("", &format!(r#", "options_file": "{path}""#));
        named(refused(folder, &run));
        spec(&format!(r#", "openings": {{"kind": "file", "path": "{path}"}}"#), "");
        named(refused(folder, &run));
    }
    for path in ["/dev/zero", "/proc/kmsg", "pipe"] {
        let script = format!("ugi\nsetoption name RulesFile value {path}\nisready\nquit\n");
        let (_, told, _) = reynard(folder, &[], &script);
        assert!(told.contains(&format!("info string error {path}")) || told.contains(path), "{told}");
        assert!(told.contains("readyok"), "{told}");
    }
}

#[test]
fn a_journal_that_is_no_file_or_has_no_line_ends_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    played(folder);
    let journal = folder.join("out/journal.jsonl");
    let whole = fs::read(&journal).unwrap();
    let resume = ["tournament", "run", "four.json", "--out", "out", "--quiet", "--resume"];
    let refuse = |word: &str| {
        for words in [&["tournament", "report", "out"][..], &["tournament", "replay", "out", "0"], &resume] {
            let (code, _, error) = reynard(folder, words, "");
            assert!(code != 0 && error.contains("journal.jsonl") && error.contains(word), "{words:?}: {error}");
        }
    };
    let replaced_by = |make: &dyn Fn(&Path)| {
        fs::remove_file(&journal).unwrap();
        make(&journal);
    };
    replaced_by(&|path| mkfifo(path));
    refuse("not a regular file");
    replaced_by(&|path| symlink("/dev/zero", path).unwrap());
    refuse("not a regular file");
    replaced_by(&|path| endless(path, b""));
    refuse("line 1 has more than 64 MiB");
    replaced_by(&|path| endless(path, &whole));
    refuse("line 6 has more than 64 MiB");
    replaced_by(&|path| fs::write(path, &whole).unwrap());
    endless(&folder.join("out/times.jsonl"), b"");
    let (code, _, error) = reynard(folder, &["tournament", "report", "out"], "");
    assert!(code != 0 && error.contains("times.jsonl, line 1 has more than 64 MiB"), "{error}");
}

#[test]
fn a_damaged_head_does_not_cost_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    played(folder);
    let journal = folder.join("out/journal.jsonl");
    let whole = fs::read_to_string(&journal).unwrap();
    let (head, games) = whole.split_once('\n').unwrap();
    let one_game = games.split_inclusive('\n').next().unwrap();
    let resume = ["tournament", "run", "four.json", "--out", "out", "--quiet", "--resume"];
    let damaged = [
        whole.replacen("\"program\"", "\"pr0gram\"", 1),
        whole.replacen('\n', " ", 1),
        format!("{head} {one_game}"),
        format!("{}\n{games}", &head[..head.len() / 2]),
    ];
    for text in damaged {
        fs::write(&journal, &text).unwrap();
        for words in [&["tournament", "report", "out"][..], &resume] {
            let message = refused(folder, words);
            assert!(message.contains("line 1, the head, is damaged"), "{message}");
            assert!(message.contains("Keep the file") && !message.contains("elete"), "{message}");
        }
        assert_eq!(fs::read_to_string(&journal).unwrap(), text);
    }
    // The first bytes, behind which nothing else says what this is, and no head at all.
    for (text, word) in [
        (whole.replacen("{\"version\"", "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}", 1), "line 1, the head, is damaged"),
        (whole.replacen("{\"version\"", "", 1), "line 1, the head, is damaged"),
        (format!("\n{games}"), "line 1, the head, is damaged"),
        (games.to_owned(), "without its head"),
    ] {
        fs::write(&journal, &text).unwrap();
        for words in [&["tournament", "report", "out"][..], &resume] {
            let message = refused(folder, words);
            assert!(message.contains(word) && message.contains("Keep the file"), "{message}");
            assert!(message.contains("the first line of its journal") && !message.contains("elete"), "{message}");
        }
        assert_eq!(fs::read_to_string(&journal).unwrap(), text);
    }
    // What the message says to do.
    good(folder, &["tournament", "run", "four.json", "--out", "other", "--quiet"]);
    let other = fs::read_to_string(folder.join("other/journal.jsonl")).unwrap();
    fs::write(&journal, format!("{}\n{games}", other.lines().next().unwrap())).unwrap();
    good(folder, &resume);
    assert_eq!(fs::read_to_string(&journal).unwrap(), whole);
}

#[test]
fn a_stopped_run_ends_soon_however_many_pairs_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let spec = r#"{"rulesets": ["masters-15"], "format": "match", "pairs": 500000000, "max_plies": 8,
        "limits": {"depth": 1}, "engines": [{"name": "A"}, {"name": "B"}], "openings": {"kind": "random", "plies": 2}}"#;
    fs::write(folder.join("spec.json"), spec).unwrap();
    let arguments = ["tournament", "run", "spec.json", "--quiet", "--out", "out"];
    let mut run = Command::new(env!("CARGO_BIN_EXE_reynard"));
    let mut run = run.args(arguments).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let journal = folder.join("out/journal.jsonl");
    let start = Instant::now();
    while fs::read_to_string(&journal).map_or(0, |text| text.lines().count()) < 5 {
        assert!(start.elapsed() < PATIENCE && run.try_wait().unwrap().is_none(), "no games");
        thread::sleep(Duration::from_millis(5));
    }
    kill(Pid::from_raw(run.id() as i32), Signal::SIGINT).unwrap();
    let stopped = Instant::now();
    while run.try_wait().unwrap().is_none() {
        if stopped.elapsed() > PATIENCE {
            run.kill().unwrap();
            panic!("it does not stop");
        }
        thread::sleep(Duration::from_millis(5));
    }
    let mut said = String::new();
    run.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(said.contains("stopped with"), "{said}");
    good(folder, &["tournament", "report", "out"]);
}

/// The smallest layer that there is.
fn tables(folder: &Path) -> Vec<PathBuf> {
    good(folder, &["table", "build", "bell-13", "--geese", "4"]);
    let mut layers: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    layers.retain(|path| path.extension().is_some_and(|extension| extension == "table"));
    layers.sort();
    layers
}

#[test]
fn a_pipe_among_the_tables_is_waited_for_by_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for layer in tables(folder) {
        let whole = fs::read(&layer).unwrap();
        fs::remove_file(&layer).unwrap();
        mkfifo(&layer);
        let name = layer.file_name().unwrap().to_string_lossy();
        let named = |words: &[&str], said: &str| {
            assert!(said.contains(&*name) && said.contains("not a regular file"), "{words:?}: {said}");
        };
        for words in [
            &["table", "list"][..],
            &["table", "stats", "bell-13"],
            &["table", "verify", "bell-13"],
            &["table", "probe", "bell-13", "3/3/7/3F3/2GG3/1GG/3 g"],
            &["table", "atlas", "bell-13"],
            &["table", "build", "bell-13", "--geese", "4"],
        ] {
            let (code, _, error) = reynard(folder, words, "");
            // As for every table that is not what it should be.
            assert_eq!(code, 1, "{words:?}: {error}");
            named(words, &error);
        }
        let path = folder.display();
        let script = format!(
            "ugi\nsetoption name Ruleset value bell-13\nsetoption name TablePath value {path}\nisready\n\
             go depth 1\nquery result\nisready\nquit\n"
        );
        let (_, told, _) = reynard(folder, &[], &script);
        assert_eq!((told.matches("readyok").count(), told.matches("bestmove").count()), (2, 1), "{told}");
        named(&["TablePath"], &told);
        fs::remove_file(&layer).unwrap();
        fs::write(&layer, whole).unwrap();
    }
    fs::remove_file(folder.join("build.lock")).unwrap();
    mkfifo(&folder.join("build.lock"));
    let (code, _, error) = reynard(folder, &["table", "build", "bell-13", "--geese", "5"], "");
    assert!(code != 0 && error.contains("build.lock") && error.contains("not a regular file"), "{error}");
}

#[test]
fn a_pipe_in_place_of_the_lock_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    played(folder);
    fs::remove_file(folder.join("out/lock")).unwrap();
    mkfifo(&folder.join("out/lock"));
    let words = ["tournament", "run", "four.json", "--out", "out", "--quiet", "--resume"];
    let (code, _, error) = reynard(folder, &words, "");
    assert!(code != 0 && error.contains("lock") && error.contains("not a regular file"), "{error}");
}

#[test]
fn a_pipe_in_place_of_a_log_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    played(folder);
    let spec = fs::read_to_string(folder.join("four.json")).unwrap().replacen('{', r#"{"events": ["move"], "#, 1);
    fs::write(folder.join("told.json"), spec).unwrap();
    fs::create_dir(folder.join("told")).unwrap();
    mkfifo(&folder.join("told/events.jsonl"));
    let (code, _, error) = reynard(folder, &["tournament", "run", "told.json", "--out", "told", "--quiet"], "");
    assert!(code != 0 && error.contains("events.jsonl: a pipe, not a regular file"), "{error}");
    let pgn = folder.join("games.pgn");
    mkfifo(&pgn);
    let (code, _, error) = reynard(folder, &["match", "--games", "2", "--nodes", "5", "--pgnout", "games.pgn"], "");
    assert!(code == 2 && error.contains("games.pgn: a pipe, not a regular file"), "{error}");
}

#[test]
fn whatever_is_named_wrongly_ends_with_one_code() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    played(folder);
    mkfifo(&folder.join("pipe"));
    let meeting = ["match", "--games", "2", "--nodes", "5"];
    for (words, refusal) in [
        (&["--pgnout", "pipe"][..], "pipe: a pipe, not a regular file"),
        (&["--pgnout", "none/games.pgn"], "none/games.pgn: No such file"),
        (&["--out", "pipe"], "pipe: not a folder"),
        (&["--openings", "path=pipe"], "pipe: a pipe, not a regular file"),
        (&["--rules", "pipe"], "pipe: a pipe, not a regular file"),
        (&["--a", "TablePath=nowhere"], "player A: option TablePath: nowhere: no such folder"),
        (&["--b", "TablePath=pipe"], "player B: option TablePath: pipe: not a folder"),
        (&["--a", "TablePath=nowhere", "--through-protocol"], "player A: option TablePath: nowhere: no such folder"),
    ] {
        let (code, _, error) = reynard(folder, &[&meeting, words].concat(), "");
        assert!(code == 2 && error.contains(refusal), "{words:?}: {code} {error}");
    }
    for (words, refusal) in [
        (&["tournament", "run", "pipe"][..], "pipe: a pipe, not a regular file"),
        (&["tournament", "run", "four.json", "--out", "pipe"], "pipe: not a folder"),
        (&["tournament", "report", "pipe"], "pipe holds no journal"),
        (&["tournament", "report", "out", "--output", "none/report.html"], "there is no folder 'none'"),
        (&["tournament", "report", "out", "--output", "out/logs"], "out/logs"),
        (&["tune", "pipe"], "pipe: a pipe, not a regular file"),
        (&["table", "build", "fox-and-hounds", "--dir", "pipe"], "pipe: not a folder"),
    ] {
        let (code, _, error) = reynard(folder, words, "");
        assert!(code == 2 && error.contains(refusal), "{words:?}: {code} {error}");
    }
}
