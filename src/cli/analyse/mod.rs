//! `reynard analyse`: the moves of games judged, with marks and better moves.
//!
//! The games come from a PGN file, such as `play` saves, or a journal.

mod annotated;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use annotated::AnnotatedGame;
use anyhow::{Context, ensure};
use clap::{Args, ValueEnum};
use reynard_engine::files;
use reynard_engine::session::{GoRequest, registry};

use super::exit::{Status, UsageError};
use super::live::{LiveView, Unit};
use super::pairs::{Pair, pair};
use super::play::{self, saved};
use super::ruleset::RulesetOption;
use super::tournament::{replay, results};
use crate::tournament::journal::Archive;
use crate::tournament::judge::Judge;
use crate::tournament::pgn::{self, PgnGame};
use crate::tournament::record::FinishedGame;
use crate::tournament::ruleset::fingerprint_text;

/// Annotate games with values, marks and better moves.
///
/// FILE is a PGN file, such as `play` saves, or the results directory of a tournament. Every choice of a player is
/// judged: by tables where they reach, else by a search, of the position and then, where its choice is another one, of
/// either move alone. A move is marked ?!, ? or ?? when it gave away at least 7, 15 or 30 hundredths of the point, and
/// still does so when both moves are searched four times as long. Values are those of the player who moves. Moves of an
/// opening, rolls and moves without an alternative are left as they are.
///
/// Each game is written as soon as it is judged. Games that break the rules of what they play are reported by number
/// and left out; the exit code is then 1.
#[derive(Args)]
pub(super) struct AnalyseArgs {
    /// The games: a PGN file or a results directory
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
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    option: Vec<Pair>,
    /// What to write
    #[arg(long, value_enum, default_value_t = Format::Pgn)]
    format: Format,
    /// Show no progress; it is shown on a terminal only
    #[arg(long)]
    quiet: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// The games with comments and annotation glyphs
    Pgn,
    /// A list of games, one a line: ruleset, tags, opening_plies, moves (ply, move, side, and of those that were judged
    /// mark, loss, value, best, best_value), sides (side, judged, accuracy, blunders, mistakes, doubtful)
    Json,
    /// The marked moves of each game, and the accuracy of each side
    Text,
}

const NODES: u64 = 20_000;

pub(super) fn run(args: &AnalyseArgs, out: &mut dyn Write) -> anyhow::Result<Status> {
    let judge = judge(args)?;
    let is_quiet = args.quiet || !io::stderr().is_terminal();
    let (mut seen, mut written, mut progress) = (0, 0, None);
    let visited = each_game(&args.file, &args.ruleset, args.game, &mut |game, total| {
        let view = progress.get_or_insert_with(|| LiveView::new(Unit::Games, Some(total), 0, is_quiet));
        match game {
            Err(error) => view.complain(&error),
            Ok(mut game) => {
                game.judge(&judge, &mut |ply| view.advance(seen, || ply))?;
                match args.format {
                    Format::Pgn => game.write_pgn(out)?,
                    Format::Json => write!(out, "{}{}", if written == 0 { "[" } else { ",\n" }, game.json())?,
                    Format::Text => game.write_text(out)?,
                }
                out.flush()?;
                written += 1;
            }
        }
        seen += 1;
        view.advance(seen, String::new);
        Ok(())
    });
    // What was written before an error is a list too.
    if args.format == Format::Json && (written > 0 || visited.is_ok()) {
        let ended = writeln!(out, "{}]", if written == 0 { "[" } else { "" });
        visited?;
        ended?;
    } else {
        visited?;
    }
    Ok(if written == seen { Status::Done } else { Status::Negative })
}

