//! `reynard perft`: leaves of the game tree.

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use reynard_engine::rules::MAX_PERFT_PLIES;
use reynard_engine::session::{Event, SetupError};
use serde_json::{Value, json};

use super::exit::{Status, UsageError};
use super::ruleset::{RulesetArgs, RulesetChanges};

/// Count the leaves of the game tree at every depth up to DEPTH.
///
/// A leaf is a way to play exactly that many plies. A decided game has no moves; draws by repetition or lack of
/// progress are ignored. Two programs that count the same numbers agree on the rules.
#[derive(Args)]
#[command(override_usage = "reynard perft [OPTIONS] [RULESET] <DEPTH>")]
pub(super) struct PerftArgs {
    /// RULESET is a name that `reynard rules list` shows [default: masters-15], DEPTH how many plies to look ahead
    #[arg(value_names = ["RULESET", "DEPTH"], num_args = 1..=2, required = true)]
    words: Vec<String>,
    #[command(flatten)]
    changes: RulesetChanges,
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

fn read_depth(text: &str) -> Result<u32, UsageError> {
    let is_allowed = |depth: &u32| *depth <= MAX_PERFT_PLIES;
    text.parse().ok().filter(is_allowed).ok_or_else(|| {
        UsageError(format!("invalid value '{text}' for DEPTH: expected a number from 0 to {MAX_PERFT_PLIES}"))
    })
}

pub(super) fn run(args: &PerftArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let (ruleset, depth) = RulesetArgs::with_last(&args.words, &args.changes)?;
    let depth = read_depth(depth)?;
    let mut session = ruleset.open()?;
    let moves: Vec<&str> = args.moves.split_whitespace().collect();
    session.set_position(args.position.as_deref(), &moves).map_err(without_forfeit)?;
    let start = Instant::now();
    let nodes: Vec<u64> = (0..=depth).map(|depth| session.perft(depth)).collect();
    let seconds = start.elapsed().as_secs_f64();
    let mut divided = Vec::new();
    if args.divide {
        session.prepare_perft(depth).run(&Arc::default(), &mut |event| {
            if let Event::Count { part, nodes } = event {
                divided.push((part, nodes));
            }
        });
    }
    if args.json {
        let mut object = json!({"ruleset": session.game().ruleset, "nodes": nodes, "seconds": seconds});
        if args.divide {
            object["divide"] = divided.into_iter().map(|(mv, nodes)| (mv, Value::from(nodes))).collect();
        }
        writeln!(out, "{object}")?;
        return Ok(Status::Done);
    }
    writeln!(out, "{}", session.game().ruleset)?;
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
