//! Ruleset files: JSON objects of keys, one family of games each, that may extend a ruleset of the catalog.
//!
//! This room reads what all families share; what the keys of a family mean is its own affair.

mod values;

pub(crate) use values::{BoardKey, OneOrMany, point_names};

use std::fmt;

use serde::de::{DeserializeOwned, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

use super::catalog;
use crate::geometry::{Board, Point, PointSet};

/// Why a ruleset is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RulesetError {
    #[error("{file}: {message}")]
    File { file: String, message: String },
    #[error("{file}: key '{key}': {message}")]
    Key { file: String, key: String, message: String },
}

impl RulesetError {
    /// A refused key of the file that `label` names.
    pub fn key(label: &str, key: &str, message: impl Into<String>) -> Self {
        RulesetError::Key { file: label.into(), key: key.into(), message: message.into() }
    }
}

/// The kinds of games that files describe.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    #[default]
    Hunt,
    Solitaire,
    TheGame,
    Goose,
}

/// As files write it.
impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// What a file says about itself.
#[derive(Clone, PartialEq, Debug)]
pub struct Heading {
    pub name: String,
    pub title: String,
    /// Where the rules come from.
    pub source: String,
    /// One sentence about the game.
    pub about: String,
}

impl Heading {
    /// Everything that `query rules` tells: the heading, then the rules in force.
    pub fn with_rules(&self, family: Family, fingerprint: u64, rules: &impl Serialize) -> Value {
        let mut data = Map::new();
        let mut put = |key: &str, value: Value| data.insert(key.to_owned(), value);
        put("name", self.name.clone().into());
        put("title", self.title.clone().into());
        put("family", family.to_string().into());
        put("about", self.about.clone().into());
        put("source", self.source.clone().into());
        put("fingerprint", format!("{fingerprint:016x}").into());
        if let Ok(Value::Object(rules)) = serde_json::to_value(rules) {
            data.extend(rules);
        }
        Value::Object(data)
    }
}

/// The rule keys of one family, all optional: a key that a file does not set keeps the value of the file it extends.
///
/// The type should deny unknown fields, so that the error lists the known ones.
pub(crate) trait FamilyKeys: DeserializeOwned + Default {
    const FAMILY: Family;

    /// Takes over every key that `other` sets.
    fn merge(&mut self, other: Self);

    /// What a key of a plain type may hold, for errors; the other types say so themselves.
    fn allowed(_key: &str) -> Option<&'static str> {
        None
    }
}

/// How many rulesets may stand on each other's shoulders.
const MAX_EXTENDS: usize = 8;

/// Reads a ruleset file with those that it extends, and sets the switches on top. `label` names the file in errors.
///
/// # Errors
/// The text is no JSON object, a key or value is unknown, the file has no valid name, or it is of another family.
pub(crate) fn read<K: FamilyKeys>(
    label: &str,
    text: &str,
    switches: &[(String, String)],
) -> Result<(Heading, K), RulesetError> {
    let mut own = read_chain::<K>(label, text, 0)?;
    for (key, value) in switches {
        if HEAD_KEYS.contains(&key.as_str()) {
            let message = "is no rule; a switch changes one of the rule keys";
            return Err(RulesetError::key(label, key, message));
        }
        own.keys.merge(read_key(label, key, switch_value(value), K::allowed(key))?);
    }
    Ok((own.head.heading(label)?, own.keys))
}

/// The family that a file or what it extends belongs to; files that name none are of the hunt family.
///
/// # Errors
/// The text is no JSON object, names an unknown family, or extends what is not in the catalog.
pub fn family(label: &str, text: &str) -> Result<Family, RulesetError> {
    Ok(family_of(label, text, 0)?.unwrap_or_default())
}

/// The text of a catalog ruleset.
///
/// # Errors
/// The name is unknown.
pub(crate) fn catalog_text(name: &str) -> Result<&'static str, RulesetError> {
    catalog::text(name).ok_or_else(|| RulesetError::File {
        file: name.into(),
        message: format!("unknown ruleset; known are {}", catalog::names().collect::<Vec<_>>().join(", ")),
    })
}

/// A stable hash of the canonical JSON of all rules in force; titles and sources do not count.
pub(crate) fn fingerprint(rules: &impl Serialize) -> u64 {
    fnv1a(serde_json::to_string(rules).unwrap_or_default().as_bytes())
}

/// The 64-bit FNV-1a hash, which is fixed for all time.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The names of a set of points, in board order.
pub(crate) fn names_of(board: &Board, set: PointSet<u128>) -> Vec<String> {
    set.iter().map(|point: Point| board.name(point)).collect()
}

/// The set of named points of a board, each named once.
///
/// # Errors
/// What is wrong with which name.
pub(crate) fn points_of(board: &Board, names: &[String]) -> Result<PointSet<u128>, String> {
    let mut set = PointSet::EMPTY;
    for name in names {
        let point = board.parse(name).ok_or_else(|| format!("'{name}' is not a point of the board"))?;
        if set.has(point) {
            return Err(format!("point '{name}' is listed twice"));
        }
        set = set.with(point);
    }
    Ok(set)
}

const HEAD_KEYS: [&str; 6] = ["name", "title", "extends", "source", "about", "family"];