fn judge(args: &AnalyseArgs) -> anyhow::Result<Judge> {
    let mut options = play::options(&args.option)?;
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

const MAX_BYTES: u64 = 256 << 20;

/// Takes a game that is not judged yet, or why it is none by its rules, and the number of all games.
type Visit<'a> = &'a mut dyn FnMut(anyhow::Result<AnnotatedGame>, u64) -> anyhow::Result<()>;

/// Visits the games of a file in order, or one of them. What is played, the file says, unless `ruleset` does.
///
/// # Errors
/// The file cannot be read or holds no such game, or a visit fails.
fn each_game(path: &Path, ruleset: &RulesetOption, only: Option<u64>, visit: Visit<'_>) -> anyhow::Result<()> {
    let dir = if path.ends_with("journal.jsonl") { path.parent().unwrap_or(path) } else { path };
    if dir.is_dir() {
        return each_of_journal(dir, only, visit);
    }
    let text = pgn::text(files::read_bytes(path, MAX_BYTES).map_err(|error| UsageError(error.to_string()))?);
    let name = path.display();
    let games = pgn::games(&text).map_err(|error| UsageError(format!("{name}: line {}: {error}", error.line)))?;
    let wanted = |number: &u64| only.is_none_or(|only| only == *number);
    let count = (0..games.len() as u64).filter(wanted).count() as u64;
    if count == 0 {
        let expected = "expected a PGN file or a results directory";
        return Err(UsageError(match only.filter(|_| !games.is_empty()) {
            Some(only) => format!("{name}: there is no game {only}; it has {}, the first is 0", games.len()),
            None => format!("{name} holds no game; {expected}"),
        })
        .into());
    }
    for (game, number) in games.iter().zip(0..) {
        if wanted(&number) {
            let at = format!("{name}: game {number}, line {}", game.line);
            visit(pgn_game(game, ruleset).context(at), count)?;
        }
    }
    Ok(())
}

fn each_of_journal(dir: &Path, only: Option<u64>, visit: Visit<'_>) -> anyhow::Result<()> {
    let archive = results::read(dir)?;
    let numbers: Vec<u64> = only.map_or_else(|| archive.numbers().collect(), |only| vec![only]);
    for &number in &numbers {
        let game = replay::find(&archive, number)?;
        visit(journal_game(&archive, &game).with_context(|| format!("game {number}")), numbers.len() as u64)?;
    }
    Ok(())
}

fn journal_game(archive: &Archive, game: &FinishedGame) -> anyhow::Result<AnnotatedGame> {
    let (opening, ruleset) = (&game.record.opening, &archive.header.rulesets[game.record.fixture.ruleset]);
    let mut session = ruleset.session().map_err(anyhow::Error::msg)?;
    let moves: Vec<&str> = game.record.texts().collect();
    session.set_position(opening.start.as_deref(), &moves)?;
    Ok(AnnotatedGame::new(pgn::tags(&archive.header, game), session, opening.moves.len()))
}

fn pgn_game(game: &PgnGame<'_>, ruleset: &RulesetOption) -> anyhow::Result<AnnotatedGame> {
    // As reports write it: a name, and the switches that differ.
    let mut words = game.tag("Variant").filter(|_| !ruleset.is_named()).unwrap_or_default().split_whitespace();
    let mut choice = words.next().map_or_else(|| ruleset.choice(), |name| ruleset.choice_or(name));
    choice.switches.splice(..0, words.filter_map(|word| pair(word).ok()));
    let mut session = registry::open(&choice).context("--ruleset or --rules says what is played")?;
    let is_by_its_rules = game.tag(saved::FINGERPRINT).is_none_or(|known| known == fingerprint_text(&*session));
    ensure!(is_by_its_rules, "by other rules than those of {}", session.game().ruleset);
    session.set_position(game.tag("FEN").filter(|&fen| fen != "startpos"), &[]).context("tag FEN")?;
    for (text, number) in game.moves.iter().zip(1..) {
        session.play(text).with_context(|| format!("ply {number}"))?;
    }
    let tags = game.tags.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let opening_plies = game.tag("OpeningPlies").and_then(|plies| plies.parse().ok()).unwrap_or(0);
    Ok(AnnotatedGame::new(tags, session, opening_plies))
}
