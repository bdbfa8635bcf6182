//! The files that a run leaves: the trace, the result as an options file, and a longer test of what was found.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use reynard_engine::eval::LearnedWeights;
use reynard_engine::files;
use reynard_engine::learning::CONVERTERS;
use reynard_engine::session::options::EVAL_FILE;
use reynard_engine::session::rules_options;
use serde_json::{Value, json};

use super::final_match::{FEWEST_PAIRS, Verdict};
use super::games::PairedScore;
use super::page;
use super::resolved::{FINAL, ResolvedTuneSpec, share};
use super::space::ParameterPoint;
use super::spec::TuneMethod;
use super::trace::Trace;
use crate::tournament::header::JournalHeader;
use crate::tournament::journal::{Layout, OutputError};
use crate::tournament::plan::OptionPairs;
use crate::tournament::record::FinishedGame;
use crate::tournament::spec::{
    Balance, EngineSpec, FileOrder, Format, OpeningFile, Openings, OptionValues, RulesetSpec, SprtModel, SprtSpec,
    TournamentSpec,
};

/// Learned weights in the folder of a run.
const WEIGHTS: &str = "learned.weights";
/// The result.
const TUNED: &str = "tuned.json";
/// What was found, where it is not the result.
const FOUND: &str = "found.json";
/// A longer test of what was found.
const TEST: &str = "sprt.json";
/// More pairs than a test of these bounds needs; there are as many as there are openings for.
const TEST_PAIRS: u64 = 20_000;
const SPRT: SprtSpec = SprtSpec { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05, model: SprtModel::Normalized };

/// Writes the trace: `trace.jsonl`, and `trace.html` with the games of the final match, if it was played. The same rows
/// and games of a day give the same bytes. While the run goes on, what reads a pipe waits for its end, since it reads once.
///
/// # Errors
/// The system refuses.
pub(crate) fn write_trace(
    dir: &Path,
    header: &JournalHeader,
    trace: &Trace,
    games: Vec<FinishedGame>,
    goes_on: bool,
) -> Result<(), OutputError> {
    for (name, text) in [("trace.jsonl", trace.jsonl()), ("trace.html", page::page(header, trace, games))] {
        let is_pipe = fs::metadata(dir.join(name)).is_ok_and(|about| !about.is_file());
        if !(goes_on && is_pipe) {
            replace(dir, name, text)?;
        }
    }
    Ok(())
}

/// Writes the result of a run that came to its end: `result.json`, `tuned.json`, and what it takes to go on testing.
///
/// # Errors
/// The system refuses.
pub(crate) fn write(dir: &Path, mut resolved: ResolvedTuneSpec, trace: &Trace) -> Result<(), OutputError> {
    let Some((found, verdict)) = &trace.end else { return Ok(()) };
    replace(dir, "result.json", pretty(&summary(trace, found, verdict)))?;
    // Weights that serve one searcher alone are nothing to another.
    if let Some([only]) = verdict.serves().as_deref() {
        resolved.base = resolved.base.with("Searcher", only.searcher.name());
        resolved.spec.test_limits = Some(share(resolved.final_limits(), only, 1));
    }
    let options = |point: &[i64], is_learned: bool, about: &str| pretty(&options(&resolved, point, is_learned, about));
    let is_learned = resolved.spec.method == TuneMethod::Learn;
    let kept = verdict.keeps_found();
    let tuned = if kept { found } else { &resolved.space.start() };
    replace(dir, TUNED, options(tuned, is_learned && kept, &verdict.sentence()))?;
    // An earlier end of the same run may have known less.
    for stale in [FOUND, TEST] {
        let _ = fs::remove_file(dir.join(stale));
    }
    if !verdict.can_be_tested() {
        return Ok(());
    }
    if !kept {
        replace(dir, FOUND, options(found, is_learned, "What the search found; nothing shows that it is better."))?;
    }
    test(&resolved, if kept { TUNED } else { FOUND }).map_or(Ok(()), |test| replace(dir, TEST, test))
}

/// Writes learned weights: `learned.weights`.
///
/// # Errors
/// The system refuses.
pub(crate) fn write_weights(dir: &Path, weights: &LearnedWeights) -> Result<(), OutputError> {
    replace(dir, WEIGHTS, weights.encode())
}

/// Where [`write_weights`] leaves them.
pub(crate) fn weights_path(dir: &Path) -> PathBuf {
    dir.join(WEIGHTS)
}

