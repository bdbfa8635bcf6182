//! The arguments of a match.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use super::engines::EngineWords;
use crate::cli::pairs::{Pair, PairList, pair, pair_list};
use crate::cli::ruleset::RulesetOption;
use crate::tournament::spec::Limits;

/// Let two configurations of the engine, A and B, or two programs play games against each other.
///
/// They swap sides every game, and games 1 and 2, 3 and 4, ... start from the same opening. The result is printed
/// overall and per side, because in these games the sides are far from equal. Arguments with one dash are those of
/// cutechess-cli: they are translated, and the output is then that of cutechess-cli, as with --cutechess.
///
/// After Ctrl-C no game is begun, and the result of those that are finished is printed, with exit code 1; a second
/// Ctrl-C gives up the games under way, and a third one ends the program.
#[derive(Args)]
#[command(group = ArgGroup::new("pace").multiple(false))]
pub(in crate::cli) struct MatchArgs {
    #[command(flatten)]
    pub(super) ruleset: RulesetOption,
    /// How many games to play
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(super) games: u32,
    /// Options of player A, comma-separated, for example "Searcher=alphabeta,Hash=16"; "" for the engine as it is
    #[arg(long, value_name = "NAME=VALUE,...", default_value = "Searcher=alphabeta", value_parser = pair_list)]
    pub(super) a: PairList,
    /// Options of player B
    #[arg(long, value_name = "NAME=VALUE,...", default_value = "Searcher=mcts", value_parser = pair_list)]
    pub(super) b: PairList,
    #[command(flatten)]
    pub(super) engines: EngineWords,
    /// The same for every player that is given by --engine; goes before what they say themselves
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., value_parser = pair, requires = "engine")]
    pub(super) each: Vec<Pair>,
    /// Time for every move, in milliseconds [default: 100]
    #[arg(long, value_name = "MS", group = "pace", value_parser = clap::value_parser!(u64).range(1..=LONGEST_MS))]
    pub(super) movetime: Option<u64>,
    /// Nodes (for mcts: iterations) for every move, instead of a time; makes the match reproducible
    #[arg(long, value_name = "N", group = "pace", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) nodes: Option<u64>,
    /// Nodes for every move of player B, when it is to get more or less than A
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) nodes_b: Option<u64>,
    /// Plies of search depth for every move, instead of a time
    #[arg(long, value_name = "N", group = "pace", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) depth: Option<u32>,
    /// A clock for the whole game: milliseconds at the start and gained with every move, for example 10000+100
    #[arg(long, value_name = "MS+MS", group = "pace", value_parser = parse_clock)]
    pub(super) clock: Option<Limits>,
    /// Random moves at the start of every game instead of openings that both sides can hold; 0 for none [default: 16
    /// balanced by search, and by tables where there are some; with dice none]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(0..=200))]
    pub(super) openings_plies: Option<u32>,
    /// Openings as the `openings` of a spec, for example path=book.txt order=random
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., value_parser = pair, conflicts_with = "openings_plies")]
    pub(super) openings: Vec<Pair>,
    /// Seed of the openings and of the players' own random choices
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(super) seed: u64,
    /// A game of so many plies ends as a draw [default: 400; with dice, whose rolls are plies too, 10000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(super) max_plies: Option<u32>,
    /// Draw level games, with the keys of a spec's `adjudication.draw`: after_plies=80 plies=16 score_cp=10
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., value_parser = pair)]
    pub(super) draw: Vec<Pair>,
    /// End lost games, with the keys of a spec's `adjudication.resign`: moves=3 score_cp=400 two_sided=true
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., value_parser = pair)]
    pub(super) resign: Vec<Pair>,
    /// End games whose value the tables know
    #[arg(long, requires = "tables")]
    pub(super) adjudicate: bool,
    /// Stop when a sequential test is decided, with the keys of a spec's `sprt`: elo0=0 elo1=10
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., value_parser = pair)]
    pub(super) sprt: Vec<Pair>,
    /// Games to play at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(super) concurrency: u32,
    /// Play with clocks even if there are more games and threads at the same time than processors
    #[arg(long)]
    pub(super) force: bool,
    /// Folder of tables of perfect play, by which the players' mistakes are counted; the players get tables of their
    /// own by their option TablePath
    #[arg(long, value_name = "DIR")]
    pub(super) tables: Option<PathBuf>,
    /// Run the players as two processes of their own that are spoken to in the text protocol (UGI)
    #[arg(long)]
    pub(super) through_protocol: bool,
    /// A new directory for the games and the report
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// A file to which every game is added as PGN when it is over
    #[arg(long, value_name = "FILE")]
    pub(super) pgnout: Option<PathBuf>,
    /// Keep the selective depth and the principal variation of every move in games and PGN
    #[arg(long)]
    pub(super) pv: bool,
    /// Print what cutechess-cli prints: every game that is over, the score behind it, and the Elo difference
    #[arg(long, conflicts_with = "json")]
    pub(super) cutechess: bool,
    /// Show on standard error what programs are told (>) and what they say (<), with the milliseconds since the start
    #[arg(long)]
    pub(super) debug: bool,
    /// Print the result as one line of JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// A day.
pub(super) const LONGEST_MS: u64 = 86_400_000;

fn parse_clock(text: &str) -> Result<Limits, String> {
    let refuse = || "expected milliseconds as BASE+INCREMENT, at most a day each, for example 10000+100".to_owned();
    let (base, increment) = text.split_once('+').ok_or_else(refuse)?;
    let time = |text: &str| text.parse().ok().filter(|&ms: &u64| ms <= LONGEST_MS).ok_or_else(refuse);
    Ok(Limits { clock_ms: Some(time(base)?), increment_ms: Some(time(increment)?), ..Limits::default() })
}
