//! Resolves the rulesets of a spec: compiles each once to see that it can be played.

use std::path::Path;

use reynard_engine::rules;
use reynard_engine::session::registry::{self, OpenError, RulesetChoice, RulesetSource};
use serde_json::Value;

use crate::tournament::ruleset::{Ruleset, RulesetError};
use crate::tournament::spec::{InvalidKey, RulesetObject, TournamentSpec};

pub(super) fn resolve(spec: &TournamentSpec, folder: &Path) -> Result<Vec<Ruleset>, InvalidKey> {
    let mut resolved: Vec<Ruleset> = Vec::new();
    for (index, ruleset) in spec.rulesets.iter().enumerate() {
        let key = format!("rulesets[{index}]");
        let ruleset = one(&ruleset.object(), folder, &key)?;
        if let Some(earlier) = resolved.iter().position(|other| other.fingerprint == ruleset.fingerprint) {
            let message = format!("'{}' has the same rules as rulesets[{earlier}]", ruleset.label);
            return Err(InvalidKey::new(key, message));
        }
        resolved.push(with_own_label(ruleset, &resolved));
    }
    Ok(resolved)
}

/// Different rules may have the same name when they come from files.
fn with_own_label(mut ruleset: Ruleset, earlier: &[Ruleset]) -> Ruleset {
    if earlier.iter().any(|other| other.label == ruleset.label) {
        let fingerprint = ruleset.fingerprint.as_deref().unwrap_or_default();
        ruleset.label = format!("{} ({fingerprint})", ruleset.label);
    }
    ruleset
}

fn one(object: &RulesetObject, folder: &Path, key: &str) -> Result<Ruleset, InvalidKey> {
    let source = match (&object.name, &object.file) {
        (Some(name), None) => {
            let names = registry::all_ruleset_names();
            let known = names.iter().find(|known| known.eq_ignore_ascii_case(name)).ok_or_else(|| {
                InvalidKey::new(key, format!("unknown ruleset '{name}'; known are {}", names.join(", ")))
            })?;
            RulesetSource::Catalog((*known).to_owned())
        }
        (None, Some(file)) => RulesetSource::File(folder.join(file)),
        _ => return Err(InvalidKey::new(key, "expected exactly one of `name` and `file`")),
    };
    let choice = RulesetChoice { source, switches: switches(object, key)? };
    Ruleset::new(choice).map_err(|error| refused(&error, object, key))
}

/// The key of a refused switch where it can be told.
fn refused(error: &RulesetError, object: &RulesetObject, key: &str) -> InvalidKey {
    match error {
        RulesetError::Open(OpenError::Ruleset(rules::ruleset::RulesetError { key: Some(switch), .. }))
            if object.set.contains_key(switch) =>
        {
            InvalidKey::new(format!("{key}.set.{switch}"), error.to_string())
        }
        _ => InvalidKey::new(key, error.to_string()),
    }
}

fn switches(object: &RulesetObject, key: &str) -> Result<Vec<(String, String)>, InvalidKey> {
    let switch = |(name, value): (&String, &Value)| {
        let refused =
            || InvalidKey::new(format!("{key}.set.{name}"), "null is not allowed; expected the value of a rule");
        Ok((name.clone(), switch_text(value).ok_or_else(refused)?))
    };
    object.set.iter().map(switch).collect()
}

/// The value as `--set` would be given it.
fn switch_text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.split_whitespace().collect()),
        Value::Array(items) => {
            let texts: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
            // A list of none or one is not recognised by its commas.
            let is_plain =
                |texts: &Vec<&str>| texts.len() > 1 && texts.iter().all(|text| !text.contains([',', '(', ' ']));
            Some(texts.filter(is_plain).map_or_else(|| value.to_string(), |texts| texts.join(",")))
        }
        other => Some(other.to_string()),
    }
}