/// What all shards of a run with a quorum test, of which each may know other games: what the first of them found.
///
/// # Errors
/// The system refuses.
pub(crate) fn agreed(
    dir: &Path,
    resolved: &ResolvedTuneSpec,
    found: ParameterPoint,
) -> Result<ParameterPoint, OutputError> {
    if resolved.spec.quorum.is_none() {
        return Ok(found);
    }
    let path = dir.join("agreed.json");
    // What the run is, and what it found.
    let run = json!(resolved.tournament.header.played);
    let own = dir.join(format!("agreed-{}.json", std::process::id()));
    let agree = || -> io::Result<ParameterPoint> {
        if !path.exists() {
            fs::write(&own, json!([run, found]).to_string())?;
            // Only one shard makes the link, and it is whole at once.
            let linked = fs::hard_link(&own, &path);
            fs::remove_file(&own)?;
            linked.or_else(|error| if path.exists() { Ok(()) } else { Err(error) })?;
        }
        let (of, agreed): (Value, ParameterPoint) = serde_json::from_slice(&fs::read(&path)?)?;
        if of == run && agreed.len() == found.len() {
            return Ok(agreed);
        }
        Err(io::Error::new(io::ErrorKind::InvalidData, "what another run found; take another directory, or delete it"))
    };
    agree().map_err(OutputError::at(&path))
}

/// Readers see the old file or the new one, never a part.
fn replace(dir: &Path, name: &str, bytes: impl AsRef<[u8]>) -> Result<(), OutputError> {
    let path = dir.join(name);
    fs::create_dir_all(dir).map_err(OutputError::at(dir))?;
    Layout::new(dir).check_output(&path)?;
    files::write(&path, bytes.as_ref()).map_err(OutputError::at(&path))
}

/// What came out, as data.
fn summary(trace: &Trace, found: &[i64], verdict: &Verdict) -> Value {
    let tuned = trace.tuned().unwrap_or_default();
    let parameter = |index: usize| {
        let axis = &trace.space.axes[index];
        let mut about = json!({"name": axis.name, "as": axis.role, "start": axis.start, "found": found[index],
            "tuned": tuned[index]});
        if let Some(drift) = trace.drift(index) {
            about["moved"] = json!(drift.moved);
            about["noise"] = json!(drift.noise);
            about["evidence"] = json!(drift.is_evident());
        }
        about
    };
    let scored = |score: &PairedScore| {
        let total = score.total();
        json!({"wins": total.wins, "draws": total.draws, "losses": total.losses, "pairs": score.pairs,
            "score": total.rate(), "score_error": score.rate_error(), "forfeits": score.forfeits})
    };
    let mut summary = json!({
        "verdict": verdict.name(), "about": verdict.sentence(), "final": verdict.score().map(scored), "drawn": trace.total().drawn(),
        "parameters": (0..found.len()).map(parameter).collect::<Vec<_>>(), "remarks": trace.remarks,
    });
    let by_searcher = |what: Vec<Value>| CONVERTERS.iter().map(|of| of.searcher.name().to_owned()).zip(what).collect();
    match verdict {
        Verdict::Converted(conversions) => {
            summary["conversions"] = by_searcher(conversions.iter().map(|won| json!(won)).collect());
        }
        Verdict::Met(matches) => {
            summary["matches"] = by_searcher(matches.iter().map(|of| json!(of.each_ref().map(scored))).collect());
        }
        _ => {}
    }
    if let Some(players) = verdict.serves() {
        summary["serves"] = players.iter().map(|player| player.searcher.name()).collect();
    }
    summary
}

/// All options of the engine with these values, for `reynard --options` and the `options_file` of a tournament.
fn options(resolved: &ResolvedTuneSpec, point: &[i64], is_learned: bool, about: &str) -> Value {
    let engine = resolved.space.configure(&resolved.base, point);
    let by_role: BTreeMap<&String, Value> =
        engine.by_role.iter().map(|(role, options)| (role, Value::Object(values(options)))).collect();
    let named =
        if resolved.spec.name.is_empty() { String::new() } else { format!(" in the run '{}'", resolved.spec.name) };
    let ruleset = &resolved.tournament.rulesets()[0];
    let (mut options, mut names) = (values(&engine.options), resolved.space.labels().join(", "));
    if resolved.spec.method == TuneMethod::Learn {
        names = EVAL_FILE.to_owned();
    }
    if is_learned {
        // The weights fit one game only, which an engine that is started with the file must know.
        let rules = ruleset.choice.as_ref().map(rules_options).unwrap_or_default();
        options = values(&rules).into_iter().chain(options).collect();
        options.insert(EVAL_FILE.to_owned(), json!(WEIGHTS));
    }
    let method = resolved.spec.method.name();
    let about = format!("Tuned by {method} for {}{named}: {names}. {about}", ruleset.label);
    json!({"about": about, "options": options, "as": by_role})
}

