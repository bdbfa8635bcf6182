//! Keys that specs had once: what this program wrote into every spec is passed over, what somebody chose is refused.

use serde_json::{Map, Value};

use super::error::{InvalidKey, ensure};

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

/// Removes what every earlier spec said; returns whether there was any.
///
/// # Errors
/// A retired key says something else.
pub(super) fn remove(spec: &mut Map<String, Value>) -> Result<bool, InvalidKey> {
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
