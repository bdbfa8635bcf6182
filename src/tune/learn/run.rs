//! A run of learning, round by round.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use serde_json::Value;

use super::fit::{Fitted, fit, is_validation};
use super::games::GamePlayer;
use super::samples::{self, Sample};
use super::spec::LearnSpec;
use super::{LearnError, truth::Label};
use crate::engine::registry::{self, AnyRuleset, RulesetChoice};
use crate::eval::{HuntEvaluator, LearnedEvaluation, LearnedHuntEvaluator, LearnedWeights, PatternModel};
use crate::files;
use crate::geometry::Word;
use crate::rules::Notation;
use crate::rules::hunt::{Hunt, Side};
use crate::search::WDL_SCALE;
use crate::tablebase::{HuntTables, TableError, Tables};
use crate::tournament::journal::difference_of_specs;
use crate::tune::error::TuneError;
use crate::tune::games::{RunOptions, TuneEvent};
use crate::tune::resolved::ResolvedTuneSpec;
use crate::tune::trace::{Measure, Trace, TraceRow};

/// Games whose samples are kept in one file.
const BATCH: u32 = 100;

/// Tables of perfect play.
type GameTables<W> = Arc<dyn Tables<Hunt<W>>>;
/// A game by its number, and its samples.
type PlayedGame<W> = (u32, Result<Vec<Sample<W>>, TableError>);

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
    ruleset: &RulesetChoice,
    dir: &Path,
    options: &RunOptions<'_>,
    trace: &mut Trace,
) -> Result<Learned, TuneError> {
    let run = Run { resolved, spec, dir, options };
    match registry::read(ruleset).map_err(LearnError::from)? {
        AnyRuleset::Hunt(rules) if rules.is_wide() => run.learn(&Hunt::<u128>::new(&rules), trace),
        AnyRuleset::Hunt(rules) => run.learn(&Hunt::<u64>::new(&rules), trace),
        _ => Err(LearnError::Family.into()),
    }
}

struct Run<'a> {
    resolved: &'a ResolvedTuneSpec,
    spec: &'a LearnSpec,
    dir: &'a Path,
    options: &'a RunOptions<'a>,
}