/// A tournament that tests what was found, in the options file of this name, against the start values, from other
/// openings than those of the run; `None` where there are too few of them to prove anything.
fn test(resolved: &ResolvedTuneSpec, found: &str) -> Option<String> {
    let games = &resolved.tournament.spec;
    let first = resolved.search_openings() + resolved.final_pairs();
    let pairs = match &games.openings {
        // They are rare, and all of them are sought before the first game: so many were found for the run.
        Some(Openings::Random { balance: Some(Balance::Table { .. }), .. }) => games.pair_count(),
        _ => resolved.different_pairs(first..first + TEST_PAIRS),
    };
    if pairs < FEWEST_PAIRS {
        return None;
    }
    let start = resolved.space.configure(&resolved.base, &resolved.space.start());
    let engine = |name: &str| EngineSpec {
        name: name.to_owned(),
        program: resolved.spec.engine.program.clone(),
        ..EngineSpec::default()
    };
    let untuned = EngineSpec {
        options: values(&start.options),
        by_role: start.by_role.iter().map(|(role, options)| (role.clone(), values(options))).collect(),
        ..engine(FINAL[1])
    };
    let mut spec = TournamentSpec {
        about: "Whether what was found is any stronger than the start values.".to_owned(),
        engines: vec![EngineSpec { options_file: Some(PathBuf::from(found)), ..engine(FINAL[0]) }, untuned],
        format: Format::Sprt,
        sprt: Some(SPRT),
        pairs: Some(pairs),
        limits: resolved.final_limits(),
        seed: games.seed.wrapping_add(1_000_003),
        ..games.clone()
    };
    make_absolute(&mut spec, &resolved.folder);
    if let Some(Openings::File(OpeningFile { order: FileOrder::Sequential, start, .. })) = &mut spec.openings {
        // A file that is played in its order goes on where the run ended.
        *start = Some(u32::try_from(u64::from(start.unwrap_or(1)) + first).unwrap_or(1));
    }
    Some(pretty(&serde_json::to_value(&spec).unwrap_or_default()))
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
    if let Some(Openings::File(OpeningFile { path, .. })) = &mut spec.openings {
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

#[cfg(test)]
mod tests {
    use reynard_engine::learning::{Conversion, Converted};

    use super::*;

    /// The files of a run that learned weights with this verdict.
    fn written(conversions: Converted) -> impl Fn(&str) -> Value {
        let folder = tempfile::tempdir().expect("a folder");
        let (spec, dir) = (folder.path().join("spec.json"), folder.path().join("out"));
        let text = json!({"method": "learn", "ruleset": "fox-and-hounds", "learn": {}, "limits": {"nodes": 20_000},
            "final_pairs": 10, "openings": {"kind": "random", "plies": 4}, "engine": {"options": {"Hash": 1}}});
        fs::write(&spec, text.to_string()).expect("a file");
        let resolved = ResolvedTuneSpec::load(&spec, &[], &|_, _| ()).unwrap_or_else(|error| panic!("{error}"));
        let end = Some((Vec::new(), Verdict::Converted(conversions)));
        let trace = Trace { end, ..Trace::new(&resolved) };
        write(&dir, resolved, &trace).expect("files");
        move |name| {
            let _ = &folder;
            fs::read(dir.join(name)).map_or(Value::Null, |bytes| serde_json::from_slice(&bytes).expect("data"))
        }
    }

    #[test]
    fn the_files_name_the_searcher_that_the_weights_serve() {
        let better = Conversion { both: 10, learned: 25, present: 0, neither: 5 };
        let worse = Conversion { both: 35, learned: 1, present: 4, neither: 0 };
        let file = written([worse, better]);
        assert_eq!(file("result.json")["serves"], json!(["mcts"]));
        assert_eq!(file("result.json")["conversions"]["mcts"]["learned"], 25);
        let (tuned, test) = (file("tuned.json"), file("sprt.json"));
        assert_eq!([&tuned["options"]["Searcher"], &tuned["options"]["EvalFile"]], ["mcts", "learned.weights"]);
        assert_eq!(test["engines"][0]["options_file"], "tuned.json");
        assert_eq!(test["engines"][1]["options"]["Searcher"], "mcts");
        assert_eq!(test["limits"], json!({"nodes": 2000}), "iterations take longer than nodes");

        let file = written([better; 2]);
        assert_eq!(file("result.json")["serves"], json!(["alphabeta", "mcts"]));
        assert_eq!(file("tuned.json")["options"].get("Searcher"), None);
        assert_eq!(file("sprt.json")["limits"], json!({"nodes": 20_000}));

        let file = written([worse; 2]);
        assert_eq!(
            [&file("result.json")["serves"], &file("result.json")["verdict"]],
            [&json!([]), &json!("no evidence of a gain")]
        );
        assert_eq!(file("tuned.json")["options"].get("EvalFile"), None);
        assert_eq!(file("found.json")["options"]["EvalFile"], "learned.weights");
    }
}
