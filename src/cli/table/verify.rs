//! `reynard table verify`: checks tables by the rules alone.

use std::io::Write;

use clap::Args;
use indicatif::HumanCount;
use reynard_engine::tablebase::Identity;
use reynard_engine::tablebase::verify::{LayerFindings, Mismatch, VerifyRequest};

use super::progress::TableProgress;
use super::text::{geese, value_text};
use super::{FolderArgs, MetricArgs, ThreadArgs, table_builder};
use crate::cli::exit::Status;
use crate::cli::ruleset::RulesetArgs;

/// Check the tables of a game by a path of their own.
///
/// The checksum of every block is tested, and the value and distance of every position are worked out once more from
/// the positions after it, through the ordinary rules. Exit code 0: all is right; 1: something is wrong, and is named.
#[derive(Args)]
pub(super) struct VerifyArgs {
    #[command(flatten)]
    ruleset: RulesetArgs,
    /// Check so many positions of each table, drawn at random, instead of all; a smaller table is checked whole
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// The seed of the drawing
    #[arg(long, value_name = "N", default_value_t = 0, requires = "sample")]
    seed: u64,
    /// Check only the table with so many geese
    #[arg(long, value_name = "N")]
    geese: Option<u32>,
    #[command(flatten)]
    metric: MetricArgs,
    #[command(flatten)]
    folder: FolderArgs,
    #[command(flatten)]
    threads: ThreadArgs,
}

pub(super) fn run(args: &VerifyArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let builder = table_builder(&args.ruleset.choice(), args.metric.metric())??;
    let folder = args.folder.existing()?;
    let progress = TableProgress::new();
    let request = VerifyRequest { geese: args.geese, sample: args.sample, seed: args.seed };
    let verified = args.threads.pool()?.install(|| builder.verify(&folder, &request, &progress));
    drop(progress);
    let findings = verified?;
    findings.iter().try_for_each(|layer| report(builder.identity(), layer, out))?;
    Ok(if findings.iter().all(LayerFindings::is_good) { Status::Done } else { Status::Negative })
}

fn report(identity: &Identity, layer: &LayerFindings, out: &mut dyn Write) -> anyhow::Result<()> {
    let (title, metric) = (identity.title(), identity.metric);
    let result = match (layer.wrong, layer.faults.is_empty()) {
        (0, true) => "all right".to_owned(),
        (0, false) => "the file is FAULTY".to_owned(),
        (wrong, _) => format!("{} of them WRONG", HumanCount(wrong)),
    };
    writeln!(out, "{title}, {}: {} positions checked, {result}", geese(layer.geese), HumanCount(layer.checked))?;
    layer.faults.iter().try_for_each(|fault| writeln!(out, "  {fault}"))?;
    for Mismatch { position, stored, derived } in &layer.mismatches {
        let [stored, derived] =
            [stored, derived].map(|value| value.map_or("nothing".to_owned(), |value| value_text(value, metric)));
        writeln!(out, "  {position}: stored {stored}, but it follows {derived}")?;
    }
    Ok(())
}
