//! The result as an options file, and the test that says whether it is any better.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use reynard_engine::session::options::EVAL_FILE;
use reynard_engine::session::rules_options;
use serde_json::{Value, json};

use super::WEIGHTS;
use crate::tournament::plan::OptionPairs;
use crate::tournament::spec::{EngineSpec, Format, OpeningFile, Openings, OptionValues, RulesetSpec, TournamentSpec};
use crate::tune::resolved::{self, ResolvedTuneSpec};
use crate::tune::spec::TuneMethod;

/// More pairs than a test of these bounds needs.
const SPRT_PAIRS: u64 = 20_000;

/// All options of the tuned engine, for `reynard --options` and the `options_file` of a tournament.
pub(super) fn tuned(resolved: &ResolvedTuneSpec, tuned: &[i64]) -> String {
    let engine = resolved.space.configure(&resolved.base, tuned);
    let by_role: BTreeMap<&String, Value> =
        engine.by_role.iter().map(|(role, options)| (role, Value::Object(values(options)))).collect();
    let named =
        if resolved.spec.name.is_empty() { String::new() } else { format!(" in the run '{}'", resolved.spec.name) };
    let rulesets: Vec<&str> = resolved.tournament.rulesets().iter().map(|ruleset| ruleset.label.as_str()).collect();
    let (mut options, mut names) = (values(&engine.options), resolved.space.labels().join(", "));
    if resolved.spec.method == TuneMethod::Learn {
        // The weights fit one game only, which an engine that is started with the file must know.
        let rules = resolved.tournament.rulesets()[0].choice.as_ref().map(rules_options).unwrap_or_default();
        options = values(&rules).into_iter().chain(options).collect();
        options.insert(EVAL_FILE.to_owned(), json!(WEIGHTS));
        names = EVAL_FILE.to_owned();
    }
    let method = resolved.spec.method.name();
    let about = format!("Tuned by {method} for {}{named}: {names}.", rulesets.join(", "));
    pretty(&json!({"about": about, "options": options, "as": by_role}))
}

/// A tournament that tests the tuned engine against the one before, from other openings than those of the run.
pub(super) fn sprt(resolved: &ResolvedTuneSpec) -> String {
    let base = &resolved.base;
    let before = EngineSpec {
        options: values(&base.options),
        by_role: base.by_role.iter().map(|(role, options)| (role.clone(), values(options))).collect(),
        ..engine(resolved, "default")
    };
    let tuned = EngineSpec { options_file: Some(PathBuf::from("tuned.json")), ..engine(resolved, "tuned") };
    let mut spec = resolved::tournament_spec(&resolved.spec, vec![tuned, before], Format::Sprt, SPRT_PAIRS);
    spec.about = "Whether what was tuned is any stronger.".to_owned();
    spec.limits = resolved.spec.test_limits.unwrap_or(spec.limits);
    if spec.openings == Openings::None && resolved.spec.method == TuneMethod::Learn {
        spec.openings = Openings::balanced();
    }
    spec.seed = spec.seed.wrapping_add(1_000_003);
    make_absolute(&mut spec, &resolved.folder);
    pretty(&serde_json::to_value(&spec).unwrap_or_default())
}

fn engine(resolved: &ResolvedTuneSpec, name: &str) -> EngineSpec {
    EngineSpec { name: name.to_owned(), program: resolved.spec.engine.program.clone(), ..EngineSpec::default() }
}

/// Paths of the tuning spec are relative to its folder, not to that of the result.
fn make_absolute(spec: &mut TournamentSpec, folder: &Path) {
    let resolve = |path: &mut PathBuf| *path = folder.join(&*path);
    for ruleset in &mut spec.rulesets {
        if let RulesetSpec::Choice(choice) = ruleset {
            choice.file.iter_mut().for_each(resolve);
        }
    }
    spec.tables.iter_mut().for_each(resolve);
    if let Openings::File(OpeningFile { path, .. }) = &mut spec.openings {
        resolve(path);
    }
    for program in spec.engines.iter_mut().filter_map(|engine| engine.program.as_mut()) {
        program.dir.iter_mut().for_each(resolve);
        if program.has_path() {
            resolve(&mut program.command);
        }
    }
}

/// Option texts as the JSON values that people would write.
fn values(options: &OptionPairs) -> OptionValues {
    let value = |text: &String| match (text.parse::<i64>(), text.parse::<bool>()) {
        (Ok(number), _) if number.to_string() == *text => json!(number),
        (_, Ok(is_on)) => json!(is_on),
        _ => json!(text),
    };
    options.iter().map(|(name, text)| (name.clone(), value(text))).collect()
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}
