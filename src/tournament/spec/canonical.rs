//! What of a spec can change a game or a result, as the head of the journal keeps it.

use serde_json::{Map, Value, json};

use super::{EngineSpec, TournamentSpec};
use crate::tournament::arena::{EngineConfig, OptionPairs};
use crate::tournament::header::RulesetHeader;
use crate::tournament::tables::Coverage;

/// Keys that change no game (how fast, where and with how many words it is played), or that are written anew.
const LEFT_OUT: [&str; 9] =
    ["about", "games", "limits", "engines", "rulesets", "tables", "concurrency", "affinity", "events"];

/// The spec with files replaced by what they hold and shared settings by what every engine has; `fingerprint` is that
/// of an external program's file. Of tables, which hold the truth, it is enough to say which they are.
pub(super) fn value(
    spec: &TournamentSpec,
    engines: &[EngineConfig],
    rulesets: &[RulesetHeader],
    opening_contents: Option<(u64, u32)>,
    tables: &[Coverage],
    fingerprint: impl Fn(&EngineConfig) -> Option<String>,
) -> Value {
    let plain = TournamentSpec { pairs: Some(spec.pair_count()), games: None, ..spec.clone() };
    // A spec is plain data, which always can be written.
    let mut value = serde_json::to_value(&plain).unwrap_or_default();
    if let Value::Object(object) = &mut value {
        object.retain(|key, _| !LEFT_OUT.contains(&key.as_str()) && key != "on_forfeit");
    }
    value["rulesets"] = rulesets.iter().map(ruleset).collect();
    value["engines"] = spec
        .engines
        .iter()
        .zip(engines)
        .map(|(spec, engine)| self::engine(spec, engine, fingerprint(engine)))
        .collect();
    if spec.is_played_by_tables() {
        value["tables"] = json!(tables);
    }
    if let Some((openings, checksum)) = opening_contents {
        value["openings"] = json!({ "kind": "file", "openings": openings, "crc": format!("{checksum:08x}") });
    }
    value
}

fn ruleset(header: &RulesetHeader) -> Value {
    json!({ "name": header.label, "fingerprint": header.fingerprint })
}

fn engine(spec: &EngineSpec, engine: &EngineConfig, fingerprint: Option<String>) -> Value {
    let mut value = json!({ "name": engine.name, "options": pairs(&engine.options), "limits": engine.limits });
    if let Some(program) = &spec.program {
        value["program"] = json!(program);
        if let Some(checksum) = fingerprint {
            value["program"]["crc"] = json!(checksum);
        }
    }
    if !engine.by_role.is_empty() {
        value["as"] = engine.by_role.iter().map(|(role, options)| (role.clone(), pairs(options))).collect();
    }
    value
}

fn pairs(options: &OptionPairs) -> Value {
    Value::Object(options.iter().map(|(name, value)| (name.clone(), json!(value))).collect::<Map<_, _>>())
}
