//! `reynard bench`: the reproducible node count, and how fast this machine is, every figure with its unit.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::{Args, Subcommand};
use indicatif::HumanCount;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use reynard_engine::session::registry::{self, RulesetChoice};
use reynard_engine::session::{self, Event, GoRequest, search_and_wait};

use super::exit::{Status, complain};
use super::ruleset::RulesetArgs;

/// Count the nodes of a fixed search, or measure the speed of this machine.
///
/// Without a subcommand every game is searched to a fixed depth on one thread. The number of nodes is the same on
/// every machine; it changes only when the search or the rules change.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct BenchArgs {
    /// Compare the total with this number; a difference is an error, exit code 1
    #[arg(long, value_name = "N")]
    check: Option<u64>,
    #[command(subcommand)]
    command: Option<BenchCommand>,
}

#[derive(Subcommand)]
enum BenchCommand {
    /// Measure perft, both searchers and random playouts on this machine, a few seconds each
    Speed(SpeedArgs),
}

pub(super) fn run(args: &BenchArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    match &args.command {
        Some(BenchCommand::Speed(args)) => measure(args, out),
        None => count(args.check, out),
    }
}

fn count(expected: Option<u64>, out: &mut dyn Write) -> anyhow::Result<Status> {
    let (nodes, elapsed) = run_bench(out)?;
    writeln!(out, "Bench: {nodes}")?;
    // As OpenBench's client reads it.
    writeln!(out, "{nodes} nodes {:.0} nps", nodes as f64 / elapsed.as_secs_f64().max(1e-6))?;
    match expected {
        Some(expected) if expected != nodes => {
            complain(&format!("the bench count is {nodes}, not {expected}"));
            Ok(Status::Negative)
        }
        _ => Ok(Status::Done),
    }
}

/// The total of nodes; the counts per ruleset are printed as they come.
fn run_bench(out: &mut dyn Write) -> anyhow::Result<(u64, Duration)> {
    let stop = Arc::new(AtomicBool::new(false));
    let (mut printed, mut total) = (Ok(()), None);
    session::bench().run(&stop, &mut |event| {
        match event {
            Event::Count { part, nodes } => {
                printed = writeln!(out, "{part:<16} {nodes:>10}").and_then(|()| out.flush());
            }
            Event::BenchTotal { nodes, elapsed } => total = nodes.zip(Some(elapsed)),
            _ => {}
        }
        // A closed output ends the benchmark.
        if printed.is_err() {
            stop.store(true, Ordering::Relaxed);
        }
    });
    printed?;
    total.context("the benchmark did not end as it should")
}

/// Measure the speed of this machine, with the default game or another one.
///
/// Close other programs first. Each measurement takes as long as --seconds says, perft as long as it needs.
#[derive(Args)]
struct SpeedArgs {
    #[command(flatten)]
    ruleset: RulesetArgs,
    /// Seconds for each measurement
    #[arg(long, value_name = "S", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
    /// Depth of the perft, in plies
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=12))]
    perft_depth: u32,
}

/// Memory of the transposition table and of the tree, in MiB: enough for what a few seconds fill.
const HASH: &str = "256";
const TREE: &str = "2048";
/// Longest playout, in plies.
const PLAYOUT_PLIES: &str = "200";
/// Random games between two looks at the clock.
const BATCH: u32 = 256;
/// Most plies of a random game.
const LONGEST: u64 = 10_000;

fn measure(args: &SpeedArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let meter = Meter { ruleset: args.ruleset.choice(), time: Duration::from_secs(args.seconds) };
    let mut row = |what: &str, rate: f64, unit: &str| {
        let number = HumanCount(rate.round() as u64).to_string().replace(',', " ");
        writeln!(out, "{what:<36} {number:>14} {unit}").and_then(|()| out.flush())
    };
    row(&format!("perft depth {}", args.perft_depth), meter.perft(args.perft_depth)?, "leaf nodes/s")?;
    row("random playouts", meter.playouts()?, "moves/s")?;
    let one = meter.search(&[("Searcher", "alphabeta")])?;
    row("alpha-beta, 1 thread", one, "nodes/s")?;
    let two = meter.search(&[("Searcher", "alphabeta"), ("Threads", "2")])?;
    row("alpha-beta, 2 threads", two, "nodes/s")?;
    let mcts = |settings: &[_]| meter.search(&[&[("Searcher", "mcts"), ("Hash", TREE)], settings].concat());
    let rollouts = mcts(&[("MctsRolloutPlies", PLAYOUT_PLIES)])?;
    row("mcts with rollouts, 1 thread", rollouts, "iterations/s")?;
    let evaluation = mcts(&[("MctsRolloutPlies", "0")])?;
    row("mcts with evaluation, 1 thread", evaluation, "iterations/s")?;
    let pair = mcts(&[("MctsRolloutPlies", "0"), ("Threads", "2")])?;
    row("mcts with evaluation, 2 threads", pair, "iterations/s")?;
    writeln!(out, "alpha-beta, 2 threads to 1: {:.2} times the nodes/s", two / one)?;
    writeln!(out, "mcts, 2 threads to 1: {:.2} times the iterations/s", pair / evaluation)?;
    Ok(Status::Done)
}

/// One game, and the time for each measurement that is bounded by time.
struct Meter {
    ruleset: RulesetChoice,
    time: Duration,
}

impl Meter {
    /// Leaf nodes per second.
    fn perft(&self, depth: u32) -> anyhow::Result<f64> {
        let session = registry::open(&self.ruleset)?;
        let start = Instant::now();
        let leaves = session.perft(depth);
        Ok(leaves as f64 / start.elapsed().as_secs_f64())
    }

    /// Nodes per second of a search from the start position.
    fn search(&self, settings: &[(&str, &str)]) -> anyhow::Result<f64> {
        let mut session = registry::open(&self.ruleset)?;
        let mut options = registry::default_options();
        for (name, value) in [("Hash", HASH)].iter().chain(settings) {
            options.set(name, Some(value))?;
        }
        let found = search_and_wait(&mut *session, &GoRequest::move_time(self.time), &options)?;
        Ok(found.report.map_or(0.0, |info| info.nodes as f64 / info.elapsed.as_secs_f64().max(1e-6)))
    }

    /// Moves per second of uniformly random games.
    fn playouts(&self) -> anyhow::Result<f64> {
        let session = registry::open(&self.ruleset)?;
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (mut moves, start) = (0, Instant::now());
        while start.elapsed() < self.time {
            moves += session.random_playouts(BATCH, LONGEST, &mut rng);
        }
        Ok(moves as f64 / start.elapsed().as_secs_f64())
    }
}
