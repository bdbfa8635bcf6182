//! `reynard table`: tables of perfect play. One file makes them, one lists them, one answers each question.

mod atlas;
pub(super) mod build;
pub(super) mod list;
mod probe;

use std::env;
use std::io::Write;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use rayon::{ThreadPool, ThreadPoolBuilder};
use reynard_engine::rules::hunt::Side;
use reynard_engine::session::registry::{self, RulesetChoice};
use reynard_engine::tablebase::{Metric, TableBuilder, TableError, TableValue, existing_folder};

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
    Verify(build::VerifyArgs),
    /// Count wins, draws and losses, and show the longest wins
    Stats(list::StatsArgs),
    /// Show the value of a position and of each of its moves
    Probe(probe::ProbeArgs),
    /// Show which tables there are
    List(list::ListArgs),
    /// Show who wins from every start
    Atlas(atlas::AtlasArgs),
}

pub(super) fn run(args: &TableArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    match &args.command {
        TableCommand::Build(args) => build::build(args, out),
        TableCommand::Verify(args) => build::verify(args, out),
        TableCommand::Stats(args) => list::stats(args, out),
        TableCommand::Probe(args) => probe::run(args, out),
        TableCommand::List(args) => list::list(args, out),
        TableCommand::Atlas(args) => atlas::run(args, out),
    }
}

/// The folder of the tables.
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

    /// The path of a folder that is there.
    ///
    /// # Errors
    /// There is no such folder.
    fn existing(&self) -> Result<PathBuf, TableError> {
        let path = self.path();
        existing_folder(&path)?;
        Ok(path)
    }
}

/// The kind of tables.
#[derive(Args, Clone, Debug)]
struct MetricArgs {
    /// What distances count: the plies to the next move that cannot be undone, or those to the end of the game; tables
    /// of each kind are files of their own
    #[arg(long, default_value = "conversion", value_parser = metric_parser())]
    metric: Metric,
}

fn metric_parser() -> impl TypedValueParser<Value = Metric> {
    let names = PossibleValuesParser::new(["conversion", "end"]);
    names.map(|name| if name == "end" { Metric::End } else { Metric::Conversion })
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

/// The number of threads that do the work.
#[derive(Args, Clone, Debug)]
struct ThreadArgs {
    /// Threads [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl ThreadArgs {
    fn pool(&self) -> anyhow::Result<ThreadPool> {
        // Zero stands for all processors.
        pool(self.threads.map_or(0, usize::from))
    }
}

fn pool(threads: usize) -> anyhow::Result<ThreadPool> {
    Ok(ThreadPoolBuilder::new().num_threads(threads).build()?)
}

/// `4-9, 11`: increasing numbers, neighbours joined.
fn ranges(numbers: &[u32]) -> String {
    let runs = numbers.chunk_by(|one, next| one + 1 == *next);
    let texts = runs.filter_map(|run| match (run.first()?, run.last()?) {
        (first, last) if first == last => Some(first.to_string()),
        (first, last) => Some(format!("{first}-{last}")),
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// `1 ply`, `7 plies`.
fn plies(number: u32) -> String {
    format!("{number} {}", if number == 1 { "ply" } else { "plies" })
}

/// `1 goose`, `13 geese`.
fn geese(number: u32) -> String {
    if number == 1 { "1 goose".to_owned() } else { format!("{number} geese") }
}

/// `geese win, 7 plies to conversion`.
fn value_text(value: TableValue<Side>, metric: Metric) -> String {
    let plies = format!("{} {}", plies(value.distance), metric.goal());
    match value.winner {
        None => "draw".to_owned(),
        Some(Side::Fox) => format!("fox wins, {plies}"),
        Some(Side::Geese) => format!("geese win, {plies}"),
    }
}

#[cfg(test)]
mod tests {
    use indicatif::HumanCount;

    use super::*;

    #[test]
    fn numbers_for_people() {
        let grouped = [0, 999, 1_000, 12_345_678].map(|number| HumanCount(number).to_string());
        assert_eq!(grouped, ["0", "999", "1,000", "12,345,678"]);
        assert_eq!([ranges(&[]), ranges(&[4]), ranges(&[4, 5, 6, 8, 10, 11])], ["", "4", "4-6, 8, 10-11"]);
        assert_eq!([plies(1), plies(7), geese(1), geese(13)], ["1 ply", "7 plies", "1 goose", "13 geese"]);
    }
}
