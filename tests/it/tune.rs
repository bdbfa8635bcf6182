//! Tuning runs through the real program: results, interruptions, shards, refusals.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use reynard::testing::tournament::spec::{self, Format};
use reynard_engine::session::OptionsFile;
use serde_json::{Value, json};
use tempfile::TempDir;

/// What does not depend on how a run went.
const RESULTS: [&str; 5] = ["trace.jsonl", "trace.csv", "trace.html", "tuned.json", "sprt.json"];

fn spsa() -> Value {
    json!({
        "name": "test", "method": "spsa", "ruleset": "fox-and-hounds", "iterations": 12, "pairs": 2, "seed": 3,
        "engine": {"options": {"Searcher": "alphabeta", "Hash": 1}},
        "parameters": [
            {"name": "EvalFoxReach", "c_end": 20, "r_end": 0.1},
            {"name": "EvalGooseTie", "c_end": 20, "r_end": 0.1, "as": "geese"},
            {"name": "TrapMoves", "c_end": 1, "r_end": 0.1, "as": "fox"}
        ],
        "openings": {"kind": "random", "plies": 2}, "limits": {"nodes": 40}, "max_plies": 60
    })
}

fn changed(mut spec: Value, changes: Value) -> Value {
    for (key, value) in changes.as_object().unwrap() {
        match value.is_null() {
            true => drop(spec.as_object_mut().unwrap().remove(key)),
            false => spec[key] = value.clone(),
        }
    }
    spec
}

fn grid() -> Value {
    let parameters = json!([{"name": "EvalFoxReach", "values": [0, 40]}, {"name": "TrapMoves", "values": 3}]);
    changed(spsa(), json!({"method": "grid", "iterations": null, "parameters": parameters}))
}

/// A directory with a spec in it.
struct Bench {
    dir: TempDir,
}

impl Bench {
    fn new(spec: &Value) -> Self {
        let bench = Bench { dir: TempDir::new().unwrap() };
        bench.write(spec);
        bench
    }

