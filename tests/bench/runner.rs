//! What the tournament runner costs: games a minute, its own share of the processor, and its memory.
//!
//! `cargo bench --bench runner -- rate|cost|memory [GAMES]`; all three, with few games, when nothing is asked for.

use std::env;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use reynard::testing::tournament::journal::Journal;
use reynard::testing::tournament::spec::LoadedSpec;
use reynard::testing::tournament::{Progress, Sinks, TournamentDirector, TournamentSpec, runner};
use serde_json::{Value, json};

/// Plays the spec as `reynard tournament run` does, journal, disk and standings included; wall time and plies.
fn play(mut spec: Value, games: u64, mut look: impl FnMut(u64)) -> (Duration, u64) {
    spec["rulesets"] = json!(["masters-15"]);
    spec["format"] = json!("match");
    spec["games"] = json!(games + games % 2);
    let spec: TournamentSpec = serde_json::from_value(spec).expect("a spec");
    let loaded = LoadedSpec::new(spec, Path::new("."), "bench").expect("a correct spec");
    let plan = loaded.resolve().expect("a plan");
    let folder = tempfile::tempdir().expect("a folder");
    let journal = Journal::create(folder.path(), &plan.header).expect("a journal");
    let mut plies = 0;
    let director = TournamentDirector::new(Progress::new(&plan.header).expect("a schedule"));
    let director = director.with_journal(journal).expect("a readable journal");
    let mut director = director.on_progress(|progress, game| {
        plies += game.record.moves.len() as u64;
        look(progress.finished());
        Ok(())
    });
    let start = Instant::now();
    runner::run(&plan, &Sinks::default(), loaded.spec.concurrency, &runner::Stop::default(), &mut director)
        .expect("a run");
    let took = start.elapsed();
    drop(director);
    (took, plies)
}

/// mcts of 200 nodes against alpha-beta of depth 2, two games at a time.
fn rate(games: u64) {
    let spec = json!({
        "engines": [
            {"name": "mcts", "options": {"Searcher": "mcts"}, "limits": {"nodes": 200}},
            {"name": "alphabeta", "limits": {"depth": 2}},
        ],
        "openings": {"kind": "random", "plies": 4},
        "concurrency": 2,
    });
    let before = process_cpu();
    let (took, plies) = play(spec, games, |_| ());
    let cpu = process_cpu() - before;
    println!(
        "rate: {games} games, {plies} plies in {took:.1?}: {:.0} games a minute; {:.1} s of processor: {:.0} games a minute on two idle cores",
        games as f64 * 60.0 / took.as_secs_f64(),
        cpu.as_secs_f64(),
        games as f64 * 120.0 / cpu.as_secs_f64(),
    );
}

/// What a ply of a game costs beside its search, as part of 20 ms: searches of one node stand for no search at all, and
/// count with the runner.
fn cost(games: u64) {
    let engine = |name: &str| json!({"name": name, "options": {"Hash": 1}});
    let spec = json!({
        "engines": [engine("A"), engine("B")],
        "limits": {"nodes": 1},
        "openings": {"kind": "random", "plies": 4},
        "max_plies": 84,
        "concurrency": 2,
    });
    let before = process_cpu();
    let (took, plies) = play(spec, games, |_| ());
    let cpu = process_cpu() - before;
    let of_ply = cpu.as_secs_f64() / plies as f64;
    println!(
        "cost: {plies} plies in {took:.1?}, {:.1} us of processor each: {:.2} % of 20 ms",
        of_ply * 1e6,
        100.0 * of_ply / 0.020,
    );
}

/// Short games of random movers.
fn memory(games: u64) {
    let engine = |name: &str| json!({"name": name, "options": {"Searcher": "random", "Hash": 1}});
    let spec = json!({
        "engines": [engine("A"), engine("B")], "limits": {"nodes": 1}, "max_plies": 8, "concurrency": 2,
    });
    let mut sizes = Vec::new();
    let (took, _) = play(spec, games, |game| {
        if game % (games / 10).max(1) == 0 {
            sizes.push(resident_kib());
        }
    });
    println!("memory: {games} games in {took:.1?}, resident KiB at every tenth: {sizes:?}");
}

fn process_cpu() -> Duration {
    // User and system time of the whole process are the 14th and 15th words, in hundredths of a second.
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let words: Vec<u64> =
        text.rsplit(')').next().unwrap_or("").split(' ').map(|word| word.parse().unwrap_or(0)).collect();
    Duration::from_millis(10 * (words[12] + words[13]))
}

fn resident_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0");
    line.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

fn main() {
    let words: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let games = |default: u64| words.get(1).and_then(|number| number.parse().ok()).unwrap_or(default);
    match words.first().map(String::as_str) {
        Some("rate") => rate(games(1_000)),
        Some("cost") => cost(games(2_000)),
        Some("memory") => memory(games(100_000)),
        _ => {
            rate(100);
            cost(100);
            memory(2_000);
        }
    }
}
