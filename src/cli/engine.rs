//! `reynard` without a subcommand: the engine that speaks a text protocol over standard input and output.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use reynard_engine::protocol;
use reynard_engine::session::Engine;
use reynard_engine::session::options_file::OptionsFile;

use super::exit::Status;

#[derive(Args)]
pub(super) struct EngineArgs {
    /// Start the engine with the game of this ruleset file
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// Start the engine with the settings of this file, for example one that a tuning has written
    #[arg(long, value_name = "FILE")]
    options: Option<PathBuf>,
}

const GREETING: &str = concat!(
    "reynard ",
    env!("CARGO_PKG_VERSION"),
    ": this is the engine, it waits for commands. Type 'help' for a list, 'quit' to leave, or start 'reynard play'."
);

pub(super) fn run(args: &EngineArgs) -> anyhow::Result<Status> {
    let mut engine = Engine::new()?;
    if let Some(path) = &args.options {
        let file = OptionsFile::read(path)?;
        engine.load(&file).with_context(|| path.display().to_string())?;
    }
    if let Some(path) = &args.rules {
        let path = path.to_str().context("the name of the ruleset file is not valid UTF-8")?;
        engine.set_option("RulesFile", Some(path))?;
    }
    let mut out = io::stdout();
    if io::stdin().is_terminal() && out.is_terminal() {
        writeln!(out, "{GREETING}")?;
    }
    protocol::serve(io::stdin(), &mut out, engine);
    Ok(Status::Done)
}
