//! Settings in a file: options for the engine, and options that replace them while one role is to move.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};
use thiserror::Error;

use super::options::{
    EVAL_FILE, OptionKind, Options, RULES_FILE, RULES_OPTIONS, TABLE_PATH, WeightsSource, is_rules_option,
};
use super::registry::{self, OpenError};
use crate::rules::ruleset::unique;

/// Option names with their values.
pub(crate) type Pairs = Vec<(String, String)>;

/// The options of a file, in canonical spelling, each at most once.
///
/// ```
/// use reynard_engine::session::OptionsFile;
/// let text = r#"{"options": {"hash": 16}, "as": {"fox": {"Searcher": "mcts"}}}"#;
/// let file = OptionsFile::from_text("my.json", text)?;
/// assert_eq!(file.options, [("Hash".to_owned(), "16".to_owned())]);
/// assert_eq!(file.by_role["fox"], [("Searcher".to_owned(), "mcts".to_owned())]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OptionsFile {
    /// A note for people.
    pub about: String,
    /// Names with values, in force for every role.
    pub options: Pairs,
    /// For each role, names with values that replace those of `options` while the role is to move; see
    /// [`GameInfo::role`](crate::rules::GameInfo::role).
    pub by_role: BTreeMap<String, Pairs>,
}

/// Why a file of options was refused.
#[derive(Debug, Error)]
pub enum OptionsFileError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] OpenError),
    /// The text is no JSON, or something in it is not allowed; `key` is the path to it, for example `as.fox`.
    #[error("{file}: {key}: {message}")]
    Key {
        /// The file.
        file: String,
        /// The path of the key in it.
        key: String,
        /// What is wrong.
        message: String,
    },
}

/// The name used in place of a key in errors about the file as a whole.
const WHOLE_FILE: &str = "options file";

impl OptionsFile {
    /// Reads a file; relative paths in its `RulesFile`, `TablePath` or `EvalFile` start at the file's own folder.
    ///
    /// # Errors
    /// There is no readable file of reasonable size, or [`from_text`](OptionsFile::from_text) refuses its text.
    pub fn read(path: &Path) -> Result<Self, OptionsFileError> {
        let mut file = Self::from_text(&path.display().to_string(), &registry::read_file(path)?)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let is_path = |name: &str, value: &str| match name {
            RULES_FILE | TABLE_PATH => !value.is_empty(),
            EVAL_FILE => WeightsSource::of(value).is_file(),
            _ => false,
        };
        let by_role = file.by_role.values_mut().flatten();
        for (_, value) in file.options.iter_mut().chain(by_role).filter(|(name, value)| is_path(name, value)) {
            *value = folder.join(&*value).display().to_string();
        }
        Ok(file)
    }

    /// The options that choose the rules, in the order in which they are to be set.
    pub fn rules(&self) -> impl Iterator<Item = &(String, String)> {
        RULES_OPTIONS.into_iter().filter_map(|wanted| self.options.iter().find(|(name, _)| name == wanted))
    }

    /// Reads options from JSON text; errors call it `name`.
    ///
    /// # Errors
    /// The text is not such JSON, has an unknown key, option or role, a value that the option does not allow, an option
    /// twice, or an option that chooses the rules for one role only.
    pub fn from_text(name: &str, text: &str) -> Result<Self, OptionsFileError> {
        let refuse = |key: &str| {
            let file = name.to_owned();
            let key = key.to_owned();
            move |message| OptionsFileError::Key { file, key, message }
        };
        let mut json = serde_json::Deserializer::from_str(text);
        let raw: Raw = serde_path_to_error::deserialize(&mut json).map_err(|error| match error.path().to_string() {
            path if path == "." || path == "?" => refuse(WHOLE_FILE)(error.inner().to_string()),
            // Serde's message about an unknown key already names the key.
            path if error.inner().to_string().starts_with(&format!("unknown field `{path}`")) => {
                refuse(WHOLE_FILE)(error.inner().to_string())
            }
            path => refuse(&path)(error.inner().to_string()),
        })?;
        json.end().map_err(|error| refuse(WHOLE_FILE)(error.to_string()))?;
        let known = registry::default_options();
        let options = canonical(raw.options, &known).map_err(refuse("options"))?;
        let mut by_role = BTreeMap::new();
        for (role, values) in raw.by_role {
            let key = format!("as.{role}");
            check_role(&role).map_err(refuse(&key))?;
            let pairs = canonical(values, &known).and_then(without_rules).map_err(refuse(&key))?;
            by_role.insert(role, pairs);
        }
        Ok(OptionsFile { about: raw.about, options, by_role })
    }
}

/// Returns an error for a word that is no role: neither `fox`, `geese` nor `p1`, `p2`, ...
fn check_role(role: &str) -> Result<(), String> {
    match role.as_bytes() {
        b"fox" | b"geese" | [b'p', b'1'..=b'8'] => Ok(()),
        _ => Err(format!("unknown role '{role}'; expected fox, geese, or p1, p2, ... in games without them")),
    }
}

/// Checks options and returns them with names and values in canonical spelling.
fn canonical(values: Map<String, Value>, known: &Options) -> Result<Pairs, String> {
    let mut options = known.clone();
    let mut pairs: Pairs = Vec::new();
    for (name, value) in values {
        options.set(&name, Some(&text_of(&name, value)?)).map_err(|error| error.to_string())?;
        let spec = options.spec(&name).map_err(|error| error.to_string())?;
        if spec.kind == OptionKind::Button {
            return Err(format!("option {}: a button has no value to keep", spec.name));
        }
        if pairs.iter().any(|(known, _)| *known == spec.name) {
            return Err(format!("option {}: {}", spec.name, unique::TWICE));
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    #[serde(default)]
    about: String,
    #[serde(default, deserialize_with = "unique::map")]
    options: Map<String, Value>,
    #[serde(default, rename = "as", deserialize_with = "unique::map_of_maps")]
    by_role: BTreeMap<String, Map<String, Value>>,
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
        assert!(file.options.iter().any(|(name, _)| is_rules_option(name)));
        assert_eq!(file.by_role.len(), 2);
    }

    #[test]
    fn errors_name_file_key_and_what_is_allowed() {
        for (text, words) in [
            ("{", &["f.json: options file: ", "EOF"][..]),
            (r#"{"option": {}}"#, &["f.json", "`option`", "`options`"]),
            (r#"{"opt": {}}"#, &["f.json: options file: unknown field `opt`"]),
            (r#"{"options": {"Hsah": 1}}"#, &["f.json: options: ", "'Hsah'"]),
            (r#"{"options": {"Hash": 0}}"#, &["options: option Hash: '0'", "from 1 to"]),
            (r#"{"options": {"Hash": 1.5}}"#, &["option Hash: '1.5'", "an integer"]),
            (r#"{"options": {"Hash": [1]}}"#, &["option Hash: [1]", "a number"]),
            (r#"{"options": {"Hash": 1, "hash": 1}}"#, &["option Hash: this key is given twice"]),
            (r#"{"options": {"Hash": 1, "Hash": 1}}"#, &["options.Hash: this key is given twice"]),
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
