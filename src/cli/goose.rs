//! `reynard goose`: numbers about the Game of the Goose.

use std::io::Write;
use std::thread;

use clap::{Args, Subcommand};
use reynard_engine::chances::{
    ChancesMethod, FieldStats, HazardStats, MeanEstimate, RaceError, RaceStats, SimulationLimits,
};
use reynard_engine::session::registry::{self, OpenError};

use super::exit::{Status, UsageError};
use super::output::{columns, lines_of_words, number_table};
use super::pairs::{Pair, pair};

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
    #[arg(long, value_name = "KEY=VALUE", value_parser = pair)]
    set: Vec<Pair>,
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
    if args.json {
        writeln!(out, "{}", stats.json())?
    } else {
        write!(out, "{}", tables(&stats))?
    }
    Ok(Status::Done)
}

fn refusal(error: RaceError) -> anyhow::Error {
    match error {
        RaceError::Ruleset(error) => OpenError::from(error).into(),
        RaceError::PlayersSwitch | RaceError::Choice(_) => UsageError(error.to_string()).into(),
    }
}

/// The most fields beside each other.
const COLUMNS: usize = 4;
/// A field and its visits.
const COLUMN_WIDTH: usize = 29;

fn tables(stats: &RaceStats) -> String {
    let race = "First: of two such counters that take turns, each for itself.";
    let race = if stats.players == 1 { lines_of_words(race) } else { String::new() };
    let of_hazards = "Hazards, all counters together; \"without\" is the game in which that field is a plain one.";
    let of_visits = "Visits in a game, all counters together: touched on the move / rested on at the end of it.";
    format!(
        "{}\n{}\n{race}\n{}\n\n{}\n{}\n\n{}\n{}\n",
        lines_of_words(&heading(stats)),
        summary(stats),
        players(stats),
        lines_of_words(of_hazards),
        hazards(&stats.hazards),
        lines_of_words(of_visits),
        fields(&stats.fields),
    )
}

fn heading(stats: &RaceStats) -> String {
    let RaceStats { ruleset, players, .. } = stats;
    let plural = if *players == 1 { "" } else { "s" };
    let method = match stats.method {
        ChancesMethod::Exact { states, residual, sweeps } => {
            format!("solved exactly: {states} positions, {sweeps} sweeps, residual {residual:.1e}")
        }
        ChancesMethod::Simulation { games } => format!("{games} games played out; ± is half the 95 % interval"),
        ChancesMethod::Decided => "decided".to_owned(),
    };
    format!("{ruleset}, {players} player{plural}, {method}")
}

/// A number with its error, where it has one.
fn number(MeanEstimate { mean, error }: MeanEstimate) -> String {
    if error > 0.0 { format!("{mean:.3} ± {error:.3}") } else { format!("{mean:.6}") }
}

/// A difference.
fn signed(estimate: MeanEstimate) -> String {
    format!("{}{}", if estimate.mean < 0.0 { "" } else { "+" }, number(estimate))
}

fn summary(stats: &RaceStats) -> String {
    let rows = [
        ("player-turns, missed ones counted", stats.turns),
        ("rolls", stats.rolls),
        ("the first player wins", stats.first_player_wins),
        ("above an equal share", stats.first_player_advantage()),
        ("nobody wins", MeanEstimate::exact(stats.draw)),
        ("counters sent back by others", stats.sent_back),
        ("first throws of 9", stats.nines),
    ];
    number_table(1, ["what", "figure"], rows.map(|(what, estimate)| [what.to_owned(), number(estimate)]))
}

fn players(stats: &RaceStats) -> String {
    let rows = stats
        .chances
        .iter()
        .enumerate()
        .map(|(index, player)| [format!("p{}", index + 1), number(player.win), number(player.pot)]);
    number_table(1, ["player", "wins", "expected winnings"], rows)
}

fn hazards(hazards: &[HazardStats]) -> String {
    let rows = hazards.iter().map(|hazard| {
        [
            format!("{} {}", hazard.field, hazard.hazard),
            number(hazard.strikes),
            number(hazard.missed_turns),
            number(hazard.turns_without),
            signed(hazard.turns_effect),
            number(hazard.first_without),
            signed(hazard.first_effect),
        ]
    });
    let header = ["hazard", "strikes", "turns missed", "turns without", "effect", "first without", "effect"];
    number_table(1, header, rows)
}

fn fields(fields: &[FieldStats]) -> String {
    let beside = (columns() / COLUMN_WIDTH).clamp(1, COLUMNS);
    let height = fields.len().div_ceil(beside);
    let cells = |field: &FieldStats| {
        let kind = if field.kind == "plain" { "" } else { field.kind };
        let visits = format!("{:.3} / {:.3}", field.touched.mean, field.rested.mean);
        [format!("{} {kind}", field.field).trim_end().to_owned(), visits]
    };
    let rows = (0..height).map(|row| fields.iter().skip(row).step_by(height).flat_map(cells));
    number_table(2 * beside, ["field", "visits"].repeat(beside), rows)
}
