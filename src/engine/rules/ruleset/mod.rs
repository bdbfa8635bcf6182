//! Rulesets as data: JSON objects with the keys of one family of games; a ruleset may extend one of the catalog.
//!
//! Each family has one struct for its keys, which is read from files, used by the game, printed by `rules show` and
//! hashed by the fingerprint. To add a key, add a field and its default to that struct, beside the checks of the
//! family: inheritance, switches, errors and output follow. The name of a new field belongs into `FamilyRules::ADDED`, so
//! that the fingerprints of rulesets without it stay the same.

mod file;
pub mod schema;
pub mod unique;
mod values;

use std::fmt;
use std::ops::Deref;

use file::Keys;
pub use file::family;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use thiserror::Error;
pub(crate) use values::{
    Number, NumberByPoint, NumberOrAuto, OneOrMany, Plain, PointList, Points, RulesetBoard, key_enum,
};

use super::catalog;

/// Why a ruleset is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{file}: {}{message}", .key.as_ref().map(|key| format!("key '{key}': ")).unwrap_or_default())]
pub struct RulesetError {
    /// The file, or the name of a catalog ruleset.
    pub file: String,
    /// The key in question; `None` if the text cannot be read as a ruleset, or there is no ruleset of that name.
    pub key: Option<String>,
    /// What is wrong. It ends with the place of the key: line and column, or the switch.
    pub message: String,
    /// Where in the text of the file the error is, as far as that is known.
    pub place: Option<Place>,
}

/// A place in a text; both counts begin with 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The line of the text.
    pub line: usize,
    /// The character of the line.
    pub column: usize,
}

/// A refused key and the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefusedKey {
    /// The name of the key.
    pub key: String,
    /// Why it is refused.
    pub message: String,
}

impl RefusedKey {
    pub(crate) fn new(key: &str, message: impl Into<String>) -> Self {
        RefusedKey { key: key.to_owned(), message: message.into() }
    }
}

/// Returns an error about a key if `wrong` holds.
///
/// # Errors
/// `wrong` holds.
pub(crate) fn refuse_if(wrong: bool, key: &str, message: impl Into<String>) -> Result<(), RefusedKey> {
    if wrong { Err(RefusedKey::new(key, message)) } else { Ok(()) }
}

/// The kinds of games that files describe.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// Fox & Geese and its sieges.
    #[default]
    Hunt,
    /// Peg solitaire.
    Solitaire,
    /// The Game, on a square grid.
    TheGame,
    /// The Game of the Goose.
    Goose,
}

/// Writes the family as ruleset files do.
impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// The name and origin of a ruleset.
#[derive(Clone, PartialEq, Debug)]
pub struct Heading {
    /// The name by which it is chosen.
    pub name: String,
    /// What people call the game.
    pub title: String,
    /// The catalog ruleset that it extends.
    pub extends: Option<String>,
    /// Where the rules come from.
    pub source: String,
    /// One sentence about the game.
    pub about: String,
    /// The file of learned weights, relative to the folder of the ruleset's own file.
    pub weights: Option<String>,
}

/// The keys of one family with their values; the fields have the names that files use.
///
/// The type has `#[serde(default, deny_unknown_fields)]`: a key absent from a file has its value in the ruleset that
/// the file extends, or the default.
pub trait FamilyRules: Serialize + DeserializeOwned + JsonSchema + Default {
    /// The family whose keys these are.
    const FAMILY: Family;

    /// Alternative names of keys, each with the key's canonical name.
    const ALIASES: &'static [(&'static str, &'static str)] = &[];

    /// Keys that are newer than tables and journals: a fingerprint knows only those that differ from their default.
    const ADDED: &'static [&'static str] = &[];

    /// Works out what depends on other keys, and refuses keys that contradict each other; `given` has the keys that the
    /// files and switches set.
    ///
    /// # Errors
    /// The key that should be changed, and why.
    fn settle(ruleset: &mut Ruleset<Self>, given: &Map<String, Value>) -> Result<(), RefusedKey>;
}

