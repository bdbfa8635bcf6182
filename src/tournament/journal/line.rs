//! One line of a journal: a JSON object whose last key is a checksum.
//!
//! `{"game":3,...,"crc":"0a1b2c3d"}`: the CRC-32 (IEEE), eight lower-case hexadecimal digits, of all bytes before the
//! comma that precedes `"crc"`.

use serde::Serialize;
use thiserror::Error;

/// The length of `,"crc":"01234567"}`.
const TAIL_BYTES: usize = 18;
/// A game of ten thousand plies has one; what is longer was not written by us.
pub(crate) const MAX_LINE_BYTES: u64 = 64 << 20;

/// Why a line does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub(crate) enum Damage {
    #[error("it does not end with a line end")]
    NoLineEnd,
    #[error("it does not end with a checksum, \"crc\":\"8 hexadecimal digits\"")]
    NoChecksum,
    #[error("its checksum is {written:08x}, but its contents give {computed:08x}")]
    WrongChecksum { written: u32, computed: u32 },
}

/// The object as a line with its checksum and line end.
///
/// # Errors
/// The value cannot be written as a JSON object.
pub fn seal<T: Serialize>(object: &T) -> serde_json::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(object)?;
    if line.pop() != Some(b'}') || line.len() < 2 {
        return Err(serde::ser::Error::custom("only an object with at least one key can be a journal line"));
    }
    let checksum = crc32fast::hash(&line);
    line.extend_from_slice(format!(",\"crc\":\"{checksum:08x}\"}}\n").as_bytes());
    Ok(line)
}

/// Checks a line, line end included, and gives its checksum.
///
/// # Errors
/// The line is cut off or changed.
pub(crate) fn check(line: &[u8]) -> Result<u32, Damage> {
    let line = line.strip_suffix(b"\n").ok_or(Damage::NoLineEnd)?;
    let (body, tail) = line.split_at_checked(line.len().wrapping_sub(TAIL_BYTES)).ok_or(Damage::NoChecksum)?;
    let written = checksum_of(tail).ok_or(Damage::NoChecksum)?;
    let computed = crc32fast::hash(body);
    if written == computed { Ok(written) } else { Err(Damage::WrongChecksum { written, computed }) }
}

fn checksum_of(tail: &[u8]) -> Option<u32> {
    let digits = tail.strip_prefix(b",\"crc\":\"")?.strip_suffix(b"\"}")?;
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let digits = std::str::from_utf8(digits).ok().filter(|digits| digits.bytes().all(|byte| is_digit(&byte)))?;
    u32::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_sealed_line_is_json_that_ends_with_its_checksum() {
        let line = seal(&json!({"a": "ü", "b": [1, 2]})).unwrap();
        assert_eq!(check(&line), Ok(crc32fast::hash("{\"a\":\"ü\",\"b\":[1,2]".as_bytes())));
        let value: Value = serde_json::from_slice(&line).unwrap();
        assert_eq!(value.as_object().unwrap().keys().next_back().map(String::as_str), Some("crc"));
        assert!(seal(&json!({})).is_err() && seal(&json!([1])).is_err());
    }

    #[test]
    fn every_cut_and_every_changed_byte_is_noticed() {
        let line = seal(&json!({"name": "größe", "moves": ["a4a5", "b1b2"]})).unwrap();
        for length in 0..line.len() {
            assert_eq!(check(&line[..length]), Err(Damage::NoLineEnd), "cut to {length}");
            let mut changed = line.clone();
            changed[length] ^= 1;
            assert!(check(&changed).is_err(), "byte {length} changed");
            let joined = [&line[..length], b"\n"].concat();
            assert!(check(&joined).is_err() || length == line.len() - 1, "cut to {length} with a line end");
        }
    }
}
