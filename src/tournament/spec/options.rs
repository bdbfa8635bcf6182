//! Options of a participant: files read, names and values checked where the engine is our own.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::error::{Complaint, ensure};
use super::{EngineSpec, OptionValues};
use crate::engine::registry;
use crate::engine::{OptionKind, Options};
use crate::tournament::arena::OptionPairs;

/// Options that belong to the tournament and not to a participant.
const RULE_OPTIONS: [&str; 4] = ["UCI_Variant", "Ruleset", "RuleSwitches", "RulesFile"];

const MAX_FILE_BYTES: u64 = 1 << 20;

/// What a participant is told, files included.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ResolvedOptions {
    pub options: OptionPairs,
    pub by_role: BTreeMap<String, OptionPairs>,
}

/// The shape of an options file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OptionsFile {
    #[serde(default, rename = "about")]
    _about: String,
    #[serde(default)]
    options: OptionValues,
    #[serde(default, rename = "as")]
    by_role: BTreeMap<String, OptionValues>,
}

/// A value as the engine is told it; `None` for what is neither text nor number nor boolean.
pub(super) fn value_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// Merges the options file and the spec's own options, which go before it.
pub(super) fn resolve(
    engine: &EngineSpec,
    folder: &Path,
    roles: &[String],
    key: &str,
) -> Result<ResolvedOptions, Complaint> {
    let mut merger = Merger { is_ours: engine.program.is_none(), known: registry::default_options(), roles };
    let mut resolved = ResolvedOptions::default();
    if let Some(path) = &engine.options_file {
        let key = format!("{key}.options_file");
        let path = folder.join(path);
        let file = read(&path).map_err(|message| Complaint::new(&key, format!("{}: {message}", path.display())))?;
        let merged = merger.merge(&mut resolved, &file.options, &file.by_role, "options", "as");
        merged
            .map_err(|wrong| Complaint::new(&key, format!("{}: {}: {}", path.display(), wrong.key, wrong.message)))?;
    }
    let (options_key, role_key) = (format!("{key}.options"), format!("{key}.as"));
    merger.merge(&mut resolved, &engine.options, &engine.by_role, &options_key, &role_key)?;
    Ok(resolved)
}

fn read(path: &Path) -> Result<OptionsFile, String> {
    let about = fs::metadata(path).map_err(|error| error.to_string())?;
    if !about.is_file() || about.len() > MAX_FILE_BYTES {
        return Err(format!("not a file of at most {MAX_FILE_BYTES} bytes"));
    }
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    serde_json::from_str(&text).map_err(|error| error.to_string())
}

struct Merger<'a> {
    /// Options of external programs are known only to them.
    is_ours: bool,
    known: Options,
    roles: &'a [String],
}

impl Merger<'_> {
    fn merge(
        &mut self,
        resolved: &mut ResolvedOptions,
        options: &OptionValues,
        by_role: &BTreeMap<String, OptionValues>,
        options_key: &str,
        role_key: &str,
    ) -> Result<(), Complaint> {
        self.put(&mut resolved.options, options, options_key)?;
        for (role, values) in by_role {
            let key = format!("{role_key}.{role}");
            ensure(self.roles.contains(role), key.clone(), || {
                format!("'{role}' is not a role in these rulesets; expected one of {}", self.roles.join(", "))
            })?;
            self.put(resolved.by_role.entry(role.clone()).or_default(), values, &key)?;
        }
        Ok(())
    }

    fn put(&mut self, pairs: &mut OptionPairs, values: &OptionValues, key: &str) -> Result<(), Complaint> {
        let mut seen: Vec<String> = Vec::new();
        for (name, value) in values {
            let key = format!("{key}.{name}");
            let (name, text) = self.pair(name, value, &key)?;
            ensure(!seen.contains(&name), key, || format!("the option '{name}' is set twice"))?;
            seen.push(name.clone());
            match pairs.iter_mut().find(|(known, _)| *known == name) {
                Some(pair) => pair.1 = text,
                None => pairs.push((name, text)),
            }
        }
        Ok(())
    }

    /// Name and value in their canonical form.
    fn pair(&mut self, name: &str, value: &Value, key: &str) -> Result<(String, String), Complaint> {
        let name = name.trim();
        ensure(!RULE_OPTIONS.iter().any(|rule| rule.eq_ignore_ascii_case(name)), key, || {
            "changes the rules, which all engines share; expected in `rulesets`".to_owned()
        })?;
        let text = value_text(value).ok_or_else(|| {
            Complaint::new(key, format!("{value} is not allowed; expected a text, a number, true or false"))
        })?;
        if !self.is_ours {
            return Ok((name.to_owned(), text));
        }
        let refuse = |error: crate::engine::OptionError| Complaint::new(key, error.to_string());
        let spec = self.known.spec(name).map_err(|error| {
            let names: Vec<&str> = self.known.specs().map(|spec| spec.name.as_str()).collect();
            Complaint::new(key, format!("{error}; known are {}", names.join(", ")))
        })?;
        let (name, is_button) = (spec.name.clone(), spec.kind == OptionKind::Button);
        ensure(!is_button, key, || "is a button and keeps no value".to_owned())?;
        self.known.set(&name, Some(&text)).map_err(refuse)?;
        let value = self.known.value(&name).to_owned();
        Ok((name, value))
    }
}
