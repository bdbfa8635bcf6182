//! Settings in a file: options for the engine, and others on top for the role that it plays.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::path::Path;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, SerializeStruct, Serializer};
use serde_json::Value;
use thiserror::Error;

use super::options::{OptionKind, Options, RULE_SWITCHES, RULES_FILE, RULESET, TABLE_PATH};
use super::registry::{self, OpenError};

/// Option names with their values.
pub(crate) type Pairs = Vec<(String, String)>;

/// Options in their canonical spelling, each at most once.
///
/// ```
/// use reynard::api::engine::options_file::OptionsFile;
/// let text = r#"{"options": {"hash": 16}, "as": {"fox": {"Searcher": "mcts"}}}"#;
/// let file = OptionsFile::from_text("my.json", text)?;
/// assert_eq!(file.options, [("Hash".to_owned(), "16".to_owned())]);
/// assert_eq!(file.by_role["fox"], [("Searcher".to_owned(), "mcts".to_owned())]);
/// # Ok::<(), reynard::api::engine::options_file::OptionsFileError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OptionsFile {
    /// What people should know about it.
    pub about: String,
    pub options: Pairs,
    /// Set on top of `options` while that role is to move; see [`Session::role`](super::Session::role).
    pub by_role: BTreeMap<String, Pairs>,
}

/// Why a file does not hold options.
#[derive(Debug, Error)]
pub enum OptionsFileError {
    #[error(transparent)]
    Read(#[from] OpenError),
    /// No JSON, or not of the right shape.
    #[error("{file}: {message}")]
    Shape { file: String, message: String },
    /// `key` is the path to the object, for example `as.fox`.
    #[error("{file}: {key}: {message}")]
    Entry { file: String, key: String, message: String },
}

/// Whether this option chooses the rules, by name or alias in any case; such options cannot differ by role.
pub(crate) fn is_rules_option(name: &str) -> bool {
    let is = |known: &str| known.eq_ignore_ascii_case(name);
    [RULESET, RULE_SWITCHES, RULES_FILE].into_iter().any(is) || is("Ruleset")
}

impl OptionsFile {
    /// Reads a file; a relative path in its `RulesFile` or `TablePath` starts at the file's own folder.
    ///
    /// # Errors
    /// No readable file of reasonable size, or not as [`from_text`](OptionsFile::from_text) wants it.
    pub fn read(path: &Path) -> Result<Self, OptionsFileError> {
        let mut file = Self::from_text(&path.display().to_string(), &registry::read_file(path)?)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let is_path = |name: &str| name == RULES_FILE || name == TABLE_PATH;
        let by_role = file.by_role.values_mut().flatten();
        let pairs = file.options.iter_mut().chain(by_role);
        for (_, value) in pairs.filter(|(name, value)| is_path(name) && !value.is_empty()) {
            *value = folder.join(&*value).display().to_string();
        }
        Ok(file)
    }

    /// Reads JSON text; `name` is what errors call it.
    ///
    /// # Errors
    /// No such JSON, an unknown key, option or role, a value that the option does not allow, an option twice, or a
    /// rules option for one role only.
    pub fn from_text(name: &str, text: &str) -> Result<Self, OptionsFileError> {
        let raw: Raw = serde_json::from_str(text)
            .map_err(|error| OptionsFileError::Shape { file: name.to_owned(), message: error.to_string() })?;
        let known = registry::default_options();
        let refuse = |key: &str| {
            let (file, key) = (name.to_owned(), key.to_owned());
            move |message| OptionsFileError::Entry { file, key, message }
        };
        let options = canonical(raw.options, &known).map_err(refuse("options"))?;
        let mut by_role = BTreeMap::new();
        for (role, entries) in raw.by_role.0 {
            let key = format!("as.{role}");
            check_role(&role).map_err(refuse(&key))?;
            let pairs = canonical(entries, &known).and_then(without_rules).map_err(refuse(&key))?;
            if by_role.insert(role, pairs).is_some() {
                return Err(refuse(&key)("the role stands there twice".to_owned()));
            }
        }
        Ok(OptionsFile { about: raw.about, options, by_role })
    }

    /// The file as JSON, keys in the order given.
    pub fn to_text(&self) -> String {
        // Strings, numbers and maps with text keys can always be written.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// The first option among `options` that chooses the rules, for places where the rules are chosen elsewhere.
    pub fn rules_option(&self) -> Option<&str> {
        self.options.iter().map(|(name, _)| name.as_str()).find(|name| is_rules_option(name))
    }
}

/// The roles of the family, and `p1`, `p2`, ... for other games.
fn check_role(role: &str) -> Result<(), String> {
    match role.as_bytes() {
        b"fox" | b"geese" | [b'p', b'1'..=b'8'] => Ok(()),
        _ => Err(format!("unknown role '{role}'; expected fox, geese, or p1, p2, ... in games without them")),
    }
}

/// Options with names and values as the engine writes them.
fn canonical(entries: Entries, known: &Options) -> Result<Pairs, String> {
    let mut options = known.clone();
    let mut pairs: Pairs = Vec::new();
    for (name, value) in entries.0 {
        options.set(&name, Some(&text_of(&name, value)?)).map_err(|error| error.to_string())?;
        let spec = options.spec(&name).map_err(|error| error.to_string())?;
        if spec.kind == OptionKind::Button {
            return Err(format!("option {}: a button has no value to keep", spec.name));
        }
        if pairs.iter().any(|(known, _)| *known == spec.name) {
            return Err(format!("option {} stands there twice", spec.name));
        }
        pairs.push((spec.name.clone(), options.value(&name).to_owned()));
    }
    Ok(pairs)
}

fn text_of(name: &str, value: Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(on) => Ok(on.to_string()),
        other => Err(format!("option {name}: {other} is not allowed; expected a text, a number, true or false")),
    }
}

fn without_rules(pairs: Pairs) -> Result<Pairs, String> {
    match pairs.iter().find(|(name, _)| is_rules_option(name)) {
        Some((name, _)) => Err(format!("option {name}: both roles play by the same rules; set it under 'options'")),
        None => Ok(pairs),
    }
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    #[serde(default)]
    about: String,
    #[serde(default)]
    options: Entries,
    #[serde(default, rename = "as")]
    by_role: Listed<Entries>,
}

type Entries = Listed<Value>;

/// The entries of an object in their order: a map would hide that a key stands there twice.
struct Listed<V>(Vec<(String, V)>);

impl<V> Default for Listed<V> {
    fn default() -> Self {
        Listed(Vec::new())
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Listed<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Lister(PhantomData))
    }
}

