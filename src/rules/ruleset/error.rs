//! Why a ruleset is refused, in which file, and where in it.

use std::fmt;

use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use thiserror::Error;

/// Why a ruleset is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RulesetError {
    #[error("{file}: {message}")]
    File { file: String, message: String },
    /// The message ends with the place of the key: line and column, or the switch.
    #[error("{file}: key '{key}': {message}")]
    Key { file: String, key: String, message: String },
}

/// A key to change, and why.
pub(crate) type Complaint = (&'static str, String);

/// Refuses a key where `wrong` holds.
///
/// # Errors
/// It does.
pub(crate) fn refuse_if(wrong: bool, key: &'static str, message: impl Into<String>) -> Result<(), Complaint> {
    if wrong { Err((key, message.into())) } else { Ok(()) }
}

/// ` (did you mean 'masters-15'?)`, where some known word is near.
pub(super) fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    const NEAR: f64 = 0.8;
    let likeness = |known: &str| strsim::jaro_winkler(&word.to_lowercase(), known);
    let rated = known.into_iter().map(|known| (likeness(known), known)).filter(|&(likeness, _)| likeness >= NEAR);
    let nearest = rated.max_by(|a, b| a.0.total_cmp(&b.0));
    nearest.map_or_else(String::new, |(_, known)| format!(" (did you mean '{known}'?)"))
}

/// Line and column where a key of a JSON object stands.
pub(super) fn place_of(key: &str, text: &str) -> Option<(usize, usize)> {
    let found = serde_json::Deserializer::from_str(text).deserialize_map(KeyFinder(key)).err()?;
    // The reader stands on the closing quotation mark.
    let before = found.column().checked_sub(key.len() + 1)?;
    (found.to_string().starts_with(FOUND)).then_some((found.line(), before))
}

const FOUND: &str = "found";

/// Stops with an error, which has a place, at the key that is looked for.
struct KeyFinder<'a>(&'a str);

impl<'de> Visitor<'de> for KeyFinder<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object of keys and values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == self.0 {
                return Err(A::Error::custom(FOUND));
            }
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}
