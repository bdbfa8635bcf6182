//! `reynard schema`: JSON Schemas of the files that people write, for editors that check and complete.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use reynard_engine::files;
use reynard_engine::session::registry;
use serde_json::Value;

use super::exit::Status;

/// Print the JSON Schema (draft 2020-12) of a kind of file, by which editors complete keys and check values.
///
/// For a tournament: reynard schema tournament --out tournament.schema.json, and in the spec
/// "$schema": "./tournament.schema.json"
#[derive(Args)]
pub(super) struct SchemaArgs {
    /// The kind of file
    kind: Kind,
    /// Write the schema into a file, not to standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    /// Rules of a game
    Ruleset,
}

impl Kind {
    fn schema(self) -> Value {
        match self {
            Kind::Ruleset => registry::ruleset_schema(),
        }
    }
}

pub(super) fn run(args: &SchemaArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let text = format!("{:#}\n", args.kind.schema());
    match &args.out {
        Some(path) => {
            files::write(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
        }
        None => out.write_all(text.as_bytes())?,
    }
    Ok(Status::Done)
}
