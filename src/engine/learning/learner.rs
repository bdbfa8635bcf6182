//! A run of learning, without its order: games in batches, and fits to all games so far.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::LearningError;
use super::fit::{Fitted, fit, is_validation};
use super::games::GamePlayer;
use super::samples::{self, Sample};
use super::spec::LearnSpec;
use crate::eval::{HuntEvaluator, LearnedEvaluation, LearnedHuntEvaluator, LearnedWeights, PatternModel};
use crate::geometry::Word;
use crate::rules::Notation;
use crate::rules::hunt::{Hunt, Side};
use crate::search::WDL_SCALE;
use crate::tablebase::{HuntTables, TableError, Tables};

/// Learns the weights of one game; `registry::learner` makes one.
pub trait Learner {
    /// Takes the samples of these games from the file, else plays them and writes it. False: stopped, nothing was taken.
    ///
    /// Games that are played before the first fit are those of perfect play, later ones those of the engine with the
    /// weights of the last fit. A game's number alone decides what is played, whatever the number of threads.
    ///
    /// # Errors
    /// The file is damaged or cannot be written, or a table cannot be read.
    fn take(
        &mut self,
        games: Range<u32>,
        file: &Path,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<bool, LearningError>;

    /// Fits weights to all samples so far; `show` gets the losses of training and validation in nats after each epoch.
    ///
    /// # Errors
    /// There are no samples to learn from, or none to check the fit by.
    fn fit(&mut self, show: &mut dyn FnMut([f64; 2])) -> Result<LearnedWeights, LearningError>;

    /// What there is to say about the samples and the weights of the last fit, a sentence each.
    fn remarks(&self) -> Vec<String>;
}

/// Tables of perfect play.
type GameTables<W> = Arc<dyn Tables<Hunt<W>>>;
/// A game by its number, and its samples.
type PlayedGame<W> = (u32, Result<Vec<Sample<W>>, TableError>);

/// The [`Learner`] of a hunt.
pub(crate) struct HuntLearner<W: Word> {
    game: Hunt<W>,
    spec: LearnSpec,
    seed: u64,
    model: PatternModel,
    tables: Option<GameTables<W>>,
    samples: Vec<Sample<W>>,
    last: Option<LastFit>,
}

/// What the last fit found.
struct LastFit {
    evaluator: LearnedHuntEvaluator,
    /// Of training and validation.
    positions: [usize; 2],
    /// Of the file of weights.
    bytes: usize,
}

impl<W: Word> HuntLearner<W> {
    /// `tables` is a folder.
    ///
    /// # Errors
    /// The board does not suit the model, or the folder has no tables of the game that can be read.
    pub(crate) fn new(
        game: Hunt<W>,
        spec: &LearnSpec,
        seed: u64,
        tables: Option<&Path>,
    ) -> Result<Self, LearningError> {
        let model = PatternModel::of_kinds(&game, &spec.model).ok_or(LearningError::Model)?;
        let open = |folder| HuntTables::open(&game, folder)?.ok_or_else(|| LearningError::NoTables(game.name().into()));
        let tables = tables.map(open).transpose()?;
        Ok(HuntLearner { game, spec: spec.clone(), seed, model, tables, samples: Vec::new(), last: None })
    }

    /// The samples of these games in order; `None` when stopped.
    fn play(
        &self,
        games: Range<u32>,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<Option<Vec<Sample<W>>>, LearningError> {
        let next = AtomicU32::new(games.start);
        let played: Mutex<Vec<PlayedGame<W>>> = Mutex::default();
        let work = || {
            let mut player = GamePlayer::new(&self.game, &self.spec, self.seed, self.tables.clone());
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= games.end || stop.load(Ordering::Relaxed) {
                    return;
                }
                let taken = match &self.last {
                    Some(last) => player.engine(number, &last.evaluator),
                    None => player.first(number),
                };
                played.lock().unwrap_or_else(PoisonError::into_inner).push((number, taken));
            }
        };
        thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let mut played = played.into_inner().unwrap_or_else(PoisonError::into_inner);
        played.sort_by_key(|&(number, _)| number);
        let mut samples = Vec::new();
        for (_, taken) in played {
            samples.extend(taken?);
        }
        Ok(Some(samples))
    }

    fn evaluator(&self, weights: LearnedWeights) -> Result<LearnedHuntEvaluator, LearningError> {
        let learned = LearnedEvaluation::new(&self.game, weights)
            .map_err(|error| LearningError::File { path: PathBuf::new(), message: error.to_string() })?;
        Ok(LearnedHuntEvaluator::new(HuntEvaluator::default(), Some(Arc::new(learned))))
    }
}

impl<W: Word> Learner for HuntLearner<W> {
    fn take(
        &mut self,
        games: Range<u32>,
        file: &Path,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<bool, LearningError> {
        let taken = match samples::load(file)? {
            Some(taken) => taken,
            None => {
                let Some(taken) = self.play(games, threads, stop)? else { return Ok(false) };
                samples::save(file, &taken)?;
                taken
            }
        };
        self.samples.extend(taken);
        Ok(true)
    }

    fn fit(&mut self, show: &mut dyn FnMut([f64; 2])) -> Result<LearnedWeights, LearningError> {
        let checks = self.samples.iter().filter(|sample| is_validation(&self.spec, sample)).count();
        if checks == 0 || checks == self.samples.len() {
            return Err(LearningError::NoSamples);
        }
        let Fitted { nats, positions } = fit(&self.model, &self.spec, self.seed, &self.samples, show);
        let weights = LearnedEvaluation::store(&self.game, &self.model, &nats, WDL_SCALE as f32);
        let evaluator = self.evaluator(weights.clone())?;
        self.last = Some(LastFit { evaluator, positions, bytes: weights.encode().len() });
        Ok(weights)
    }

    fn remarks(&self) -> Vec<String> {
        let Some(LastFit { positions: [train, validation], bytes, .. }) = self.last else { return Vec::new() };
        let count = |winner| self.samples.iter().filter(|sample| sample.label.winner == winner).count();
        let [geese, drawn, fox] = [Some(Side::Geese), None, Some(Side::Fox)].map(count);
        vec![
            format!(
                "{train} positions for training, {validation} for validation; {geese} won by the geese, {drawn} drawn, \
                 {fox} won by the fox side."
            ),
            format!("{} weights, {bytes} bytes.", self.model.entries()),
        ]
    }
}
