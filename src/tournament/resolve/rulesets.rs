//! Resolves the rulesets of a spec: compiles each once to see that it can be played.

use std::path::Path;

use reynard_engine::rules::ruleset::RulesetError;
use reynard_engine::session::registry::{self, OpenError, RulesetChoice, RulesetSource};
use serde_json::Value;

use crate::tournament::header::{RulesetHeader, SeatHeader};
use crate::tournament::resolved::PlayableRuleset;
use crate::tournament::spec::{InvalidKey, Referee, RulesetObject, TournamentSpec, ensure};

/// A ruleset for the workers and for the journal.
pub(super) type ResolvedRuleset = (PlayableRuleset, RulesetHeader);

const LONGEST_NAME: usize = 100;

pub(super) fn resolve(spec: &TournamentSpec, folder: &Path) -> Result<Vec<ResolvedRuleset>, InvalidKey> {
    let mut resolved: Vec<ResolvedRuleset> = Vec::new();
    for (index, ruleset) in spec.rulesets.iter().enumerate() {
        let key = format!("rulesets[{index}]");
        let ruleset = one(&ruleset.object(), folder, spec.referee, &key)?;
        if let Some(earlier) = resolved.iter().position(|other| is_same(other, &ruleset)) {
            let message = format!("'{}' has the same rules as rulesets[{earlier}]", ruleset.0.label);
            return Err(InvalidKey::new(key, message));
        }
        let ruleset = with_own_label(ruleset, &resolved);
        resolved.push(ruleset);
    }
    Ok(resolved)
}

fn is_same((_, a): &ResolvedRuleset, (_, b): &ResolvedRuleset) -> bool {
    match (&a.fingerprint, &b.fingerprint) {
        (None, None) => a.label == b.label,
        (a, b) => a == b,
    }
}

/// Different rules may have the same name when they come from files.
fn with_own_label((mut ruleset, mut header): ResolvedRuleset, earlier: &[ResolvedRuleset]) -> ResolvedRuleset {
    if earlier.iter().any(|(other, _)| other.label == ruleset.label) {
        let fingerprint = header.fingerprint.as_deref().unwrap_or_default();
        ruleset.label = format!("{} ({fingerprint})", ruleset.label);
        header.label = ruleset.label.clone();
    }
    (ruleset, header)
}

fn one(object: &RulesetObject, folder: &Path, referee: Referee, key: &str) -> Result<ResolvedRuleset, InvalidKey> {
    let source = match (&object.name, &object.file) {
        (Some(name), None) => {
            match registry::ruleset_names().into_iter().find(|known| known.eq_ignore_ascii_case(name)) {
                Some(known) => RulesetSource::Catalog(known.to_owned()),
                None => return external(name, object, referee, key),
            }
        }
        (None, Some(file)) => RulesetSource::File(folder.join(file)),
        _ => return Err(InvalidKey::new(key, "expected exactly one of `name` and `file`")),
    };
    let switches = switches(object, key)?;
    let label_switches: Vec<String> = switches.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let choice = RulesetChoice { source, switches };
    let session = registry::open(&choice).map_err(|error| refused(&error, object, key))?;
    let variant = session.game().ruleset.clone();
    let label = [std::slice::from_ref(&variant), &label_switches].concat().join(" ");
    let header = RulesetHeader::of(&*session, &label);
    Ok((PlayableRuleset { label, variant, choice: Some(choice) }, header))
}

/// A game that only external programs know.
fn external(name: &str, object: &RulesetObject, referee: Referee, key: &str) -> Result<ResolvedRuleset, InvalidKey> {
    ensure(referee == Referee::Engines, key, || {
        let names = registry::ruleset_names().join(", ");
        format!(
            "unknown ruleset '{name}'; known are {names} (a game that only the engines know needs \"referee\": \"engines\")"
        )
    })?;
    ensure(object.set.is_empty(), format!("{key}.set"), || {
        format!("'{name}' is not a ruleset of this program, so nothing in it can be switched")
    })?;
    let is_word =
        !name.is_empty() && name.len() <= LONGEST_NAME && !name.contains(|c: char| c.is_whitespace() || c.is_control());
    ensure(is_word, key, || format!("{name:?} is not allowed; expected a name without blanks"))?;
    let seat = |name: &str| SeatHeader { name: name.to_owned(), role: name.to_owned() };
    let seats = vec![seat("p1"), seat("p2")];
    let header = RulesetHeader { label: name.to_owned(), seats, ..RulesetHeader::default() };
    Ok((PlayableRuleset { label: name.to_owned(), variant: name.to_owned(), choice: None }, header))
}

/// The key of a refused switch where it can be told.
fn refused(error: &OpenError, object: &RulesetObject, key: &str) -> InvalidKey {
    match error {
        OpenError::Ruleset(RulesetError { key: Some(switch), .. }) if object.set.contains_key(switch) => {
            InvalidKey::new(format!("{key}.set.{switch}"), error.to_string())
        }
        _ => InvalidKey::new(key, error.to_string()),
    }
}

fn switches(object: &RulesetObject, key: &str) -> Result<Vec<(String, String)>, InvalidKey> {
    let switch = |(name, value): (&String, &Value)| match switch_text(value) {
        Some(text) => Ok((name.clone(), text)),
        None => Err(InvalidKey::new(
            format!("{key}.set.{name}"),
            format!("{value} is not allowed; expected a text, a number, true, false, or a list of texts"),
        )),
    };
    object.set.iter().map(switch).collect()
}

/// The value as `--set` would be given it.
fn switch_text(value: &Value) -> Option<String> {
    match value {
        Value::Array(items) => {
            let texts: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
            let texts = texts?;
            let is_plain = texts.len() > 1 && texts.iter().all(|text| !text.contains([',', '(', ' ']));
            // A list of none or one is not recognised by its commas.
            Some(if is_plain { texts.join(",") } else { value.to_string() })
        }
        Value::String(text) => Some(text.split_whitespace().collect()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}