struct Lister<V>(PhantomData<V>);

impl<'de, V: Deserialize<'de>> Visitor<'de> for Lister<V> {
    type Value = Listed<V>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Listed<V>, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Listed(entries))
    }
}

impl Serialize for OptionsFile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let by_role: BTreeMap<_, _> = self.by_role.iter().map(|(role, pairs)| (role, Written(pairs))).collect();
        let mut file = serializer.serialize_struct("OptionsFile", 3)?;
        if !self.about.is_empty() {
            file.serialize_field("about", &self.about)?;
        }
        file.serialize_field("options", &Written(&self.options))?;
        if !by_role.is_empty() {
            file.serialize_field("as", &by_role)?;
        }
        file.end()
    }
}

/// Pairs as an object, numbers and truths without quotation marks.
struct Written<'a>(&'a Pairs);

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, text) in self.0 {
            match (text.parse::<i64>(), text.parse::<bool>()) {
                (Ok(number), _) if number.to_string() == *text => map.serialize_entry(name, &number)?,
                (_, Ok(on)) => map.serialize_entry(name, &on)?,
                _ => map.serialize_entry(name, text)?,
            }
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<OptionsFile, String> {
        OptionsFile::from_text("f.json", text).map_err(|error| error.to_string())
    }

    #[test]
    fn names_and_values_become_canonical_and_keep_their_order() {
        let file = read(
            r#"{"about": "A.", "options": {"searcher": "MCTS", "hash": 16, "ponder": true, "ruleset": "Bell-13"},
                "as": {"geese": {"evalfoxstep": "7"}, "p2": {}}}"#,
        )
        .unwrap();
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let expected =
            [pair("Searcher", "mcts"), pair("Hash", "16"), pair("Ponder", "true"), pair("UCI_Variant", "bell-13")];
        assert_eq!(file.options, expected);
        assert_eq!(file.rules_option(), Some("UCI_Variant"));
        assert_eq!(file.by_role.len(), 2);
    }

    #[test]
    fn what_is_written_is_read_again() {
        let text =
            r#"{"options": {"Hash": 16, "RuleSwitches": "chain=false", "Ponder": false}, "as": {"fox": {"Seed": 3}}}"#;
        let file = read(text).unwrap();
        assert_eq!(read(&file.to_text()), Ok(file.clone()));
        assert_eq!(serde_json::to_string(&file).unwrap(), text.replace(": ", ":").replace(", ", ","));
    }

    #[test]
    fn errors_name_file_key_and_what_is_allowed() {
        for (text, words) in [
            ("{", &["f.json", "EOF"][..]),
            (r#"{"option": {}}"#, &["f.json", "`option`", "`options`"]),
            (r#"{"options": {"Hsah": 1}}"#, &["f.json: options: ", "'Hsah'"]),
            (r#"{"options": {"Hash": 0}}"#, &["options: option Hash: '0'", "from 1 to"]),
            (r#"{"options": {"Hash": 1.5}}"#, &["option Hash: '1.5'", "an integer"]),
            (r#"{"options": {"Hash": [1]}}"#, &["option Hash: [1]", "a number"]),
            (r#"{"options": {"Hash": 1, "hash": 1}}"#, &["option Hash", "twice"]),
            (r#"{"options": {"Hash": 1, "Hash": 1}}"#, &["option Hash", "twice"]),
            (r#"{"options": {"Clear Hash": ""}}"#, &["option Clear Hash", "button"]),
            (r#"{"as": {"foxes": {}}}"#, &["as.foxes: ", "fox, geese"]),
            (r#"{"as": {"fox": {}, "fox": {}}}"#, &["as.fox: ", "twice"]),
            (r#"{"as": {"fox": {"ruleset": "bell-13"}}}"#, &["as.fox: option UCI_Variant", "'options'"]),
            (r#"{"as": {"fox": {"RuleSwitches": ""}}}"#, &["as.fox: option RuleSwitches"]),
        ] {
            let error = read(text).unwrap_err();
            assert!(words.iter().all(|word| error.contains(word)), "{text}: {error}");
        }
    }

    #[test]
    fn a_rules_file_is_looked_for_beside_the_options() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("options.json");
        std::fs::write(&path, r#"{"options": {"RulesFile": "mine.json"}}"#).unwrap();
        let file = OptionsFile::read(&path).unwrap();
        assert_eq!(file.options[0].1, folder.path().join("mine.json").display().to_string());
        let error = OptionsFile::read(folder.path()).unwrap_err().to_string();
        assert!(error.contains(&folder.path().display().to_string()), "{error}");
    }
}
