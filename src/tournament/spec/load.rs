//! Loads a spec from a file and checks it.

use std::path::{Path, PathBuf};

use reynard_engine::files;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::TournamentSpec;
use super::change::Change;
use super::check;
use super::error::{InvalidKey, SpecError, ensure};

/// A spec is written by people; a megabyte is a hundred thousand lines.
const MAX_SPEC_BYTES: u64 = 1 << 20;

/// A spec that passed every check that needs no other file.
#[derive(Clone, PartialEq, Debug)]
pub struct LoadedSpec {
    /// The spec as it was written.
    pub spec: TournamentSpec,
    /// What paths in the spec are relative to; absolute.
    pub folder: PathBuf,
    /// What errors call the spec.
    pub file: String,
}

/// Reads a spec, changes it and checks it.
///
/// # Errors
/// The file is unreadable, no JSON, or says something that is not allowed; see [`SpecError`].
pub fn load(path: &Path, changes: &[Change]) -> Result<LoadedSpec, SpecError> {
    let spec = read(path, changes, remove_retired)?;
    LoadedSpec::new(spec, path.parent().unwrap_or(Path::new("")), &path.display().to_string())
}

/// Reads a spec of any kind and changes it; without the changes the file may lack keys. `retire` removes keys that every
/// spec had once, returns whether there were any, and refuses those that were set on purpose.
///
/// # Errors
/// The file is unreadable or no such spec; the error names file, line and key.
pub(crate) fn read<T: DeserializeOwned>(
    path: &Path,
    changes: &[Change],
    retire: impl Fn(&mut Map<String, Value>) -> Result<bool, InvalidKey>,
) -> Result<T, SpecError> {
    let file = path.display().to_string();
    parse(&file, &text(path, changes)?, retire).map_err(|error| match error {
        // The file has other lines than the changed text.
        SpecError::Json { file, key, message, .. } if !changes.is_empty() => SpecError::Key { file, key, message },
        error => error,
    })
}

/// The text of a spec, with changes.
///
/// # Errors
/// The file is unreadable, or it has changes and no place for them.
pub(crate) fn text(path: &Path, changes: &[Change]) -> Result<String, SpecError> {
    let file = path.display().to_string();
    let refuse = |message: String| SpecError::Read { file: file.clone(), message };
    let text = files::read_text(path, MAX_SPEC_BYTES).map_err(|error| refuse(error.reason()))?;
    if changes.is_empty() {
        return Ok(text);
    }
    let text = text.trim_start_matches('\u{feff}');
    let mut spec: Map<String, Value> = serde_json::from_str(text).map_err(|error| refuse(error.to_string()))?;
    changes.iter().try_for_each(|change| change.apply(&mut spec)).map_err(|complaint| complaint.in_file(&file))?;
    Ok(format!("{:#}\n", Value::Object(spec)))
}

impl LoadedSpec {
    /// Checks a spec that did not come from a file; `file` is what errors call it.
    ///
    /// # Errors
    /// The spec says something that is not allowed.
    pub fn new(spec: TournamentSpec, folder: &Path, file: &str) -> Result<Self, SpecError> {
        check::check(&spec).map_err(|complaint| complaint.in_file(file))?;
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let refuse = |error: std::io::Error| SpecError::Read { file: file.to_owned(), message: error.to_string() };
        let folder = std::path::absolute(here).map_err(refuse)?;
        Ok(LoadedSpec { spec, folder, file: file.to_owned() })
    }
}

/// The JSON text with file, line and key path in its errors.
fn parse<T: DeserializeOwned>(
    file: &str,
    text: &str,
    retire: impl Fn(&mut Map<String, Value>) -> Result<bool, InvalidKey>,
) -> Result<T, SpecError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // What is wrong with the text itself is said below, with its place.
    if let Ok(Value::Object(mut spec)) = serde_json::from_str(text)
        && retire(&mut spec).map_err(|complaint| complaint.in_file(file))?
    {
        let refused = |error: serde_path_to_error::Error<serde_json::Error>| {
            InvalidKey::new(error.path().to_string(), error.inner().to_string()).in_file(file)
        };
        return serde_path_to_error::deserialize(Value::Object(spec)).map_err(refused);
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let spec = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let key = error.path().to_string();
        refused(file, if key == "." { "the spec".to_owned() } else { key }, error.inner())
    })?;
    deserializer.end().map_err(|error| refused(file, "the spec".to_owned(), &error))?;
    Ok(spec)
}

fn refused(file: &str, key: String, error: &serde_json::Error) -> SpecError {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let mut message = text.strip_suffix(&place).unwrap_or(&text).to_owned();
    if key == "method" && message.starts_with("unknown field") {
        message = "it has a `method`, as specs of tuning do, which `reynard tune` takes".to_owned();
    }
    SpecError::Json { file: file.to_owned(), line: error.line(), column: error.column(), key, message }
}

/// Whether this is what every earlier spec said of the referee, and later ones do not: it is always this program.
pub(crate) fn is_retired(key: &str, value: &Value) -> bool {
    match key {
        "referee" => *value == "record",
        "cross_check" => *value == false,
        _ => false,
    }
}

/// The format, if it is one that tournaments had once.
pub(crate) fn retired_format(format: &Value) -> Option<&str> {
    format.as_str().filter(|name| ["swiss", "knockout"].contains(name))
}

/// Removes keys of the referee that this program wrote into every spec once, and refuses what somebody chose; returns whether there was any.
///
/// # Errors
/// A retired key says something else.
fn remove_retired(spec: &mut Map<String, Value>) -> Result<bool, InvalidKey> {
    let count = spec.len();
    spec.retain(|key, value| !is_retired(key, value));
    for key in ["referee", "cross_check"] {
        ensure(!spec.contains_key(key), key, || {
            "gone: this program referees every game; leave the key out".to_owned()
        })?;
    }
    if let Some(name) = spec.get("format").and_then(retired_format) {
        let message = format!("`{name}` is gone; expected `round-robin`, `gauntlet`, `match` or `sprt`");
        return Err(InvalidKey::new("format", message));
    }
    let engines = spec.get("engines").and_then(Value::as_array);
    let turned =
        engines.and_then(|engines| engines.iter().position(|engine| engine.pointer("/program/translate").is_some()));
    match turned {
        Some(index) => Err(InvalidKey::new(
            format!("engines[{index}].program.translate"),
            "gone: a proxy does it, see tests/engines/turned_board.py; leave the key out",
        )),
        None => Ok(spec.len() < count),
    }
}
