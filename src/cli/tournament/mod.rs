//! `reynard tournament`: one file per subcommand.

mod check;

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
    /// Say what a spec would play, or what is wrong with it
    Check(check::CheckArgs),
}

pub fn run(args: &TournamentArgs, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    match &args.command {
        TournamentCommand::Check(args) => check::run(args, out),
    }
}
