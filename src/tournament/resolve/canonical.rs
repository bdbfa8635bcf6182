//! The canonical form of a resolved spec.

use serde_json::Value;

use super::fingerprints;
use crate::tournament::canonical::{
    CanonicalEngine, CanonicalOpenings, CanonicalProgram, CanonicalRuleset, CanonicalSpec, Coverage,
};
use crate::tournament::header::RulesetHeader;
use crate::tournament::openings::OpeningBook;
use crate::tournament::resolved::{EngineConfig, OptionPairs};
use crate::tournament::spec::{EngineSpec, Openings, OptionValues, TournamentSpec};

pub(super) fn spec(
    spec: &TournamentSpec,
    engines: &[EngineConfig],
    rulesets: &[RulesetHeader],
    book: &OpeningBook,
    tables: Vec<Coverage>,
) -> CanonicalSpec {
    CanonicalSpec {
        name: spec.name.clone(),
        format: spec.format,
        pairs: Some(spec.pair_count()),
        rounds: spec.rounds,
        sprt: spec.sprt,
        openings: openings(&spec.openings, book),
        time_margin_ms: spec.time_margin_ms,
        seed: spec.seed,
        max_plies: spec.max_plies,
        adjudication: spec.adjudication.clone(),
        referee: spec.referee,
        cross_check: spec.cross_check,
        supervision: spec.supervision,
        rulesets: rulesets.iter().map(ruleset).collect(),
        engines: spec.engines.iter().zip(engines).map(engine).collect(),
        tables: spec.is_played_by_tables().then_some(tables),
    }
}

fn openings(openings: &Openings, book: &OpeningBook) -> CanonicalOpenings {
    match (openings, book) {
        (_, OpeningBook::File(book)) => {
            CanonicalOpenings::File { openings: book.len(), crc: format!("{:08x}", book.checksum()) }
        }
        (Openings::Random { plies, balance }, _) => CanonicalOpenings::Random { plies: *plies, balance: *balance },
        _ => CanonicalOpenings::None,
    }
}

fn ruleset(header: &RulesetHeader) -> CanonicalRuleset {
    CanonicalRuleset { name: header.label.clone(), fingerprint: header.fingerprint.clone() }
}

fn engine((spec, engine): (&EngineSpec, &EngineConfig)) -> CanonicalEngine {
    let program = |spec| CanonicalProgram { spec, crc: fingerprints::engine(engine) };
    CanonicalEngine {
        name: engine.name.clone(),
        options: values(&engine.options),
        limits: engine.limits,
        program: spec.program.clone().map(program),
        by_role: engine.by_role.iter().map(|(role, options)| (role.clone(), values(options))).collect(),
    }
}

fn values(options: &OptionPairs) -> OptionValues {
    options.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect()
}
