//! Writes and reads games in the manner of PGN, with moves of any game.
//!
//! Written are tags, numbered moves, and a comment behind each move with what its engine reported. Read is a move in
//! every word that is nothing else: the crates for PGN read the notation of chess alone (`pgn-reader` hands out parsed
//! chess moves, `pgn-lexer` matches them by pattern), so this reader is our own.

use std::fmt::{self, Write as _};
use std::io::{self, Write};

use serde::Serialize;
use thiserror::Error;

use super::header::JournalHeader;
use super::record::{FinishedGame, GameTimes, PlayedMove, Variation, printable};
use super::report::Replays;
use super::spec::Limits;

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
    let mut tag = |name: &str, value: String| tags.push((name.to_owned(), printable(&value)));
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
    tag("Result", record.result_text().to_owned());
    tag("Variant", ruleset.label.clone());
    if let Some(start) = &record.opening.start {
        tag("SetUp", "1".to_owned());
        tag("FEN", start.clone());
    }
    tag("Opening", fixture.opening.to_string());
    tag("OpeningPlies", record.opening.moves.len().to_string());
    tag("PlyCount", record.plies().to_string());
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
    out.word(format_args!("{}", record.result_text()));
    out
}

/// `{+0.31/8 0.012s 1024}`: score and depth, time, nodes; `-` for what is not known. With a variation
/// `{+0.31/8 0.012s 1024 sd=17 pv="a4a5 b6b5"}`.
fn comment(mv: &PlayedMove, us: Option<&u64>, out: &mut Movetext) {
    let opinion = mv.opinion();
    let score = opinion.score.map_or("-".to_owned(), |score| score.to_string());
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
    let pv = printable(pv).replace(['{', '}', '"'], "?");
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

/// A game of a PGN text: its tags, the moves of its main line, and all that stands between the tags and the result.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub(crate) struct PgnGame<'a> {
    /// Where its moves begin, or its tags where it has no moves; from 1.
    pub line: usize,
    /// Names and values.
    pub tags: Vec<(&'a str, String)>,
    pub moves: Vec<&'a str>,
    /// Moves with their marks, comments in braces, `(` and `)` around variations.
    pub movetext: Vec<&'a str>,
}

impl PgnGame<'_> {
    pub(crate) fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

/// A comment or a variation has no end within its game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the {what} that begins here is not closed before the next game or comment")]
pub(crate) struct PgnError {
    pub line: usize,
    what: &'static str,
}

/// What ends the moves of a game.
const RESULTS: [&str; 5] = ["1-0", "0-1", "1/2-1/2", "1/2", "*"];

/// The bytes of a file as text, every line ended by `\n`; what is not UTF-8 is taken for Latin-1, as PGN once asked.
pub(crate) fn text(bytes: Vec<u8>) -> String {
    let text =
        String::from_utf8(bytes).unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect());
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// Every game of a text that [`text`] returned. Move numbers and annotations by number are left out.
///
/// # Errors
/// A comment or a variation is not closed before the next game.
pub(crate) fn games(text: &str) -> Result<Vec<PgnGame<'_>>, PgnError> {
    let mut reader = PgnReader::default();
    let (mut start, mut line) = (0, 1);
    while let Some(sign) = text[start..].chars().next() {
        let rest = &text[start..];
        let to_line_end = rest.find('\n').unwrap_or(rest.len());
        let length = match sign {
            '[' => {
                let (length, tag) = tag(rest);
                tag.map_or(Ok(()), |tag| reader.tag(tag, line))?;
                length
            }
            '{' => {
                let length = comment_length(rest).ok_or(PgnError { line, what: "comment '{'" })?;
                reader.game.movetext.push(&rest[..length]);
                length
            }
            ';' => to_line_end,
            '%' if start == 0 || text[..start].ends_with('\n') => to_line_end,
            '$' => 1 + rest[1..].find(|sign: char| !sign.is_ascii_digit()).unwrap_or(rest.len() - 1),
            '(' => {
                reader.variations.push(line);
                reader.game.movetext.push("(");
                1
            }
            ')' => {
                reader.variations.pop();
                reader.game.movetext.push(")");
                1
            }
            '*' => {
                reader.word("*", line);
                1
            }
            '}' => 1,
            blank if blank.is_whitespace() => blank.len_utf8(),
            _ => {
                let is_end = |sign: char| sign.is_whitespace() || "[{}();$*".contains(sign);
                let length = rest.find(is_end).unwrap_or(rest.len());
                reader.word(&rest[..length], line);
                length
            }
        };
        line += rest[..length].matches('\n').count();
        start += length;
    }
    reader.end_game()?;
    Ok(reader.games)
}

