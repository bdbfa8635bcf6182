//! `reynard table verify`.

use std::io::Write;

use clap::Args;

use super::progress::Progress;
use super::text::grouped;
use super::{FolderArgs, ThreadArgs, table_builder};
use crate::cli::exit::{Status, complain};
use crate::cli::ruleset::RulesetArgs;
use crate::tablebase::verify::{LayerFindings, Mismatch, VerifyRequest};
use crate::tablebase::{TableBuilder, TableError, TableValue};

/// Check the tables of a game by a path of their own.
///
/// The checksum of every block is tested, and the value and distance of every position are worked out once more from the
/// positions after it, through the ordinary rules. Exit code 0: all is right; 1: something is wrong, and is named.
#[derive(Args)]
pub(super) struct VerifyArgs {
    #[command(flatten)]
    ruleset: RulesetArgs,
    /// Check so many positions of each table, drawn at random, instead of all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// The seed of the drawing
    #[arg(long, value_name = "N", default_value_t = 0, requires = "sample")]
    seed: u64,
    /// Check only the table with so many geese
    #[arg(long, value_name = "N")]
    geese: Option<u32>,
    #[command(flatten)]
    folder: FolderArgs,
    #[command(flatten)]
    threads: ThreadArgs,
}

pub(super) fn run(args: &VerifyArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let table_builder = table_builder(&args.ruleset)?;
    let progress = Progress::new();
    let request = VerifyRequest { geese: args.geese, sample: args.sample, seed: args.seed };
    let verified = args.threads.pool()?.install(|| table_builder.verify(&args.folder.path(), &request, &progress));
    progress.end();
    let findings = match verified {
        Err(error @ (TableError::Damaged { .. } | TableError::File { .. })) => {
            complain(&error);
            return Ok(Status::Negative);
        }
        other => other?,
    };
    findings.layers.iter().try_for_each(|layer| report(&*table_builder, layer, out))?;
    Ok(if findings.are_good() { Status::Done } else { Status::Negative })
}

fn report(table_builder: &dyn TableBuilder, layer: &LayerFindings, out: &mut dyn Write) -> anyhow::Result<()> {
    let (name, checked) = (&table_builder.identity().name, grouped(layer.checked));
    if layer.wrong == 0 && layer.faults.is_empty() {
        writeln!(out, "{name}, {} geese: {checked} positions checked, all right", layer.geese)?;
    } else {
        let wrong = grouped(layer.wrong);
        writeln!(out, "{name}, {} geese: {checked} positions checked, {wrong} of them WRONG", layer.geese)?;
    }
    layer.faults.iter().try_for_each(|fault| writeln!(out, "  {fault}"))?;
    for Mismatch { position, stored, derived } in &layer.mismatches {
        let [stored, derived] = [stored, derived].map(|value| words(table_builder, value.as_ref()));
        writeln!(out, "  {position}: stored {stored}, but it follows {derived}")?;
    }
    Ok(())
}

fn words(table_builder: &dyn TableBuilder, verdict: Option<&TableValue>) -> String {
    verdict.map_or("nothing".to_owned(), |verdict| super::text::value(&table_builder.value(*verdict)))
}
