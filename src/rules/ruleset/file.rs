//! Reads a ruleset file, those that it extends, and the switches on top into the rules of a family.

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};

use super::error::{did_you_mean, place_of};
use super::unique::Unique;
use super::{Family, FamilyRules, Heading, Ruleset, RulesetError};
use crate::rules::catalog;

/// How many rulesets may extend each other in a row.
const MAX_EXTENDS: usize = 8;

/// The keys that every family has, and all others.
#[derive(Deserialize)]
struct Keys {
    #[serde(default)]
    name: String,
    #[serde(default, deserialize_with = "some")]
    title: Option<String>,
    #[serde(default, deserialize_with = "some")]
    extends: Option<String>,
    #[serde(default)]
    source: String,
    #[serde(default)]
    about: String,
    #[serde(default, deserialize_with = "some")]
    family: Option<Family>,
    #[serde(flatten)]
    rules: Map<String, Value>,
}

/// A value that may be left out, but not be null.
fn some<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// One file of a chain of files that extend each other.
struct File<'a> {
    label: String,
    text: &'a str,
    keys: Keys,
}

/// The family that a file or what it extends belongs to; files that name none are of the hunt family.
///
/// # Errors
/// The text is no JSON object, names an unknown family, or extends what is not in the catalog.
pub fn family(label: &str, text: &str) -> Result<Family, RulesetError> {
    Ok(chain(label, text)?.iter().find_map(|file| file.keys.family).unwrap_or_default())
}

/// Reads and checks a ruleset; see [`Ruleset::from_text`].
pub(super) fn read<R: FamilyRules>(
    label: &str,
    text: &str,
    switches: &[(String, String)],
) -> Result<Ruleset<R>, RulesetError> {
    let files = chain(label, text)?;
    let mut given = Map::new();
    for file in files.iter().rev() {
        file.check_family(R::FAMILY, file.keys.extends.is_none())?;
        set::<R>(&mut given, &file.keys.rules).map_err(|(key, message)| file.error(&key, &message))?;
    }
    let own = &files[0];
    for (key, value) in switches {
        let switch = Map::from_iter([(key.clone(), switch_value(value))]);
        let refuse = |(_, message): (String, String)| switch_error(label, key, &message, (key, value));
        set::<R>(&mut given, &switch).map_err(refuse)?;
    }
    let error = |key: &str, message: &str| {
        let switch = switches.iter().rev().find(|(switch, _)| canonical::<R>(switch) == key);
        switch
            .map_or_else(|| own.error(key, message), |(named, value)| switch_error(label, key, message, (named, value)))
    };
    let rules = typed::<R>(&given).map_err(|(key, message)| error(&key, &message))?;
    let mut ruleset = Ruleset { heading: own.heading()?, rules };
    R::settle(&mut ruleset, &given).map_err(|(key, message)| error(key, &message))?;
    Ok(ruleset)
}

/// A file and those that it extends, itself first.
fn chain<'a>(label: &str, text: &'a str) -> Result<Vec<File<'a>>, RulesetError> {
    let mut files = vec![File::read(label, text)?];
    while let Some((file, parent)) = files.last().and_then(|file| Some((file, file.keys.extends.as_ref()?))) {
        let refuse = |why: String| file.error("extends", &format!("'{parent}' {why}"));
        if files.len() > MAX_EXTENDS {
            return Err(refuse("closes a circle or makes the chain too long (8 rulesets at most)".to_owned()));
        }
        let unknown = || refuse(format!("is not a ruleset of the catalog{}", did_you_mean(parent, catalog::names())));
        let next = File::read(parent, catalog::text(parent).ok_or_else(unknown)?)?;
        files.push(next);
    }
    Ok(files)
}

impl<'a> File<'a> {
    fn read(label: &str, text: &'a str) -> Result<File<'a>, RulesetError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let refuse = |error: serde_json::Error| RulesetError::File { file: label.into(), message: error.to_string() };
        let mut reader = serde_json::Deserializer::from_str(text);
        let read: Result<Unique, _> = serde_path_to_error::deserialize(&mut reader);
        let Unique(object) = read.map_err(|error| match error.path().to_string().as_str() {
            key if error.inner().is_data() && key != "." => key_error(label, key, error.inner().to_string()),
            _ => refuse(error.into_inner()),
        })?;
        reader.end().map_err(refuse)?;
        let keys = serde_path_to_error::deserialize(Value::Object(object));
        let keys = keys.map_err(|error| {
            let (key, message) = (error.path().to_string(), error.into_inner().to_string());
            at_place(label, &key, &message, text)
        })?;
        Ok(File { label: label.into(), text, keys })
    }