/// The length of the tag that a text begins with, and its name and value. Quoted, `\"` and `\\` stand for `"` and `\`.
fn tag(text: &str) -> (usize, Option<(&str, String)>) {
    let line = text.lines().next().unwrap_or(text);
    let Some((name, quoted)) = line[1..].split_once('"') else { return (line.len(), None) };
    let mut value = String::new();
    let mut letters = quoted.chars();
    while let Some(letter) = letters.next().filter(|&letter| letter != '"') {
        value.extend(if letter == '\\' { letters.next() } else { Some(letter) });
    }
    let behind = letters.as_str();
    let length = line.len() - behind.len() + behind.find(']').map_or(behind.len(), |end| end + 1);
    (length, Some((name.trim(), value)))
}

/// The length of the comment that a text begins with; `None` where another one begins before its end: then it has none,
/// and games may lie between.
fn comment_length(text: &str) -> Option<usize> {
    let length = text.find('}')? + 1;
    (!text[1..length].contains('{')).then_some(length)
}

#[derive(Default)]
struct PgnReader<'a> {
    games: Vec<PgnGame<'a>>,
    /// The game that is being read.
    game: PgnGame<'a>,
    has_moves_begun: bool,
    /// The lines in which the open variations begin.
    variations: Vec<usize>,
}

