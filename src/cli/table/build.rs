//! `reynard table build`: solves a game and writes its tables.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Args, value_parser};
use reynard_engine::tablebase::build::{
    BuildPlan, BuildRequest, LayerLimit, Resources, remove_partial_files, size_text,
};
use reynard_engine::tablebase::{Identity, Store, TableBuilder, existing_folder};

use super::holdings::Holdings;
use super::progress::TableProgress;
use super::{FolderArgs, MetricArgs, ThreadArgs, table_builder};
use crate::cli::exit::{Status, complain};
use crate::cli::interrupt;
use crate::cli::ruleset::RulesetArgs;

/// Solve a game and write its tables, one file for each number of geese, from few to many.
///
/// With distances to the end of the game, beside those to conversion, an engine knows the shortest win and says a true
/// `score mate`. Most games of one fox need little memory for them; all others 2 bytes for each position of all layers,
/// mirror images once.
///
/// Tables that are there already are kept, so that a build goes on where an earlier one ended, however that was; what
/// was not finished is thrown away. Before anything is written it is worked out whether memory and disk suffice.
#[derive(Args)]
pub(super) struct BuildArgs {
    #[command(flatten)]
    ruleset: RulesetArgs,
    /// The most geese [default: as many as the game starts with, or as many as fit]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..), allow_negative_numbers = true)]
    geese: Option<u32>,
    #[command(flatten)]
    metric: MetricArgs,
    #[command(flatten)]
    folder: FolderArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Memory that may be used, in GiB, for example 5.5 [default: what this machine or its container has available]
    #[arg(long, value_name = "GIB", value_parser = parse_gib, allow_negative_numbers = true)]
    memory: Option<u64>,
}

/// Bytes from GiB.
fn parse_gib(text: &str) -> Result<u64, String> {
    match text.parse::<f64>() {
        Ok(gib) if gib > 0.0 && gib <= 1e6 => Ok((gib * (1u64 << 30) as f64) as u64),
        _ => Err("expected a number of GiB above 0, for example 5.5".to_owned()),
    }
}

pub(super) fn run(args: &BuildArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let builder = table_builder(&args.ruleset.choice(), args.metric.metric())??;
    let folder = args.folder.path();
    if folder.exists() {
        existing_folder(&folder)?;
    }
    let mut resources = Resources::available(&folder);
    resources.memory = args.memory.or(resources.memory);
    let limit = args.geese.map_or(LayerLimit::UpTo(builder.geese_at_start()), LayerLimit::Exactly);
    let progress = TableProgress::new();
    tidy_up_when_interrupted(&folder, &*builder, Arc::clone(&progress.is_building))?;
    let request = BuildRequest { limit, resources };
    let plan = args.threads.pool()?.install(|| builder.build(&folder, &request, &progress))?;
    drop(progress);
    if plan.last == 0 {
        writeln!(out, "{}", plan.notice.unwrap_or_default())?;
    } else {
        report(&folder, builder.identity(), &plan, out)?;
        let holdings = Holdings::of(&folder, builder.identity(), builder.geese_at_start())?;
        if holdings.is_part() {
            writeln!(out, "{holdings}")?;
        }
    }
    Ok(Status::Done)
}

fn tidy_up_when_interrupted(
    folder: &Path,
    builder: &dyn TableBuilder,
    is_building: Arc<AtomicBool>,
) -> anyhow::Result<()> {
    let (folder, identity, geese) = (folder.to_owned(), builder.identity().clone(), builder.geese_at_start());
    interrupt::end_after(move || {
        // Before that, an unfinished file would be another build's.
        if is_building.load(Ordering::Relaxed) {
            let tidied = remove_partial_files(&folder, &identity);
            match tidied.and_then(|()| Holdings::of(&folder, &identity, geese)) {
                Ok(holdings) => {
                    let goes_on = if holdings.is_empty() { "begins anew" } else { "goes on from there" };
                    complain(&format!("stopped; {holdings}; the same command {goes_on}"));
                }
                Err(error) => complain(&error),
            }
        }
    })
}

fn report(folder: &Path, identity: &Identity, plan: &BuildPlan, out: &mut dyn Write) -> anyhow::Result<()> {
    let store = Store::open(folder, identity.clone())?;
    let size: u64 = store.layers().values().map(|layer| layer.size()).sum();
    let built = plan.missing.len();
    let there = store.layers().len() - built;
    writeln!(
        out,
        "{}: tables with {} to {} geese are in '{}': {built} built, {there} were there, {} in all",
        identity.title(),
        plan.first,
        plan.last,
        folder.display(),
        size_text(size)
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_a_number_above_zero() {
        assert_eq!(parse_gib("0.5"), Ok(1 << 29));
        assert!(["0", "-1", "much", "NaN", "inf"].into_iter().all(|text| parse_gib(text).is_err()));
    }
}
