//! `reynard analyse`: the moves of games in a file judged, with marks and better moves.

mod annotated;
mod input;

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use annotated::AnnotatedGame;
use clap::{Args, ValueEnum};
use reynard_engine::session::{GoRequest, registry};
use serde_json::Value;

use super::exit::{Status, UsageError};
use super::live::{LiveView, Unit};
use super::ruleset::RulesetOption;
use crate::tournament::judge::Judge;

/// Annotate games with values, marks and better moves.
///
/// FILE is a PGN file, the results directory of a tournament, or a game that `play` has saved. Every choice of a player is
/// judged: by tables where they reach, else by a search, of the position and then, where its choice is another one, of
/// either move alone. A move is marked ?!, ? or ?? when it gave away at least 7, 15 or 30 hundredths of the point, and
/// still does so when both moves are searched four times as long. Values are those of the player who moves. Moves of an
/// opening, rolls and moves without an alternative are left as they are.
#[derive(Args)]
pub(super) struct AnalyseArgs {
    /// The games: a PGN file, a results directory, or a saved game
    file: PathBuf,
    /// Only this game: by its number in the journal, or from 0 on in a PGN file
    #[arg(long, value_name = "N")]
    game: Option<u64>,
    #[command(flatten)]
    ruleset: RulesetOption,
    /// A folder of tables of perfect play
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Nodes of each search (mcts: iterations) [default: 20000]
    #[arg(long, value_name = "N", conflicts_with = "movetime", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds of each search, instead of nodes
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    movetime: Option<u64>,
    /// An option of the engine, for example --option Searcher=mcts; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = super::play::parse_option)]
    option: Vec<(String, String)>,
    /// What to write
    #[arg(long, value_enum, default_value_t = Format::Pgn)]
    format: Format,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// The games with comments and annotation glyphs
    Pgn,
    /// A list of games, each with its tags, moves and sides
    Json,
    /// The marked moves of each game, and the accuracy of each side
    Text,
}

const NODES: u64 = 20_000;

pub(super) fn run(args: &AnalyseArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let judge = judge(args)?;
    let (mut json, mut done, mut progress) = (Vec::new(), 0, None);
    input::each_game(&args.file, &args.ruleset, args.game, &mut |game, total| {
        let progress = progress.get_or_insert_with(|| LiveView::new(Unit::Games, Some(total), 0, args.quiet));
        let game = AnnotatedGame::new(game, &judge)?;
        match args.format {
            Format::Pgn => game.write_pgn(out)?,
            Format::Json => json.push(game.json()),
            Format::Text => game.write_text(out)?,
        }
        out.flush()?;
        done += 1;
        progress.advance(done, String::new);
        Ok(())
    })?;
    if args.format == Format::Json {
        writeln!(out, "{}", Value::Array(json))?;
    }
    Ok(Status::Done)
}

fn judge(args: &AnalyseArgs) -> anyhow::Result<Judge> {
    let mut options = registry::default_options();
    for (name, value) in &args.option {
        options.set(name, Some(value))?;
    }
    if let Some(folder) = &args.tables {
        let folder = folder.to_str().ok_or_else(|| UsageError("--tables: the path is not valid UTF-8".to_owned()))?;
        options.set("TablePath", Some(folder))?;
    }
    options.check_table_path()?;
    let request = match args.movetime {
        Some(ms) => GoRequest::move_time(Duration::from_millis(ms)),
        None => GoRequest::nodes(args.nodes.unwrap_or(NODES)),
    };
    Ok(Judge::new(&options, request))
}
