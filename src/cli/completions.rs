//! `reynard completions`: scripts for shells.

use std::io::Write;

use clap::{Args, Command};
use clap_complete::Shell;

use super::exit::Status;

/// Print a script that lets your shell complete reynard's subcommands and options.
///
/// For bash: reynard completions bash > ~/.local/share/bash-completion/completions/reynard
#[derive(Args)]
pub(super) struct CompletionsArgs {
    /// The shell that will read the script
    shell: Shell,
}

pub(super) fn run(args: &CompletionsArgs, command: &mut Command, out: &mut dyn Write) -> anyhow::Result<Status> {
    // The generator does not tell of a closed pipe, so it writes into memory first.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, command, "reynard", &mut script);
    out.write_all(&script)?;
    Ok(Status::Done)
}
