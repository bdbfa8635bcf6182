//! `reynard table list` and `stats`: which tables a folder holds, and the wins, draws and losses in them.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use indicatif::HumanCount;
use reynard_engine::session::registry::{self, RulesetChoice};
use reynard_engine::tablebase::build::size_text;
use reynard_engine::tablebase::format::{LayerFile, TableHeader};
use reynard_engine::tablebase::{
    Identity, ListedTable, LongestWin, Metric, ResultCounts, Store, TableError, inventory,
};
use serde::Serialize;

use super::{FolderArgs, MetricArgs, geese, plies, ranges, table_builder};
use crate::cli::exit::{Status, complain};
use crate::cli::output::{line_of_path, lines_of_words, number_table};
use crate::cli::ruleset::RulesetArgs;

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

/// A sound file: its path, its header, its size in bytes.
type Sound = (PathBuf, TableHeader, u64);

pub(super) fn list(args: &ListArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
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
        print_files(names, &files, out)?;
        if let Some(name) = names.and_then(|names| names.first()) {
            let builder = table_builder(&RulesetChoice::catalog(name), metric)??;
            let refused = builder.store(&folder).err().filter(|error| !damaged.contains(error));
            damaged.extend(refused);
        }
    }
    damaged.iter().for_each(|error| complain(error));
    Ok(if damaged.is_empty() { Status::Done } else { Status::Negative })
}

fn print_files(names: Option<&Vec<&str>>, files: &[Sound], out: &mut dyn Write) -> anyhow::Result<()> {
    let Some((_, first, _)) = files.first() else { return Ok(()) };
    let name = names.map_or(format!("{} (not of the catalog)", first.ruleset), |names| names.join(" "));
    let numbers: Vec<u32> = files.iter().map(|(_, header, _)| header.geese).collect();
    let size: u64 = files.iter().map(|(_, _, size)| size).sum();
    let kind = first.metric.remark();
    let head = format!("{name}{kind}: with {} geese, {}", ranges(&numbers), size_text(size));
    write!(out, "{}", lines_of_words(&head))?;
    for (path, header, size) in files {
        let line = format!("  {:>8}  {:>10}  ", geese(header.geese), size_text(*size));
        writeln!(out, "{}", line_of_path(&line, &path.display().to_string()))?;
    }
    Ok(())
}

/// Count the positions that each side wins with best play.
///
/// All placements of the pieces on the board are counted, mirrored ones separately, each with the geese and with the
/// fox to move; a decided position counts for its winner. The longest wins are those with the most plies, to conversion
/// or to the end.
#[derive(Args)]
pub(super) struct StatsArgs {
    #[command(flatten)]
    ruleset: RulesetArgs,
    /// Print a list of {"geese", "turn" ("g" or "f"), "fox_wins", "draws", "geese_win"}
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    metric: MetricArgs,
    #[command(flatten)]
    folder: FolderArgs,
}

pub(super) fn stats(args: &StatsArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let store = table_builder(&args.ruleset.choice(), args.metric.metric)??.store(&args.folder.existing()?)?;
    if store.layers().is_empty() {
        return Err(store.absent(None).into());
    }
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&ResultRow::all(&store))?)?
    } else {
        print_stats(&store, out)?
    }
    Ok(Status::Done)
}

/// The results of a table with one side to move.
#[derive(Serialize)]
struct ResultRow {
    geese: u32,
    /// `g` or `f`.
    turn: char,
    #[serde(flatten)]
    results: ResultCounts,
}

impl ResultRow {
    /// The results of every table, geese to move first.
    fn all(store: &Store) -> Vec<ResultRow> {
        let of_layer = |(&geese, file): (&u32, &Arc<LayerFile>)| {
            let summary = &file.header.summary;
            [('g', summary.geese_to_move), ('f', summary.fox_to_move)].map(|(turn, results)| ResultRow {
                geese,
                turn,
                results,
            })
        };
        store.layers().iter().flat_map(of_layer).collect()
    }

