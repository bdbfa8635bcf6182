//! `KEY=VALUE` words behind an option, as an object of a spec.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::cli::exit::UsageError;

/// Splits a word at its first `=`.
pub(super) fn pair<'a>(option: &str, word: &'a str) -> Result<(&'a str, &'a str), UsageError> {
    let refuse = || UsageError(format!("{option}: '{word}' is not KEY=VALUE"));
    word.split_once('=').filter(|(key, _)| !key.is_empty()).ok_or_else(refuse)
}

/// The object that the words describe, with the keys that a spec has; `None` without words.
///
/// # Errors
/// A word is no `KEY=VALUE`, or the object refuses a key or a value.
pub(in crate::cli) fn object<T: DeserializeOwned>(
    option: &str,
    words: &[String],
    also: &[(&str, &str)],
) -> Result<Option<T>, UsageError> {
    if words.is_empty() {
        return Ok(None);
    }
    let given = words.iter().map(|word| pair(option, word)).collect::<Result<Vec<_>, _>>()?;
    let pairs = also.iter().chain(&given).map(|&(key, text)| (key.to_owned(), value(text)));
    let object = serde_json::from_value(Value::Object(pairs.collect::<Map<_, _>>()));
    object.map(Some).map_err(|error| UsageError(format!("{option}: {error}")))
}

/// A number or a truth value where the text is one.
fn value(text: &str) -> Value {
    let parsed = serde_json::from_str(text).ok().filter(|value: &Value| value.is_number() || value.is_boolean());
    parsed.unwrap_or_else(|| text.into())
}
