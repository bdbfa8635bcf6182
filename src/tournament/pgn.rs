//! Reads games as PGN writes them, with moves of any game: a move is every word that is nothing else.
//!
//! The crates for PGN read the notation of chess alone (`pgn-reader` hands out parsed chess moves, `pgn-lexer` matches
//! them by pattern), so this one is our own.

use serde::Serialize;
use thiserror::Error;

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
#[error("the {what} that begins here is not closed before the next game")]
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

/// The length of the comment that a text begins with; `None` where the next game begins before its end.
///
/// Signs of that are a tag at the beginning of a line, a result at the end of one, and another comment's beginning.
fn comment_length(text: &str) -> Option<usize> {
    let length = text.find('}')? + 1;
    let begins_game = |line: &str| {
        line.strip_prefix('[').is_some_and(|tag| tag.starts_with(char::is_alphabetic) && tag.contains('"'))
    };
    let ends_game = |line: &str| line.split_whitespace().next_back().is_some_and(|word| RESULTS.contains(&word));
    let comment = &text[1..length - 1];
    let mut lines = comment.split('\n');
    // What stands on the last line is followed by the end of the comment and not by that of a line.
    lines.next_back();
    let is_next_game = comment.contains('{') || comment.lines().skip(1).any(begins_game) || lines.any(ends_game);
    (!is_next_game).then_some(length)
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
        for comment in ["[%clk 1]\n[x] 1. y", "either\n\n1. this\n2. or that", "as in 1-0\u{a0}games,\nor 1-0"] {
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
