//! Learned evaluations through the real program: a run of `tune`, its interruption, its result in a game.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::Client;

/// A folder with a spec and the tables that it names.
struct Bench {
    dir: TempDir,
}

fn spec() -> Value {
    json!({
        "name": "hounds", "method": "learn", "ruleset": "fox-and-hounds", "tables": "tables", "seed": 5,
        "learn": {
            "model": ["blocks", "rows"], "perfect_games": 30, "rounds": 2, "games": 20, "opening_plies": [0, 6],
            "players": [{"searcher": "alphabeta", "nodes": 60}, {"searcher": "mcts", "nodes": 20}],
            "heard": 3, "epochs": 3
        },
        "openings": {"kind": "random", "plies": 2}, "limits": {"nodes": 50}, "final_pairs": 0
    })
}

impl Bench {
    fn new() -> Self {
        let bench = Bench { dir: TempDir::new().unwrap() };
        bench.build(&["fox-and-hounds"]);
        bench.write(&spec());
        bench
    }

    fn build(&self, ruleset: &[&str]) {
        let built = self.reynard(&[&["table", "build", "--dir", "tables"], ruleset].concat());
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    }

    fn write(&self, spec: &Value) {
        fs::write(self.path("spec.json"), spec.to_string()).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn reynard(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_reynard")).current_dir(self.dir.path()).args(arguments).output().unwrap()
    }

    fn tune(&self, out: &str, arguments: &[&str]) -> Output {
        self.reynard(&[&["tune", "spec.json", "--quiet", "--out", out], arguments].concat())
    }

    fn learn(&self, out: &str, arguments: &[&str]) -> String {
        let output = self.tune(out, arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn refused(&self, out: &str, arguments: &[&str]) -> String {
        let output = self.tune(out, arguments);
        assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stdout));
        String::from_utf8(output.stderr).unwrap()
    }

    /// With no word about the game but what the file says.
    fn the_result_starts_an_engine(&self, out: &str) {
        let options = format!("{out}/tuned.json");
        let mut engine = Command::new(env!("CARGO_BIN_EXE_reynard"));
        engine.current_dir(self.dir.path()).args(["--options", &options]);
        let output = assert_cmd::Command::from(engine).write_stdin("ugi\nquery ruleset\nquit\n").output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("fox-and-hounds"), "{output:?}");
    }

    fn weights(&self, out: &str) -> Vec<u8> {
        fs::read(self.path(out).join("learned.weights")).unwrap()
    }
}

fn losses(path: &Path) -> Vec<f64> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["validation_loss"].as_f64().unwrap()).collect()
}

