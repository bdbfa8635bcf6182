//! Runs of the real program that are killed, interrupted, divided and joined: the results are always the same.

use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_reynard");

/// A folder with a spec of 24 short games.
pub struct Stage {
    folder: TempDir,
}

impl Stage {
    /// With other values for some keys.
    pub fn with(changes: &[(&str, Value)]) -> Self {
        let folder = TempDir::new().unwrap();
        let mut spec = json!({
            "rulesets": ["masters-15", "bell-13"],
            "engines": [
                {"name": "mcts", "options": {"Searcher": "mcts", "Hash": 1}, "limits": {"nodes": 60}},
                {"name": "ab", "options": {"Searcher": "alphabeta", "Hash": 1}, "limits": {"depth": 1}}
            ],
            "format": "match", "pairs": 6, "openings": {"kind": "random", "plies": 4}, "seed": 3, "max_plies": 60
        });
        for (key, value) in changes {
            spec[*key] = value.clone();
        }
        fs::write(folder.path().join("spec.json"), spec.to_string()).unwrap();
        Stage { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.current_dir(self.folder.path()).arg("tournament").args(words);
        for variable in ["SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "JOB_COMPLETION_INDEX", "JOB_COMPLETIONS"] {
            command.env_remove(variable);
        }
        command
    }

    pub fn output(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }

    /// Standard output of a command that works.
    pub fn good(&self, words: &[&str]) -> String {
        let output = self.output(words);
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Standard error of a command that is refused.
    pub fn refused(&self, words: &[&str]) -> String {
        let output = self.output(words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        String::from_utf8(output.stderr).unwrap()
    }

    pub fn run(&self, dir: &str, more: &[&str]) -> String {
        self.good(&[&["run", "spec.json", "--out", dir], more].concat())
    }

    pub fn journal(&self, dir: &str) -> String {
        fs::read_to_string(self.path(dir).join("journal.jsonl")).unwrap()
    }

    pub fn start(&self, words: &[&str]) -> Child {
        self.command(words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Waits until a journal has so many lines, or the run is over.
    pub fn await_lines(&self, dir: &str, lines: usize, child: &mut Child) {
        let deadline = Instant::now() + Duration::from_secs(120);
        let path = self.path(dir).join("journal.jsonl");
        let enough = |path: &Path| fs::read_to_string(path).is_ok_and(|text| text.lines().count() >= lines);
        while !enough(&path) && child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < deadline, "no progress in {}", path.display());
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Games with and without dice, against a program of its own.
fn everything() -> Stage {
    Stage::with(&[
        ("rulesets", json!(["masters-15", "goose-team", "goose"])),
        (
            "engines",
            json!([
                {"name": "mcts", "options": {"Searcher": "mcts", "Hash": 1}, "limits": {"nodes": 40},
                 "program": {"command": PROGRAM}},
                {"name": "greedy", "options": {"Searcher": "greedy", "Hash": 1}, "limits": {"nodes": 1}}
            ]),
        ),
        ("pairs", json!(3)),
    ])
}

#[test]
fn killed_and_resumed_runs_end_like_an_undisturbed_one() {
    let stage = everything();
    let table = stage.run("whole", &["--quiet"]);
    // With the head: moments before, between and after the games.
    for lines in [0, 1, 4, 9, 15] {
        let mut child =
            stage.start(&["run", "spec.json", "--out", "torn", "--resume", "--concurrency", "2", "--quiet"]);
        stage.await_lines("torn", lines, &mut child);
        child.kill().unwrap();
        child.wait().unwrap();
        // A line that was cut off by the end of the machine.
        if lines > 1 {
            let journal = stage.path("torn").join("journal.jsonl");
            let mut journal = OpenOptions::new().append(true).open(journal).unwrap();
            journal.write_all(b"{\"fixture\":{\"ga").unwrap();
        }
    }
    assert_eq!(stage.run("torn", &["--resume", "--quiet"]), table);
    assert_eq!(stage.journal("torn"), stage.journal("whole"));
    assert_eq!(stage.run("torn", &["--resume", "--quiet"]), table, "a finished run is only told again");
}

#[test]
fn any_concurrency_and_any_shards_give_the_same_journal() {
    let stage = everything();
    let table = stage.run("whole", &["--quiet", "--concurrency", "1"]);
    stage.run("four", &["--quiet", "--concurrency", "4"]);
    assert_eq!(stage.journal("four"), stage.journal("whole"));
    let dirs = ["shard-0", "shard-1", "shard-2"];
    for (index, dir) in dirs.iter().enumerate() {
        stage.run(dir, &["--quiet", "--shard", &format!("{index}/3")]);
    }
    let told = stage.good(&[&["merge"], &dirs[..], &["--out", "merged"]].concat());
    assert_eq!(told, table);
    assert_eq!(stage.journal("merged"), stage.journal("whole"));
    assert!(stage.path("merged").join("report.html").exists());
    let output = stage.output(&["merge", "shard-2", "shard-0", "--out", "partial"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("6 game(s) are missing, the first is game 2."), "{message}");
    // A merge is made anew when more parts are there, and not over games that it would lose.
    stage.output(&["merge", "shard-0", "--out", "again"]);
    assert_eq!(stage.good(&[&["merge"], &dirs[..], &["--out", "again"]].concat()), table);
    assert_eq!(stage.journal("again"), stage.journal("whole"));
    assert!(stage.refused(&["merge", "shard-0", "--out", "again"]).contains("already holds a journal"));
    assert_eq!(stage.journal("again"), stage.journal("whole"));
    assert_eq!(stage.run("partial", &["--resume", "--quiet"]), table, "the missing games can be played");
    assert_eq!(stage.journal("partial"), stage.journal("whole"));
}

#[test]
fn a_test_is_decided_alike_whole_resumed_and_merged() {
    let sprt = json!({"elo0": 0, "elo1": 300, "alpha": 0.3, "beta": 0.3});
    let stage = Stage::with(&[("format", "sprt".into()), ("pairs", 20.into()), ("sprt", sprt)]);
    let table = stage.run("whole", &["--quiet"]);
    assert!(table.contains("was accepted"), "{table}");
    assert!(table.lines().last().unwrap().starts_with("SPRT: llr "), "{table}");
    let games = stage.journal("whole").lines().count() - 1;
    assert!(games < 80 && games.is_multiple_of(2), "{games} games");
    for lines in [1, 4] {
        let mut child =
            stage.start(&["run", "spec.json", "--out", "torn", "--resume", "--concurrency", "3", "--quiet"]);
        stage.await_lines("torn", lines, &mut child);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_eq!(stage.run("torn", &["--resume", "--quiet", "--concurrency", "4"]), table);
    assert_eq!(stage.journal("torn"), stage.journal("whole"));
    assert_eq!(stage.run("torn", &["--quiet", "--resume"]), table);
    for shard in ["0/2", "1/2"] {
        stage.run(&shard[..1], &["--quiet", "--shard", shard]);
    }
    let part = stage.good(&["report", "0"]);
    assert!(part.contains("one shard decides nothing") && !part.contains("accepted"), "{part}");
    let part: Value = serde_json::from_str(&stage.good(&["report", "0", "--format", "json"])).unwrap();
    assert!(part["sprt"].is_object() && part["sprt_verdict"].is_null(), "{part}");
    assert_eq!(stage.good(&["merge", "0", "1", "--out", "merged"]), table);
    assert!(stage.good(&["report", "merged"]).contains("accepted"));
    assert_eq!(stage.journal("merged"), stage.journal("whole"));
    assert!(stage.path("merged").join("surplus.jsonl").exists());
}

#[test]
fn a_watched_test_ends_its_shards() {
    let sprt = json!({"elo0": 0, "elo1": 300, "alpha": 0.3, "beta": 0.3});
    // More than anybody plays: only the decision ends them.
    let stage = Stage::with(&[("format", "sprt".into()), ("pairs", 1_000_000.into()), ("sprt", sprt)]);
    let table = stage.run("whole", &["--quiet"]);
    let watch = ["merge", "--watch", "merged", "0", "1", "2"];
    let watcher = stage.command(&watch).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let shards = ["0", "1"]
        .map(|dir| stage.start(&["run", "spec.json", "--out", dir, "--shard", &format!("{dir}/3"), "--quiet"]));
    let mut killed = stage.start(&["run", "spec.json", "--out", "2", "--shard", "2/3", "--quiet"]);
    stage.await_lines("2", 2, &mut killed);
    killed.kill().unwrap();
    killed.wait().unwrap();
    let requeued = stage.start(&["run", "spec.json", "--out", "2", "--shard", "2/3", "--quiet", "--resume"]);
    for shard in shards.into_iter().chain([requeued]) {
        let output = shard.wait_with_output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{message}");
        assert!(message.contains("The test is decided: SPRT: llr "), "{message}");
    }
    let output = watcher.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), table);
    assert_eq!(stage.journal("merged"), stage.journal("whole"));
    // A shard that begins too late has nothing to play.
    let late = stage.output(&["run", "spec.json", "--out", "0", "--shard", "0/3", "--quiet", "--resume"]);
    assert_eq!(late.status.code(), Some(0));
}

#[test]
fn a_report_of_several_folders_is_that_of_the_whole() {
    let stage = Stage::with(&[("pairs", 2.into())]);
    for shard in ["0/3", "1/3", "2/3"] {
        stage.run(&shard[..1], &["--quiet", "--shard", shard]);
    }
    let quiet = stage.output(&["merge", "0", "1", "2", "--out", "merged", "--quiet"]);
    assert_eq!((quiet.status.code(), String::from_utf8(quiet.stderr).unwrap()), (Some(0), String::new()));
    for format in ["text", "json", "csv", "html", "pgn"] {
        let of_parts = stage.good(&["report", "0", "1", "2", "--format", format]);
        assert_eq!(of_parts, stage.good(&["report", "merged", "--format", format]), "{format}");
    }
    let own = stage.refused(&["report", "0", "1", "--output", "1/journal.jsonl"]);
    assert!(own.contains("belongs to the run"), "{own}");
    let other = Stage::with(&[("pairs", 3.into())]);
    fs::copy(other.path("spec.json"), stage.path("spec.json")).unwrap();
    stage.run("other", &["--quiet"]);
    let refusal = stage.refused(&["report", "0", "1", "other"]);
    assert!(refusal.contains("are not of one tournament: pairs: 3 there, 2 here"), "{refusal}");
    assert!(stage.refused(&["report", "0", "nowhere"]).contains("nowhere holds no journal"));
    for dir in ["late", "later"] {
        fs::create_dir(stage.path(dir)).unwrap();
        fs::write(stage.path(dir).join("stop"), "").unwrap();
    }
    // A watch of shards that never begin ends too.
    for option in ["--out", "--watch"] {
        let refusal = stage.refused(&["merge", option, "none", "late", "later"]);
        assert!(refusal.contains("none of the shards has begun, and all are stopped: late, later"), "{refusal}");
    }
}

#[test]
fn watched_shards_without_a_test_are_joined_when_all_games_are_there() {
    let stage = Stage::with(&[]);
    let table = stage.run("whole", &["--quiet"]);
    let watcher = stage.command(&["merge", "--watch", "merged", "0", "1"]).stdout(Stdio::piped()).spawn().unwrap();
    for shard in ["0/2", "1/2"] {
        stage.run(&shard[..1], &["--quiet", "--concurrency", "3", "--shard", shard]);
    }
    assert_eq!(String::from_utf8(watcher.wait_with_output().unwrap().stdout).unwrap(), table);
    assert_eq!(stage.journal("merged"), stage.journal("whole"));
}

#[test]
fn a_finished_tournament_is_extended() {
    let small = Stage::with(&[("pairs", 2.into())]);
    let moves = |stage: &Stage, dir: &str| -> Vec<(Value, Value)> {
        let games = stage.journal(dir);
        let games = games.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
        games.map(|game| (game["fixture"].clone(), game["moves"].clone())).collect()
    };
    small.run("grown", &["--quiet"]);
    let more_pairs = Stage::with(&[("pairs", 4.into())]);
    more_pairs.run("whole", &["--quiet"]);
    let grow = |stage: &Stage| {
        fs::copy(stage.path("spec.json"), small.path("spec.json")).unwrap();
        small.output(&["run", "spec.json", "--out", "grown", "--quiet", "--resume"])
    };
    let message = |output: &Output| String::from_utf8(output.stderr.clone()).unwrap();
    let output = grow(&more_pairs);
    assert!(output.status.code() == Some(0) && message(&output).contains("pairs 2 -> 4"), "{}", message(&output));
    assert_eq!(small.journal("grown"), more_pairs.journal("whole"), "as if it had been played at once");

    let before = moves(&small, "grown");
    let engines = json!([
        {"name": "mcts", "options": {"Searcher": "mcts", "Hash": 1}, "limits": {"nodes": 60}},
        {"name": "ab", "options": {"Searcher": "alphabeta", "Hash": 1}, "limits": {"depth": 1}},
        {"name": "random", "options": {"Searcher": "random"}, "limits": {"nodes": 1}}
    ]);
    // The format says nothing else of two engines.
    let two = Stage::with(&[("format", "round-robin".into()), ("pairs", 2.into())]);
    two.run("grown", &["--quiet"]);
    let before_three = moves(&two, "grown");
    let three = [("format", "round-robin".into()), ("pairs", 2.into()), ("engines", engines)];
    fs::copy(Stage::with(&three).path("spec.json"), two.path("spec.json")).unwrap();
    let output = two.output(&["run", "spec.json", "--out", "grown", "--quiet", "--resume"]);
    assert!(output.status.code() == Some(0) && message(&output).contains("engines 2 -> 3"), "{}", message(&output));
    let after = moves(&two, "grown");
    assert_eq!(after.len(), 3 * before_three.len());
    let key = |fixture: &Value| ["ruleset", "opening", "seats"].map(|key| fixture[key].clone());
    for (fixture, moves) in &before_three {
        let kept = after.iter().find(|(other, _)| key(other) == key(fixture)).unwrap();
        assert_eq!(kept.1, *moves);
    }
    assert!(two.good(&["report", "grown"]).contains("random"));

    let other = Stage::with(&[("pairs", 6.into()), ("max_plies", 61.into())]);
    let output = grow(&other);
    assert!(
        output.status.code() == Some(2) && message(&output).contains("pairs: 4 there, 6 here"),
        "{}",
        message(&output)
    );
    assert_eq!(moves(&small, "grown"), before, "what does not fit leaves the journal as it was");
}

#[test]
fn ctrl_c_prints_the_command_that_goes_on() {
    // The program waits in its second game until a file is there, so that no run ends before it is asked to.
    let script = format!(
        "games=0; while read -r line; do case \"$line\" in *newgame) games=$((games + 1));; go*) until [ $games -lt 2 ] || \
         [ -e open ]; do : >waiting; sleep 0.05; done;; esac; echo \"$line\"; [ \"$line\" != quit ] || exit; done | '{PROGRAM}'"
    );
    let engines = json!([
        {"name": "waits", "program": {"command": "/bin/sh", "args": ["-c", script]}, "limits": {"depth": 1}},
        {"name": "ab", "options": {"Searcher": "alphabeta", "Hash": 1}, "limits": {"depth": 1}}
    ]);
    let forever = json!({"untimed_search_ms": 3_600_000, "ping_ms": 3_600_000});
    let stage = Stage::with(&[("pairs", 2.into()), ("engines", engines), ("supervision", forever)]);
    let [open, waiting] = ["open", "waiting"].map(|name| stage.path(name));
    for (dir, signals) in [
        ("my finish", &[Signal::SIGINT][..]),
        ("my SIGINT", &[Signal::SIGINT, Signal::SIGINT]),
        ("my SIGTERM", &[Signal::SIGTERM]),
    ] {
        let mut child = stage.start(&["run", "spec.json", "--out", dir, "--quiet"]);
        let deadline = Instant::now() + Duration::from_secs(120);
        while !waiting.exists() {
            assert!(Instant::now() < deadline, "no game waits");
            thread::sleep(Duration::from_millis(1));
        }
        stage.await_lines(dir, 2, &mut child);
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let (mut answer, mut said) = (String::new(), String::new());
        for (index, &signal) in signals.iter().enumerate() {
            kill(Pid::from_raw(child.id() as i32), signal).unwrap();
            if (index, signal) == (0, Signal::SIGINT) {
                stderr.read_line(&mut answer).unwrap();
                assert!(answer.contains("stopping after the game under way; Ctrl-C again"), "{answer}");
            }
        }
        let is_finished = dir == "my finish";
        if is_finished {
            fs::write(&open, "").unwrap();
        }
        stderr.read_to_string(&mut said).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(1), "{said}");
        assert_eq!(stage.journal(dir).lines().count(), 2 + usize::from(is_finished), "{dir}");
        let command = said.lines().last().unwrap();
        assert!(command.ends_with("--resume"), "{said}");
        fs::write(&open, "").unwrap();
        let resumed = Command::new("sh").current_dir(stage.folder.path()).args(["-c", command]).output().unwrap();
        assert_eq!(resumed.status.code(), Some(0), "{command}");
        fs::remove_file(&open).unwrap();
        fs::remove_file(&waiting).unwrap();
    }
    fs::write(&open, "").unwrap();
    stage.run("whole", &["--quiet", "--concurrency", "2"]);
    for dir in ["my finish", "my SIGINT", "my SIGTERM"] {
        assert_eq!(stage.journal(dir), stage.journal("whole"), "{dir}");
    }
}

#[test]
fn a_run_under_nohup_outlives_its_terminal() {
    let stage = Stage::with(&[("pairs", 5000.into())]);
    let run = stage.command(&["run", "spec.json", "--out", "out", "--quiet"]);
    let mut nohup = Command::new("sh");
    nohup.current_dir(stage.folder.path()).args(["-c", "trap '' HUP; exec \"$0\" \"$@\""]);
    nohup.arg(run.get_program()).args(run.get_args()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = nohup.spawn().unwrap();
    let pid = Pid::from_raw(child.id() as i32);
    stage.await_lines("out", 2, &mut child);
    let lines = || stage.journal("out").lines().count();
    for _ in 0..3 {
        kill(pid, Signal::SIGHUP).unwrap();
        stage.await_lines("out", lines() + 2, &mut child);
        assert_eq!(child.try_wait().unwrap(), None, "it goes on");
    }
    kill(pid, Signal::SIGTERM).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn what_says_nothing_of_openings_has_balanced_ones() {
    let mixed = Stage::with(&[("rulesets", json!(["masters-15", "goose"])), ("pairs", 1.into())]);
    let say = |stage: &Stage, openings: Value| {
        let mut spec: Value = serde_json::from_str(&fs::read_to_string(stage.path("spec.json")).unwrap()).unwrap();
        spec.as_object_mut().unwrap().remove("openings");
        if !openings.is_null() {
            spec["openings"] = openings;
        }
        fs::write(stage.path("spec.json"), spec.to_string()).unwrap();
    };
    let head = |stage: &Stage, dir: &str| -> Value {
        serde_json::from_str::<Value>(stage.journal(dir).lines().next().unwrap()).unwrap()["spec"]["openings"].take()
    };
    say(&mixed, Value::Null);
    mixed.run("out", &["--quiet"]);
    let usual = json!({"kind": "random", "plies": 16, "balance": {"by": "evaluation", "max_cp": 20, "nodes": 1000}});
    assert_eq!(head(&mixed, "out"), usual);
    let opening_plies: Vec<usize> = mixed
        .journal("out")
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["opening"]["moves"].as_array().map_or(0, Vec::len))
        .collect();
    assert_eq!(opening_plies, [16, 16, 0, 0], "dice need none");

    // `match` says nothing of them either.
    let words = ["match", "--games", "2", "--nodes", "20", "--out", "match"];
    let output = Command::new(PROGRAM).current_dir(mixed.folder.path()).args(words).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(head(&mixed, "match"), usual);

    // An old run of the same spec began at the start.
    let old = Stage::with(&[("rulesets", json!(["masters-15"])), ("pairs", 1.into())]);
    let start = json!({"kind": "none"});
    say(&old, start.clone());
    old.run("out", &["--quiet"]);
    say(&old, Value::Null);
    let refusal = old.refused(&["run", "spec.json", "--out", "out", "--resume"]);
    assert!(refusal.contains(r#""openings": {"kind": "none"} goes on with them"#), "{refusal}");
    say(&old, start);
    old.run("out", &["--quiet", "--resume"]);
}

#[test]
fn a_run_says_where_openings_cannot_be_balanced() {
    let notes = |ruleset: &str, pairs: u64| {
        let openings =
            json!({"kind": "random", "plies": 16, "balance": {"by": "evaluation", "max_cp": 20, "nodes": 1000}});
        let stage = Stage::with(&[("rulesets", json!([ruleset])), ("pairs", pairs.into()), ("openings", openings)]);
        let check: Value = serde_json::from_str(&stage.good(&["check", "spec.json", "--json"])).unwrap();
        check["notes"].to_string()
    };
    assert!(
        notes("fox-and-hounds", 1).contains("cannot be balanced (with best play nearly all are won by the hounds)")
    );
    assert!(notes("renard-1668", 1).contains("cannot be balanced (with best play nearly all are won by the fox)"));
    assert!(notes("catch-the-hare", 8).contains("a search calls 0 of the first 8 openings level"));
    assert!(!notes("catch-the-hare", 4).contains("balanced"), "of few openings it is chance");
    assert!(!notes("masters-15", 8).contains("balanced"));
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let stage = Stage::with(&[("pairs", 1.into()), ("rulesets", json!(["masters-15"]))]);
    stage.run("whole", &["--quiet"]);
    let again = stage.refused(&["run", "spec.json", "--out", "whole"]);
    assert!(again.contains("already holds a journal") && again.contains("--resume"), "{again}");
    let spec = fs::read_to_string(stage.path("spec.json")).unwrap();
    fs::write(stage.path("spec.json"), spec.replace("\"nodes\":60", "\"nodes\":61")).unwrap();
    let other = stage.refused(&["run", "spec.json", "--out", "whole", "--resume"]);
    assert!(other.contains("engines[0].limits.nodes: 60 there, 61 here"), "{other}");
    stage.run("other", &["--quiet"]);
    let merged = stage.refused(&["merge", "whole", "other", "--out", "merged"]);
    assert!(merged.contains("engines[0].limits.nodes: 61 there, 60 here"), "{merged}");
    assert!(stage.refused(&["merge", "whole", "nowhere", "--out", "merged"]).contains("nowhere holds no journal"));
    assert!(!stage.path("merged").exists());
}

#[test]
fn the_shard_may_come_from_the_environment() {
    let stage = Stage::with(&[("pairs", 2.into()), ("rulesets", json!(["masters-15"]))]);
    let run = |dir: &str, variables: &[(&str, &str)], more: &[&str]| {
        let mut command = stage.command(&[&["run", "spec.json", "--quiet", "--out", dir], more].concat());
        let output = command.envs(variables.iter().copied()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let slurm = [("SLURM_ARRAY_TASK_ID", "2"), ("SLURM_ARRAY_TASK_MIN", "1"), ("SLURM_ARRAY_TASK_COUNT", "2")];
    let kubernetes = [("JOB_COMPLETION_INDEX", "0"), ("JOB_COMPLETIONS", "2")];
    assert_eq!(run("slurm", &slurm, &[]).0, Some(0));
    assert!(stage.journal("slurm").contains("\"shard\":{\"index\":1,\"count\":2}"));
    assert_eq!(run("kubernetes", &kubernetes, &[]).0, Some(0));
    assert!(stage.journal("kubernetes").contains("\"shard\":{\"index\":0,\"count\":2}"));
    assert_eq!(run("whole", &slurm, &["--shard", "0/1"]).0, Some(0));
    stage.good(&["merge", "slurm", "kubernetes", "--out", "merged"]);
    assert_eq!(stage.journal("merged"), stage.journal("whole"));
    let (code, message) = run("half", &kubernetes[..1], &[]);
    assert!(code == Some(2) && message.contains("JOB_COMPLETIONS"), "{message}");
}

#[test]
fn events_tell_what_the_spec_asks_for() {
    let kinds = json!(["start", "move", "end", "standings"]);
    let stage = Stage::with(&[("pairs", 1.into()), ("rulesets", json!(["masters-15"])), ("events", kinds)]);
    stage.run("whole", &["--quiet"]);
    let text = fs::read_to_string(stage.path("whole/events.jsonl")).unwrap();
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let count = |kind: &str| events.iter().filter(|event| event["event"] == kind).count();
    let journal = stage.journal("whole");
    let games: Vec<Value> = journal.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    let moves: usize = games.iter().map(|game| game["moves"].as_array().unwrap().len()).sum();
    assert_eq!((count("start"), count("move"), count("end"), count("standings")), (2, moves, 2, 2));
    assert!(events.iter().all(|event| event["at"].as_str().unwrap().ends_with('Z')));
    // A game has begun when its worker takes it, not when it is queued behind another one.
    let second = events.iter().position(|event| event["event"] == "start" && event["game"] == 1).unwrap();
    let is_of_first = |event: &Value| event["event"] == "move" && event["game"] == 0;
    assert!(second > events.iter().rposition(is_of_first).unwrap(), "{text}");
}

#[test]
fn a_run_stops_at_a_breakdown_when_the_spec_says_so() {
    let crash = "while read -r line; do case \"$line\" in ugi) echo ugiok;; isready) echo readyok;; \
                 go*) exit 3;; quit) exit;; esac; done";
    let engines = json!([
        {"name": "good", "options": {"Searcher": "random"}},
        {"name": "bad", "program": {"command": "/bin/sh", "args": ["-c", crash]}}
    ]);
    let changes = [("engines", engines), ("limits", json!({"nodes": 1})), ("pairs", 2.into())];
    let stage = Stage::with(&[&changes[..], &[("on_forfeit", "stop".into())]].concat());
    let output = stage.output(&["run", "spec.json", "--out", "stopped", "--quiet"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("bad: ") && said.contains("the spec stops at such a forfeit"), "{said}");
    assert!(said.lines().last().unwrap().ends_with("--resume"), "{said}");
    assert_eq!(stage.journal("stopped").lines().count(), 2, "the head and the game that was forfeited");
    let going_on = fs::read_to_string(stage.path("spec.json")).unwrap().replace("\"stop\"", "\"continue\"");
    fs::write(stage.path("spec.json"), going_on).unwrap();
    let table = stage.run("stopped", &["--resume", "--quiet"]);
    assert!(table.starts_with("Score of good vs bad: 8 - 0 - 0"), "{table}");
}
