//! `reynard table list`: which tables a folder holds.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use reynard_engine::session::registry::{self, RulesetChoice};
use reynard_engine::tablebase::build::size_text;
use reynard_engine::tablebase::format::TableHeader;
use reynard_engine::tablebase::{ListedTable, Metric, TableError, inventory};

use super::text::{geese, ranges};
use super::{FolderArgs, table_builder};
use crate::cli::exit::{Status, complain};
use crate::cli::number_table::{line_of_path, lines_of_words};

/// Show which tables there are.
///
/// For every set of rules the games of the catalog that have them, since those share their tables, then a line for each
/// file; tables with distances to the end stand apart. Exit code 1: a file is damaged, no table, or of an earlier
/// version that numbered positions otherwise, and is named; `verify` looks into every block, too.
#[derive(Args)]
pub(super) struct ListArgs {
    #[command(flatten)]
    folder: FolderArgs,
}

/// A sound file: its path, what it says, its size.
type Sound = (PathBuf, TableHeader, u64);

pub(super) fn run(args: &ListArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let folder = args.folder.path();
    let mut by_rules: BTreeMap<(String, Metric), Vec<Sound>> = BTreeMap::new();
    let mut damaged: Vec<TableError> = Vec::new();
    for ListedTable { path, about } in inventory(&folder)? {
        match about {
            Ok((header, size)) => {
                let kind = (header.fingerprint.clone(), header.metric);
                by_rules.entry(kind).or_default().push((path, header, size));
            }
            Err(error) => damaged.push(error),
        }
    }
    if by_rules.is_empty() && damaged.is_empty() {
        writeln!(out, "no tables in '{}'", folder.display())?;
    }
    let names = registry::names_by_tables();
    for ((fingerprint, metric), mut files) in by_rules {
        files.sort_by_key(|(_, header, _)| header.geese);
        let names = names.get(&fingerprint);
        print(names, &files, out)?;
        if let Some(name) = names.and_then(|names| names.first()) {
            let builder = table_builder(&RulesetChoice::catalog(name), metric)??;
            let refused = builder.store(&folder).err().filter(|error| !damaged.contains(error));
            damaged.extend(refused);
        }
    }
    damaged.iter().for_each(|error| complain(error));
    Ok(if damaged.is_empty() { Status::Done } else { Status::Negative })
}

fn print(names: Option<&Vec<&str>>, files: &[Sound], out: &mut dyn Write) -> anyhow::Result<()> {
    let Some((_, first, _)) = files.first() else { return Ok(()) };
    let name = names.map_or(format!("{} (not of the catalog)", first.ruleset), |names| names.join(" "));
    let numbers: Vec<u32> = files.iter().map(|(_, header, _)| header.geese).collect();
    let size: u64 = files.iter().map(|(_, _, size)| size).sum();
    let kind = first.metric.remark();
    let head = format!("{name}{kind}: with {} geese, {}", ranges(&numbers), size_text(size));
    write!(out, "{}", lines_of_words(&head))?;
    for (path, header, size) in files {
        let line = format!("  {:>8}  {:>10}  ", geese(header.geese), size_text(*size));
        writeln!(out, "{}", line_of_path(&line, &path.display().to_string(), ""))?;
    }
    Ok(())
}
