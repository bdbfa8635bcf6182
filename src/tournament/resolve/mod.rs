//! Resolves a checked spec: files read, names looked up, rulesets compiled.

mod engines;
mod fingerprints;
mod rulesets;

use std::path::Path;

use serde_json::{Map, Value, json};

use super::header::{EngineHead, JournalHeader, Played, TournamentHead, VERSION};
use super::machine;
use super::openings::{BookError, BookRequest, OpeningBook};
use super::plan::{EngineConfig, OptionPairs, Plan};
use super::ruleset::Ruleset;
use super::spec::{EngineSpec, InvalidKey, LoadedSpec, Openings, SpecError, TournamentSpec, ensure};
use super::tables::{self, Coverage};

/// What the folder of tables holds for each ruleset; nothing without such a folder.
fn coverage(tables: Option<&Path>, rulesets: &[Ruleset]) -> Result<Vec<Coverage>, InvalidKey> {
    let Some(folder) = tables else { return Ok(Vec::new()) };
    let of_ruleset = |ruleset| tables::coverage(ruleset, folder);
    let coverage: Result<_, _> = rulesets.iter().map(of_ruleset).collect();
    coverage.map_err(|error| InvalidKey::new("tables", error.to_string()))
}

impl LoadedSpec {
    /// Reads options files, opening files and rulesets, and looks up names.
    ///
    /// # Errors
    /// A file is missing or wrong, or something is named that does not exist; the error has the key path.
    pub fn resolve(&self) -> Result<Plan, SpecError> {
        self.resolve_reporting(&|_, _| ())
    }

    /// As [`resolve`](LoadedSpec::resolve); calls `report` now and then with how many openings are ready, and how many
    /// are to be.
    pub(crate) fn resolve_reporting(&self, report: &dyn Fn(u64, u64)) -> Result<Plan, SpecError> {
        self.resolved(report).map_err(|complaint| complaint.in_file(&self.file))
    }

    fn resolved(&self, report: &dyn Fn(u64, u64)) -> Result<Plan, InvalidKey> {
        let rulesets = rulesets::resolve(&self.spec, &self.folder)?;
        if let Some(ruleset) = rulesets.iter().find(|ruleset| ruleset.dice) {
            let label = &ruleset.label;
            ensure(self.spec.adjudication.draw.is_none(), "adjudication.draw", || {
                format!("ends level games of two opponents without dice, and in '{label}' dice are rolled")
            })?;
            let is_balanced = matches!(self.spec.openings, Some(Openings::Random { balance: Some(_), .. }));
            ensure(!is_balanced, "openings.balance", || BookError::Dice(label.clone()).to_string())?;
        }
        let usual = || Openings::usual(rulesets.iter().all(|ruleset| ruleset.dice), self.spec.max_plies);
        let openings = self.spec.openings.clone().unwrap_or_else(usual);
        // Later readers see where games begin, said or not.
        let spec = &TournamentSpec { openings: Some(openings.clone()), ..self.spec.clone() };
        let engines = engines::resolve(spec, &self.folder, &rulesets)?;
        machine::check_affinity(&spec.affinity).map_err(|error| InvalidKey::new("affinity", error.to_string()))?;
        let tables = spec.tables.as_ref().map(|folder| self.folder.join(folder));
        let coverage = coverage(tables.as_deref(), &rulesets)?;
        let request = BookRequest {
            openings: &openings,
            seed: spec.seed,
            pairs: spec.pair_count(),
            folder: &self.folder,
            tables: tables.as_deref(),
            report,
        };
        let book = OpeningBook::new(&request, &rulesets);
        let book = book.map_err(|error| InvalidKey::new("openings", error.to_string()))?;
        let played = Played::Tournament(head(spec, &engines, &rulesets, &book, &coverage));
        let header = JournalHeader {
            version: VERSION,
            program: fingerprints::program(),
            played,
            rulesets,
            engines: engines.iter().map(|engine| engine.name.clone()).collect(),
            shard: None,
        };
        Ok(Plan { header, spec: spec.clone(), engines, openings: book, tables })
    }
}

/// What the journal's head says of a tournament.
fn head(
    spec: &TournamentSpec,
    engines: &[EngineConfig],
    rulesets: &[Ruleset],
    book: &OpeningBook,
    tables: &[Coverage],
) -> TournamentHead {
    let openings = match book {
        // Of a file, what it holds, in the order of play.
        OpeningBook::File(book) => {
            json!({"kind": "file", "openings": book.len(), "crc": format!("{:08x}", book.checksum())})
        }
        _ => json!(spec.openings),
    };
    let ruleset = |ruleset: &Ruleset| json!({"name": ruleset.label, "fingerprint": ruleset.fingerprint});
    let conditions = [
        ("openings", openings),
        ("time_margin_ms", json!(spec.time_margin_ms)),
        ("seed", json!(spec.seed)),
        ("max_plies", json!(spec.max_plies)),
        ("adjudication", json!(spec.adjudication)),
        ("supervision", json!(spec.supervision)),
        ("rulesets", rulesets.iter().map(ruleset).collect()),
    ];
    TournamentHead {
        name: spec.name.clone(),
        format: spec.format,
        pairs: Some(spec.pair_count()),
        sprt: spec.sprt,
        conditions: conditions.map(|(key, value)| (key.to_owned(), value)).into_iter().collect(),
        engines: spec.engines.iter().zip(engines).map(|(spec, engine)| engine_head(spec, engine)).collect(),
        tables: spec.is_played_by_tables().then(|| json!(tables)),
    }
}

fn engine_head(spec: &EngineSpec, engine: &EngineConfig) -> EngineHead {
    let values = |options: &OptionPairs| -> Map<String, Value> {
        options.iter().map(|(name, value)| (name.clone(), json!(value))).collect()
    };
    let mut program = spec.program.as_ref().and_then(|program| json!(program).as_object().cloned());
    if let (Some(program), Some(crc)) = (&mut program, fingerprints::engine(engine)) {
        program.insert("crc".to_owned(), crc.into());
    }
    EngineHead {
        name: engine.name.clone(),
        options: values(&engine.options),
        limits: Some(engine.limits),
        program,
        time_margin_ms: spec.time_margin_ms,
        by_role: engine.by_role.iter().map(|(role, options)| (role.clone(), values(options).into())).collect(),
    }
}
