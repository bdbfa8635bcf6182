//! `reynard bench`: the reproducible node count, and measurements of speed.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context;
use clap::{Args, Subcommand};
use reynard_engine::session::{self, Event};

use super::exit::{Status, complain};
use super::speed::{self, SpeedArgs};

/// Count the nodes of a fixed search, or measure the speed of this machine.
///
/// Without a subcommand every game is searched to a fixed depth on one thread. The number of nodes is the same on
/// every machine; it changes only when the search or the rules change.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct BenchArgs {
    /// Compare the total with this number; a difference is told and exits with 1
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
        Some(BenchCommand::Speed(args)) => speed::run(args, out),
        None => count(args.check, out),
    }
}

fn count(expected: Option<u64>, out: &mut dyn Write) -> anyhow::Result<Status> {
    let (nodes, elapsed) = run_bench(out)?;
    writeln!(out, "Bench: {nodes}")?;
    writeln!(out, "{:.0} nodes/s", nodes as f64 / elapsed.as_secs_f64().max(1e-6))?;
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
        // Nobody listens any more when the output is closed.
        if printed.is_err() {
            stop.store(true, Ordering::Relaxed);
        }
    });
    printed?;
    total.context("the benchmark did not end as it should")
}
