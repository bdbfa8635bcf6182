//! `reynard compliance`: whether a program keeps to the protocol.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use reynard_engine::session::registry::{self, RulesetChoice};

use super::exit::Status;
use super::matches::conversations_on_stderr;
use crate::tournament::plan::Conversations;
use crate::tournament::player::{Examination, examine};
use crate::tournament::spec::{ProgramSpec, ProtocolName};

/// Check step by step whether a program keeps to the protocol, UGI or UCI.
///
/// Prints a line for every check and ends with exit code 1 if one has failed. A program that breaks down is not put to
/// the checks after that.
#[derive(Args)]
pub(super) struct ComplianceArgs {
    /// The program and its arguments
    #[arg(value_name = "COMMAND", required = true, num_args = 1.., trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
    /// It speaks UCI, not UGI
    #[arg(long)]
    uci: bool,
    /// The game that it plays, a name that `reynard rules list` shows; moves and variations are checked by its rules,
    /// and its dice are rolled
    #[arg(long, value_name = "RULESET")]
    ruleset: Option<String>,
    /// How late a move may be, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 500, value_parser = clap::value_parser!(u64).range(..=LONGEST_MS))]
    margin: u64,
    /// How long an answer may take that needs no thinking, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(..=LONGEST_MS))]
    patience: u64,
    /// Show on standard error what the program is told (>) and what it says (<), with the milliseconds since the start
    #[arg(long)]
    debug: bool,
}

/// An hour.
const LONGEST_MS: u64 = 3_600_000;

pub(super) fn run(args: &ComplianceArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let (command, words) = args.command.split_first().expect("clap requires a word");
    let program = ProgramSpec {
        command: PathBuf::from(command),
        args: words.to_vec(),
        protocol: if args.uci { ProtocolName::Uci } else { ProtocolName::Ugi },
        ..ProgramSpec::default()
    };
    let rules = args.ruleset.as_ref().map(|name| registry::open(&RulesetChoice::catalog(name))).transpose()?;
    let [mut passed, mut all] = [0, 0];
    let mut written = Ok(());
    let mut report = |name: &str, result: Result<(), &str>| {
        all += 1;
        passed += usize::from(result.is_ok());
        let line = match result {
            Ok(()) => format!("ok    {name}"),
            Err(message) => format!("FAIL  {name}: {message}"),
        };
        if written.is_ok() {
            written = writeln!(out, "{line}").and_then(|()| out.flush());
        }
    };
    let is_sound = examine(Examination {
        program: &program,
        rules,
        margin: Duration::from_millis(args.margin),
        patience: Duration::from_millis(args.patience),
        conversations: if args.debug { conversations_on_stderr() } else { Conversations::Dropped },
        report: &mut report,
    });
    let is_sound = is_sound.map_err(anyhow::Error::msg)?;
    written?;
    writeln!(out, "{passed} of {all} checks passed")?;
    Ok(if is_sound { Status::Done } else { Status::Negative })
}
