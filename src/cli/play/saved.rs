//! Games in files, to be gone on with later.

use std::io;
use std::path::Path;

use anyhow::{Context, ensure};
use reynard_engine::files;
use reynard_engine::rules::Seat;
use reynard_engine::session::Session;
use serde::{Deserialize, Serialize};

const MAX_BYTES: u64 = 1 << 20;

/// A game as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::cli) struct SavedGame {
    /// The name of the ruleset.
    pub ruleset: String,
    /// The rules themselves.
    fingerprint: String,
    /// The person's side, by number.
    side: u8,
    start: String,
    moves: Vec<String>,
    has_resigned: bool,
}

/// # Errors
/// The file cannot be written, or holds something else than a saved game.
pub(super) fn save(path: &Path, session: &dyn Session, person: Seat, has_resigned: bool) -> anyhow::Result<()> {
    let is_free = matches!(path.symlink_metadata(), Err(error) if error.kind() == io::ErrorKind::NotFound);
    ensure!(is_free || read(path).is_ok(), "'{}' is there and no saved game; choose another name", path.display());
    let game = SavedGame {
        ruleset: session.game().ruleset.clone(),
        fingerprint: fingerprint(session),
        side: person.0,
        start: session.start_text(),
        moves: session.moves(),
        has_resigned,
    };
    let text = serde_json::to_string_pretty(&game)? + "\n";
    files::write(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

/// Goes on with a saved game: the person's side, and whether it has resigned.
///
/// # Errors
/// The file holds no game by these rules; nothing has changed then.
pub(in crate::cli) fn load(path: &Path, session: &mut dyn Session) -> anyhow::Result<(Seat, bool)> {
    let game = read(path)?;
    ensure!(
        game.fingerprint == fingerprint(session),
        "{}: a game of {}, by other rules than those of this game",
        path.display(),
        game.ruleset
    );
    ensure!(usize::from(game.side) < session.game().seats.len(), "{}: there is no side {}", path.display(), game.side);
    let before = (session.start_text(), session.moves());
    if let Err(error) = set(session, &game.start, &game.moves) {
        set(session, &before.0, &before.1)?;
        return Err(error.context(path.display().to_string()));
    }
    Ok((Seat(game.side), game.has_resigned))
}

fn set(session: &mut dyn Session, start: &str, moves: &[String]) -> anyhow::Result<()> {
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    Ok(session.set_position(Some(start), &moves)?)
}

/// # Errors
/// The file cannot be read, or holds something else.
pub(in crate::cli) fn read(path: &Path) -> anyhow::Result<SavedGame> {
    let text = files::read_text(path, MAX_BYTES)?;
    serde_json::from_str(&text).with_context(|| format!("{}: no saved game", path.display()))
}

fn fingerprint(session: &dyn Session) -> String {
    format!("{:016x}", session.game().fingerprint)
}