impl<'a> PgnReader<'a> {
    /// Takes a tag. One behind moves, or for the second time, is that of another game.
    fn tag(&mut self, (name, value): (&'a str, String), line: usize) -> Result<(), PgnError> {
        if self.has_moves_begun || self.game.tag(name).is_some() {
            self.end_game()?;
        }
        if self.game.tags.is_empty() {
            self.game.line = line;
        }
        self.game.tags.push((name, value));
        Ok(())
    }

    fn word(&mut self, word: &'a str, line: usize) {
        if !self.variations.is_empty() && RESULTS.contains(&word) {
            return;
        }
        if !std::mem::replace(&mut self.has_moves_begun, true) {
            self.game.line = line;
        }
        if RESULTS.contains(&word) {
            return self.push_game();
        }
        // `12`, `12.` and `12...`, with or without the move behind the dots; a roll such as `6+3` stays.
        let behind = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
        let marked = if behind.is_empty() || behind.starts_with('.') { behind.trim_start_matches('.') } else { word };
        let text = marked.trim_end_matches(['!', '?', '+', '#']);
        if text.is_empty() {
            return;
        }
        self.game.movetext.push(marked);
        if self.variations.is_empty() {
            self.game.moves.push(text);
        }
    }

    fn end_game(&mut self) -> Result<(), PgnError> {
        if let Some(&line) = self.variations.first() {
            return Err(PgnError { line, what: "variation '('" });
        }
        self.push_game();
        Ok(())
    }

    fn push_game(&mut self) {
        self.has_moves_begun = false;
        let game = std::mem::take(&mut self.game);
        if !game.tags.is_empty() || !game.moves.is_empty() {
            self.games.push(game);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Line, `FEN` and moves of every game.
    fn read(text: &str) -> Vec<(usize, Option<String>, String)> {
        let games = games(text).expect("all is closed");
        games.iter().map(|game| (game.line, game.tag("FEN").map(str::to_owned), game.moves.join(" "))).collect()
    }

    fn moves(text: &str) -> Vec<String> {
        read(text).into_iter().map(|(.., moves)| moves).collect()
    }

    #[test]
    fn everything_but_the_moves_is_left_out() {
        let text = "[Event \"a [b]\"]\n[FEN \"3/3 g\"]\n\n1. a4a5 {[x] (} d4d5!? (1... d4d3 (x) y) $2 2.a5a6 ; no\n3... pass\n\
                    1-0\n\n[Event \"b\"]\n\n1. 6+3 2:6 *\n[FEN \"startpos\"]\n%no\n@d4";
        let game = |line, start: Option<&str>, moves: &str| (line, start.map(str::to_owned), moves.to_owned());
        let expected = [
            game(4, Some("3/3 g"), "a4a5 d4d5 a5a6 pass"),
            game(10, None, "6+3 2:6"),
            game(13, Some("startpos"), "@d4"),
        ];
        assert_eq!(read(text), expected);
    }

    #[test]
    fn what_stands_beside_the_main_line_is_kept_in_its_order() {
        let text = "[White \"a\"]\n\n{before} 1. a4a5! {[x] (} (1. a4b4?! (1. c3c4) 1-0) 1... d4d5 $2 *";
        let found = games(text).expect("all is closed");
        assert_eq!(found[0].movetext.join("|"), "{before}|a4a5!|{[x] (}|(|a4b4?!|(|c3c4|)|)|d4d5");
        assert_eq!((found.len(), found[0].moves.join(" ")), (1, "a4a5 d4d5".to_owned()));
    }

    #[test]
    fn numbers_annotations_and_results_may_touch_the_moves() {
        for text in [
            "1 c3c4 c5d4 2 d4d5",
            "1. c3c4 1 ... c5d4 2. d4d5",
            "1.c3c4 1...c5d4 2.d4d5*",
            "c3c4$1$12 c5d4$2{!}d4d5!!(x)*",
            "1. c3c4! c5d4+ 2. d4d5# 1/2-1/2",
            "; (\n% {\nc3c4;}\nc5d4\n%(\nd4d5} 1/2",
        ] {
            assert_eq!(moves(text), ["c3c4 c5d4 d4d5"], "{text}");
        }
        assert_eq!(moves("1. c3c4 * 1. d4d5 1-0\n\n1. pass 0-1 *"), ["c3c4", "d4d5", "pass"]);
    }

    #[test]
    fn tags_hold_quotes_and_brackets_and_part_games_without_moves() {
        let text = "[White \"sf [dev]\"] [Black \"a \\\"b\\\" \\\\\"]\n[FEN \"f\"]\n\n*\n\n[White \"x\"]\n[FEN \"g\"]\n\n\
                    [White \"y\"]\nc3c4\n[odd]\n[White \"z\n";
        let found = games(text).expect("all is closed");
        assert_eq!((found[0].tag("white"), found[0].tag("Black")), (Some("sf [dev]"), Some("a \"b\" \\")));
        let game = |line, start: Option<&str>, moves: &str| (line, start.map(str::to_owned), moves.to_owned());
        let expected = [game(4, Some("f"), ""), game(6, Some("g"), ""), game(10, None, "c3c4"), game(12, None, "")];
        assert_eq!(read(text), expected);
    }

    #[test]
    fn what_is_not_closed_swallows_no_game() {
        for (text, line) in [
            ("1. a4a5 {no end", 1),
            ("[Event \"a\"]\n\n1. a4a5 {no end *\n\n[Event \"b\"]\n\n1. a4a5 {c} *", 3),
            ("1. a4a5 {no end *\n\n1. a4a5 {c} *", 1),
            ("1. a4a5 {no end *\n\n1 g4g5 {c} *", 1),
            ("1. a4a5 {no end 1-0\n1. g4g5 {c} *", 1),
            ("1. a4a5 {no end\n1-0\n1. g4g5 d4d5 {c} *", 1),
            ("1. a4a5 {no end 1. g4g5 {c} *", 1),
            ("[Event \"a\"]\n\n1. a4a5\n(1. g4g5 *\n\n[Event \"b\"]\n\n1. a4a5 *", 4),
            ("1. a4a5 (1. g4g5 (x) *", 1),
        ] {
            let error = games(text).expect_err(text);
            assert_eq!(error.line, line, "{text}: {error}");
            assert!(error.to_string().contains("not closed"), "{error}");
        }
        for comment in [
            "[%clk 1]\n[x] 1. y",
            "either\n\n1. this\n2. or that",
            "as in 1-0\u{a0}games,\nor 1-0",
            "as in 1-0\n",
            "as he did\n[White \"x\"]\n1. c3c4 *\nor",
        ] {
            assert_eq!(moves(&format!("1. a4a5 {{{comment}}} d4d5")), ["a4a5 d4d5"], "{comment}");
        }
        for odd in ["[", "[\n", "[\n) 1. ", "[\n\u{e9}\u{a0}\u{e9}", "\"", "[\"\\", "$", "}"] {
            assert!(games(odd).is_ok_and(|games| games.len() <= 1), "{odd}");
        }
    }

    #[test]
    fn old_files_are_latin_1_and_may_end_lines_by_cr() {
        let text = text(b"[White \"Andr\xe9\"]\r\r1. a4a5\r\n*\n".to_vec());
        assert_eq!(text, "[White \"Andr\u{e9}\"]\n\n1. a4a5\n*\n");
        assert_eq!(games(&text).map(|games| games[0].line), Ok(3));
        assert_eq!(super::text("\u{feff}\u{e9}".into()), "\u{e9}");
    }
}
