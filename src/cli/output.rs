//! What subcommands print: tables, widths, and control characters made visible.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

use comfy_table::Table;

use crate::tournament::report::{Cells, TextTable, wrapped};

/// The width of what goes into files or programs: they have no window.
pub(super) const PIPED_COLUMNS: usize = u16::MAX as usize;
/// Narrower tables would be unreadable.
const FEWEST_COLUMNS: usize = 40;

/// A table with rows below a header. The first `words` columns stand at the left, all others at the right; in a table
/// of numbers alone the first two name the row.
pub(super) fn number_table<'a, R: IntoIterator<Item = String>>(
    words: usize,
    header: impl IntoIterator<Item = &'a str>,
    rows: impl IntoIterator<Item = R>,
) -> String {
    let mut table = TextTable::new("", &header.into_iter().collect::<Vec<_>>());
    table.columns.iter_mut().take(words).for_each(|column| column.cells = Cells::Words);
    table.names = Some(if words == 0 { 2 } else { words });
    table.rows = rows.into_iter().map(|row| row.into_iter().collect()).collect();
    table.markdown(columns())
}

/// The width of standard output.
pub(super) fn columns() -> usize {
    let window = io::stdout().is_terminal().then(window_columns).flatten();
    window.map_or(PIPED_COLUMNS, |columns| columns.max(FEWEST_COLUMNS))
}

/// The width of the window as the system or the shell knows it; tables are no reason to ask the terminal itself.
pub(super) fn window_columns() -> Option<usize> {
    let width = Table::new().width().map(usize::from).or_else(|| std::env::var("COLUMNS").ok()?.parse().ok());
    // Terminals that do not know their width say 0.
    width.filter(|&columns| columns > 0)
}

/// A text in lines of whole words that are no wider than standard output, each with its end.
pub(super) fn lines_of_words(text: &str) -> String {
    wrapped(text, columns())
}

/// A line that ends in a path, of which the beginning gives way.
pub(super) fn line_of_path(before: &str, path: &str) -> String {
    let room = columns().saturating_sub(before.chars().count()).max(1);
    match path.chars().count().saturating_sub(room) {
        0 => format!("{before}{path}"),
        hidden => format!("{before}…{}", path.chars().skip(hidden + 1).collect::<String>()),
    }
}

/// A text whose control characters but line ends and tabs are written as people know them: `^[` for escape.
pub(super) fn escaped(text: &str) -> Cow<'_, str> {
    let is_hidden = |letter: char| letter.is_control() && letter != '\n' && letter != '\t';
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            _ if !is_hidden(letter) => escaped.push(letter),
            '\0'..='\x7f' => escaped.extend(['^', char::from(letter as u8 ^ 0x40)]),
            _ => escaped.extend(letter.escape_unicode()),
        }
    }
    Cow::Owned(escaped)
}

/// Escapes the control characters of all that is written; texts must come in whole characters.
pub(super) struct Escaped<W>(pub(super) W);

impl<W: Write> Write for Escaped<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.0.write_all(escaped(text).as_bytes()),
            Err(_) => self.0.write_all(bytes),
        }?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// A word that the shell would not leave alone goes into single quotes.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./=:,+@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_nothing_else_is_touched() {
        assert_eq!(escaped("\x1b[31mred\x7f\r\u{9b}2J"), "^[[31mred^?^M\\u{9b}2J");
        assert_eq!(escaped("plain ● text,\n\tin lines\n"), "plain ● text,\n\tin lines\n");
        let mut out = Escaped(Vec::new());
        write!(out, "a\x07b").expect("memory");
        assert_eq!(out.0, b"a^Gb");
    }

    #[test]
    fn words_that_a_shell_would_change_are_quoted() {
        assert_eq!(quoted("a/b-c_1.json"), "a/b-c_1.json");
        assert_eq!(quoted("my spec.json"), "'my spec.json'");
        assert_eq!(quoted("it's $x"), "'it'\\''s $x'");
        assert_eq!(quoted(""), "''");
    }
}
