//! Prints the standings as one JSON object.

use std::io::Write;

use serde::Serialize;

use super::ReportError;
use crate::tournament::header::Played;
use crate::tournament::header::Shard;
use crate::tournament::journal::Archive;
use crate::tournament::machine::Machine;
use crate::tournament::standings::Summary;

/// The object; `tournaments/README.md` documents the keys.
#[derive(Serialize)]
struct JsonReport<'a> {
    /// Of this format; a new one means that a key has changed its meaning.
    version: u32,
    program: &'a str,
    name: &'a str,
    shard: Option<Shard>,
    machines: &'a [Machine],
    #[serde(flatten)]
    summary: &'a Summary,
    /// As the journal's head has it.
    spec: &'a Played,
}

/// Version 1 had keys about puzzles, games of more than two, and disagreements of engines.
const VERSION: u32 = 2;

pub(super) fn write(archive: &Archive, summary: &Summary, out: &mut dyn Write) -> Result<(), ReportError> {
    let header = &archive.header;
    let name = header.name().unwrap_or("");
    let report = JsonReport {
        version: VERSION,
        program: &header.program,
        name,
        shard: header.shard,
        machines: &archive.machines,
        summary,
        spec: &header.played,
    };
    serde_json::to_writer_pretty(&mut *out, &report)?;
    writeln!(out)?;
    Ok(())
}