    /// Geese and turn.
    fn name(&self) -> [String; 2] {
        [self.geese.to_string(), self.turn.to_string()]
    }

    fn counts(&self) -> [u64; 3] {
        [self.results.fox_wins, self.results.draws, self.results.geese_win]
    }

    /// Fox wins, draws and wins of the geese, in per cent.
    fn shares(&self) -> [String; 3] {
        let total = self.results.total().max(1) as f64;
        self.counts().map(|count| format!("{:.2}", 100.0 * count as f64 / total))
    }
}

fn print_stats(store: &Store, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "{}\n", store.identity().title())?;
    let rows = ResultRow::all(store).into_iter().map(|row| {
        let results = row.counts().map(|count| HumanCount(count).to_string()).into_iter().zip(row.shares());
        row.name().into_iter().chain(results.flat_map(|(count, share)| [count, share]))
    });
    let table = number_table(0, ["geese", "turn", "fox wins", "%", "draws", "%", "geese win", "%"], rows);
    let longest = match store.identity().metric {
        Metric::Conversion => "Longest wins, plies to the next irreversible move under best play:",
        Metric::End => "Longest wins, plies to the end of the game under best play:",
    };
    let longest = lines_of_words(longest);
    writeln!(out, "{table}\n\n{longest}")?;
    for (geese, file) in store.layers() {
        // Where every win is a position that is over, none is worth a line.
        for longest in file.header.summary.longest.iter().filter(|longest| longest.plies > 0) {
            write!(out, "{}", lines_of_words(&longest_line(*geese, longest)))?;
        }
    }
    writeln!(out, "\nFiles:\n")?;
    for file in store.layers().values() {
        let line = format!("{:>10}  ", size_text(file.size()));
        writeln!(out, "{}", line_of_path(&line, &file.path.display().to_string()))?;
    }
    Ok(())
}

/// `13 geese, turn g, geese win: 12 plies, POSITION`.
fn longest_line(number: u32, LongestWin { turn, winner, plies: length, position }: &LongestWin) -> String {
    let winner = if *winner == 'f' { "fox wins" } else { "geese win" };
    format!("{}, turn {turn}, {winner}: {}, {position}", geese(number), plies(*length))
}

/// The tables of a game in a folder, and those that are missing up to its start.
pub(in crate::cli) struct Holdings {
    name: String,
    there: Vec<u32>,
    missing: Vec<u32>,
}

impl Holdings {
    /// The tables of a game that starts with `geese_at_start` geese.
    ///
    /// # Errors
    /// A table is damaged or cannot be read.
    pub(in crate::cli) fn of(folder: &Path, identity: &Identity, geese_at_start: u32) -> Result<Holdings, TableError> {
        let store = Store::open(folder, identity.clone())?;
        let there: Vec<u32> = store.layers().keys().copied().collect();
        let missing = (identity.first_layer..=geese_at_start).filter(|geese| store.layer(*geese).is_none()).collect();
        Ok(Holdings { name: identity.title(), there, missing })
    }

    pub(in crate::cli) fn is_empty(&self) -> bool {
        self.there.is_empty()
    }

    /// Something is there, but not all that the start asks for.
    pub(in crate::cli) fn is_part(&self) -> bool {
        !self.there.is_empty() && !self.missing.is_empty()
    }
}

impl fmt::Display for Holdings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Holdings { name, there, missing } = self;
        match (there.is_empty(), missing.is_empty()) {
            (true, _) => write!(f, "{name}: no table is there"),
            (_, true) => write!(f, "{name}: tables with {} geese are there, all up to its start", ranges(there)),
            _ => {
                let (there, missing) = (ranges(there), ranges(missing));
                write!(
                    f,
                    "{name}: tables with {there} geese are there, those with {missing} up to its start are missing"
                )
            }
        }
    }
}
