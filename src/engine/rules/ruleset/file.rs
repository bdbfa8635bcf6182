//! Reads a ruleset file, the rulesets that it extends and the switches on top into the rules of a family.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};

use super::{Family, FamilyRules, Heading, Place, RefusedKey, Ruleset, RulesetError, did_you_mean, unique};
use crate::rules::catalog;

/// The most rulesets in a chain in which each extends the next, the first not counted.
const MAX_EXTENDS: usize = 8;

/// A game: keys about the file, and the rules of its family.
#[derive(Deserialize, JsonSchema)]
#[serde(expecting = "an object of keys and values")]
pub(super) struct Keys<R = Map<String, Value>> {
    /// The JSON Schema by which an editor checks this file, for example one that `reynard schema ruleset` has written;
    /// reynard does not read it.
    #[serde(default, rename = "$schema")]
    _schema: String,
    /// The name of the game in commands.
    #[serde(default)]
    #[schemars(pattern("^[A-Za-z0-9._-]+$"))]
    name: String,
    /// The name of the game for people; the default is `name`.
    #[serde(default, deserialize_with = "some")]
    #[schemars(with = "String")]
    title: Option<String>,
    /// A game of the catalog that this file changes: rules that it does not set are as there, not as the defaults say.
    #[serde(default, deserialize_with = "some")]
    #[schemars(with = "String")]
    extends: Option<String>,
    /// Where the rules come from.
    #[serde(default)]
    source: String,
    /// The game in one sentence.
    #[serde(default)]
    about: String,
    /// A file of learned weights for the evaluation of a hunt, as `reynard tune learn` writes it; relative to the folder
    /// of this file.
    #[serde(default, deserialize_with = "some")]
    #[schemars(with = "String")]
    weights: Option<String>,
    /// The kind of game, which decides what the other keys are; the default is that of the extended game, else `hunt`.
    #[serde(default, deserialize_with = "some")]
    #[schemars(with = "Family")]
    family: Option<Family>,
    #[serde(flatten)]
    rules: R,
}

/// The names of the keys that every family has.
const FILE_KEYS: [&str; 8] = ["$schema", "name", "title", "extends", "source", "about", "weights", "family"];

/// For `deserialize_with`: a value that may be absent but not null.
fn some<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// One file of a chain of files that extend each other.
struct File {
    label: String,
    keys: Keys,
    /// The keys in the order of the text, each with its place.
    places: Vec<(String, Place)>,
}

/// The family of a ruleset file, its own or that of the ruleset that it extends; the hunt family if none is named.
///
/// # Errors
/// The text is not a JSON object, names an unknown family, or extends a ruleset that is not in the catalog.
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
    let own = &files[0];
    let mut given = Map::new();
    for file in files.iter().rev() {
        // A file that neither names nor inherits a family is of the default one.
        let inherited = if file.keys.extends.is_some() { R::FAMILY } else { Family::default() };
        let family = file.keys.family.unwrap_or(inherited);
        if family != R::FAMILY {
            let key = if own.keys.family.is_none() && own.keys.extends.is_some() { "extends" } else { "family" };
            return Err(own.error(key, format!("'{}' is of the family {family}, not {}", file.label, R::FAMILY)));
        }
        set::<R>(&mut given, &file.keys.rules, &FILE_KEYS)
            .map_err(|refused| file.error(&refused.key, refused.message))?;
    }
    let written = given.clone();
    for switch in switches {
        set_switch::<R>(&mut given, switch).map_err(|message| switch_error(label, &switch.0, message, switch))?;
    }
    let mut heading = own.heading()?;
    if given != written {
        // What the sentence says of the file may be wrong now.
        heading.about.clear();
    }
    settled(&heading, &given).map_err(|RefusedKey { key, message }| {
        let is_meant = |written: &str| canonical::<R>(written) == key;
        // A switch of another key without which the ruleset would stand.
        let is_culprit = |switch: &&(String, String)| {
            let mut keys = written.clone();
            let mut others = switches.iter().filter(|other| other.0 != switch.0);
            others.all(|other| set_switch::<R>(&mut keys, other).is_ok()) && settled::<R>(&heading, &keys).is_ok()
        };
        let meant = switches.iter().rfind(|(switch, _)| is_meant(switch));
        match meant.or_else(|| switches.iter().rfind(is_culprit)) {
            Some(switch) => switch_error(label, &key, message, switch),
            None => key_error(label, &key, message, place_of(&own.places, is_meant)),
        }
    })
}

/// The ruleset with these keys, if they agree with each other.
fn settled<R: FamilyRules>(heading: &Heading, given: &Map<String, Value>) -> Result<Ruleset<R>, RefusedKey> {
    let mut ruleset = Ruleset { heading: heading.clone(), rules: typed::<R>(given, &[])? };
    R::settle(&mut ruleset, given)?;
    Ok(ruleset)
}

/// A ruleset file and the files that it extends, itself first.
fn chain(label: &str, text: &str) -> Result<Vec<File>, RulesetError> {
    let mut files = vec![File::read(label, text)?];
    while let Some((file, parent)) = files.last().and_then(|file| Some((file, file.keys.extends.as_ref()?))) {
        let refuse = |why: String| file.error("extends", format!("'{parent}' {why}"));
        if files.len() > MAX_EXTENDS {
            return Err(refuse("closes a circle or makes the chain too long (8 rulesets at most)".to_owned()));
        }
        let unknown =
            || refuse(format!("is not a ruleset of the catalog{}", did_you_mean(parent, catalog::all_names())));
        let next = File::read(parent, catalog::text(parent).ok_or_else(unknown)?)?;
        files.push(next);
    }
    Ok(files)
}

