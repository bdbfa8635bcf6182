//! Tuning runs through the real program: results, interruptions, shards, refusals.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use reynard::testing::tournament::spec::{self, Format};
use reynard_engine::session::OptionsFile;
use reynard_engine::session::registry::{self, RulesetChoice};
use serde_json::{Value, json};
use tempfile::TempDir;

/// What does not depend on how a run went.
const RESULTS: [&str; 5] = ["trace.jsonl", "trace.html", "result.json", "tuned.json", "sprt.json"];

fn spsa() -> Value {
    json!({
        "name": "test", "method": "spsa", "ruleset": "fox-and-hounds", "iterations": 12, "pairs": 2, "final_pairs": 12,
        "seed": 3, "engine": {"options": {"Searcher": "alphabeta", "Hash": 1, "EvalFile": "linear"}},
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

    fn json(&self, out: &str, name: &str) -> Value {
        serde_json::from_str(&self.file(out, name)).unwrap()
    }

    /// Games in a journal.
    fn games(&self, journal: &str) -> usize {
        self.file(journal, "journal.jsonl").lines().count() - 1
    }

    fn assert_same(&self, one: &str, other: &str) {
        for name in RESULTS {
            let [one_text, other_text] = [one, other].map(|out| without_day(&self.file(out, name)));
            assert_eq!(one_text, other_text, "{name} of {one} and {other}");
        }
    }
}

/// Pages name the day on which they were played, which may be another one at midnight.
fn without_day(text: &str) -> String {
    let day = text.split_once("datetime=\"").map(|(_, rest)| &rest[..10]);
    day.map_or(text.to_owned(), |day| text.replace(day, "DAY"))
}

/// Waits until a run that is under way has journaled this many games.
fn await_games(journal: &Path, games: usize, child: &mut Child) {
    let deadline = Instant::now() + Duration::from_secs(120);
    while fs::read_to_string(journal).unwrap_or_default().lines().count() <= games {
        assert_eq!(child.try_wait().unwrap(), None, "the run has ended");
        assert!(Instant::now() < deadline, "no {games} games in {}", journal.display());
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Kills a run once it has journaled this many games.
fn kill_after(journal: &Path, games: usize, mut child: Child) {
    await_games(journal, games, &mut child);
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().code(), None, "killed before its end");
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
    let result = bench.json("out", "result.json");
    let found: Vec<String> = (0..3).map(|index| result["parameters"][index]["found"].to_string()).collect();
    assert_eq!(found, ["EvalFoxReach", "EvalGooseTie@geese", "TrapMoves@fox"].map(rounded));
    // So few pairs are no evidence.
    assert_eq!(result["verdict"], "no evidence of a gain", "{result}");
    let found = OptionsFile::read(&bench.path("out/found.json")).unwrap();
    assert!(found.options.contains(&("EvalFoxReach".into(), rounded("EvalFoxReach"))), "{found:?}");
    assert!(found.options.contains(&("Searcher".into(), "alphabeta".into())));
    assert_eq!(found.by_role["geese"], [("EvalGooseTie".into(), rounded("EvalGooseTie@geese"))]);
    assert_eq!(found.by_role["fox"], [("TrapMoves".into(), rounded("TrapMoves@fox"))]);
    let tuned = OptionsFile::read(&bench.path("out/tuned.json")).unwrap();
    assert!(tuned.options.contains(&("EvalFoxReach".into(), "3".into())), "{tuned:?}");
    let sprt = spec::load(&bench.path("out/sprt.json"), &[]).unwrap();
    assert_eq!((sprt.spec.format, sprt.spec.max_plies), (Format::Sprt, 60));
    assert_ne!(sprt.spec.seed, 3, "openings are fresh");
    let resolved = sprt.resolve().unwrap();
    assert_eq!(resolved.engines[0].by_role, found.by_role);
    assert_eq!(resolved.engines[1].options, tuned.options, "the engine before tuning");
    assert_eq!(resolved.engines[1].by_role, tuned.by_role);
    let page = bench.file("out", "trace.html").replace("http://www.w3.org/2000/svg", "the name of SVG");
    assert!(page.contains("<svg") && page.contains("EvalGooseTie@geese") && !page.contains("http:"), "{page}");
    // The games of the final match alone are on its board.
    assert_eq!(page.matches("\"engines\":[\"found\",\"untuned\"]").count(), 12);
    assert_eq!(page.matches("\"engines\":[\"untuned\",\"found\"]").count(), 12);
    assert!(!page.contains("\"engines\":[\"variant"), "{page}");
    assert!(text.contains("\nFinal match:\n\n| As ") && page.contains("<h2>Final match</h2>"), "{text}");
}

#[test]
fn theta_moves_by_what_the_games_say() {
    let bench = Bench::new(&spsa());
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
    // Games of the final match take long enough that none of the kills comes too late.
    let bench = Bench::new(&changed(spsa(), json!({"iterations": 50, "test_limits": {"nodes": 3000}})));
    bench.succeed("whole", &[]);
    let all = bench.games("whole");
    let final_match = bench.json("whole", "result.json");
    assert!(final_match["final"]["score"].is_number() && all == 50 * 4 + 12 * 2, "{final_match}");
    let journal = bench.path("killed/journal.jsonl");
    // The last kill comes in the final match.
    for games in [5, 101, 201] {
        let resume: &[&str] = if games == 5 { &[] } else { &["--resume"] };
        kill_after(&journal, games, bench.command("killed", resume).spawn().unwrap());
        // A line that was cut off by the end of the machine.
        let mut file = OpenOptions::new().append(true).open(&journal).unwrap();
        file.write_all(b"{\"fixture\":{\"game\":999,\"pair\"").unwrap();
        assert!(bench.games("killed") < all, "games are missing");
        assert!(!bench.path("killed/result.json").exists());
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
    assert_eq!(bench.games("shared/shard-0"), bench.games("shared/shard-1"), "of search and final match");
    let error = bench.refused("shared", &["--shard", "0/3", "--resume"]);
    assert!(error.contains("shard: 0/2 there, 0/3 here"), "{error}");
}

#[test]
fn more_shards_than_pairs_agree_with_the_undivided_run_and_wait_for_one_that_died() {
    let bench = Bench::new(&spsa());
    bench.succeed("whole", &[]);
    // Alone it plays one pair and waits for the others: it dies before its end for sure.
    let dying = bench.command("shared", &["--shard", "0/3"]).spawn().unwrap();
    kill_after(&bench.path("shared/shard-0/journal.jsonl"), 2, dying);
    assert_eq!(bench.games("shared/shard-0"), 2);
    let waiting = ["1/3", "2/3"].map(|shard| bench.command("shared", &["--shard", shard]).spawn().unwrap());
    bench.succeed("shared", &["--shard", "0/3", "--resume"]);
    waiting.into_iter().for_each(good_end);
    bench.assert_same("whole", "shared");
    for shard in 0..3 {
        let games = bench.games(&format!("shared/shard-{shard}"));
        assert_eq!(games, 24, "12 iterations of 2 pairs and 12 pairs of the final match, by three: shard {shard}");
    }
}

#[test]
fn with_a_quorum_a_shard_goes_on_alone_and_takes_late_results() {
    let quorum = json!({"share": 0.5, "patience_s": 0});
    let bench = Bench::new(&changed(spsa(), json!({"quorum": quorum, "final_pairs": 0})));
    let alone = bench.succeed("shared", &["--shard", "0/2"]);
    assert!(alone.contains("12 iterations went on without some of their games"), "{alone}");
    let games = |rows: &[Value]| -> u64 {
        let of = |row: &Value| ["wins", "draws", "losses"].iter().map(|key| row[*key].as_u64().unwrap()).sum::<u64>();
        rows.iter().map(of).sum()
    };
    let before = bench.rows("shared");
    assert_eq!(games(&before), 24, "its half");
    let late = bench.succeed("shared", &["--shard", "1/2"]);
    assert!(!late.contains("went on without"), "{late}");
    let complete = bench.rows("shared");
    assert_eq!(games(&complete), 48);
    assert_ne!(before[11]["values"], complete[11]["values"], "the late results count");
    fs::remove_file(bench.path("shared/trace.jsonl")).unwrap();
    bench.succeed("shared", &["--shard", "0/2", "--resume"]);
    assert_eq!(bench.rows("shared"), complete, "both shards agree once they know the same games");
    let mut agreed = bench.json("shared", "agreed.json");
    agreed[0]["seed"] = json!(4);
    fs::write(bench.path("shared/agreed.json"), agreed.to_string()).unwrap();
    let other = bench.run("shared", &["--shard", "0/2", "--resume"]);
    let error = String::from_utf8(other.stderr).unwrap();
    assert!(!other.status.success() && error.contains("agreed.json: what another run found"), "{error}");
}

#[test]
fn all_shards_play_the_final_match_to_its_end_whatever_the_quorum() {
    let bench = Bench::new(&changed(spsa(), json!({"quorum": {"share": 0.5, "patience_s": 0}})));
    let mut alone = bench.command("shared", &["--shard", "0/2"]).spawn().unwrap();
    // Its half of all games, after which it waits for the other half of the final match.
    await_games(&bench.path("shared/shard-0/journal.jsonl"), 35, &mut alone);
    bench.succeed("shared", &["--shard", "1/2"]);
    // What each played in an iteration differs, as it knew other games then; what came out does not.
    let results = || (bench.file("shared", "result.json"), bench.file("shared", "tuned.json"));
    let late = results();
    let result = bench.json("shared", "result.json");
    let pairs = result["final"]["pairs"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).sum::<u64>();
    assert_eq!(pairs, 12, "of the final match, by both: {result}");
    good_end(alone);
    assert_eq!(late, results());
    bench.succeed("shared", &["--shard", "0/2", "--resume"]);
    assert_eq!(late, results());
}

/// A grid of one point, which differs from the start in one weight alone.
fn one_point(start: i64, point: i64) -> Value {
    let parameters = json!([{"name": "EvalFoxReach", "start": start, "values": [point]}]);
    let changes = json!({"parameters": parameters, "final_pairs": 20, "openings": {"kind": "random", "plies": 4}});
    changed(grid(), changes)
}

#[test]
fn a_loser_is_not_called_tuned() {
    let bench = Bench::new(&one_point(3, -100));
    let text = bench.succeed("out", &[]);
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("No evidence of a gain: what was found scored "), "{text}");
    assert!(last.ends_with("The result is the start values."), "{text}");
    let result = bench.json("out", "result.json");
    assert!(result["final"]["score"].as_f64().unwrap() < 0.5, "{result}");
    assert_eq!((&result["verdict"], &result["about"]), (&json!("no evidence of a gain"), &json!(last)));
    let value = |file: &str| bench.json("out", file)["options"]["EvalFoxReach"].clone();
    assert_eq!((value("tuned.json"), value("found.json")), (json!(3), json!(-100)));
    assert!(bench.file("out", "tuned.json").contains(last), "the result's file says so too");
    assert!(bench.file("out", "trace.html").contains("No evidence of a gain"));
    let test = bench.json("out", "sprt.json");
    assert_eq!(
        (&test["engines"][0]["options_file"], &test["engines"][1]["name"]),
        (&json!("found.json"), &json!("untuned"))
    );
}

#[test]
fn a_gain_is_one_over_the_start_values_and_not_over_the_defaults() {
    let bench = Bench::new(&one_point(-100, 3));
    let text = bench.succeed("out", &[]);
    assert!(text.lines().last().unwrap().starts_with("A gain: what was found scored "), "{text}");
    assert_eq!(bench.json("out", "result.json")["verdict"], "gain");
    assert_eq!(bench.json("out", "tuned.json")["options"]["EvalFoxReach"], 3);
    assert!(!bench.path("out/found.json").exists(), "it is the result");
    let test = bench.json("out", "sprt.json");
    assert_eq!(test["engines"][0]["options_file"], "tuned.json");
    assert_eq!(test["engines"][1]["options"]["EvalFoxReach"], -100, "the start, 3 is the default");
    // Without a final match nobody knows.
    bench.write(&changed(one_point(3, -100), json!({"final_pairs": 0})));
    let text = bench.succeed("untested", &[]);
    assert!(text.lines().last().unwrap().starts_with("Untested: "), "{text}");
    assert_eq!(bench.json("untested", "tuned.json")["options"]["EvalFoxReach"], -100);
    // A search that ends where it began has nothing to be tested.
    let parameters = json!([{"name": "EvalFoxReach", "values": [3, -100]}]);
    bench.write(&changed(one_point(3, -100), json!({"parameters": parameters, "final_pairs": 0})));
    let text = bench.succeed("unmoved", &[]);
    assert!(text.lines().last().unwrap().contains("the search ended where it began"), "{text}");
    assert!(!bench.path("unmoved/sprt.json").exists() && !text.contains("Test it further"), "{text}");
    // Nor does it wait for the games of a final match.
    bench.write(&changed(one_point(3, -100), json!({"parameters": parameters})));
    let mut loud = Command::new(env!("CARGO_BIN_EXE_reynard"));
    let loud = loud.current_dir(bench.dir.path()).args(["tune", "spec.json", "--out", "loud"]).output().unwrap();
    let said = String::from_utf8(loud.stderr).unwrap();
    let (done, of) = said.lines().last().unwrap().split_once(" games").unwrap().0.split_once('/').unwrap();
    assert!(done == of && done == bench.games("loud").to_string(), "{said}");
}

#[test]
fn a_final_match_without_different_openings_is_refused_before_the_first_game() {
    // The same game again is no evidence, not even by the clock.
    for limits in [json!({"nodes": 40}), json!({"movetime_ms": 20})] {
        let bench = Bench::new(&changed(one_point(-100, 3), json!({"openings": {"kind": "none"}, "limits": limits})));
        let error = bench.refused("few", &[]);
        assert!(error.contains("openings: the final match needs at least 10 different openings, and there are 1"));
        assert!(!bench.path("few").exists(), "nothing was begun");
    }
    let file = |games: u64| json!({"kind": "file", "path": "book", "order": "sequential", "games": games});
    let bench = Bench::new(&changed(one_point(-100, 3), json!({"openings": file(4)})));
    fs::write(bench.path("book"), "startpos\n").unwrap();
    assert!(bench.refused("few", &[]).contains("openings.games: expected 2"));
    bench.write(&changed(one_point(-100, 3), json!({"openings": file(2)})));
    assert!(bench.refused("few", &[]).contains("and there are 1"));
    bench.write(&changed(one_point(-100, 3), json!({"openings": file(2), "final_pairs": 0})));
    let text = bench.succeed("untested", &[]);
    assert!(!bench.path("untested/sprt.json").exists() && !text.contains("Test it further"), "one game: {text}");
}

#[test]
fn the_advised_test_goes_on_in_a_file_of_openings_and_has_as_many_pairs_as_it_has_openings() {
    let session = registry::open(&RulesetChoice::catalog("fox-and-hounds")).unwrap();
    let mut lines = String::new();
    for first in session.legal_moves() {
        let mut session = registry::open(&RulesetChoice::catalog("fox-and-hounds")).unwrap();
        session.play(&first).unwrap();
        session.legal_moves().iter().for_each(|second| lines += &format!("moves {first} {second}\n"));
    }
    let count = lines.lines().count() as u64;
    let openings = json!({"kind": "file", "path": "book", "order": "sequential", "start": 2});
    let bench = Bench::new(&changed(one_point(-100, 3), json!({"openings": openings, "final_pairs": 10})));
    fs::write(bench.path("book"), lines).unwrap();
    bench.succeed("out", &[]);
    let test = bench.json("out", "sprt.json");
    assert_eq!((&test["openings"]["start"], &test["pairs"]), (&json!(2 + 2 + 10), &json!(count)), "{test}");
}

#[test]
fn a_run_of_nothing_but_forfeits_fails() {
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
    assert_eq!(bench.games("out"), 16, "it gives up early");
}

#[test]
fn some_forfeits_are_counted() {
    let bench = Bench::new(&spsa());
    // The third process, after that of the first trial and one engine of the first match, dies when it is to move.
    let (count, program) = (bench.path("count"), env!("CARGO_BIN_EXE_reynard"));
    let script = format!(
        "n=$(cat {count} || echo 0); echo $((n + 1)) >{count}; test $n = 2 || exec {program}; while read -r line; do \
         case \"$line\" in ugi) echo option name EvalFoxReach type spin default 3 min -100 max 100; echo ugiok;; \
         isready) echo readyok;; go*) exit 3;; quit) exit;; esac; done",
        count = count.display(),
    );
    let engine = json!({"program": {"command": "/bin/sh", "args": ["-c", script]}});
    let parameters = json!([{"name": "EvalFoxReach", "start": 3, "min": -100, "max": 100}]);
    let openings = json!({"kind": "random", "plies": 4});
    bench.write(&changed(
        spsa(),
        json!({"engine": engine, "parameters": parameters, "openings": openings, "iterations": 1}),
    ));
    let text = bench.run("out", &[]);
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("1 of the games were forfeits, whose results say nothing"), "{text}");
    assert!(bench.json("out", "result.json")["remarks"].to_string().contains("1 of the games were forfeits"));
}

#[test]
fn parameters_are_tried_as_the_games_will_use_them() {
    // Values of a grid that are all the same are no search, whatever the option's own range would do.
    let only = |values: Value| json!([{"name": "EvalFoxReach", "values": values}]);
    let bench = Bench::new(&changed(grid(), json!({"parameters": only(json!([3]))})));
    assert!(bench.refused("out", &[]).contains("with 3 and with 3 the engine searches 60 positions alike"));
    // A search of one node reaches nothing that a parameter of the search could change.
    let tiny = json!({"parameters": [{"name": "TrapMoves"}], "limits": {"nodes": 1}});
    let bench = Bench::new(&changed(spsa(), tiny));
    assert!(bench.refused("out", &[]).contains("TrapMoves changes nothing"));
}

#[test]
fn a_landscape_has_a_score_for_every_point() {
    let bench = Bench::new(&grid());
    let text = bench.succeed("grid", &[]);
    assert!(text.contains("as fox") && text.contains("as hounds") && text.contains("Error"), "{text}");
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
    let found = bench.json("random", "result.json")["parameters"][0]["found"].clone();
    let winners = rows.iter().filter(|row| Some(best(row)) == best_score);
    assert!(winners.into_iter().any(|row| found == coordinate(row, 0)));
}

#[test]
fn a_test_at_other_limits_is_warned_of() {
    let bench = Bench::new(&changed(spsa(), json!({"iterations": 1, "test_limits": {"nodes": 400}})));
    let text = bench.succeed("out", &[]);
    assert!(text.contains("other limits (400 nodes a move) than the tuning (40 nodes a move)"), "{text}");
    let sprt = spec::load(&bench.path("out/sprt.json"), &[]).unwrap().spec;
    assert_eq!(sprt.limits.nodes, Some(400));
    let loud = Command::new(env!("CARGO_BIN_EXE_reynard"))
        .current_dir(bench.dir.path())
        .args(["tune", "spec.json", "--out", "loud"])
        .output()
        .unwrap();
    let said = String::from_utf8(loud.stderr).unwrap();
    assert!(said.starts_with("reynard: warning: The test has other limits"), "{said}");
    assert!(
        said.lines().last().unwrap().contains("28/28 games") && said.contains(", 1/1 iterations, drawn "),
        "{said}"
    );
    bench.write(&changed(spsa(), json!({"iterations": 1, "test_limits": {"nodes": 40}})));
    assert!(!bench.succeed("same", &[]).contains("other limits"));
    bench.write(&changed(spsa(), json!({"test_limits": {}})));
    assert!(bench.refused("never", &[]).contains("test_limits: nothing ends a search"));
}

fn coordinate(row: &Value, index: usize) -> i64 {
    row["values"][["EvalFoxReach", "TrapMoves"][index]].as_f64().unwrap() as i64
}

#[test]
fn a_parameter_that_changes_nothing_is_refused_before_the_first_game() {
    let engine = |searcher: &str, file: &str| json!({"options": {"Searcher": searcher, "Hash": 1, "EvalFile": file}});
    let only = |name: &str| json!([{"name": name}]);
    let refused = [
        (engine("alphabeta", ""), only("EvalFoxReach"), "fox-and-hounds has learned weights, which take its place"),
        (engine("alphabeta", "linear"), only("MctsExploration"), "only the searcher mcts has it"),
        (engine("mcts", "linear"), only("MctsRolloutExploration"), "rollouts are off"),
        (engine("alphabeta", "linear"), only("EvalRaceLead"), "nothing in fox-and-hounds or in the engine's options"),
    ];
    let few = json!({"iterations": 1, "final_pairs": 0});
    for (engine, parameters, words) in refused {
        let bench =
            Bench::new(&changed(changed(spsa(), few.clone()), json!({"engine": engine, "parameters": parameters})));
        let error = bench.refused("out", &[]);
        assert!(error.contains("spec.json: parameters[0]: ") && error.contains("changes nothing: "), "{error}");
        assert!(error.contains(words), "'{words}' is missing in: {error}");
        assert!(!bench.path("out").exists(), "nothing was begun");
    }
    // Games of more nodes than the first trial has are no excuse.
    let longer =
        json!({"engine": engine("alphabeta", ""), "parameters": only("MctsExploration"), "limits": {"nodes": 8001}});
    let error = Bench::new(&changed(spsa(), longer)).refused("out", &[]);
    assert!(error.contains("searches 10 positions alike, node for node up to 8001"), "{error}");
    for (engine, parameters) in [
        (engine("alphabeta", ""), only("TrapMoves")),
        (
            engine("mcts", "linear"),
            json!([{"name": "MctsRolloutPlies", "start": 0, "max": 50}, {"name": "MctsRolloutExploration"}]),
        ),
        (engine("mcts", ""), only("MctsExploration")),
        (engine("alphabeta", "linear"), json!([{"name": "EvalGooseTie", "as": "geese"}])),
    ] {
        let bench =
            Bench::new(&changed(changed(spsa(), few.clone()), json!({"engine": engine, "parameters": parameters})));
        bench.succeed("out", &[]);
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
        (json!({"pairs": 0}), "pairs: 0 is not allowed; expected an integer from 1"),
        (json!({"parameters": []}), "parameters: at least one"),
        (json!({"parameters": [{"name": "Hash"}]}), "parameters[0].name: 'Hash' is no number to be tuned"),
        (
            json!({"parameters": [{"name": "TrapMoves", "c_end": 0}]}),
            "parameters[0].c_end: 0.0 is not allowed; expected",
        ),
        (
            json!({"parameters": [{"name": "TrapMoves", "c_end": 500}]}),
            "parameters[0].c_end: 500.0 is not allowed; expected a number from 1e-6 to ",
        ),
        (json!({"parameters": [{"name": "TrapMoves", "c_end": 1e-200}]}), "expected a number from 1e-6 up"),
        (json!({"parameters": [{"name": "TrapMoves", "r_end": 1e300}]}), "expected a number from 1e-6 to 1000"),
        (json!({"parameters": [{"name": "TrapMoves", "as": "wolf"}]}), "expected both"),
        (json!({"final_pairs": 3}), "final_pairs: expected 0 for no final match, or a number from 10"),
        (json!({"quorum": {"share": 0}}), "quorum.share: 0.0 is not allowed; expected a number above 0"),
        (json!({"quorum": {"patience": 5}}), "quorum"),
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
