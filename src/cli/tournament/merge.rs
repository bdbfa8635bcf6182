//! `reynard tournament merge`: joins parts that were played apart.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::{closing, results};
use crate::cli::exit::{Status, complain};
use crate::tournament::director::{GameQueue, decided_pairs};
use crate::tournament::journal::{Archive, JournalError, Merged, merge};
use crate::tournament::report::LineStyle;
use crate::tournament::schedule::Schedule;
use crate::tournament::spec::Format;
use crate::tournament::standings::Standings;

/// Join the results of shards, or of other parts of the same tournament, into a directory of their own.
///
/// The result is the same, byte for byte, as if one process had played all games. Parts of different tournaments are
/// refused, and so are parts that disagree about a game. Missing games are told on standard error, and the exit code is
/// then 1.
#[derive(Args)]
pub(super) struct MergeArgs {
    /// Directories with results of the same spec
    #[arg(value_name = "DIR", required = true)]
    dirs: Vec<PathBuf>,
    /// Directory for the joined results; it must not hold a journal yet
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Folder of tables of perfect play, by which mistakes are counted
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
}

pub(super) fn run(args: &MergeArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let parts: Vec<Archive> = args.dirs.iter().map(|dir| results::read(dir)).collect::<Result<_, _>>()?;
    let merged = merge(parts)?;
    let (decided, missing) = look_through(&merged, Schedule::of(&merged.header)?)?;
    let layout = merged.write(&args.out, |game| decided.is_none_or(|pairs| game / 2 < pairs))?;
    if let Some(spec) = merged.parts.iter().map(|part| part.layout.spec()).find(|path| path.exists()) {
        results::keep_spec(&spec, &layout)?;
    }
    let warning = missing.filter(|_| decided.is_none()).map(|missing| warning(&merged, missing));
    if let Some(warning) = &warning {
        complain(warning);
    }
    closing::close(&args.out, args.tables.as_deref(), LineStyle::Plain, out)?;
    closing::tell_files(&args.out);
    Ok(if warning.is_some() { Status::Negative } else { Status::Done })
}

/// The first game that is in none of the parts, and how many there are.
type Missing = (u64, u64);

/// The pairs up to the one that decided a sequential test, and what is missing.
fn look_through(merged: &Merged, schedule: Schedule) -> Result<(Option<u64>, Option<Missing>), JournalError> {
    let mut standings = (schedule.format() == Format::Sprt).then(|| Standings::new(&merged.header));
    let mut queue = GameQueue::new(schedule, None);
    merged.for_each(|game| {
        queue.finished(game);
        if let Some(standings) = &mut standings {
            standings.add(game, &[]);
        }
    })?;
    let decided = standings.and_then(|standings| decided_pairs(&standings, &merged.header));
    Ok((decided, queue.missing()))
}

fn warning(merged: &Merged, (first, missing): Missing) -> String {
    let shards: Vec<String> =
        merged.parts.iter().filter_map(|part| part.header.shard).map(|shard| shard.to_string()).collect();
    let shards = if shards.is_empty() { String::new() } else { format!(" The shards here are {}.", shards.join(", ")) };
    format!(
        "warning: {missing} game(s) are missing, the first is game {first}.{shards} \"tournament run SPEC --out DIR \
         --resume\" plays them"
    )
}
