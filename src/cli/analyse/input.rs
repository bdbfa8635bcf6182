//! Reads the games that are to be analysed: from PGN, a journal, or a file of `play`.

use std::path::Path;

use anyhow::Context;
use reynard_engine::files;
use reynard_engine::session::Session;
use reynard_engine::session::registry;

use crate::cli::exit::UsageError;
use crate::cli::play::saved;
use crate::cli::ruleset::RulesetOption;
use crate::cli::tournament::{replay, results};
use crate::tournament::pgn::{self, PgnGame};
use crate::tournament::report;

const MAX_BYTES: u64 = 256 << 20;

/// A game, all its moves played.
pub(super) struct InputGame {
    pub tags: Vec<(String, String)>,
    pub session: Box<dyn Session>,
    /// Moves that nobody chose, at its beginning.
    pub opening_plies: usize,
}

/// Takes a game and the number of all games.
type Visit<'a> = &'a mut dyn FnMut(InputGame, u64) -> anyhow::Result<()>;

/// Visits the games of a file in order, or one of them. What is played, the file says, unless `ruleset` does.
///
/// # Errors
/// The file cannot be read or holds no such game, a game is not one by its rules, or a visit fails.
pub(super) fn each_game(
    path: &Path,
    ruleset: &RulesetOption,
    only: Option<u64>,
    visit: Visit<'_>,
) -> anyhow::Result<()> {
    if path.is_dir() {
        return each_of_journal(path, only, visit);
    }
    let text = pgn::text(files::read_bytes(path, MAX_BYTES).map_err(|error| UsageError(error.to_string()))?);
    if text.trim_start().starts_with('{') && text.trim_end().ends_with('}') {
        return visit(saved_game(path, ruleset)?, 1);
    }
    let name = path.display();
    let at = |line: usize| format!("{name}: line {line}");
    let games = pgn::games(&text).map_err(|error| UsageError(format!("{}: {error}", at(error.line))))?;
    let wanted = |number: &u64| only.is_none_or(|only| only == *number);
    let count = (0..games.len() as u64).filter(wanted).count() as u64;
    if count == 0 {
        let expected = "expected a PGN file, a results directory, or a game that 'play' saved";
        return Err(UsageError(match only.filter(|_| !games.is_empty()) {
            Some(only) => format!("{name}: there is no game {only}; it has {}, the first is 0", games.len()),
            None => format!("{name} holds no game; {expected}"),
        })
        .into());
    }
    for (game, number) in games.iter().zip(0..) {
        if wanted(&number) {
            visit(pgn_game(game, ruleset).with_context(|| at(game.line))?, count)?;
        }
    }
    Ok(())
}

fn each_of_journal(dir: &Path, only: Option<u64>, visit: Visit<'_>) -> anyhow::Result<()> {
    let archive = results::read(dir)?;
    let numbers: Vec<u64> = only.map_or_else(|| archive.numbers().collect(), |only| vec![only]);
    for &number in &numbers {
        let game = replay::find(&archive, number)?;
        let (opening, ruleset) = (&game.record.opening, &archive.header.rulesets[game.record.fixture.ruleset]);
        let unknown = |error| UsageError(format!("game {number}: {error}"));
        let mut session = ruleset.session().map_err(unknown)?;
        let moves: Vec<&str> = report::texts(&game.record).collect();
        session.set_position(opening.start.as_deref(), &moves).with_context(|| format!("game {number}"))?;
        let tags = report::tags(&archive.header, &game);
        visit(InputGame { tags, session, opening_plies: opening.moves.len() }, numbers.len() as u64)?;
    }
    Ok(())
}

fn pgn_game(game: &PgnGame<'_>, ruleset: &RulesetOption) -> anyhow::Result<InputGame> {
    let choice = game.tag("Variant").map_or_else(|| ruleset.choice(), |variant| ruleset.choice_or(variant));
    let mut session = registry::open(&choice).context("--ruleset or --rules says what is played")?;
    session.set_position(game.tag("FEN").filter(|&fen| fen != "startpos"), &[]).context("tag FEN")?;
    for (text, number) in game.moves.iter().zip(1..) {
        session.play(text).map_err(|error| UsageError(format!("ply {number}: {error}")))?;
    }
    let tags = game.tags.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let opening_plies = game.tag("OpeningPlies").and_then(|plies| plies.parse().ok()).unwrap_or(0);
    Ok(InputGame { tags, session, opening_plies })
}

fn saved_game(path: &Path, ruleset: &RulesetOption) -> anyhow::Result<InputGame> {
    let usage = |error: anyhow::Error| UsageError(format!("{error:#}"));
    let game = saved::read(path).map_err(usage)?;
    let choice = ruleset.choice_or(&game.ruleset);
    let mut session = registry::open(&choice).context("--ruleset or --rules says what is played")?;
    let start = session.start_text();
    let (person, has_resigned) = saved::load(path, &mut *session).map_err(usage)?;
    let mut tags = vec![("Event".to_owned(), "reynard play".to_owned()), ("Variant".to_owned(), game.ruleset)];
    for (seat, colour) in ["White", "Black"].iter().enumerate().take(session.game().seats.len()) {
        let player = if person.index() == seat { "person" } else { "reynard" };
        tags.push(((*colour).to_owned(), player.to_owned()));
    }
    if has_resigned && session.game().seats.len() == 2 {
        tags.push(("Result".to_owned(), if person.index() == 0 { "0-1" } else { "1-0" }.to_owned()));
    }
    if session.start_text() != start {
        tags.extend([("SetUp".to_owned(), "1".to_owned()), ("FEN".to_owned(), session.start_text())]);
    }
    Ok(InputGame { tags, session, opening_plies: 0 })
}