#[test]
fn a_run_learns_the_same_however_it_goes_and_its_weights_play() {
    let bench = Bench::new();
    let text = bench.learn("whole", &[]);
    assert!(text.contains("won by the geese") && text.contains("validation loss: "), "{text}");
    let losses = losses(&bench.path("whole/trace.jsonl"));
    assert_eq!(losses.len(), 9, "three epochs in each of three rounds");
    assert!(losses[2] < losses[0] && losses[0] < std::f64::consts::LN_2, "{losses:?}");
    let page = fs::read_to_string(bench.path("whole/trace.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("Loss in training"), "{page}");

    // Two workers, and a run that was cut short in its second round.
    let told = bench.reynard(&["tune", "spec.json", "--out", "two", "--concurrency", "2"]);
    let progress = String::from_utf8(told.stderr).unwrap();
    assert!(told.status.success() && progress.contains("9/9 epochs, loss 0."), "{progress}");
    assert!(bench.refused("two", &[]).contains("--resume"));
    assert_eq!(bench.weights("whole"), bench.weights("two"));
    fs::remove_file(bench.path("two/learned.weights")).unwrap();
    fs::remove_file(bench.path("two/games-50.samples")).unwrap();
    bench.learn("two", &["--resume"]);
    assert_eq!(bench.weights("whole"), bench.weights("two"));
    let damaged = bench.path("two/games-0.samples");
    let mut bytes = fs::read(&damaged).unwrap();
    bytes[40] ^= 1;
    fs::write(&damaged, bytes).unwrap();
    assert!(bench.refused("two", &["--resume"]).contains("games-0.samples: it is damaged"));
    let mut other = spec();
    other["learn"]["noise"] = json!(0.3);
    bench.write(&other);
    assert!(bench.refused("whole", &["--resume"]).contains("another run: learn.noise: 0.15 there, 0.3 here"));

    the_weights_can_be_loaded(&bench.path("whole/learned.weights"), &bench.path("broken.weights"));
    let check = || bench.reynard(&["tournament", "check", "whole/sprt.json"]);
    let checked = check();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    bench.the_result_starts_an_engine("whole");
    fs::copy(bench.path("broken.weights"), bench.path("whole/learned.weights")).unwrap();
    let refused = check();
    let error = String::from_utf8(refused.stderr).unwrap();
    assert!(refused.status.code() == Some(2) && error.contains("engines[0].options_file: fox-and-hounds: "), "{error}");
}

#[test]
fn one_command_learns_a_game_and_its_ruleset_plays_by_the_weights() {
    let bench = Bench { dir: TempDir::new().unwrap() };
    let ruleset = |weights: &str| {
        fs::write(bench.path("mine.json"), format!(r#"{{"name": "mine", "extends": "len-choa"{weights}}}"#)).unwrap();
    };
    ruleset("");
    let learn = |out: &str, more: &[&str]| {
        let words = ["tune", "learn", "--rules", "mine.json", "--effort", "0.01", "--quiet", "--out", out];
        bench.reynard(&[&words, more].concat())
    };
    let text = |output: Output| {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let told = text(learn("one", &["--concurrency", "1"]));
    assert!(told.contains("won openings against perfect play, ") && told.contains("The result is "), "{told}");
    assert_eq!(learn("one", &[]).status.code(), Some(2), "a run is there");
    text(learn("one", &["--resume"]));
    let refused = |output: Output| {
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    let other =
        |words: &[&str]| refused(bench.reynard(&[&["tune", "learn", "--out", "one", "--resume"], words].concat()));
    assert!(refused(learn("one", &["--resume", "--seed", "2"])).contains("its seed is 1, asked for is 2"));
    assert!(refused(learn("one", &["--resume", "--tables", "one"])).contains("its tables is \"tables\", asked for is"));
    assert!(
        other(&["--rules", "mine.json", "--effort", "1"]).contains("its learn.perfect_games is 15, asked for is 1500")
    );
    assert!(other(&["len-choa", "--effort", "0.01"]).contains("its ruleset is "));
    assert!(refused(learn("none", &["--tables", "."])).contains("no table is there"));
    // With tables that are there, and with another number of threads.
    text(learn("two", &["--tables", "one/tables", "--concurrency", "2"]));
    assert_eq!(bench.weights("one"), bench.weights("two"));
    assert!(!bench.path("two/tables").exists());

    let check = || bench.reynard(&["rules", "check", "mine.json"]);
    assert!(
        text(check())
            .contains("plays without learned weights; to learn and test some: reynard tune learn --rules mine.json\n")
    );
    ruleset(r#", "weights": "one/learned.weights""#);
    assert!(text(check()).contains("plays with the learned weights of one/learned.weights"));
    let mut client = Client::ugi();
    client.accepted(&format!("setoption name RulesFile value {}", bench.path("mine.json").display()));
    assert!(client.told("eval")[0].starts_with("learned weights of /"), "{:?}", client.told("eval"));
    client.accepted("setoption name EvalFile value linear");
    assert!(!client.told("eval")[0].starts_with("learned weights"));

    // Switches that change the rules take the weights out; they hide no error in the file.
    let switched = || bench.reynard(&["perft", "--rules", "mine.json", "--set", "fox_wins_below=2", "1"]);
    text(switched());

    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/src/engine/eval/hunt/weights/fox-and-hounds.weights");
    for (path, reason) in
        [(shipped, "it serves fox-and-hounds"), ("none.weights", "cannot read "), ("mine.json", "no file")]
    {
        ruleset(&format!(r#", "weights": "{path}""#));
        for refused in [check(), switched()] {
            let error = String::from_utf8(refused.stderr).unwrap();
            assert!(!refused.status.success() && error.contains("mine.json: key 'weights': "), "{error}");
            assert!(error.contains(reason), "{error}");
        }
    }
}

/// No game of `fox-and-hounds` is drawn; here most openings are, and half of the games of a round hold them.
#[test]
fn a_run_learns_the_same_from_games_that_hold_draws() {
    let bench = Bench { dir: TempDir::new().unwrap() };
    let rules = r#"{"name": "small", "extends": "masters-15", "board": "grid(3,5)", "fox_start": ["b4"],
        "geese": ["a1", "b1", "c1", "a2", "c2"], "fox_wins_below": 4}"#;
    fs::write(bench.path("small.json"), rules).unwrap();
    bench.build(&["--rules", "small.json"]);
    let mut spec = spec();
    spec["ruleset"] = json!({"file": "small.json"});
    spec.as_object_mut().unwrap().remove("openings");
    bench.write(&spec);
    let text = bench.learn("whole", &[]);
    let drawn = text.split("; ").flat_map(|part| part.split(", ")).find_map(|part| part.strip_suffix(" drawn"));
    assert!(drawn.unwrap().parse::<u64>().unwrap() > 1000, "{text}");
    let test: Value = serde_json::from_slice(&fs::read(bench.path("whole/sprt.json")).unwrap()).unwrap();
    let balance = json!({"by": "evaluation", "max_cp": 20, "nodes": 1000});
    let openings = json!({"kind": "random", "plies": 16, "balance": balance});
    assert_eq!(test["openings"], openings, "learning needs none, the test does");
    bench.learn("two", &["--concurrency", "2"]);
    assert_eq!(bench.weights("whole"), bench.weights("two"));
    fs::remove_file(bench.path("two/games-50.samples")).unwrap();
    bench.learn("two", &["--resume"]);
    assert_eq!(bench.weights("whole"), bench.weights("two"));
}

#[test]
fn shipped_weights_serve_the_searcher_that_they_help() {
    let mut client = Client::ugi();
    client.accepted("setoption name Ruleset value murray-13");
    // Until the fox is on the board nothing is learned.
    client.accepted("position fen 3/1G1/3GG1F/1G1GGG1/2G1GG1/1G1/G1G g");
    let mut evaluation = |searcher: &str, file: &str| {
        client.accepted(&format!("setoption name Searcher value {searcher}"));
        client.accepted(&format!("setoption name EvalFile value {file}"));
        client.told("eval")
    };
    // Each has a file of its own.
    assert_ne!(evaluation("alphabeta", "<empty>"), evaluation("alphabeta", "linear"));
    assert_ne!(evaluation("mcts", "<empty>"), evaluation("mcts", "linear"));
    assert_ne!(evaluation("alphabeta", "<empty>"), evaluation("mcts", "<empty>"));
    // The file says whom it serves, wherever it is named.
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/src/engine/eval/hunt/weights/murray-13.weights");
    assert_eq!(evaluation("alphabeta", shipped), evaluation("alphabeta", "<empty>"));
    assert_ne!(evaluation("mcts", shipped), evaluation("mcts", "linear"));
    client.accepted(&format!("setoption name EvalFile value {shipped}"));
    for (searcher, is_warned) in [("mcts", false), ("alphabeta", true)] {
        client.accepted(&format!("setoption name Searcher value {searcher}"));
        client.send("go nodes 1");
        let warns = |line: &String| line.contains("EvalFile: its weights serve another searcher");
        assert_eq!(client.until("bestmove").iter().any(warns), is_warned, "{searcher}");
    }
    let bench = Bench { dir: TempDir::new().unwrap() };
    fs::copy(shipped, bench.path("own.weights")).unwrap();
    let mine = r#"{"name": "mine", "extends": "murray-13", "weights": "own.weights"}"#;
    fs::write(bench.path("mine.json"), mine).unwrap();
    let told = String::from_utf8(bench.reynard(&["rules", "check", "mine.json"]).stdout).unwrap();
    let words = "mcts plays with the learned weights of own.weights, alphabeta with the learned weights of murray-13";
    assert!(told.contains(words), "{told}");
}

/// The option `EvalFile`, its refusals, and that the weights before a refusal stay.
fn the_weights_can_be_loaded(weights: &Path, broken: &Path) {
    let (path, broken_path) = (weights.display(), broken.display());
    let mut client = Client::ugi();
    let error = client.refused(&format!("setoption name EvalFile value {path}"));
    assert!(
        error.contains("EvalFile: ")
            && error.contains("for rules with the fingerprint")
            && error.contains("; it serves fox-and-hounds"),
        "{error}"
    );
    client.accepted("setoption name Ruleset value fox-and-hounds");
    let shipped = client.told("eval");
    client.accepted("setoption name EvalFile value Linear");
    let linear = client.told("eval");
    assert_ne!(shipped, linear);
    client.accepted(&format!("setoption name EvalFile value {path}"));
    let learned = client.told("eval");
    assert!(
        learned.iter().any(|line| line.contains(" to ")) && ![&shipped, &linear].contains(&&learned),
        "{learned:?}"
    );
    let (_, best) = client.go("nodes 500");
    assert!(best.starts_with("bestmove ") && best != "bestmove (none)");

    let whole = fs::read(weights).unwrap();
    let mut newer = whole.clone();
    newer[8] = 9;
    for (bytes, words) in [(&whole[..whole.len() - 1], "damaged"), (&newer, "version 9"), (b"{}", "no file of learned")]
    {
        fs::write(broken, bytes).unwrap();
        let error = client.refused(&format!("setoption name EvalFile value {broken_path}"));
        assert!(error.contains(words) && error.contains("broken.weights"), "{error}");
        assert_eq!(client.told("eval"), learned, "the old stays");
    }
    let error = client.refused("setoption name EvalFile value /no/such/file");
    assert!(error.contains("/no/such/file"), "{error}");

    // Rules that the weights are not for: told once, and played all the same.
    client.accepted("setoption name Ruleset value halatafl");
    for times in [1, 0] {
        let (lines, best) = client.go("nodes 300");
        assert_eq!(lines.iter().filter(|line| line.contains("info string EvalFile: ")).count(), times, "{lines:?}");
        assert!(best.starts_with("bestmove ") && best != "bestmove (none)");
    }
    client.accepted("setoption name Ruleset value fox-and-hounds");
    assert_eq!(client.told("eval"), learned);
    for (value, expected) in [("linear", linear), ("<empty>", shipped)] {
        client.accepted(&format!("setoption name EvalFile value {value}"));
        assert_eq!(client.told("eval"), expected);
    }
}

#[test]
fn a_spec_that_cannot_be_learned_from_is_refused_with_its_key() {
    let bench = Bench { dir: TempDir::new().unwrap() };
    let changes: [(&str, Value, &str); 10] = [
        ("learn", Value::Null, "learn: missing"),
        ("tables", json!("."), "no tables of 'fox-and-hounds'"),
        ("parameters", json!([{"name": "EvalFoxReach"}]), "parameters: the method learn"),
        ("learn", json!({"targets": {"won": 0.8, "slope": 0.4}}), "learn.targets"),
        ("learn", json!({"targets": {"result": 1.5}}), "learn.targets.result"),
        ("learn", json!({"model": ["circles"]}), "circles"),
        ("learn", json!({"opening_plies": [5, 2]}), "learn.opening_plies"),
        (
            "learn",
            json!({"games": 10_000_000}),
            "learn.games: 10000000 is not allowed; expected an integer from 1 to 1000000",
        ),
        ("learn", json!({"rounds": u64::MAX}), "expected an integer from 0 to 1000"),
        (
            "learn",
            json!({"validation": 0}),
            "learn.validation: 0.0 is not allowed; expected a number from 0.001 to 0.9",
        ),
    ];
    for (key, value, words) in changes {
        let mut spec = spec();
        spec[key] = value.clone();
        if value.is_null() {
            spec.as_object_mut().unwrap().remove(key);
        }
        bench.write(&spec);
        let error = bench.refused("out", &[]);
        assert!(error.contains(words) && error.contains("spec.json"), "'{words}' is missing in: {error}");
    }
}

#[test]
fn learned_weights_are_the_result_only_for_searchers_that_win_by_them() {
    let bench = Bench { dir: TempDir::new().unwrap() };
    let mut spec = spec();
    spec.as_object_mut().unwrap().remove("tables");
    (spec["learn"]["perfect_games"], spec["learn"]["rounds"]) = (json!(20), json!(0));
    spec["final_pairs"] = json!(12);
    spec["engine"] = json!({"options": {"Searcher": "alphabeta", "Hash": 1}});
    bench.write(&spec);
    let text = bench.learn("out", &[]);
    // The start values are weights that were learned from a hundred times the games.
    assert!(text.lines().last().unwrap().starts_with("No evidence of a gain: alphabeta scored "), "{text}");
    assert!(text.contains("; mcts scored ") && text.contains(" two matches, together 24 pairs ("), "{text}");
    let file = |name: &str| serde_json::from_slice::<Value>(&fs::read(bench.path("out").join(name)).unwrap()).unwrap();
    assert!(file("tuned.json")["options"].get("EvalFile").is_none(), "{}", file("tuned.json"));
    assert_eq!(file("found.json")["options"]["EvalFile"], "learned.weights");
    assert_eq!(file("result.json")["serves"], json!([]));
    let path = bench.path("out/journal.jsonl");
    let journal = fs::read_to_string(&path).unwrap();
    assert_eq!(journal.lines().count(), 1 + 4 * 24, "the games of two matches of each searcher");
    let limits = |engine: usize| {
        let head: Value = serde_json::from_str(journal.lines().next().unwrap()).unwrap();
        head["spec"]["games"]["engines"][engine]["limits"]["nodes"].clone()
    };
    assert_eq!([0, 2, 4, 6].map(limits), [5, 50, 1, 5].map(Value::from));
    // Interrupted in the second match of alphabeta.
    let result = fs::read(bench.path("out/result.json")).unwrap();
    let first: String = journal.split_inclusive('\n').take(1 + 30).collect();
    fs::write(&path, first).unwrap();
    bench.learn("out", &["--resume"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), journal);
    assert_eq!(fs::read(bench.path("out/result.json")).unwrap(), result);
}

/// Whatever the verdict is: at this writing a gain for alphabeta alone.
#[test]
fn learned_weights_serve_the_searchers_of_the_verdict() {
    let bench = Bench { dir: TempDir::new().unwrap() };
    let mut spec = spec();
    spec.as_object_mut().unwrap().remove("tables");
    spec["ruleset"] = json!("gioco-dell-orso");
    spec["engine"] = json!({"options": {"EvalFile": "linear", "Hash": 1}});
    spec["learn"] = json!({"perfect_games": 60, "rounds": 0,
        "players": [{"searcher": "alphabeta", "nodes": 500}, {"searcher": "mcts", "nodes": 50}]});
    spec["openings"]["plies"] = json!(4);
    (spec["limits"], spec["final_pairs"]) = (json!({"nodes": 1000}), json!(12));
    bench.write(&spec);
    let told = bench.learn("out", &[]);
    let result: Value = serde_json::from_slice(&fs::read(bench.path("out/result.json")).unwrap()).unwrap();
    let serves: Vec<&str> = result["serves"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let alone = serves.first().filter(|_| serves.len() == 1);
    assert!(alone.is_none_or(|name| told.contains(&format!("A gain for {name} alone: alphabeta scored "))), "{told}");
    let mine = r#"{"name": "mine", "extends": "gioco-dell-orso", "weights": "out/learned.weights"}"#;
    fs::write(bench.path("mine.json"), mine).unwrap();
    let mut client = Client::ugi();
    client.accepted(&format!("setoption name RulesFile value {}", bench.path("mine.json").display()));
    for searcher in ["alphabeta", "mcts"] {
        client.accepted(&format!("setoption name Searcher value {searcher}"));
        let serves = serves.is_empty() || serves.contains(&searcher);
        let by = client.told("eval")[0].clone();
        assert_eq!(by.ends_with("out/learned.weights"), serves, "{searcher}: {by}");
    }
    let mut engine = Command::new(env!("CARGO_BIN_EXE_reynard"));
    engine.current_dir(bench.dir.path()).args(["--options", "out/tuned.json"]);
    let output = assert_cmd::Command::from(engine)
        .write_stdin("ugi\nsetoption name Ruleset value gioco-dell-orso\neval\nquit\n")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.contains("out/learned.weights"), !serves.is_empty(), "{text}");
}

#[test]
#[cfg(unix)]
fn a_fit_is_broken_off_and_leaves_the_samples() {
    let bench = Bench::new();
    let mut spec = spec();
    // Longer than anybody waits.
    spec["learn"]["epochs"] = json!(1000);
    bench.write(&spec);
    let mut learning = Command::new(env!("CARGO_BIN_EXE_reynard"));
    learning.current_dir(bench.dir.path()).args(["tune", "spec.json", "--quiet", "--out", "out"]);
    let mut learning = learning.spawn().unwrap();
    let samples = bench.path("out/games-0.samples");
    let deadline = Instant::now() + Duration::from_secs(120);
    while !samples.exists() {
        assert!(learning.try_wait().unwrap().is_none() && Instant::now() < deadline, "it learns");
        thread::sleep(Duration::from_millis(1));
    }
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(learning.id() as i32), nix::sys::signal::Signal::SIGTERM)
        .unwrap();
    assert_eq!(learning.wait().unwrap().code(), Some(1));
    assert!(samples.exists() && !bench.path("out/round-0.weights").exists());
}

#[test]
fn one_game_is_not_enough_to_learn_from_and_to_check_by() {
    let bench = Bench::new();
    let mut spec = spec();
    (spec["learn"]["perfect_games"], spec["learn"]["rounds"]) = (json!(1), json!(0));
    bench.write(&spec);
    let output = bench.tune("out", &[]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && error.contains("gave no position to learn from"), "{error}");
    assert!(!bench.path("out/learned.weights").exists());
}

#[test]
fn without_tables_games_and_searches_say_what_positions_are_worth() {
    let bench = Bench { dir: TempDir::new().unwrap() };
    let mut spec = spec();
    spec.as_object_mut().unwrap().remove("tables");
    bench.write(&spec);
    let text = bench.learn("whole", &[]);
    assert!(text.contains("won by the geese"), "{text}");
    let losses = losses(&bench.path("whole/trace.jsonl"));
    assert!(losses[2] < losses[0] && losses[0] < std::f64::consts::LN_2, "{losses:?}");
    bench.learn("two", &["--concurrency", "2"]);
    fs::remove_file(bench.path("two/games-30.samples")).unwrap();
    bench.learn("two", &["--resume"]);
    assert_eq!(bench.weights("whole"), bench.weights("two"));
}
