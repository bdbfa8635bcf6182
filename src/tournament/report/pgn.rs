//! Game records in the manner of PGN: tags, numbered moves, a comment behind each with what its engine reported.

use std::fmt::{self, Write as _};
use std::io::{self, Write};

use super::figures::score_text;
use super::replay::{Replays, texts};
use super::result_text;
use crate::tournament::header::JournalHeader;
use crate::tournament::record::{FinishedGame, GameTimes, PlayedMove, Variation};
use crate::tournament::spec::Limits;

/// No line of moves is longer.
const WIDTH: usize = 80;

/// Writes a game, and a blank line behind it.
pub(crate) fn write_game(replays: &mut Replays<'_>, game: &FinishedGame, out: &mut dyn Write) -> io::Result<()> {
    write_tags(&tags(replays.header, game), out)?;
    let text = movetext(game, &replays.movers(&game.record)).text;
    write!(out, "\n{text}\n\n")
}

pub(crate) fn write_tags(tags: &[(String, String)], out: &mut dyn Write) -> io::Result<()> {
    tags.iter().try_for_each(|(name, value)| {
        writeln!(out, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))
    })
}

/// Where a new full move begins: each time the seat that moved first moves again after another one. A roll belongs
/// to the move behind it. Where only one moves, or only the dice do, every ply is numbered.
fn is_numbered(movers: &[Option<u8>]) -> Vec<bool> {
    let behind = |ply: usize| movers[ply..].iter().copied().flatten().next();
    let actors: Vec<Option<u8>> = (0..movers.len()).map(behind).collect();
    let first = actors.first().copied().flatten();
    let alone = actors.iter().flatten().all(|&actor| Some(actor) == first);
    let begins = |ply: usize| actors[ply] == first && actors[ply - 1] != actors[ply];
    (0..movers.len()).map(|ply| ply == 0 || alone || begins(ply)).collect()
}

/// The tags of a game, in order.
pub(crate) fn tags(header: &JournalHeader, FinishedGame { record, times }: &FinishedGame) -> Vec<(String, String)> {
    let fixture = &record.fixture;
    let ruleset = &header.rulesets[fixture.ruleset];
    let colours = || fixture.seats.iter().zip(["White", "Black"]);
    let mut tags = Vec::new();
    let mut tag = |name: &str, value: String| tags.push((name.to_owned(), one_line(&value)));
    tag("Event", header.name().unwrap_or("reynard tournament").to_owned());
    tag("Date", date(times, "%Y.%m.%d").unwrap_or("????.??.??".to_owned()));
    if let Some(time) = date(times, "%H:%M:%S") {
        tag("UTCTime", time);
    }
    tag("Round", fixture.opening.to_string());
    tag("Game", fixture.game.to_string());
    tag("Pair", fixture.pair.to_string());
    for (&engine, colour) in colours() {
        tag(colour, header.engines[engine].clone());
    }
    for (seat, &engine) in fixture.seats.iter().enumerate() {
        tag(&tag_name(&ruleset.seats[seat].name, seat), header.engines[engine].clone());
    }
    tag("Result", result_text(record).to_owned());
    tag("Variant", ruleset.label.clone());
    if let Some(start) = &record.opening.start {
        tag("SetUp", "1".to_owned());
        tag("FEN", start.clone());
    }
    tag("Opening", fixture.opening.to_string());
    tag("OpeningPlies", record.opening.moves.len().to_string());
    tag("PlyCount", texts(record).count().to_string());
    for (&engine, colour) in colours() {
        let limits = header.played.games().engines.get(engine).and_then(|engine| engine.limits).unwrap_or_default();
        if limits != Limits::default() {
            tag(&format!("{colour}Limits"), limits.to_string());
        }
    }
    tag("Termination", record.ending.cause.words().termination.to_owned());
    tag("Reason", record.ending.reason.clone());
    tags
}

fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// What a ruleset calls a side, as the name of a tag: `Fox`, `Geese`, `P1`.
fn tag_name(side: &str, seat: usize) -> String {
    let letters: String = side.chars().filter(char::is_ascii_alphanumeric).collect();
    let mut rest = letters.chars();
    match rest.next().filter(char::is_ascii_alphabetic) {
        Some(first) if letters.len() > 1 => first.to_ascii_uppercase().to_string() + rest.as_str(),
        _ => format!("P{}", seat + 1),
    }
}

