//! Under what conditions the games were played, as far as the journal tells.

use jiff::Timestamp;
use maud::{Markup, html};
use reynard_engine::session::registry;
use serde_json::{Map, Value, json};

use crate::tournament::header::{EngineHead, JournalHeader};
use crate::tournament::journal::Archive;
use crate::tournament::record::GameTimes;
use crate::tournament::report::text::machines;
use crate::tournament::report::text_table::TextTable;

/// The beginnings of the first and the last game.
#[derive(Clone, Copy, Default)]
pub(super) struct Period(Option<[u64; 2]>);

impl Period {
    pub(super) fn add(&mut self, times: &GameTimes) {
        if let Some(ms) = times.started() {
            let [first, last] = self.0.unwrap_or([ms; 2]);
            self.0 = Some([first.min(ms), last.max(ms)]);
        }
    }

    /// Both as UTC; `None` where the games have no times.
    fn text(self) -> Option<String> {
        let date = |ms: u64| Timestamp::from_millisecond(i64::try_from(ms).ok()?).ok();
        let [first, last] = self.0?.map(date);
        Some(format!("{:.0} to {:.0}, when the first and the last game began", first?, last?))
    }
}

/// The spec with its engines, version and dates, and the spec itself as the journal has it.
pub(super) fn conditions(archive: &Archive, played: Period) -> Markup {
    let header = &archive.header;
    html! {
        (general(archive, played).html())
        (engines(header).html())
        details {
            summary { h2 { "Spec" } }
            pre { (format!("{:#}", json!(header.played))) }
        }
    }
}

/// Every key of the spec but the engines, who are told apart.
fn general(archive: &Archive, played: Period) -> TextTable {
    let header = &archive.header;
    let mut rows = vec![("program", header.program.clone())];
    rows.extend(machines(archive).map(|machine| ("machine", machine)));
    rows.extend(played.text().map(|text| ("played", text)));
    let played = json!(header.played);
    let keys = played.as_object().into_iter().flatten();
    rows.extend(keys.filter(|(key, _)| *key != "engines").map(|(key, value)| (key.as_str(), text(value))));
    let what = |row: &(&str, String)| row.0.to_owned();
    let note = "As the head of the journal has them; machines are all on which games were played.";
    TextTable::of("Conditions", rows, &[("<What", &what), ("<Value", &|(_, value)| value.clone())]).with_note(note)
}

fn engines(header: &JournalHeader) -> TextTable {
    TextTable::of(
        "Engines",
        &header.played.games().engines,
        &[
            ("<Engine", &|engine| engine.name.clone()),
            ("<Program", &|engine| {
                engine.program.as_ref().map_or("in this process".to_owned(), |program| text(&json!(program)))
            }),
            ("<Limits", &|engine| engine.limits.map_or("n/a".to_owned(), |limits| limits.to_string())),
            ("<Options", &|engine| changed(engine)),
        ],
    )
    .with_note("Of engines of this program the options that differ from their defaults, of others all that were set.")
}

/// The options that differ from their defaults; all of them where these are not known.
fn changed(engine: &EngineHead) -> String {
    let known = engine.program.is_none().then(registry::default_options);
    let is_changed =
        |name: &str, value: &Value| known.as_ref().is_none_or(|known| Some(known.value(name)) != value.as_str());
    let pairs = |options: &Map<String, Value>| -> Vec<String> {
        let changed = options.iter().filter(|(name, value)| is_changed(name, value));
        changed.map(|(name, value)| format!("{name}={}", text(value))).collect()
    };
    let mut all = pairs(&engine.options);
    for (role, options) in &engine.by_role {
        all.extend(options.as_object().map(pairs).unwrap_or_default().iter().map(|pair| format!("as {role}: {pair}")));
    }
    all.join(", ")
}

/// JSON for people: no quotation marks around a text, no braces around a list of keys.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(keys) => {
            keys.iter().map(|(key, value)| format!("{key} {}", text(value))).collect::<Vec<_>>().join(", ")
        }
        Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join("; "),
        other => other.to_string(),
    }
}
