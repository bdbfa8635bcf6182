//! Resolves a checked spec: files read, names looked up, rulesets compiled.

mod canonical;
mod dice;
mod engines;
mod fingerprints;
mod options;
mod rulesets;

use std::path::Path;

use super::affinity;
use super::header::{HeaderSpec, JournalHeader, RulesetHeader, VERSION};
use super::openings::{BookRequest, OpeningBook};
use super::resolved::{Conversations, ResolvedSpec};
use super::spec::{InvalidKey, LoadedSpec, SpecError};
use super::tables::{self, Coverage};

/// What the folder of tables holds for each ruleset; nothing without such a folder.
fn coverage(tables: Option<&Path>, rulesets: &[RulesetHeader]) -> Result<Vec<Coverage>, InvalidKey> {
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
    pub fn resolve(&self) -> Result<(ResolvedSpec, JournalHeader), SpecError> {
        self.resolved().map_err(|complaint| complaint.in_file(&self.file))
    }

    fn resolved(&self) -> Result<(ResolvedSpec, JournalHeader), InvalidKey> {
        let spec = &self.spec;
        let rulesets = rulesets::resolve(spec, &self.folder)?;
        dice::check(spec, &rulesets)?;
        let engines = engines::resolve(spec, &self.folder, &rulesets)?;
        affinity::check(&spec.affinity).map_err(|error| InvalidKey::new("affinity", error.to_string()))?;
        let (rulesets, headers): (Vec<_>, Vec<_>) = rulesets.into_iter().unzip();
        let tables = spec.tables.as_ref().map(|folder| self.folder.join(folder));
        let coverage = coverage(tables.as_deref(), &headers)?;
        let request = BookRequest {
            openings: &spec.openings,
            seed: spec.seed,
            pairs: spec.pair_count(),
            folder: &self.folder,
            tables: tables.as_deref(),
        };
        let openings = OpeningBook::new(&request, &rulesets);
        let openings = openings.map_err(|error| InvalidKey::new("openings", error.to_string()))?;
        let canonical = canonical::spec(spec, &engines, &headers, &openings, &coverage);
        let header = JournalHeader {
            version: VERSION,
            program: fingerprints::program(),
            spec: HeaderSpec::try_from(canonical).map_err(|error| InvalidKey::new("spec", error.to_string()))?,
            rulesets: headers,
            engines: engines.iter().map(|engine| engine.name.clone()).collect(),
            shard: None,
        };
        let resolved = ResolvedSpec {
            rulesets,
            engines,
            openings,
            spec: spec.clone(),
            tables,
            conversations: Conversations::Dropped,
            events: None,
            live: None,
        };
        Ok((resolved, header))
    }
}