/// The keys that every family has.
#[derive(Clone, Default, Deserialize)]
struct Head {
    name: Option<String>,
    title: Option<String>,
    extends: Option<String>,
    source: Option<String>,
    about: Option<String>,
    family: Option<Family>,
}

impl Head {
    fn merge(&mut self, other: Head) {
        macro_rules! take {
            ($($key:ident)*) => {$( if other.$key.is_some() { self.$key = other.$key; } )*};
        }
        take!(name title extends source about family);
    }

    fn heading(self, label: &str) -> Result<Heading, RulesetError> {
        let name = self.name.ok_or_else(|| RulesetError::key(label, "name", "is missing"))?;
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)) {
            let message = "letters, digits, '-', '_' and '.' are allowed, and no blanks";
            return Err(RulesetError::key(label, "name", message));
        }
        Ok(Heading {
            title: self.title.unwrap_or_else(|| name.clone()),
            name,
            source: self.source.unwrap_or_default(),
            about: self.about.unwrap_or_default(),
        })
    }
}

/// A file with what it inherits.
struct File<K> {
    head: Head,
    keys: K,
}

fn read_chain<K: FamilyKeys>(label: &str, text: &str, depth: usize) -> Result<File<K>, RulesetError> {
    let family = family_of(label, text, depth)?.unwrap_or_default();
    if family != K::FAMILY {
        let message = format!("{family} where {} is expected", K::FAMILY);
        return Err(RulesetError::key(label, "family", message));
    }
    let mut own = File { head: Head::default(), keys: K::default() };
    for (key, value) in entries(label, text)? {
        match HEAD_KEYS.contains(&key.as_str()) {
            true => own.head.merge(read_key(label, &key, value, Some(head_hint(&key)))?),
            false => own.keys.merge(read_key(label, &key, value, K::allowed(&key))?),
        }
    }
    if let Some(parent) = &own.head.extends {
        let inherited = read_chain::<K>(parent, parent_text(label, parent, depth)?, depth + 1)?;
        // What describes the parent does not describe the child.
        let mut keys = inherited.keys;
        keys.merge(own.keys);
        own = File { head: Head { family: own.head.family.or(inherited.head.family), ..own.head }, keys };
    }
    Ok(own)
}

fn family_of(label: &str, text: &str, depth: usize) -> Result<Option<Family>, RulesetError> {
    let mut head = Head::default();
    for (key, value) in entries(label, text)? {
        if HEAD_KEYS.contains(&key.as_str()) {
            head.merge(read_key(label, &key, value, Some(head_hint(&key)))?);
        }
    }
    match (head.family, &head.extends) {
        (None, Some(parent)) => family_of(parent, parent_text(label, parent, depth)?, depth + 1),
        (family, _) => Ok(family),
    }
}

fn parent_text(label: &str, parent: &str, depth: usize) -> Result<&'static str, RulesetError> {
    let unknown = |message: &str| RulesetError::key(label, "extends", format!("'{parent}' {message}"));
    if depth >= MAX_EXTENDS {
        return Err(unknown("closes a circle or makes the chain too long (8 rulesets at most)"));
    }
    catalog::text(parent).ok_or_else(|| unknown("is not a ruleset of the catalog"))
}

fn head_hint(key: &str) -> &'static str {
    if key == "family" { "hunt, solitaire, the_game or goose" } else { "a text" }
}

fn entries(label: &str, text: &str) -> Result<Vec<(String, Value)>, RulesetError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let refuse = |error: serde_json::Error| RulesetError::File { file: label.into(), message: error.to_string() };
    serde_json::from_str::<Entries>(text).map(|entries| entries.0).map_err(refuse)
}

/// The keys of a JSON object in their order, each at most once.
struct Entries(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor)
    }
}

struct EntriesVisitor;

impl<'de> Visitor<'de> for EntriesVisitor {
    type Value = Entries;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object of keys and values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
        let mut entries: Vec<(String, Value)> = Vec::new();
        while let Some((key, value)) = map.next_entry::<String, Value>()? {
            if entries.iter().any(|(earlier, _)| *earlier == key) {
                return Err(A::Error::custom(format!("key '{key}' stands twice")));
            }
            entries.push((key, value));
        }
        Ok(Entries(entries))
    }
}

/// One key by itself, so that an error can name it.
fn read_key<K: DeserializeOwned>(
    file: &str,
    key: &str,
    value: Value,
    allowed: Option<&str>,
) -> Result<K, RulesetError> {
    let hint = allowed.map_or_else(String::new, |allowed| format!("; allowed is {allowed}"));
    if value.is_null() {
        let message = format!("null is no value; leave the key out instead{hint}");
        return Err(RulesetError::key(file, key, message));
    }
    let object = Value::Object(Map::from_iter([(key.to_string(), value)]));
    K::deserialize(object).map_err(|error| RulesetError::key(file, key, format!("{error}{hint}")))
}

/// The value of a switch: JSON where it is JSON, a list where it has commas, else a string.
fn switch_value(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value) => value,
        Err(_) if text.contains(',') && !text.contains('(') => text.split(',').map(str::trim).collect(),
        Err(_) => Value::String(text.to_string()),
    }
}
