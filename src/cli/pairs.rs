//! `KEY=VALUE` words behind an option.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::exit::UsageError;

pub(super) type Pair = (String, String);

/// All that one word says; for clap, which takes every `Vec` for an option that is given several times.
pub(super) type PairList = Vec<Pair>;

/// Splits a word at its first `=`, for clap.
pub(super) fn pair(word: &str) -> Result<Pair, String> {
    let pair = word.split_once('=').map(|(key, value)| (key.trim(), value.trim())).filter(|(key, _)| !key.is_empty());
    let (key, value) = pair.ok_or("expected KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}

/// Splits a word at its commas, for clap; nothing between two of them is no item.
pub(super) fn pair_list(word: &str) -> Result<PairList, String> {
    let items = word.split(',').map(str::trim).filter(|item| !item.is_empty());
    let refuse = |item| format!("'{item}' is not NAME=VALUE; an example is Searcher=mcts,Hash=16");
    items.map(|item| pair(item).map_err(|_| refuse(item))).collect()
}

/// The object that the words describe, with the keys that a spec has; `None` without words.
///
/// # Errors
/// The object refuses a key or a value.
pub(super) fn object<T: DeserializeOwned>(
    option: &str,
    words: &[Pair],
    also: &[(&str, &str)],
) -> Result<Option<T>, UsageError> {
    if words.is_empty() {
        return Ok(None);
    }
    let given = words.iter().map(|(key, text)| (key.as_str(), text.as_str()));
    let pairs = also.iter().copied().chain(given).map(|(key, text)| (key.to_owned(), value(text)));
    let object = serde_json::from_value(Value::Object(pairs.collect::<Map<_, _>>()));
    object.map(Some).map_err(|error| UsageError(format!("{option}: {error}")))
}

/// A number or a truth value where the text is one.
fn value(text: &str) -> Value {
    let parsed = serde_json::from_str(text).ok().filter(|value: &Value| value.is_number() || value.is_boolean());
    parsed.unwrap_or_else(|| text.into())
}
