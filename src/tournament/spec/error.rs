//! Errors of specs: the file, the key and its place.

use reynard_engine::rules::ruleset::schema;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use thiserror::Error;

/// The first thing wrong with a spec; nothing has been played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SpecError {
    /// The file cannot be read.
    #[error("{file}: {message}")]
    Read {
        /// What errors call the spec, its path as a rule.
        file: String,
        /// Why it cannot be read.
        message: String,
    },
    /// The text is no JSON, or a key is unknown, missing, or of the wrong type.
    #[error("{file}:{line}:{column}: {key}: {message}")]
    Json {
        /// What errors call the spec, its path as a rule.
        file: String,
        /// Line of the spec, from 1.
        line: usize,
        /// Column in that line, from 1.
        column: usize,
        /// Path of the key in the spec, or `the spec` for all of it.
        key: String,
        /// What is wrong there.
        message: String,
    },
    /// A value is not allowed; the key is a path such as `engines[1].options.Hash`.
    #[error("{file}: {key}: {message}")]
    Key {
        /// What errors call the spec, its path as a rule.
        file: String,
        /// Path of the key in the spec.
        key: String,
        /// What is wrong with the value, and mostly what is allowed.
        message: String,
    },
}

/// A key that is refused and why, before the name of the file is known.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{key}: {message}")]
pub(crate) struct InvalidKey {
    pub key: String,
    pub message: String,
}

impl InvalidKey {
    pub(crate) fn new(key: impl Into<String>, message: impl Into<String>) -> Self {
        InvalidKey { key: key.into(), message: message.into() }
    }

    pub(crate) fn in_file(self, file: &str) -> SpecError {
        SpecError::Key { file: file.to_owned(), key: self.key, message: self.message }
    }
}

/// Refuses numbers and lists out of the bounds that the schema of the type gives.
pub(crate) fn ensure_bounds<T: JsonSchema + Serialize>(spec: &T) -> Result<(), InvalidKey> {
    let refuse = |error: serde_json::Error| InvalidKey::new("the spec", error.to_string());
    let spec: Value = serde_json::to_value(spec).map_err(refuse)?;
    schema::check(&json!(schema::of::<T>()), &spec).map_err(|refused| InvalidKey::new(refused.key, refused.message))
}

/// Refuses the key unless `is_fine`.
pub(crate) fn ensure(
    is_fine: bool,
    key: impl Into<String>,
    message: impl FnOnce() -> String,
) -> Result<(), InvalidKey> {
    if is_fine { Ok(()) } else { Err(InvalidKey::new(key, message())) }
}
