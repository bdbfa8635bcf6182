//! Lines from a client, read on a thread of their own.

use std::io::{BufRead, BufReader, Read};
use std::thread;

use crossbeam_channel::{Receiver, bounded};

/// Longer lines are refused; a history of some hundred thousand moves still fits.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// Lines that may wait; a client that sends more is made to wait itself.
const QUEUE: usize = 1024;

pub(super) enum Input {
    Line(String),
    TooLong,
}

/// The lines of `input`; the channel closes at its end, or at an error, which is as final.
pub(super) fn read_lines(input: impl Read + Send + 'static) -> Receiver<Input> {
    let (sender, receiver) = bounded(QUEUE);
    thread::spawn(move || {
        let mut reader = BufReader::new(input);
        while let Some(line) = next_line(&mut reader) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    receiver
}

/// Reads one line; bytes that are not UTF-8 become replacement characters.
fn next_line(reader: &mut impl BufRead) -> Option<Input> {
    let mut bytes = Vec::new();
    reader.by_ref().take(MAX_LINE_BYTES as u64 + 1).read_until(b'\n', &mut bytes).ok()?;
    if bytes.is_empty() {
        return None;
    }
    if bytes.len() > MAX_LINE_BYTES && bytes.last() != Some(&b'\n') {
        skip_line(reader);
        return Some(Input::TooLong);
    }
    Some(Input::Line(String::from_utf8_lossy(&bytes).into_owned()))
}

fn skip_line(reader: &mut impl BufRead) {
    while let Ok(buffer) = reader.fill_buf() {
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(buffer.len(), |end| end + 1);
        reader.consume(used);
        if used == 0 || end.is_some() {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: Vec<u8>) -> Vec<Option<String>> {
        let text = |input| match input {
            Input::Line(line) => Some(line.trim_end().to_owned()),
            Input::TooLong => None,
        };
        read_lines(std::io::Cursor::new(bytes)).into_iter().map(text).collect()
    }

    #[test]
    fn lines_need_no_final_end_and_no_utf8() {
        let expected = [Some("uci".to_owned()), Some(String::new()), Some("a\u{fffd}b".to_owned())];
        assert_eq!(lines(b"uci\r\n\na\xffb".to_vec()), expected);
    }

    #[test]
    fn an_over_long_line_is_skipped_and_the_next_one_read() {
        let mut bytes = vec![b'x'; 3 * MAX_LINE_BYTES];
        bytes.extend(b"\nisready\n");
        assert_eq!(lines(bytes), [None, Some("isready".to_owned())]);
        assert_eq!(lines(vec![b'x'; 3 * MAX_LINE_BYTES]), [None]);
    }
}
