//! The method `learn`: weights of the learned evaluation, round by round.

use std::ops::Range;
use std::path::{Path, PathBuf};

use reynard_engine::eval::LearnedWeights;
use reynard_engine::files;
use reynard_engine::learning::{FEWEST_CONVERTED, LearnSpec, Learner, LearningError};
use thiserror::Error;

use super::TuneError;
use super::final_match::Verdict;
use super::games::{RunOptions, TuneEvent};
use super::resolved::ResolvedTuneSpec;
use super::run::TraceWriter;
use super::trace::{Measure, TraceRow};
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
}

/// A learner for the ruleset of a run, without samples.
///
/// # Errors
/// The ruleset, its tables or its board do not suit.
pub(crate) fn learner(resolved: &ResolvedTuneSpec, spec: &LearnSpec) -> Result<Box<dyn Learner>, LearnError> {
    let tables = resolved.spec.tables.as_ref().map(|folder| resolved.folder.join(folder));
    Ok(resolved.tournament.rulesets()[0].compiled()?.learner(spec, resolved.spec.seed, tables.as_deref())?)
}

/// Learns weights and leaves their files in `dir`.
///
/// # Errors
/// See [`LearnError`]; or somebody stopped it.
pub(crate) fn learn(
    learner: &mut dyn Learner,
    spec: &LearnSpec,
    dir: &Path,
    options: &RunOptions<'_>,
    of: u64,
    writer: &mut TraceWriter<'_>,
) -> Result<LearnedWeights, TuneError> {
    for round in 0..=spec.rounds {
        for batch in batches(spec, round) {
            let file = dir.join(format!("games-{}.samples", batch.start));
            let done = u64::from(batch.end);
            if !learner.take(batch, &file, options.concurrency, options.stop.flag()).map_err(LearnError::from)? {
                return Err(TuneError::Stopped);
            }
            (options.observer)(TuneEvent::Games { done, of });
        }
        (options.observer)(TuneEvent::Fit { is_over: false });
        if options.stop.is_asked() {
            return Err(TuneError::Stopped);
        }
        let fitted = learner.fit(&mut |[train, validation]| {
            let measure = Measure::Losses { train, validation };
            let number = writer.trace.rows.len() as u64 + 1;
            writer.add(TraceRow { number, values: Vec::new(), noise: Vec::new(), measure });
        });
        (options.observer)(TuneEvent::Fit { is_over: true });
        let fitted = fitted.map_err(LearnError::from)?;
        let path = dir.join(format!("round-{round}.weights"));
        let refused = |error: std::io::Error| LearnError::File { path: path.clone(), message: error.to_string() };
        files::write(&path, &fitted.encode()).map_err(refused)?;
        if !learner.compare(options.concurrency, options.stop.flag()).map_err(LearnError::from)? {
            return Err(TuneError::Stopped);
        }
    }
    Ok(learner.best().cloned().ok_or(LearnError::Learning(LearningError::NoSamples))?)
}

/// The verdict by openings that the tables know to be won; `None` where the spec asks for none, or there are too few.
///
/// # Errors
/// See [`LearnError`]; or somebody stopped it.
pub(super) fn conversion(learner: &dyn Learner, options: &RunOptions<'_>) -> Result<Option<Verdict>, TuneError> {
    let converted = learner.convert(options.concurrency, options.stop.flag()).map_err(LearnError::from)?;
    let converted = converted.ok_or(TuneError::Stopped)?;
    let is_enough = converted.iter().all(|of| of.openings() >= FEWEST_CONVERTED);
    Ok(is_enough.then_some(Verdict::Converted(converted)))
}

/// The games of a round by their numbers, those of one file together.
fn batches(spec: &LearnSpec, round: u64) -> impl Iterator<Item = Range<u32>> {
    let LearnSpec { perfect_games, games, .. } = *spec;
    let (first, count) = if round == 0 { (0, perfect_games) } else { (perfect_games + (round - 1) * games, games) };
    let end = (first + count) as u32;
    (first as u32..end).step_by(BATCH as usize).map(move |begin| begin..end.min(begin + BATCH))
}
