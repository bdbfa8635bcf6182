//! `reynard tournament`: one file per subcommand.

mod calibrate;
pub(super) mod check;
mod merge;
pub(super) mod openings;
pub(super) mod replay;
mod report;
pub(super) mod results;
mod run;
pub(super) mod run_args;
pub(super) mod shard;
mod stats;

use std::io::Write;

use clap::{Args, Subcommand};

use super::exit::Status;

/// Let engines play tournaments: run one, join its parts, look at the results
#[derive(Args)]
pub(super) struct TournamentArgs {
    #[command(subcommand)]
    command: TournamentCommand,
}

#[derive(Subcommand)]
enum TournamentCommand {
    /// Play the games of a spec, or those that are still missing
    Run(run::TournamentRunArgs),
    /// Join the results of shards that were played apart
    Merge(merge::MergeArgs),
    /// Show the results: tables, JSON, CSV, one HTML file, or the games
    Report(report::ReportArgs),
    /// Show a game ply by ply
    Replay(replay::ReplayArgs),
    /// Compare the engines' scores with how the games ended
    Calibrate(calibrate::CalibrateArgs),
    /// Say what a spec would play, or what is wrong with it
    Check(check::CheckArgs),
    /// Print random openings as a book
    Openings(openings::OpeningsArgs),
    /// Compute Elo, errors and the test's ratio from counts
    Stats(stats::StatsArgs),
}

pub(super) fn run(args: &TournamentArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    match &args.command {
        TournamentCommand::Run(args) => run::run(args, out),
        TournamentCommand::Merge(args) => merge::run(args, out),
        TournamentCommand::Report(args) => report::run(args, out),
        TournamentCommand::Replay(args) => replay::run(args, out),
        TournamentCommand::Calibrate(args) => calibrate::run(args, out),
        TournamentCommand::Check(args) => check::run(args, out),
        TournamentCommand::Openings(args) => openings::run(args, out),
        TournamentCommand::Stats(args) => stats::run(args, out),
    }
}
