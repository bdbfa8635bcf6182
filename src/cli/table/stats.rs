//! `reynard table stats`.

use std::io::Write;

use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Value, json};

use super::text::{grouped, plies};
use super::{FolderArgs, table_builder};
use crate::cli::exit::Status;
use crate::cli::ruleset::RulesetArgs;
use crate::tablebase::build::size_text;
use crate::tablebase::{LongestWin, ResultCounts, Store};

/// Count the positions that each side wins with best play.
///
/// All placements of the pieces on the board are counted, mirrored ones separately, each with the geese and with the fox
/// to move; a decided position counts for its winner. The longest wins are those with the most plies to conversion.
#[derive(Args)]
pub(super) struct StatsArgs {
    #[command(flatten)]
    ruleset: RulesetArgs,
    /// Print a list of {"geese", "turn" ("g" or "f"), "fox_wins", "draws", "geese_win"}
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    folder: FolderArgs,
}

pub(super) fn run(args: &StatsArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let store = Store::open(&args.folder.path(), table_builder(&args.ruleset)?.identity().clone())?;
    if store.layers().is_empty() {
        return Err(store.absent(None).into());
    }
    if args.json {
        writeln!(out, "{}", rows(&store))?
    } else {
        print(&store, out)?
    }
    Ok(Status::Done)
}

/// Geese, turn and counts of every table, geese to move first.
fn tallies(store: &Store) -> impl Iterator<Item = (u32, char, ResultCounts)> + '_ {
    store.layers().iter().flat_map(|(&geese, file)| {
        let summary = &file.header().summary;
        [(geese, 'g', summary.geese_to_move), (geese, 'f', summary.fox_to_move)]
    })
}

fn rows(store: &Store) -> Value {
    let row = |(geese, turn, tally): (u32, char, ResultCounts)| {
        let ResultCounts { fox_wins, draws, geese_win } = tally;
        json!({"geese": geese, "turn": turn.to_string(), "fox_wins": fox_wins, "draws": draws, "geese_win": geese_win})
    };
    tallies(store).map(row).collect()
}

fn print(store: &Store, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "{}\n", store.identity().name)?;
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["geese", "turn", "fox wins", "%", "draws", "%", "geese win", "%"]);
    for (geese, turn, tally) in tallies(store) {
        let total = tally.fox_wins + tally.draws + tally.geese_win;
        let cells = [tally.fox_wins, tally.draws, tally.geese_win].map(|count| [grouped(count), share(count, total)]);
        table.add_row([geese.to_string(), turn.to_string()].into_iter().chain(cells.concat()));
    }
    table.column_iter_mut().for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    writeln!(out, "{table}\n\nLongest wins, plies to the next irreversible move under best play:\n")?;
    for (geese, file) in store.layers() {
        // Where every win is a position that is over, none is worth a line.
        for LongestWin { turn, winner, plies: number, position } in
            file.header().summary.longest.iter().filter(|longest| longest.plies > 0)
        {
            let winner = if *winner == 'f' { "fox wins" } else { "geese win" };
            writeln!(out, "{geese} geese, turn {turn}, {winner}: {}, {position}", plies(*number))?;
        }
    }
    writeln!(out, "\nFiles:\n")?;
    for file in store.layers().values() {
        writeln!(out, "{}  {}", file.path().display(), size_text(file.size()))?;
    }
    Ok(())
}

fn share(count: u64, total: u64) -> String {
    format!("{:.2}", 100.0 * count as f64 / total.max(1) as f64)
}
