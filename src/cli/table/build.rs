//! `reynard table build`.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;

use super::progress::Progress;
use super::{FolderArgs, ThreadArgs, table_builder};
use crate::cli::exit::{Status, complain};
use crate::cli::interrupt;
use crate::cli::ruleset::RulesetArgs;
use crate::tablebase::build::{
    BuildPlan, BuildProgress, BuildRequest, LayerLimit, Resources, remove_partial_files, size_text,
};
use crate::tablebase::{Identity, TableBuilder};

/// Solve a game and write its tables, one file for each number of geese, from few to many.
///
/// Tables that are there already are kept, so that a build goes on where an earlier one ended, however that was; what
/// was not finished is thrown away. Before anything is written it is worked out whether memory and disk suffice.
#[derive(Args)]
pub(super) struct BuildArgs {
    #[command(flatten)]
    ruleset: RulesetArgs,
    /// The most geese [default: as many as the game starts with, or as many as fit]
    #[arg(long, value_name = "N")]
    geese: Option<u32>,
    #[command(flatten)]
    folder: FolderArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Memory that may be used, in GiB, for example 5.5 [default: what this machine has available]
    #[arg(long, value_name = "GIB", value_parser = parse_gib)]
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
    let (folder, table_builder) = (args.folder.path(), table_builder(&args.ruleset)?);
    let mut resources = Resources::available(&folder);
    resources.memory = args.memory.or(resources.memory);
    let limit = args.geese.map_or(LayerLimit::UpTo(table_builder.geese_at_start()), LayerLimit::Exactly);
    let watch = Watch { progress: Progress::new(), at_work: Arc::default() };
    tidy_up_when_interrupted(args, table_builder.identity(), &watch)?;
    let request = BuildRequest { limit, resources };
    let plan = args.threads.pool()?.install(|| table_builder.build(&folder, &request, &watch))?;
    watch.progress.end();
    if plan.last == 0 {
        writeln!(out, "{}", plan.notice.unwrap_or_default())?;
        return Ok(Status::Done);
    }
    report(args, &*table_builder, &plan, out)?;
    Ok(Status::Done)
}

/// The progress, and whether the folder is locked by now.
struct Watch {
    progress: Progress,
    at_work: Arc<AtomicBool>,
}

impl BuildProgress for Watch {
    fn planned(&self, plan: &BuildPlan) {
        self.at_work.store(true, Ordering::Relaxed);
        plan.notice.iter().filter(|_| plan.last > 0).for_each(|notice| self.progress.say(notice));
        self.progress.planned(plan);
    }

    fn begin(&self, layer: u32, positions: u64) {
        BuildProgress::begin(&self.progress, layer, positions);
    }

    fn advance(&self, positions: u64) {
        BuildProgress::advance(&self.progress, positions);
    }

    fn end(&self, layer: u32, bytes: u64) {
        BuildProgress::end(&self.progress, layer, bytes);
    }
}

fn tidy_up_when_interrupted(args: &BuildArgs, identity: &Identity, watch: &Watch) -> anyhow::Result<()> {
    let (folder, identity, at_work) = (args.folder.path(), identity.clone(), Arc::clone(&watch.at_work));
    interrupt::end_after(move || {
        // Before that, an unfinished file would be another build's.
        if at_work.load(Ordering::Relaxed) {
            match remove_partial_files(&folder, &identity) {
                Ok(()) => complain(&"stopped; complete tables stay, and the same command goes on from there"),
                Err(error) => complain(&error),
            }
        }
    })
}

fn report(
    args: &BuildArgs,
    table_builder: &dyn TableBuilder,
    plan: &BuildPlan,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let folder = args.folder.path();
    let store = crate::tablebase::Store::open(&folder, table_builder.identity().clone())?;
    let size: u64 = store.layers().values().map(|layer| layer.size()).sum();
    let (name, built) = (&table_builder.identity().name, plan.missing.len());
    let there = store.layers().len() - built;
    writeln!(
        out,
        "{name}: tables with {} to {} geese are in '{}': {built} built, {there} were there, {} in all",
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
