//! The method `learn`: weights of the learned evaluation, round by round.

use std::error::Error;
use std::path::{Path, PathBuf};

use reynard_engine::eval::LearnedWeights;
use reynard_engine::files;
use reynard_engine::learning::{LearnSpec, LearningError};

use serde_json::Value;
use thiserror::Error;

use super::error::TuneError;
use super::games::{RunOptions, TuneEvent};
use super::resolved::ResolvedTuneSpec;
use super::trace::{Measure, Trace, TraceRow};
use crate::tournament::journal::{HeaderDifference, difference_of_specs};
use crate::tournament::ruleset::RulesetError;

/// Games whose samples are kept in one file.
const BATCH: u32 = 100;

/// Why nothing was learned.
#[derive(Debug, Error)]
pub(crate) enum LearnError {
    #[error(transparent)]
    Open(#[from] RulesetError),
    #[error(transparent)]
    Learning(#[from] LearningError),
    #[error("{}: {message}", path.display())]
    File { path: PathBuf, message: String },
    /// With the first key that differs.
    #[error("{} holds the positions of another run: {difference}", dir.display())]
    OtherRun { dir: PathBuf, difference: Box<HeaderDifference> },
    #[error("{} holds positions already; --resume goes on with them", .0.display())]
    Exists(PathBuf),
}

/// What a run has learned.
pub(crate) struct Learned {
    pub weights: LearnedWeights,
    pub remarks: Vec<String>,
}

/// Learns weights; rows of the trace are shown to the observer of `options`.
///
/// # Errors
/// See [`LearnError`]; or somebody stopped it.
pub(crate) fn learn(
    resolved: &ResolvedTuneSpec,
    spec: &LearnSpec,
    dir: &Path,
    options: &RunOptions<'_>,
    trace: &mut Trace,
) -> Result<Learned, TuneError> {
    let tables = resolved.spec.tables.as_ref().map(|folder| resolved.folder.join(folder));
    let rules = resolved.tournament.rulesets()[0].compiled().map_err(LearnError::from)?;
    let mut learner = rules.learner(spec, resolved.spec.seed, tables.as_deref()).map_err(LearnError::from)?;
    claim(dir, &serde_json::json!(resolved.tournament.header.played), options.resume)?;
    let mut weights = None;
    for round in 0..=spec.rounds {
        for batch in batches(spec, round) {
            let file = dir.join(format!("games-{}.samples", batch.start));
            let done = u64::from(batch.end);
            if !learner.take(batch, &file, options.concurrency, options.stop).map_err(LearnError::from)? {
                return Err(TuneError::Stopped);
            }
            let of = spec.perfect_games + spec.rounds * spec.games;
            (options.observer)(TuneEvent::Games { done, of });
        }
        let fitted = learner.fit(&mut |[train, validation]| {
            let measure = Measure::Losses { train, validation };
            trace.rows.push(TraceRow { number: trace.rows.len() as u64 + 1, values: Vec::new(), measure });
            (options.observer)(TuneEvent::Row(trace));
        });
        let fitted = fitted.map_err(LearnError::from)?;
        write(dir, &format!("round-{round}.weights"), &fitted.encode())?;
        weights = Some(fitted);
    }
    let weights = weights.ok_or(LearnError::Learning(LearningError::NoSamples))?;
    Ok(Learned { weights, remarks: learner.remarks() })
}

/// The games of a round by their numbers, those of one file together.
fn batches(spec: &LearnSpec, round: u64) -> impl Iterator<Item = std::ops::Range<u32>> {
    let LearnSpec { perfect_games, games, .. } = *spec;
    let (first, count) = if round == 0 { (0, perfect_games) } else { (perfect_games + (round - 1) * games, games) };
    let end = (first + count) as u32;
    (first as u32..end).step_by(BATCH as usize).map(move |begin| begin..end.min(begin + BATCH))
}

/// Makes the folder of the run, or finds that it holds this very run.
fn claim(dir: &Path, spec: &Value, resume: bool) -> Result<(), LearnError> {
    let path = dir.join("learn.json");
    if !path.exists() {
        return write(dir, "learn.json", format!("{spec:#}\n").as_bytes());
    }
    if !resume {
        return Err(LearnError::Exists(dir.to_owned()));
    }
    let unreadable = |error: &dyn Error| LearnError::File { path: path.clone(), message: error.to_string() };
    let found = files::read_text(&path, 1 << 20).map_err(|error| unreadable(&error))?;
    let found = serde_json::from_str(&found).map_err(|error| unreadable(&error))?;
    difference_of_specs(&found, spec).map_or(Ok(()), |difference| {
        Err(LearnError::OtherRun { dir: dir.to_owned(), difference: Box::new(difference) })
    })
}

fn write(dir: &Path, name: &str, bytes: &[u8]) -> Result<(), LearnError> {
    let path = dir.join(name);
    let written = std::fs::create_dir_all(dir).and_then(|()| files::write(&path, bytes));
    written.map_err(|error| LearnError::File { path, message: error.to_string() })
}
