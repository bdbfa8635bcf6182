//! `reynard table stats`: counts of wins, draws and losses, and the longest wins.

use std::io::Write;
use std::sync::Arc;

use clap::Args;
use indicatif::HumanCount;
use reynard_engine::tablebase::build::size_text;
use reynard_engine::tablebase::format::LayerFile;
use reynard_engine::tablebase::{Metric, ResultCounts, Store};
use serde::Serialize;

use super::text::longest_line;
use super::{FolderArgs, MetricArgs, table_builder};
use crate::cli::exit::Status;
use crate::cli::number_table::{line_of_path, lines_of_words, number_table};
use crate::cli::ruleset::RulesetArgs;

/// Count the positions that each side wins with best play.
///
/// All placements of the pieces on the board are counted, mirrored ones separately, each with the geese and with the
/// fox to move; a decided position counts for its winner. The longest wins are those with the most plies, to conversion
/// or to the end.
#[derive(Args)]
pub(super) struct TableStatsArgs {
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

pub(super) fn run(args: &TableStatsArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let store = table_builder(&args.ruleset.choice(), args.metric.metric())??.store(&args.folder.existing()?)?;
    if store.layers().is_empty() {
        return Err(store.absent(None).into());
    }
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&ResultRow::all(&store))?)?
    } else {
        print(&store, out)?
    }
    Ok(Status::Done)
}

/// The results of a table with one side to move.
#[derive(Serialize)]
pub(super) struct ResultRow {
    geese: u32,
    /// `g` or `f`.
    turn: char,
    #[serde(flatten)]
    results: ResultCounts,
}

impl ResultRow {
    /// Those of every table, geese to move first.
    pub(super) fn all(store: &Store) -> Vec<ResultRow> {
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
    pub(super) fn name(&self) -> [String; 2] {
        [self.geese.to_string(), self.turn.to_string()]
    }

    fn counts(&self) -> [u64; 3] {
        [self.results.fox_wins, self.results.draws, self.results.geese_win]
    }

    /// Fox wins, draws and wins of the geese, in per cent.
    pub(super) fn shares(&self) -> [String; 3] {
        let total = self.results.total().max(1) as f64;
        self.counts().map(|count| format!("{:.2}", 100.0 * count as f64 / total))
    }
}

fn print(store: &Store, out: &mut dyn Write) -> anyhow::Result<()> {
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
        let size = format!("  {}", size_text(file.size()));
        writeln!(out, "{}", line_of_path("", &file.path.display().to_string(), &size))?;
    }
    Ok(())
}
