//! Where the keys of a JSON object stand in its text.

use serde::de::IgnoredAny;
use serde_json::Deserializer;

use super::error::Place;

/// Where a key stands for the first time.
pub(super) fn place_of(key: &str, text: &str) -> Option<Place> {
    keys(text).find(|(name, _)| name == key).map(|(_, at)| place(at, text))
}

/// The first key that stands there for the second time, and the place.
pub(super) fn doubled_key(text: &str) -> Option<(String, Place)> {
    let mut seen = Vec::new();
    for (key, at) in keys(text) {
        if seen.contains(&key) {
            return Some((key, place(at, text)));
        }
        seen.push(key);
    }
    None
}

fn place(at: usize, text: &str) -> Place {
    let before = &text[..at];
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    Place { line: before.matches('\n').count() + 1, column: before[start..].chars().count() + 1 }
}

/// The keys of an object with the bytes where they begin; keys inside its values do not count.
fn keys(text: &str) -> impl Iterator<Item = (String, usize)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let begin = at + text[at..].find('"')?;
        let mut names = Deserializer::from_str(&text[begin..]).into_iter::<String>();
        let name = names.next()?.ok()?;
        let colon = begin + names.byte_offset();
        let value = colon + text[colon..].find(':')? + 1;
        let mut values = Deserializer::from_str(&text[value..]).into_iter::<IgnoredAny>();
        values.next()?.ok()?;
        at = value + values.byte_offset();
        Some((name, begin))
    })
}
