//! The canonical form of a resolved spec, for the journal's header.

use serde_json::{Value, json};

use super::fingerprints;
use crate::tournament::header::RulesetHeader;
use crate::tournament::openings::OpeningBook;
use crate::tournament::resolved::{EngineConfig, OptionPairs};
use crate::tournament::spec::{EngineSpec, Openings, TournamentSpec};
use crate::tournament::tables::Coverage;

/// The spec with files replaced by what they hold, shared settings by what every engine has, and without anything that
/// changes no game: how fast, where and with how many words it is played. Two tournaments with the same are the same.
pub(super) fn spec(
    spec: &TournamentSpec,
    engines: &[EngineConfig],
    rulesets: &[RulesetHeader],
    book: &OpeningBook,
    tables: &[Coverage],
) -> Value {
    let mut canonical = json!({
        "name": spec.name,
        "format": spec.format,
        "pairs": spec.pair_count(),
        "rounds": spec.rounds,
        "sprt": spec.sprt,
        "openings": openings(&spec.openings, book),
        "time_margin_ms": spec.time_margin_ms,
        "seed": spec.seed,
        "max_plies": spec.max_plies,
        "adjudication": spec.adjudication,
        "supervision": spec.supervision,
        "rulesets": rulesets.iter().map(ruleset).collect::<Value>(),
        "engines": spec.engines.iter().zip(engines).map(engine).collect::<Value>(),
        // Of tables, which hold the truth, it is enough to say which they are.
        "tables": spec.is_played_by_tables().then_some(tables),
    });
    if let Some(keys) = canonical.as_object_mut() {
        keys.retain(|_, value| !value.is_null());
    }
    canonical
}

/// Of a file, what it holds, in the order of play.
fn openings(openings: &Openings, book: &OpeningBook) -> Value {
    match book {
        OpeningBook::File(book) => {
            json!({"kind": "file", "openings": book.len(), "crc": format!("{:08x}", book.checksum())})
        }
        _ => json!(openings),
    }
}

fn ruleset(header: &RulesetHeader) -> Value {
    json!({"name": header.label, "fingerprint": header.fingerprint})
}

fn engine((spec, engine): (&EngineSpec, &EngineConfig)) -> Value {
    let mut canonical = json!({"name": engine.name, "options": values(&engine.options), "limits": engine.limits});
    if let Some(program) = &spec.program {
        canonical["program"] = json!(program);
    }
    if let Some(crc) = fingerprints::engine(engine) {
        canonical["program"]["crc"] = crc.into();
    }
    if let Some(margin) = spec.time_margin_ms {
        canonical["time_margin_ms"] = margin.into();
    }
    if !engine.by_role.is_empty() {
        canonical["as"] = engine.by_role.iter().map(|(role, options)| (role.as_str(), values(options))).collect();
    }
    canonical
}

fn values(options: &OptionPairs) -> Value {
    options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}