/// A complete and consistent ruleset of one family.
///
/// ```
/// use reynard_engine::rules::hunt::Ruleset;
/// let ruleset = Ruleset::from_catalog("masters-15", &[("geese".to_owned(), "13".to_owned())])?;
/// assert_eq!(ruleset.rules.geese.len(), 13);
/// let own = Ruleset::from_text("own.json", r#"{"name": "own", "chain": 1}"#, &[]);
/// assert!(own.unwrap_err().to_string().contains("line 1, column 17"));
/// # Ok::<(), reynard_engine::rules::ruleset::RulesetError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Ruleset<R> {
    /// The name of the ruleset and its origin.
    pub heading: Heading,
    /// The keys of its family.
    pub rules: R,
}

impl<R> Deref for Ruleset<R> {
    type Target = R;

    fn deref(&self) -> &R {
        &self.rules
    }
}

impl<R: FamilyRules> Ruleset<R> {
    /// Reads a ruleset file, which may extend one of the catalog. `label` names the file in errors; `switches` are keys
    /// and values set on top.
    ///
    /// # Errors
    /// The text is no JSON object, a key or value is unknown, or keys contradict each other; the error names file, key,
    /// place and what is allowed.
    pub fn from_text(label: &str, text: &str, switches: &[(String, String)]) -> Result<Self, RulesetError> {
        file::read(label, text, switches)
    }

    /// A ruleset of the catalog by name, with switches on top.
    ///
    /// # Errors
    /// The name is unknown, or a switch is refused as by [`from_text`](Ruleset::from_text).
    pub fn from_catalog(name: &str, switches: &[(String, String)]) -> Result<Self, RulesetError> {
        Ruleset::from_text(name, catalog_text(name)?, switches)
    }

    /// A stable hash of the canonical JSON of all rules in force; titles and sources do not count.
    pub fn fingerprint(&self) -> u64 {
        fingerprint(&self.rules)
    }

    /// The JSON Schema of files with rules of this family.
    pub(crate) fn file_schema() -> Value {
        schema::of_files::<R>()
    }

    /// The reply to `query rules`: the heading, then the rules in force.
    pub(crate) fn to_json(&self) -> Value {
        let Heading { name, title, extends, source, about, .. } = &self.heading;
        let fingerprint = format!("{:016x}", self.fingerprint());
        let mut data = json!({
            "name": name, "title": title, "family": R::FAMILY, "about": about, "source": source,
            "fingerprint": fingerprint,
        });
        if let (Value::Object(data), Ok(Value::Object(rules))) = (&mut data, serde_json::to_value(&self.rules)) {
            data.extend(rules);
        }
        if let Some(extends) = extends {
            data["extends"] = json!(extends);
        }
        data
    }
}

/// A stable hash of the canonical JSON of rules.
pub(crate) fn fingerprint<R: FamilyRules>(rules: &R) -> u64 {
    let [mut keys, defaults] = [rules, &R::default()].map(|rules| serde_json::to_value(rules).unwrap_or_default());
    if let Some(keys) = keys.as_object_mut() {
        keys.retain(|key, value| !R::ADDED.contains(&key.as_str()) || *value != defaults[key]);
    }
    fnv1a(keys.to_string().as_bytes())
}

/// The 64-bit FNV-1a hash, which is fixed for all time.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The text of a catalog ruleset.
///
/// # Errors
/// The name is unknown.
pub(crate) fn catalog_text(name: &str) -> Result<&'static str, RulesetError> {
    catalog::text(name).ok_or_else(|| {
        let hint = did_you_mean(name, catalog::all_names());
        let known = catalog::all_names().collect::<Vec<_>>().join(", ");
        let message = format!("unknown ruleset{hint}; known are {known}");
        RulesetError { file: name.into(), key: None, message, place: None }
    })
}

/// A hint such as ` (did you mean 'masters-15'?)` with the nearest of the known words; empty if none is near.
pub(super) fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    const NEAR: f64 = 0.8;
    let word = word.to_lowercase();
    let rated: Vec<_> = known.into_iter().map(|known| (strsim::jaro_winkler(&word, known), known)).collect();
    let highest = rated.iter().fold(NEAR, |highest, &(likeness, _)| highest.max(likeness));
    let nearest: Vec<String> =
        rated.iter().filter(|(likeness, _)| *likeness >= highest).map(|(_, known)| format!("'{known}'")).collect();
    if nearest.is_empty() { String::new() } else { format!(" (did you mean {}?)", nearest.join(" or ")) }
}
