//! `reynard tournament`: one file per subcommand.

mod stats;

use std::io::Write;

use clap::{Args, Subcommand};

use super::exit::Verdict;

/// Let engines play tournaments: run one, join its parts, look at the results
#[derive(Args)]
pub struct TournamentArgs {
    #[command(subcommand)]
    command: TournamentCommand,
}

#[derive(Subcommand)]
enum TournamentCommand {
    /// Compute Elo, errors and the test's ratio from counts
    Stats(stats::StatsArgs),
}

pub fn run(args: &TournamentArgs, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    match &args.command {
        TournamentCommand::Stats(args) => stats::run(args, out),
    }
}
