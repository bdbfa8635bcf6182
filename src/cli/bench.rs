//! `reynard bench`: the reproducible node count, and measurements of speed.

use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use crossbeam_channel::unbounded;

use super::exit::{Verdict, complain};
use super::speed::{self, SpeedArgs};
use crate::engine::{Event, Sink, bench};
use crate::search::Control;

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
    kind: Option<Kind>,
}

#[derive(Subcommand)]
enum Kind {
    /// Measure perft, both searchers and random playouts on this machine, a few seconds each
    Speed(SpeedArgs),
}

pub(super) fn run(args: &BenchArgs, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    match &args.kind {
        Some(Kind::Speed(args)) => speed::run(args, out),
        None => count(args.check, out),
    }
}

fn count(expected: Option<u64>, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let (nodes, elapsed) = run_bench(out)?;
    writeln!(out, "Bench: {nodes}")?;
    writeln!(out, "{:.0} nodes/s", nodes as f64 / elapsed.as_secs_f64().max(1e-6))?;
    match expected {
        Some(expected) if expected != nodes => {
            complain(&format!("the bench count is {nodes}, not {expected}"));
            Ok(Verdict::No)
        }
        _ => Ok(Verdict::Done),
    }
}

/// The total of nodes; the counts per ruleset are printed as they come.
fn run_bench(out: &mut dyn Write) -> anyhow::Result<(u64, Duration)> {
    let (sender, events) = unbounded();
    let mut sink: Sink = Box::new(move |event| {
        // Nobody listens any more when the output is closed.
        let _ = sender.send(event);
    });
    let start = Instant::now();
    let control = Control::new(move || start.elapsed());
    thread::scope(|scope| {
        let work = scope.spawn(|| {
            let last = bench::run(&control, &mut sink);
            drop(sink);
            last
        });
        let printed = events.iter().try_for_each(|event| match event {
            Event::Bench { ruleset, nodes } => writeln!(out, "{ruleset:<16} {nodes:>10}").and_then(|()| out.flush()),
            _ => Ok(()),
        });
        if printed.is_err() {
            control.stop();
        }
        let last = work.join();
        printed?;
        match last {
            Ok(Event::BenchTotal { nodes: Some(nodes), elapsed }) => Ok((nodes, elapsed)),
            _ => anyhow::bail!("the benchmark did not end as it should"),
        }
    })
}
