//! `engines.json`, the list of programs that cutechess keeps and tuning programs write for it.

use std::path::{Path, PathBuf};

use reynard_engine::files;
use serde::Deserialize;
use serde_json::{Value, json};

use super::engines::{protocol, restart};
use crate::tournament::spec::{EngineSpec, OptionValues, ProgramSpec};

/// A thousand engines with a hundred options each.
const MAX_BYTES: u64 = 64 << 20;

/// What matters here of a program; cutechess keeps more.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    #[serde(default)]
    name: String,
    command: PathBuf,
    #[serde(default)]
    working_directory: PathBuf,
    #[serde(default)]
    protocol: Option<String>,
    #[serde(default)]
    init_strings: Vec<String>,
    #[serde(default)]
    options: Vec<EntryOption>,
    #[serde(default)]
    restart: Option<String>,
}

#[derive(Deserialize)]
struct EntryOption {
    name: String,
    #[serde(default)]
    value: Value,
    #[serde(default)]
    default: Value,
}

/// The program of that name.
///
/// # Errors
/// The file is unreadable, holds no such program, or asks of it what cannot be honoured.
pub(super) fn find(path: &Path, name: &str) -> Result<EngineSpec, String> {
    let file = path.display();
    let text = files::read_text(path, MAX_BYTES).map_err(|error| format!("{file}: {}", error.reason()))?;
    let entries: Vec<Entry> = serde_json::from_str(&text).map_err(|error| format!("{file}: {error}"))?;
    let known: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
    let unknown = format!("{file} has no engine '{name}'; it has: {}", known.join(", "));
    let entry = entries.into_iter().find(|entry| entry.name == name).ok_or(unknown)?;
    entry.engine().map_err(|reason| format!("{file}: {reason}"))
}

impl Entry {
    fn engine(self) -> Result<EngineSpec, String> {
        let mut options = OptionValues::new();
        let is_set = |option: &EntryOption| !option.value.is_null() && option.value != option.default;
        options.extend(self.options.into_iter().filter(is_set).map(|option| (option.name, option.value)));
        for line in &self.init_strings {
            options.extend(init_option(line)?);
        }
        let program = ProgramSpec {
            command: self.command,
            dir: Some(self.working_directory).filter(|dir| !dir.as_os_str().is_empty()),
            protocol: self.protocol.as_deref().map(protocol).transpose()?.unwrap_or_default(),
            restart: self.restart.as_deref().map(restart).transpose()?.unwrap_or_default(),
            ..ProgramSpec::default()
        };
        Ok(EngineSpec { name: self.name, program: Some(program), options, ..EngineSpec::default() })
    }
}

/// The option that a line to the engine sets, to an empty text where nothing stands behind `value`; `None` for the word
/// that begins the protocol, and for an empty line.
fn init_option(line: &str) -> Result<Option<(String, Value)>, String> {
    let line = line.trim();
    if matches!(line, "" | "uci" | "ugi") {
        return Ok(None);
    }
    let setting = line.strip_prefix("setoption name ").ok_or_else(|| {
        format!(
            "the line '{line}' of initStrings cannot be sent; expected uci, ugi or setoption name NAME, with value VALUE \
             unless it is a button"
        )
    })?;
    let empty = || Some((setting.strip_suffix(" value")?, ""));
    let (name, value) = setting.split_once(" value ").or_else(empty).unwrap_or((setting, ""));
    Ok(Some((name.trim().to_owned(), json!(value.trim()))))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::tournament::spec::ProtocolName;

    #[test]
    fn what_tuning_programs_write_is_read() {
        let text = r#"[{"command": "./a", "name": "engine1", "protocol": "uci",
             "initStrings": ["uci", "setoption name Hash value 16.0", "setoption name Two Words value a b",
              "setoption name Clear Hash", "", "setoption name Book value "]},
            {"command": "b", "name": "engine2", "workingDirectory": "", "timeoutScaleFactor": 1,
             "options": [{"name": "A", "type": "spin", "default": 1, "value": 1}, {"name": "B", "value": true}]},
            {"command": "c", "name": "engine3", "initStrings": ["isready"]}]"#;
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        file.write_all(text.as_bytes()).expect("a file");
        let find = |name| find(file.path(), name);
        let first = find("engine1").expect("an engine");
        assert_eq!(first.program.map(|program| program.protocol), Some(ProtocolName::Uci));
        assert_eq!(
            Value::Object(first.options),
            json!({"Hash": "16.0", "Two Words": "a b", "Clear Hash": "", "Book": ""})
        );
        assert_eq!(Value::Object(find("engine2").expect("an engine").options), json!({"B": true}));
        assert!(find("engine3").expect_err("a line that cannot be sent").contains("isready"));
        assert!(find("engine4").expect_err("no such engine").contains("engine1, engine2"));
    }
}