impl Run<'_> {
    fn learn<W: Word>(&self, game: &Hunt<W>, trace: &mut Trace) -> Result<Learned, TuneError> {
        let model = PatternModel::of_kinds(game, &self.spec.model).ok_or(LearnError::Model)?;
        let tables = self.tables(game)?;
        self.claim()?;
        let mut samples = Vec::new();
        let mut learned: Option<(LearnedWeights, Fitted)> = None;
        for round in 0..=self.spec.rounds {
            let evaluator = learned.as_ref().map(|(weights, _)| evaluator(game, weights.clone())).transpose()?;
            samples.extend(self.play(game, tables.as_ref(), round, evaluator.as_ref())?);
            let checks = samples.iter().filter(|sample| is_validation(self.spec, sample)).count();
            if checks == 0 || checks == samples.len() {
                return Err(LearnError::NoSamples.into());
            }
            let fitted = fit(&model, self.spec, self.resolved.spec.seed, &samples, |[train, validation]| {
                let measure = Measure::Losses { train, validation };
                trace.rows.push(TraceRow { number: trace.rows.len() as u64 + 1, values: Vec::new(), measure });
                (self.options.observer)(TuneEvent::Row(trace));
            });
            let weights = LearnedEvaluation::store(game, &model, &fitted.nats, WDL_SCALE as f32);
            self.write(&format!("round-{round}.weights"), &weights.encode())?;
            learned = Some((weights, fitted));
        }
        let (weights, fitted) = learned.ok_or(LearnError::NoSamples)?;
        let mut remarks = vec![describe(&samples, fitted.positions)];
        remarks.push(format!("{} weights, {} bytes.", model.entries(), weights.encode().len()));
        Ok(Learned { weights, remarks })
    }

    /// The tables that the spec names, if it names some.
    fn tables<W: Word>(&self, game: &Hunt<W>) -> Result<Option<GameTables<W>>, LearnError> {
        let Some(folder) = &self.resolved.spec.tables else { return Ok(None) };
        let tables = HuntTables::open(game, &self.resolved.folder.join(folder))?;
        tables.map(Some).ok_or_else(|| LearnError::NoTables(game.name().to_owned()))
    }

    /// Makes the folder of the run, or finds that it holds this very run.
    fn claim(&self) -> Result<(), LearnError> {
        let path = self.dir.join("learn.json");
        let spec: &Value = &self.resolved.header.spec;
        let text = format!("{spec:#}\n");
        if !path.exists() {
            return self.write("learn.json", text.as_bytes());
        }
        if !self.options.resume {
            return Err(LearnError::Exists(self.dir.to_owned()));
        }
        let unreadable = |error: &dyn Error| LearnError::File { path: path.clone(), message: error.to_string() };
        let found = files::read_text(&path, 1 << 20).map_err(|error| unreadable(&error))?;
        let found = serde_json::from_str(&found).map_err(|error| unreadable(&error))?;
        difference_of_specs(&found, spec).map_or(Ok(()), |difference| {
            Err(LearnError::OtherRun { dir: self.dir.to_owned(), difference: Box::new(difference) })
        })
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), LearnError> {
        let path = self.dir.join(name);
        let written = std::fs::create_dir_all(self.dir).and_then(|()| files::write(&path, bytes));
        written.map_err(|error| LearnError::File { path, message: error.to_string() })
    }

    /// The samples of a round: read where they were kept, else played.
    fn play<W: Word>(
        &self,
        game: &Hunt<W>,
        tables: Option<&GameTables<W>>,
        round: u64,
        evaluator: Option<&LearnedHuntEvaluator>,
    ) -> Result<Vec<Sample<W>>, TuneError> {
        let LearnSpec { perfect_games, games, rounds, .. } = *self.spec;
        let (first, count) = if round == 0 { (0, perfect_games) } else { (perfect_games + (round - 1) * games, games) };
        let (of, end) = (perfect_games + rounds * games, (first + count) as u32);
        let mut samples = Vec::new();
        let mut begin = first as u32;
        while begin < end {
            let batch = begin..end.min(begin + BATCH);
            let path = self.dir.join(format!("games-{begin}.samples"));
            let taken = match samples::load(&path)? {
                Some(taken) => taken,
                None => {
                    let taken = self.play_batch(game, tables, batch.clone(), evaluator)?;
                    samples::save(&path, &taken)?;
                    taken
                }
            };
            samples.extend(taken);
            begin = batch.end;
            (self.options.observer)(TuneEvent::Games { done: u64::from(begin), of });
        }
        Ok(samples)
    }

    fn play_batch<W: Word>(
        &self,
        game: &Hunt<W>,
        tables: Option<&GameTables<W>>,
        games: std::ops::Range<u32>,
        evaluator: Option<&LearnedHuntEvaluator>,
    ) -> Result<Vec<Sample<W>>, TuneError> {
        let next = AtomicU32::new(games.start);
        let played: Mutex<Vec<PlayedGame<W>>> = Mutex::default();
        let work = || {
            let mut player = GamePlayer::new(game, self.spec, self.resolved.spec.seed, tables.cloned());
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= games.end || self.options.stop.load(Ordering::Relaxed) {
                    return;
                }
                let taken = match evaluator {
                    Some(learned) => player.engine(number, learned),
                    None => player.first(number),
                };
                played.lock().unwrap_or_else(PoisonError::into_inner).push((number, taken));
            }
        };
        thread::scope(|scope| {
            let workers = (1..self.options.concurrency).map(|_| scope.spawn(work));
            let _workers: Vec<_> = workers.collect();
            work();
        });
        if self.options.stop.load(Ordering::Relaxed) {
            return Err(TuneError::Stopped);
        }
        let mut played = played.into_inner().unwrap_or_else(PoisonError::into_inner);
        played.sort_by_key(|&(number, _)| number);
        let mut samples = Vec::new();
        for (_, taken) in played {
            samples.extend(taken.map_err(LearnError::from)?);
        }
        Ok(samples)
    }
}

fn evaluator<W: Word>(game: &Hunt<W>, weights: LearnedWeights) -> Result<LearnedHuntEvaluator, LearnError> {
    let refuse =
        |error: crate::eval::WeightsError| LearnError::File { path: PathBuf::new(), message: error.to_string() };
    let learned = LearnedEvaluation::new(game, weights).map_err(refuse)?;
    Ok(LearnedHuntEvaluator::new(HuntEvaluator::default(), Some(Arc::new(learned))))
}

fn describe<W: Word>(samples: &[Sample<W>], [train, validation]: [usize; 2]) -> String {
    let count =
        |winner| samples.iter().filter(|Sample { label: Label { winner: known, .. }, .. }| *known == winner).count();
    let [geese, drawn, fox] = [Some(Side::Geese), None, Some(Side::Fox)].map(count);
    format!(
        "{train} positions for training, {validation} for validation; {geese} won by the geese, {drawn} drawn, {fox} won \
         by the fox side."
    )
}
