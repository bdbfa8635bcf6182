//! Control characters made visible: what somebody has written into a file or a move is printed, not obeyed.

use std::borrow::Cow;
use std::io::{self, Write};

/// A text whose control characters but line ends and tabs are written as people know them: `^[` for escape.
pub(super) fn shown(text: &str) -> Cow<'_, str> {
    match text.contains(is_hidden) {
        false => Cow::Borrowed(text),
        true => Cow::Owned(text.chars().fold(String::new(), show)),
    }
}

fn is_hidden(letter: char) -> bool {
    letter.is_control() && letter != '\n' && letter != '\t'
}

fn show(mut text: String, letter: char) -> String {
    match letter {
        _ if !is_hidden(letter) => text.push(letter),
        '\0'..='\x7f' => text.extend(['^', char::from(letter as u8 ^ 0x40)]),
        _ => text.extend(letter.escape_unicode()),
    }
    text
}

/// Shows the control characters of all that is written; texts must come in whole characters.
pub(super) struct Shown<W>(pub(super) W);

impl<W: Write> Write for Shown<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.0.write_all(shown(text).as_bytes()),
            Err(_) => self.0.write_all(bytes),
        }?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_and_nothing_else_is_touched() {
        assert_eq!(shown("\x1b[31mred\x7f\r\u{9b}2J"), "^[[31mred^?^M\\u{9b}2J");
        assert_eq!(shown("plain ● text,\n\tin lines\n"), "plain ● text,\n\tin lines\n");
        let mut out = Shown(Vec::new());
        write!(out, "a\x07b").expect("memory");
        assert_eq!(out.0, b"a^Gb");
    }
}