fn date(times: &GameTimes, format: &str) -> Option<String> {
    let unix_ms = i64::try_from(times.started()?).ok()?;
    let started = jiff::Timestamp::from_millisecond(unix_ms).ok()?;
    Some(started.strftime(format).to_string())
}

/// Move numbers, moves, comments and the result.
fn movetext(FinishedGame { record, times }: &FinishedGame, movers: &[Option<u8>]) -> Movetext {
    let mut out = Movetext::new(movers);
    for text in &record.opening.moves {
        out.ply(text);
        out.word(format_args!("{{opening}}"));
    }
    out.resume();
    for (index, mv) in record.moves.iter().enumerate() {
        out.ply(mv.text());
        if !record.is_roll(index) {
            comment(mv, times.move_us.get(index), &mut out);
        }
    }
    out.word(format_args!("{}", result_text(record)));
    out
}

/// `{+0.31/8 0.012s 1024}`: score and depth, time, nodes; `-` for what is not known. With a variation
/// `{+0.31/8 0.012s 1024 sd=17 pv="a4a5 b6b5"}`.
fn comment(mv: &PlayedMove, us: Option<&u64>, out: &mut Movetext) {
    let opinion = mv.opinion();
    let score = opinion.score.map_or("-".to_owned(), score_text);
    match opinion.depth {
        Some(depth) => out.word(format_args!("{{{score}/{depth}")),
        None => out.word(format_args!("{{{score}/-")),
    }
    match us.map(|us| us.saturating_add(500) / 1000) {
        Some(ms) => out.word(format_args!("{}.{:03}s", ms / 1000, ms % 1000)),
        None => out.word(format_args!("-")),
    }
    let nodes = opinion.nodes.map_or("-".to_owned(), |nodes| nodes.to_string());
    let Some(Variation(seldepth, pv)) = mv.variation() else { return out.word(format_args!("{nodes}}}")) };
    out.word(format_args!("{nodes}"));
    if let Some(seldepth) = seldepth {
        out.word(format_args!("sd={seldepth}"));
    }
    // An engine's text must not end the comment.
    let pv = one_line(pv).replace(['{', '}', '"'], "?");
    format!("pv=\"{pv}\"}}").split(' ').for_each(|word| out.word(format_args!("{word}")));
}

/// The moves of a game in lines of at most [`WIDTH`], with their numbers and comments; no word is split.
#[derive(Default)]
pub(crate) struct Movetext {
    pub text: String,
    /// Bytes in the last line.
    column: usize,
    /// Whether a full move begins, by ply.
    is_numbered: Vec<bool>,
    plies: usize,
    number: u32,
    /// The number of the present move is to be written again.
    is_resumed: bool,
}

impl Movetext {
    /// Without moves yet; `movers` has the seat that makes each of them, and none where the dice roll.
    pub(crate) fn new(movers: &[Option<u8>]) -> Movetext {
        Movetext { is_numbered: is_numbered(movers), ..Movetext::default() }
    }

    /// The next ply, with its number where a full move begins.
    pub(crate) fn ply(&mut self, text: &str) {
        let is_resumed = std::mem::take(&mut self.is_resumed);
        let is_numbered = self.is_numbered.get(self.plies).is_some_and(|&is_numbered| is_numbered);
        self.number += u32::from(is_numbered);
        let number = self.number;
        if is_numbered {
            self.word(format_args!("{number}."));
        } else if is_resumed {
            self.word(format_args!("{number}..."));
        }
        self.plies += 1;
        self.word(format_args!("{text}"));
    }

    /// Lets the next ply have its number even within a full move.
    fn resume(&mut self) {
        self.is_resumed = true;
    }

    pub(crate) fn word(&mut self, word: fmt::Arguments<'_>) {
        let before = self.text.len();
        if before > 0 {
            self.text.push(' ');
        }
        let start = self.text.len();
        // Nothing can go wrong with a String.
        let _ = self.text.write_fmt(word);
        self.column += self.text.len() - before;
        if before > 0 && self.column > WIDTH {
            self.text.replace_range(before..start, "\n");
            self.column = self.text.len() - start;
        }
    }
}
