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
        /// Where, if the text is no JSON.
        place: Option<Place>,
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
        /// Where it stands, if it does.
        place: Option<Place>,
    },
}

impl RulesetError {
    /// Where in the text of the file the error is, as far as that can be told.
    pub fn place(&self) -> Option<Place> {
        match self {
            RulesetError::File { place, .. } | RulesetError::Key { place, .. } => *place,
        }
    }
}

/// A place in a text; both counts begin with 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Counted by line ends.
    pub line: usize,
    /// Counted in characters.
    pub column: usize,
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

/// ` (did you mean 'masters-15'?)`, where known words are near: all that are equally so.
pub(super) fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    const NEAR: f64 = 0.8;
    let word = word.to_lowercase();
    let rated: Vec<_> = known.into_iter().map(|known| (strsim::jaro_winkler(&word, known), known)).collect();
    let highest = rated.iter().fold(NEAR, |highest, &(likeness, _)| highest.max(likeness));
    let nearest: Vec<String> =
        rated.iter().filter(|(likeness, _)| *likeness >= highest).map(|(_, known)| format!("'{known}'")).collect();
    if nearest.is_empty() { String::new() } else { format!(" (did you mean {}?)", nearest.join(" or ")) }
}