    fn error(&self, key: &str, message: &str) -> RulesetError {
        at_place(&self.label, key, message, self.text)
    }

    /// The last file of a chain is of the default family when it names none.
    fn check_family(&self, expected: Family, is_last: bool) -> Result<(), RulesetError> {
        match self.keys.family.or(is_last.then(Family::default)) {
            Some(family) if family != expected => {
                Err(self.error("family", &format!("{family} where {expected} is expected")))
            }
            _ => Ok(()),
        }
    }

    fn heading(&self) -> Result<Heading, RulesetError> {
        let Keys { name, title, source, about, .. } = &self.keys;
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)) {
            let message = "is needed: letters, digits, '-', '_' and '.', and no blanks";
            return Err(self.error("name", message));
        }
        let title = title.as_ref().unwrap_or(name).clone();
        Ok(Heading { name: name.clone(), title, source: source.clone(), about: about.clone() })
    }
}

/// A refused key of a file, with its line and column where it stands in the text.
fn at_place(label: &str, key: &str, message: &str, text: &str) -> RulesetError {
    let place = place_of(key, text).map(|(line, column)| format!(" (line {line}, column {column})"));
    key_error(label, key, format!("{message}{}", place.unwrap_or_default()))
}

fn switch_error(label: &str, key: &str, message: &str, (named, value): (&str, &str)) -> RulesetError {
    key_error(label, key, format!("{message} (switch {named}={value})"))
}

fn key_error(label: &str, key: &str, message: String) -> RulesetError {
    RulesetError::Key { file: label.into(), key: key.into(), message }
}

/// Sets the keys of one file or switch on top of those that it inherits, once each has a valid value.
fn set<R: FamilyRules>(given: &mut Map<String, Value>, keys: &Map<String, Value>) -> Result<(), (String, String)> {
    let named = |(key, value): (&String, &Value)| (canonical::<R>(key).to_owned(), value.clone());
    let keys: Map<String, Value> = keys.iter().map(named).collect();
    typed::<R>(&keys)?;
    given.extend(keys);
    Ok(())
}

/// The name of a key that may be an alias.
fn canonical<R: FamilyRules>(key: &str) -> &str {
    R::ALIASES.iter().find(|(alias, _)| *alias == key).map_or(key, |(_, name)| name)
}

/// The rules that some keys make, all others at their defaults; or the first wrong key, and why.
fn typed<R: FamilyRules>(keys: &Map<String, Value>) -> Result<R, (String, String)> {
    serde_path_to_error::deserialize(Value::Object(keys.clone())).map_err(|error| {
        let (key, message) = (error.path().to_string(), error.into_inner().to_string());
        let message = in_words::<R>(&key, &message);
        (key, message)
    })
}

/// What serde says of a key, with what is allowed instead.
fn in_words<R: FamilyRules>(key: &str, message: &str) -> String {
    if message.starts_with("unknown field") {
        let known = message.split('`').skip(3).step_by(2);
        let hint = did_you_mean(key, known);
        return message.replacen(", expected one of", &format!("{hint}; the rules of this family are"), 1);
    }
    if message.ends_with("expected string or map") {
        // Asked for a text, serde lists those that are allowed.
        let listed = serde_json::from_value::<R>(json!({ key: "" })).err().map(|error| error.to_string());
        let allowed = listed.as_deref().and_then(|listed| listed.split_once(", expected "));
        return message.replace("string or map", &format!("a string, {}", allowed.map_or("", |(_, allowed)| allowed)));
    }
    message.replace("a boolean", "a boolean, true or false").replace("expected u32", "expected a number from 0 up")
}

/// The value of a switch: JSON where it is JSON, a list where it has commas, else a string.
fn switch_value(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value) => value,
        Err(_) if text.contains(',') && !text.contains('(') => text.split(',').map(str::trim).collect(),
        Err(_) => Value::String(text.to_string()),
    }
}