    fn write(&self, spec: &Value) {
        fs::write(self.path("spec.json"), spec.to_string()).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn command(&self, out: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_reynard"));
        command.current_dir(self.dir.path()).args(["tune", "spec.json", "--quiet", "--out", out]).args(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).stdin(Stdio::null());
        command
    }

    fn run(&self, out: &str, arguments: &[&str]) -> Output {
        self.command(out, arguments).output().unwrap()
    }

    fn succeed(&self, out: &str, arguments: &[&str]) -> String {
        let output = self.run(out, arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), error.as_str()), (Some(0), ""), "{arguments:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The one error line of a run that is refused as wrong usage.
    fn refused(&self, out: &str, arguments: &[&str]) -> String {
        let output = self.run(out, arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        error
    }

    fn file(&self, out: &str, name: &str) -> String {
        let path = self.path(out).join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    fn rows(&self, out: &str) -> Vec<Value> {
        self.file(out, "trace.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn assert_same(&self, one: &str, other: &str) {
        for name in RESULTS {
            assert_eq!(self.file(one, name), self.file(other, name), "{name} of {one} and {other}");
        }
    }
}

/// Waits until a journal has this many games, or the run is over.
fn await_games(journal: &Path, games: usize, child: &mut Child) {
    let deadline = Instant::now() + Duration::from_secs(120);
    let enough = || fs::read_to_string(journal).unwrap_or_default().lines().count() > games;
    while !enough() && child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < deadline, "no {games} games in {}", journal.display());
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn the_result_can_be_loaded_and_tested() {
    let bench = Bench::new(&spsa());
    let text = bench.succeed("out", &[]);
    assert!(text.contains("EvalGooseTie@geese") && text.contains("48 games"), "{text}");
    let rows = bench.rows("out");
    assert_eq!(rows.len(), 12);
    let last = &rows[11]["values"];
    let rounded = |name: &str| last[name].as_f64().unwrap().round().to_string();
    let tuned = OptionsFile::read(&bench.path("out/tuned.json")).unwrap();
    assert!(tuned.options.contains(&("EvalFoxReach".into(), rounded("EvalFoxReach"))), "{tuned:?}");
    assert!(tuned.options.contains(&("Searcher".into(), "alphabeta".into())));
    assert_eq!(tuned.by_role["geese"], [("EvalGooseTie".into(), rounded("EvalGooseTie@geese"))]);
    assert_eq!(tuned.by_role["fox"], [("TrapMoves".into(), rounded("TrapMoves@fox"))]);
    let sprt = spec::load(&bench.path("out/sprt.json")).unwrap();
    assert_eq!((sprt.spec.format, sprt.spec.max_plies), (Format::Sprt, 60));
    assert_ne!(sprt.spec.seed, 3, "openings are fresh");
    let resolved = sprt.resolve().unwrap();
    assert_eq!(resolved.engines[0].by_role, tuned.by_role);
    let before = [("Searcher".to_owned(), "alphabeta".to_owned()), ("Hash".to_owned(), "1".to_owned())];
    assert_eq!(resolved.engines[1].options, before, "the engine before tuning");
    assert!(resolved.engines[1].by_role.is_empty());
    let page = bench.file("out", "trace.html");
    assert!(page.contains("<svg") && page.contains("EvalGooseTie@geese") && !page.contains("http"), "{page}");
}

#[test]
fn theta_moves_by_what_the_games_say() {
    // Learned weights would not look at the parameter.
    let engine = json!({"options": {"Searcher": "alphabeta", "Hash": 1, "EvalFile": "linear"}});
    let bench = Bench::new(&changed(spsa(), json!({"engine": engine})));
    bench.succeed("out", &[]);
    let mut theta = 3.0;
    for row in bench.rows("out") {
        let of = |key: &str| row[key].as_f64().unwrap();
        let value = row["values"]["EvalFoxReach"].as_f64().unwrap();
        let direction =
            row["first"]["EvalFoxReach"].as_f64().unwrap() - row["second"]["EvalFoxReach"].as_f64().unwrap();
        let expected = (direction * (of("wins") - of("losses"))).signum() * f64::from(of("wins") != of("losses"));
        let moved = value - theta;
        assert_eq!(moved == 0.0, expected == 0.0, "{row}");
        assert!(moved * expected >= 0.0, "{row}");
        assert_eq!(row["pairs"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum::<u64>(), 2);
        theta = value;
    }
    assert_ne!(theta, 3.0, "no pair was won in twelve iterations");
}

#[test]
fn a_killed_run_goes_on_as_if_nothing_had_happened() {
    let bench = Bench::new(&spsa());
    bench.succeed("whole", &[]);
    let journal = bench.path("killed/journal.jsonl");
    for games in [5, 21] {
        let resume: &[&str] = if games == 5 { &[] } else { &["--resume"] };
        let mut child = bench.command("killed", resume).spawn().unwrap();
        await_games(&journal, games, &mut child);
        child.kill().unwrap();
        child.wait().unwrap();
        // A line that was cut off by the end of the machine.
        let mut file = OpenOptions::new().append(true).open(&journal).unwrap();
        file.write_all(b"{\"fixture\":{\"game\":99,\"pair\"").unwrap();
    }
    bench.succeed("killed", &["--resume", "--concurrency", "2"]);
    bench.assert_same("whole", "killed");
    assert_eq!(bench.file("whole", "journal.jsonl"), bench.file("killed", "journal.jsonl"));
}

#[test]
fn an_interrupted_run_says_how_it_goes_on() {
    let bench = Bench::new(&changed(spsa(), json!({"iterations": 100_000})));
    let mut child = bench.command("out", &[]).spawn().unwrap();
    await_games(&bench.path("out/journal.jsonl"), 9, &mut child);
    let pid = nix::unistd::Pid::from_raw(child.id() as i32);
    nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("reynard tune spec.json --out out --quiet --resume"), "{text}");
    assert!(bench.file("out", "trace.html").contains("not finished"));
    assert!(!bench.path("out/tuned.json").exists(), "there is no result yet");
}

#[test]
fn another_run_is_not_mixed_in() {
    let spsa = || changed(spsa(), json!({"iterations": 2}));
    let bench = Bench::new(&spsa());
    bench.succeed("out", &[]);
    assert!(bench.refused("out", &[]).contains("--resume"));
    bench.write(&changed(spsa(), json!({"limits": {"nodes": 41}})));
    let error = bench.refused("out", &["--resume"]);
    assert!(error.contains("nodes") && error.contains("40") && error.contains("41"), "{error}");
    assert!(error.contains("out/journal.jsonl is the journal of another run: "), "{error}");
    bench.write(&changed(spsa(), json!({"name": "renamed"})));
    let error = bench.refused("out", &["--resume"]);
    assert!(error.contains("name: \"test\" there, \"renamed\" here"), "{error}");
    bench.write(&changed(spsa(), json!({"alpha": 0.7})));
    let error = bench.refused("out", &["--resume"]);
    assert!(error.contains("decay.alpha: 0.602 there, 0.7 here"), "{error}");
    bench.write(&changed(spsa(), json!({"concurrency": 2})));
    bench.succeed("out", &["--resume"]);
}

/// Waits for the end of a shard that nothing has gone wrong with.
fn good_end(shard: Child) {
    let output = shard.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn shards_of_a_grid_agree_with_the_undivided_run() {
    let bench = Bench::new(&grid());
    bench.succeed("whole", &["--concurrency", "3"]);
    ["0/2", "1/2"]
        .map(|shard| bench.command("shared", &["--shard", shard]).spawn().unwrap())
        .into_iter()
        .for_each(good_end);
    bench.assert_same("whole", "shared");
    let games = |name: &str| bench.file("shared", name).lines().count() - 1;
    assert_eq!(games("shard-0/journal.jsonl"), games("shard-1/journal.jsonl"));
    let error = bench.refused("shared", &["--shard", "0/3", "--resume"]);
    assert!(error.contains("shard: 0/2 there, 0/3 here"), "{error}");
}

#[test]
fn more_shards_than_pairs_agree_with_the_undivided_run_and_wait_for_one_that_died() {
    let bench = Bench::new(&spsa());
    bench.succeed("whole", &[]);
    let waiting = ["0/3", "1/3"].map(|shard| bench.command("shared", &["--shard", shard]).spawn().unwrap());
    let mut dying = bench.command("shared", &["--shard", "2/3"]).spawn().unwrap();
    await_games(&bench.path("shared/shard-2/journal.jsonl"), 2, &mut dying);
    dying.kill().unwrap();
    dying.wait().unwrap();
    bench.succeed("shared", &["--shard", "2/3", "--resume"]);
    waiting.into_iter().for_each(good_end);
    bench.assert_same("whole", "shared");
    for shard in 0..3 {
        let games = bench.file("shared", &format!("shard-{shard}/journal.jsonl")).lines().count() - 1;
        assert_eq!(games, 16, "12 iterations of 2 pairs, by three: shard {shard}");
    }
}

#[test]
fn a_run_of_nothing_but_forfeits_fails_and_some_are_told() {
    let script = "while read -r line; do case \"$line\" in ugi) echo option name X type spin default 5 min 0 \
                  max 10; echo ugiok;; isready) echo readyok;; go*) exit 3;; \
                  quit) exit;; esac; done";
    let program = json!({"command": "/bin/sh", "args": ["-c", script]});
    let parameters = json!([{"name": "X", "start": 5, "min": 0, "max": 10}]);
    let spec = changed(spsa(), json!({"engine": {"program": program}, "parameters": parameters, "pairs": 4}));
    let bench = Bench::new(&spec);
    let error = bench.refused("out", &[]);
    assert!(error.contains("games were forfeits") && error.contains("status 3"), "{error}");
    assert!(!bench.path("out/tuned.json").exists() && !bench.path("out/sprt.json").exists());
    let games = bench.file("out", "journal.jsonl").lines().count() - 1;
    assert_eq!(games, 16, "it gives up early");
}

#[test]
fn a_landscape_has_a_score_for_every_point() {
    let bench = Bench::new(&grid());
    let text = bench.succeed("grid", &[]);
    assert!(text.contains("as fox") && text.contains("error"), "{text}");
    let points: Vec<[i64; 2]> = bench.rows("grid").iter().map(|row| [0, 1].map(|n| coordinate(row, n))).collect();
    assert_eq!(points, [[0, 0], [0, 4], [0, 8], [40, 0], [40, 4], [40, 8]]);
    let parameters = json!([{"name": "EvalFoxReach", "min": -20, "max": 20}, {"name": "TrapMoves"}]);
    bench.write(&changed(grid(), json!({"method": "random", "points": 5, "parameters": parameters})));
    bench.succeed("random", &[]);
    let rows = bench.rows("random");
    assert_eq!(rows.len(), 5);
    assert!(rows.iter().all(|row| (-20..=20).contains(&coordinate(row, 0))));
    let best = |row: &&Value| (row["score"].as_f64().unwrap() * 1e6) as i64;
    let best_score = rows.iter().map(|row| best(&row)).max();
    let tuned = OptionsFile::read(&bench.path("random/tuned.json")).unwrap();
    let value = &tuned.options.iter().find(|(name, _)| name == "EvalFoxReach").unwrap().1;
    let winners = rows.iter().filter(|row| Some(best(row)) == best_score);
    assert!(winners.into_iter().any(|row| coordinate(row, 0).to_string() == *value));
}

#[test]
fn a_test_at_other_limits_is_warned_of() {
    let bench = Bench::new(&changed(spsa(), json!({"iterations": 1, "test_limits": {"nodes": 400}})));
    let text = bench.succeed("out", &[]);
    assert!(text.contains("other limits (400 nodes a move) than the tuning (40 nodes a move)"), "{text}");
    let sprt = spec::load(&bench.path("out/sprt.json")).unwrap().spec;
    assert_eq!(sprt.limits.nodes, Some(400));
    let loud = Command::new(env!("CARGO_BIN_EXE_reynard"))
        .current_dir(bench.dir.path())
        .args(["tune", "spec.json", "--out", "loud"])
        .output()
        .unwrap();
    let said = String::from_utf8(loud.stderr).unwrap();
    assert!(said.starts_with("reynard: warning: The test has other limits"), "{said}");
    assert!(said.lines().last().unwrap().contains("4/4 games") && said.contains(", 1/1 iterations, score "), "{said}");
    bench.write(&changed(spsa(), json!({"iterations": 1, "test_limits": {"nodes": 40}})));
    assert!(!bench.succeed("same", &[]).contains("other limits"));
    bench.write(&changed(spsa(), json!({"test_limits": {}})));
    assert!(bench.refused("never", &[]).contains("test_limits: nothing ends a search"));
}

fn coordinate(row: &Value, index: usize) -> i64 {
    row["values"][["EvalFoxReach", "TrapMoves"][index]].as_f64().unwrap() as i64
}

#[test]
fn weights_that_learned_ones_replace_are_warned_of() {
    let idle = "fox-and-hounds has learned weights, beside which EvalFoxReach does nothing";
    let few = json!({"iterations": 1});
    let bench = Bench::new(&changed(spsa(), few.clone()));
    assert!(bench.succeed("idle", &[]).contains(idle));
    for heard in [
        json!({"engine": {"options": {"Searcher": "alphabeta", "Hash": 1, "EvalFile": "linear"}}}),
        json!({"parameters": [{"name": "TrapMoves", "c_end": 1, "r_end": 0.1}]}),
        json!({"ruleset": "gasetavl"}),
    ] {
        bench.write(&changed(changed(spsa(), few.clone()), heard));
        let name = "heard";
        assert!(!bench.succeed(name, &[]).contains("learned weights"));
        std::fs::remove_dir_all(bench.path(name)).unwrap();
    }
}

#[test]
fn a_wrong_spec_is_refused_with_its_key() {
    let cases = [
        (json!({"iteration": 5}), "unknown field `iteration`"),
        (json!({"method": "newton"}), "spec.json:1:"),
        (json!({"method": "newton"}), "method: unknown variant `newton`"),
        (json!({"method": "texel"}), "method: the method texel is gone: `learn` fits"),
        (json!({"texel": {}}), "texel: the method texel is gone"),
        (json!({"limits": {"nodes": "many"}}), "limits.nodes: invalid type: string \"many\""),
        (json!({"parameters": [{"name": "TrapMoves", "c_end": "1"}]}), "parameters[0].c_end: invalid type"),
        (json!({"points": 5}), "points: the method spsa does not use it; only random does"),
        (json!({"iterations": null}), "iterations: missing; the method spsa needs it"),
        (json!({"pairs": 0}), "pairs: expected a number from 1"),
        (json!({"parameters": []}), "parameters: at least one"),
        (json!({"parameters": [{"name": "Hash"}]}), "parameters[0].name: 'Hash' is no number to be tuned"),
        (json!({"parameters": [{"name": "TrapMoves", "c_end": 0}]}), "parameters[0].c_end: expected a number above 0"),
        (json!({"parameters": [{"name": "TrapMoves", "c_end": 1e200}]}), "parameters[0].c_end: expected a number"),
        (json!({"parameters": [{"name": "TrapMoves", "c_end": 1e-200}]}), "parameters[0].c_end: expected a number"),
        (json!({"parameters": [{"name": "TrapMoves", "r_end": 1e300}]}), "parameters[0].r_end: expected a number"),
        (json!({"parameters": [{"name": "TrapMoves", "as": "wolf"}]}), "expected both"),
        (json!({"limits": {}}), "limits: nothing ends a search"),
        (json!({"engine": {"options": {"Hash": 0}}}), "engine.options.Hash"),
        (json!({"ruleset": "nonsense"}), "nonsense"),
        (json!({"method": "grid", "iterations": null}), "parameters[0].values: missing"),
    ];
    for (change, words) in cases {
        let bench = Bench::new(&changed(spsa(), change));
        let error = bench.refused("out", &[]);
        assert!(error.contains(words) && error.contains("spec.json"), "'{words}' is missing in: {error}");
        assert!(!bench.path("out").exists(), "nothing was begun");
    }
}
