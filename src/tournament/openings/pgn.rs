//! Games as PGN has them, with moves in the notation of this program.

use super::file::BookLine;

/// What ends the movetext of a game.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// Every game of a text with its moves; comments, variations, numbers of moves and signs such as `!` are left out. The
/// line is that where its movetext begins.
pub(super) fn games(text: &str) -> Vec<BookLine<'_>> {
    let mut reader = Reader::default();
    let (mut rest, mut line) = (text, 1);
    while let Some(sign) = rest.chars().next() {
        let length = match sign {
            '[' | ';' => rest.find('\n'),
            '%' if rest.len() == text.len() || text[..text.len() - rest.len()].ends_with('\n') => rest.find('\n'),
            '{' => rest.find('}').map(|end| end + 1),
            '(' | ')' => Some(1),
            blank if blank.is_whitespace() => Some(blank.len_utf8()),
            _ => rest.find(|end: char| end.is_whitespace() || "[{;()".contains(end)),
        };
        let (item, after) = rest.split_at(length.unwrap_or(rest.len()));
        reader.take(item, line);
        line += item.matches('\n').count();
        rest = after;
    }
    reader.end_game();
    reader.games
}

#[derive(Default)]
struct Reader<'a> {
    games: Vec<BookLine<'a>>,
    /// The game that is being read; its line is 0 before its movetext.
    game: BookLine<'a>,
    /// Parentheses that are open.
    depth: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, item: &'a str, line: usize) {
        match item.as_bytes().first() {
            Some(b'[') => {
                if self.game.line > 0 {
                    self.end_game();
                }
                let fen = item.strip_prefix("[FEN \"").and_then(|tag| tag.split('"').next());
                if let Some(fen) = fen {
                    self.game.start = Some(fen.to_owned()).filter(|fen| fen != "startpos");
                }
            }
            Some(b'(') => self.depth += 1,
            Some(b')') => self.depth = self.depth.saturating_sub(1),
            Some(b';' | b'{' | b'%' | b'$') | None => {}
            Some(_) if self.depth > 0 || item.trim().is_empty() => {}
            Some(_) => self.word(item, line),
        }
    }

    fn word(&mut self, word: &'a str, line: usize) {
        if self.game.line == 0 {
            self.game.line = line;
        }
        if RESULTS.contains(&word) {
            return self.end_game();
        }
        let text = word.trim_end_matches(['!', '?']);
        // `12.` and `12...`, with or without the move behind it; a roll such as `6+3` stays.
        let behind = text.trim_start_matches(|sign: char| sign.is_ascii_digit());
        let text = if behind.starts_with('.') { behind.trim_start_matches('.') } else { text };
        if !text.is_empty() {
            self.game.moves.push(text);
        }
    }

    fn end_game(&mut self) {
        let game = std::mem::take(&mut self.game);
        self.depth = 0;
        if game.line > 0 {
            self.games.push(game);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_but_the_moves_is_left_out() {
        let text = "[Event \"a [b]\"]\n[FEN \"3/3 g\"]\n\n1. a4a5 {[x] (} d4d5!? (1... d4d3 (x) y) $2 2.a5a6 ; no\n3... pass\n\
                    1-0\n\n[Event \"b\"]\n\n1. 6+3 2:6 *\n[FEN \"startpos\"]\n%no\n@d4";
        let game = |line, start: Option<&str>, moves: &[&'static str]| BookLine {
            line,
            start: start.map(str::to_owned),
            moves: moves.to_vec(),
        };
        let expected = [
            game(4, Some("3/3 g"), &["a4a5", "d4d5", "a5a6", "pass"]),
            game(10, None, &["6+3", "2:6"]),
            game(13, None, &["@d4"]),
        ];
        assert_eq!(games(text), expected);
        for odd in ["[", "[\n{", "[\n(((", "[\n) 1. ", "[\n\u{e9}\u{a0}\u{e9}"] {
            assert!(games(odd).len() <= 1, "{odd}");
        }
    }
}
