//! `reynard perft`: leaves of the game tree.

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use serde_json::{Value, json};

use super::exit::{Status, UsageError};
use super::ruleset::RulesetArgs;
use crate::engine::{Event, SetupError};
use crate::rules::MAX_PERFT_PLIES;

/// Count the leaves of the game tree at every depth up to DEPTH.
///
/// A leaf is a way to play exactly that many plies. A decided game has no moves; draws by repetition or lack of
/// progress are ignored. Two programs that count the same numbers agree on the rules.
#[derive(Args)]
#[command(allow_missing_positional = true)]
pub(super) struct PerftArgs {
    #[command(flatten)]
    ruleset: RulesetArgs,
    /// How many plies to look ahead
    #[arg(value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_PERFT_PLIES)))]
    depth: u32,
    /// Start from this position instead of the game's start, for example "3/3/7/G2F2G/GGGGGGG/GGG/GGG g"
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
    /// First play these moves, blank-separated, for example "a4a5 d4d5"
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,
    /// Also print the leaves below every first move
    #[arg(long)]
    divide: bool,
    /// Print one line of JSON: ruleset, nodes (perft of 0, 1, ... DEPTH) and the seconds that all of them took
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &PerftArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let mut session = args.ruleset.open()?;
    let moves: Vec<&str> = args.moves.split_whitespace().collect();
    session.set_position(args.position.as_deref(), &moves).map_err(without_forfeit)?;
    let start = Instant::now();
    let nodes: Vec<u64> = (0..=args.depth).map(|depth| session.perft(depth)).collect();
    let seconds = start.elapsed().as_secs_f64();
    let mut divided = Vec::new();
    if args.divide {
        session.prepare_perft(args.depth).run(&Arc::default(), &mut |event| {
            if let Event::Count { part, nodes } = event {
                divided.push((part, nodes));
            }
        });
    }
    if args.json {
        let mut object = json!({"ruleset": session.ruleset(), "nodes": nodes, "seconds": seconds});
        if args.divide {
            object["divide"] = divided.into_iter().map(|(mv, nodes)| (mv, Value::from(nodes))).collect();
        }
        writeln!(out, "{object}")?;
        return Ok(Status::Done);
    }
    writeln!(out, "{}", session.ruleset())?;
    for (mv, nodes) in &divided {
        writeln!(out, "{mv}: {nodes}")?;
    }
    for (depth, nodes) in nodes.iter().enumerate() {
        writeln!(out, "perft({depth}) = {nodes}")?;
    }
    let leaves: u64 = nodes.iter().sum();
    writeln!(out, "{seconds:.3} s, {:.1} million leaves/s", leaves as f64 / seconds / 1e6)?;
    Ok(Status::Done)
}

/// Nobody plays here, so nobody has lost by an illegal move.
fn without_forfeit(error: SetupError) -> UsageError {
    UsageError(match error {
        SetupError::IllegalMove { error, .. } => error.to_string(),
        other => other.to_string(),
    })
}
