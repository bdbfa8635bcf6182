//! `reynard table`: one file per subcommand.

mod atlas;
mod build;
mod holdings;
mod list;
mod probe;
mod progress;
mod stats;
mod text;
mod verify;

use std::env;
use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use rayon::{ThreadPool, ThreadPoolBuilder};
use reynard_engine::session::registry::{self, RulesetChoice};
use reynard_engine::tablebase::{Metric, TableBuilder, TableError, existing_folder};

use super::exit::Status;

/// Tables of perfect play for Fox & Geese and its family.
///
/// A table holds, for every position with the same number of geese, who wins with best play and how many plies it is to
/// the next move that cannot be undone (a capture, a forward step of geese that never go back) or to the end. Rulesets
/// that differ only in their set-up share their tables. Positions in which neither side can force its goal are draws;
/// repetition is ignored.
#[derive(Args)]
pub(super) struct TableArgs {
    #[command(subcommand)]
    command: TableCommand,
}

#[derive(Subcommand)]
enum TableCommand {
    /// Solve a game and write its tables, one for each number of geese
    Build(build::BuildArgs),
    /// Check tables: every value once more, from the positions after it, by the rules alone
    Verify(verify::VerifyArgs),
    /// Count wins, draws and losses, and show the longest wins
    Stats(stats::TableStatsArgs),
    /// Tell the value of a position and of each of its moves
    Probe(probe::ProbeArgs),
    /// Show which tables there are
    List(list::ListArgs),
    /// Tell who wins from every start
    Atlas(atlas::AtlasArgs),
}

pub(super) fn run(args: &TableArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    match &args.command {
        TableCommand::Build(args) => build::run(args, out),
        TableCommand::Verify(args) => verify::run(args, out),
        TableCommand::Stats(args) => stats::run(args, out),
        TableCommand::Probe(args) => probe::run(args, out),
        TableCommand::List(args) => list::run(args, out),
        TableCommand::Atlas(args) => atlas::run(args, out),
    }
}

/// Where the tables are.
#[derive(Args, Clone, Debug)]
struct FolderArgs {
    /// The folder of the tables [default: the environment variable REYNARD_TABLES, else 'tables']
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl FolderArgs {
    fn path(&self) -> PathBuf {
        let variable = || env::var_os("REYNARD_TABLES").filter(|value| !value.is_empty()).map(PathBuf::from);
        self.dir.clone().or_else(variable).unwrap_or_else(|| PathBuf::from("tables"))
    }

    /// The same where tables are only read.
    ///
    /// # Errors
    /// There is no such folder.
    fn existing(&self) -> Result<PathBuf, TableError> {
        let path = self.path();
        existing_folder(&path)?;
        Ok(path)
    }
}

/// Which tables of a game are meant.
#[derive(Args, Clone, Debug)]
struct MetricArgs {
    /// What distances count: the plies to the next move that cannot be undone, or those to the end of the game; tables
    /// of each kind are files of their own
    #[arg(long, value_enum, default_value_t)]
    metric: MetricChoice,
}

#[derive(ValueEnum, Clone, Copy, Default, Debug)]
enum MetricChoice {
    #[default]
    Conversion,
    End,
}

impl MetricArgs {
    fn metric(&self) -> Metric {
        match self.metric {
            MetricChoice::Conversion => Metric::Conversion,
            MetricChoice::End => Metric::End,
        }
    }
}

/// The inner error: the rules of the game allow no tables.
///
/// # Errors
/// There is no such ruleset.
fn table_builder(choice: &RulesetChoice, metric: Metric) -> anyhow::Result<Result<Box<dyn TableBuilder>, TableError>> {
    Ok(registry::read(choice)?.table_builder().map(|mut builder| {
        builder.set_metric(metric);
        builder
    }))
}

/// How many threads do the work.
#[derive(Args, Clone, Debug)]
struct ThreadArgs {
    /// Threads [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl ThreadArgs {
    fn pool(&self) -> anyhow::Result<ThreadPool> {
        // Zero stands for all processors.
        Ok(ThreadPoolBuilder::new().num_threads(self.threads.map_or(0, usize::from)).build()?)
    }
}
