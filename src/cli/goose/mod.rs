//! `reynard goose`: numbers about the Game of the Goose.

mod text;

use std::io::Write;
use std::thread;

use clap::{Args, Subcommand};
use reynard_engine::chances::{RaceError, RaceStats, SimulationLimits};
use reynard_engine::session::registry::{self, OpenError};

use super::exit::{Status, UsageError};

#[derive(Args)]
pub(super) struct GooseArgs {
    #[command(subcommand)]
    command: GooseCommand,
}

#[derive(Subcommand)]
enum GooseCommand {
    /// How long a game lasts, who wins it, where the counters go and what every hazard does
    Stats(GooseStatsArgs),
}

/// How long a game lasts, who wins it, where the counters go and what every hazard does.
///
/// Games of two players, and a counter alone, are solved exactly; games of more are played out, and every number has
/// its error, half the width of the 95 % confidence interval.
#[derive(Args)]
struct GooseStatsArgs {
    /// Players, 1 to 8; 1 is a counter alone, with a prison of 0 turns unless --set prison=N
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=8))]
    players: u8,
    /// Change a rule, for example --set finish=sum_only; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = super::ruleset::parse_switch)]
    set: Vec<(String, String)>,
    /// Games to play where that is the way
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(2..))]
    games: u64,
    /// The seed of the dice: game n draws from ChaCha8 with this seed and stream n
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Threads that play games; they do not change the numbers [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Print one line of JSON; src/engine/rules/goose/README.md lists its keys
    #[arg(long)]
    json: bool,
    /// The game: one of the family that the dice decide alone
    #[arg(long, value_name = "RULESET", default_value = registry::DICE_RACE)]
    ruleset: String,
}

pub(super) fn run(args: &GooseArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    match &args.command {
        GooseCommand::Stats(args) => stats(args, out),
    }
}

fn stats(args: &GooseStatsArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let threads = args.threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let limits = SimulationLimits { games: args.games, seed: args.seed, threads, is_enough: &|| false };
    let stats = RaceStats::work_out(&args.ruleset, args.players, &args.set, limits).map_err(refusal)?;
    match args.json {
        true => writeln!(out, "{}", stats.json())?,
        false => write!(out, "{}", text::tables(&stats))?,
    }
    Ok(Status::Done)
}

fn refusal(error: RaceError) -> anyhow::Error {
    match error {
        RaceError::Ruleset(error) => OpenError::from(error).into(),
        RaceError::PlayersSwitch | RaceError::Choice(_) => UsageError(error.to_string()).into(),
    }
}
