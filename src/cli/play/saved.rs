//! Games in PGN files, to be gone on with later.

use std::io;
use std::path::Path;

use anyhow::{Context, ensure};
use reynard_engine::files;
use reynard_engine::rules::Seat;
use reynard_engine::session::Session;

use crate::tournament::pgn::{self, PgnGame, write_tags};
use crate::tournament::report::wrapped;
use crate::tournament::ruleset::fingerprint_text;

const MAX_BYTES: u64 = 1 << 20;
const COLUMNS: usize = 80;
/// The tag with the fingerprint of the rules, by which a saved game is known.
pub(in crate::cli) const FINGERPRINT: &str = "Fingerprint";
/// The tag with the person's seat: `p1`, `p2`, ...
const SEAT: &str = "Seat";
/// The tag of a game that the person has given up, and its value.
const TERMINATION: &str = "Termination";
const RESIGNED: &str = "resigned";

/// # Errors
/// The file cannot be written, or holds something else than a saved game.
pub(super) fn save(path: &Path, session: &dyn Session, person: Seat, has_resigned: bool) -> anyhow::Result<()> {
    let is_free = matches!(path.symlink_metadata(), Err(error) if error.kind() == io::ErrorKind::NotFound);
    let is_ours = || text(path).is_ok_and(|text| game(&text, path).is_ok());
    ensure!(is_free || is_ours(), "'{}' is there and no saved game; choose another name", path.display());
    let result = result(session, has_resigned.then_some(person));
    let tag = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let mut tags = vec![tag("Event", "reynard play"), tag("Variant", &session.game().ruleset)];
    for (colour, seat) in ["White", "Black"].into_iter().zip(0..session.game().seats.len()) {
        tags.push(tag(colour, if seat == person.index() { "person" } else { "reynard" }));
    }
    tags.extend([tag("Result", result), tag("SetUp", "1"), tag("FEN", &session.start_text())]);
    tags.extend([tag(FINGERPRINT, &fingerprint_text(session)), tag(SEAT, &format!("p{}", person.0 + 1))]);
    tags.extend(has_resigned.then(|| tag(TERMINATION, RESIGNED)));
    let mut text = Vec::new();
    write_tags(&tags, &mut text)?;
    let moves: Vec<String> = session.moves().into_iter().chain([result.to_owned()]).collect();
    text.extend(format!("\n{}\n", wrapped(&moves.join(" "), COLUMNS)).bytes());
    files::write(path, &text).with_context(|| format!("cannot write {}", path.display()))
}

/// Goes on with a saved game: the person's seat, and whether it has resigned.
///
/// # Errors
/// The file holds no game by these rules; nothing has changed then.
pub(super) fn load(path: &Path, session: &mut dyn Session) -> anyhow::Result<(Seat, bool)> {
    let (text, name) = (text(path)?, path.display());
    let game = game(&text, path)?;
    let variant = game.tag("Variant").unwrap_or_default();
    let is_known = game.tag(FINGERPRINT) == Some(&fingerprint_text(session));
    ensure!(is_known, "{name}: a game of {variant}, by other rules than those of this game");
    let seats = (0..session.game().seats.len() as u8).map(Seat);
    let seat = seats.into_iter().find(|seat| game.tag(SEAT) == Some(&format!("p{}", seat.0 + 1)));
    let seat = seat.with_context(|| format!("{name}: the tag {SEAT} names no seat"))?;
    let before = (session.start_text(), session.moves());
    if let Err(error) = session.set_position(game.tag("FEN"), &game.moves) {
        let moves: Vec<&str> = before.1.iter().map(String::as_str).collect();
        session.set_position(Some(&before.0), &moves)?;
        return Err(anyhow::Error::from(error).context(name.to_string()));
    }
    Ok((seat, game.tag(TERMINATION) == Some(RESIGNED)))
}

fn text(path: &Path) -> anyhow::Result<String> {
    Ok(files::read_text(path, MAX_BYTES)?)
}

/// # Errors
/// The text holds no game that was saved here.
fn game<'a>(text: &'a str, path: &Path) -> anyhow::Result<PgnGame<'a>> {
    let mut games = pgn::games(text).unwrap_or_default().into_iter();
    let game = games.next().filter(|game| game.tag(FINGERPRINT).is_some());
    let is_json = text.trim_start().starts_with('{');
    let reason = if is_json { "; it would be PGN, and JSON of earlier versions is not read" } else { "" };
    game.with_context(|| format!("{}: no saved game{reason}", path.display()))
}

/// The result as PGN writes it, of a game that one of two players may have given up.
pub(in crate::cli) fn result(session: &dyn Session, resigned: Option<Seat>) -> &'static str {
    let winner = session.turn().outcome().map(|outcome| outcome.winner);
    match (resigned, session.game().seats.len(), winner) {
        (Some(Seat::P1), 2, _) => "0-1",
        (Some(_), 2, _) => "1-0",
        (_, _, None) => "*",
        (_, _, Some(None)) => "1/2-1/2",
        (_, _, Some(Some(Seat::P1))) => "1-0",
        (_, _, Some(Some(_))) => "0-1",
    }
}
