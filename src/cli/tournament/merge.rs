//! `reynard tournament merge`: joins parts that were played apart.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::closing;
use crate::cli::exit::{Verdict, complain};
use crate::tournament::director::{Course, Plan, decided_pairs};
use crate::tournament::journal::{Archive, JournalError, Layout, Merged, merge};
use crate::tournament::spec::Format;
use crate::tournament::standings::Standings;

/// Join the results of shards, or of other parts of the same tournament, into a directory of their own.
///
/// The result is the same, byte for byte, as if one process had played all games. Parts of different tournaments are
/// refused, and so are parts that disagree about a game; missing games are told on standard error.
#[derive(Args)]
pub struct MergeArgs {
    /// Directories with results of the same spec
    #[arg(value_name = "DIR", required = true)]
    dirs: Vec<PathBuf>,
    /// Directory for the joined results; it must not hold a journal yet
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub fn run(args: &MergeArgs, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    let parts: Vec<Archive> = args.dirs.iter().map(|dir| Archive::read(dir)).collect::<Result<_, _>>()?;
    let merged = merge(parts)?;
    let plan = Plan::of(&merged.header)?;
    let decided = decision(&merged, &plan)?;
    let layout = merged.write(&args.out, |game| decided.is_none_or(|pairs| game / 2 < pairs))?;
    keep_spec(&merged, &layout)?;
    if decided.is_none() {
        warn_of_missing(&merged, &plan)?;
    }
    closing::close(&args.out, out)?;
    Ok(Verdict::Done)
}

/// The pairs up to the one that decided a sequential test.
fn decision(merged: &Merged, plan: &Plan) -> Result<Option<u64>, JournalError> {
    if plan.format != Format::Sprt {
        return Ok(None);
    }
    let mut standings = Standings::new(&merged.header);
    merged.for_each(|game| standings.add(game, None))?;
    Ok(decided_pairs(&standings, &merged.header))
}

fn keep_spec(merged: &Merged, layout: &Layout) -> anyhow::Result<()> {
    let found = merged.parts().iter().map(|part| part.layout().spec()).find(|path| path.exists());
    if let Some(path) = found {
        fs::copy(&path, layout.spec()).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

fn warn_of_missing(merged: &Merged, plan: &Plan) -> Result<(), JournalError> {
    let mut course = Course::new(plan.schedule(), None);
    merged.for_each(|game| course.finished(game))?;
    let missing: Vec<u64> = course.missing().collect();
    let Some(first) = missing.first() else { return Ok(()) };
    let shards: Vec<String> = merged
        .parts()
        .iter()
        .filter_map(|part| part.header.shard)
        .map(|shard| format!("{}/{}", shard.index, shard.count))
        .collect();
    let shards = if shards.is_empty() { String::new() } else { format!(" The shards here are {}.", shards.join(", ")) };
    complain(&format!(
        "warning: {} game(s) are missing, the first is game {first}.{shards} \"tournament run SPEC --out DIR --resume\" \
         plays them",
        missing.len()
    ));
    Ok(())
}
