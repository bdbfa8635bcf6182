//! Errors of rulesets: the file, the key and its place.

use thiserror::Error;

/// Why a ruleset is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RulesetError {
    /// The text cannot be read as a ruleset, or there is none of that name.
    #[error("{file}: {message}")]
    File {
        /// The file, or the name that was asked for.
        file: String,
        /// What is wrong.
        message: String,
    },
    /// The message ends with the place of the key: line and column, or the switch.
    #[error("{file}: key '{key}': {message}")]
    Key {
        /// The file, or the name of a catalog ruleset.
        file: String,
        /// The key in question.
        key: String,
        /// What is wrong with it, and where.
        message: String,
    },
}

/// A key to change, and why.
pub(crate) type RefusedKey = (&'static str, String);

/// Refuses a key where `wrong` holds.
///
/// # Errors
/// It does.
pub(crate) fn refuse_if(wrong: bool, key: &'static str, message: impl Into<String>) -> Result<(), RefusedKey> {
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

/// ` (line 3, column 5)`, where a key stands in the text of a JSON object.
pub(super) fn place_of(key: &str, text: &str) -> String {
    let quoted = format!("\"{key}\"");
    let is_key = |&(at, _): &(usize, &str)| text[at + quoted.len()..].trim_start().starts_with(':');
    let Some((at, _)) = text.match_indices(&quoted).find(is_key) else { return String::new() };
    let before = &text[..at];
    let (line, column) = (before.matches('\n').count() + 1, at - before.rfind('\n').map_or(0, |end| end + 1) + 1);
    format!(" (line {line}, column {column})")
}