impl File {
    fn read(label: &str, text: &str) -> Result<File, RulesetError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let refuse = |error: serde_json::Error| {
            // Errors in the data rather than the text are on line 0.
            let place = Some(Place { line: error.line(), column: error.column() }).filter(|place| place.line > 0);
            RulesetError { file: label.into(), key: None, message: error.to_string(), place }
        };
        let object: Value = serde_json::from_str(text).map_err(refuse)?;
        let places = if object.is_object() { unique::places(text) } else { Vec::new() };
        let is_second = |index: usize| places[..index].iter().any(|(earlier, _)| *earlier == places[index].0);
        if let Some(index) = (0..places.len()).find(|&index| is_second(index)) {
            let (key, place) = &places[index];
            return Err(key_error(label, key, unique::TWICE.to_owned(), Some(*place)));
        }
        let keys = serde_path_to_error::deserialize(object).map_err(|error| match error.path().to_string() {
            path if path == "." => refuse(error.into_inner()),
            key => key_error(label, &key, error.into_inner().to_string(), place_of(&places, |name| name == key)),
        })?;
        Ok(File { label: label.into(), keys, places })
    }

    /// The error for a refused key, with its line and column if it is in this file.
    fn error(&self, key: &str, message: String) -> RulesetError {
        key_error(&self.label, key, message, place_of(&self.places, |name| name == key))
    }

    fn heading(&self) -> Result<Heading, RulesetError> {
        let Keys { name, title, extends, source, about, weights, .. } = &self.keys;
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)) {
            let message = "every file needs one; letters, digits, '-', '_' and '.' are allowed, and no blanks";
            return Err(self.error("name", message.into()));
        }
        let title = title.as_ref().unwrap_or(name).clone();
        Ok(Heading {
            name: name.clone(),
            title,
            extends: extends.clone(),
            source: source.clone(),
            about: about.clone(),
            weights: weights.clone(),
        })
    }
}

fn place_of(places: &[(String, Place)], is_meant: impl Fn(&str) -> bool) -> Option<Place> {
    places.iter().find(|(name, _)| is_meant(name)).map(|&(_, place)| place)
}

fn switch_error(label: &str, key: &str, message: String, (named, value): &(String, String)) -> RulesetError {
    key_error(label, key, format!("{message} (switch {named}={value})"), None)
}

fn key_error(label: &str, key: &str, mut message: String, place: Option<Place>) -> RulesetError {
    if let Some(Place { line, column }) = place {
        message += &format!(" (line {line}, column {column})");
    }
    RulesetError { file: label.into(), key: Some(key.into()), message, place }
}

/// Sets the keys of one file or switch on top of inherited ones; `others` are further keys that are allowed.
///
/// # Errors
/// The key that is given twice, is unknown or has a wrong value, and why; nothing is set then.
fn set<R: FamilyRules>(
    given: &mut Map<String, Value>,
    keys: &Map<String, Value>,
    others: &[&str],
) -> Result<(), RefusedKey> {
    let mut named = Map::new();
    for (key, value) in keys {
        if named.insert(canonical::<R>(key).to_owned(), value.clone()).is_some() {
            return Err(RefusedKey::new(key, unique::TWICE));
        }
    }
    typed::<R>(&named, others)?;
    given.extend(named);
    Ok(())
}

/// The canonical name of a key that may be an alias.
fn canonical<R: FamilyRules>(key: &str) -> &str {
    R::ALIASES.iter().find(|(alias, _)| *alias == key).map_or(key, |(_, name)| name)
}

/// Reads keys as rules; absent keys have their defaults.
///
/// # Errors
/// The first wrong key, and why.
fn typed<R: FamilyRules>(keys: &Map<String, Value>, others: &[&str]) -> Result<R, RefusedKey> {
    serde_path_to_error::deserialize(Value::Object(keys.clone())).map_err(|error| {
        let key = error.path().to_string();
        let message = error.into_inner().to_string();
        RefusedKey { message: in_words::<R>(&key, &message, others), key }
    })
}

/// The message of serde about a key, with the allowed alternatives; `others` serve only as suggestions.
fn in_words<R: FamilyRules>(key: &str, message: &str, others: &[&str]) -> String {
    if message.starts_with("unknown field") {
        let aliases = R::ALIASES.iter().map(|&(alias, _)| alias);
        let known = message.split('`').skip(3).step_by(2).chain(aliases).chain(others.iter().copied());
        let hint = did_you_mean(key, known);
        return message.replacen(", expected one of", &format!("{hint}; the rules of this family are"), 1);
    }
    if message.ends_with("expected string or map") {
        // Given an empty text, serde lists the allowed ones.
        let listed = serde_json::from_value::<R>(json!({ key: "" })).err().map(|error| error.to_string());
        let allowed = listed.as_deref().and_then(|listed| listed.split_once(", expected "));
        return message.replace("string or map", &format!("a string, {}", allowed.map_or("", |(_, allowed)| allowed)));
    }
    message.replace("a boolean", "a boolean, true or false").replace("expected u32", "expected a number from 0 up")
}

/// Sets the key of a switch.
///
/// # Errors
/// Why the key or its value is wrong.
fn set_switch<R: FamilyRules>(given: &mut Map<String, Value>, (key, value): &(String, String)) -> Result<(), String> {
    set::<R>(given, &Map::from_iter([(key.clone(), switch_value(value))]), &[]).map_err(|refused| refused.message)
}

/// The value of a switch: JSON if it parses as JSON, a list if it has commas, else a string.
fn switch_value(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value) => value,
        Err(_) if text.contains(',') && !text.contains('(') => text.split(',').map(str::trim).collect(),
        Err(_) => Value::String(text.to_string()),
    }
}
