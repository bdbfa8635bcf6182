//! The steps of a learning run: playing games in batches, and fitting weights to all games so far.
//!
//! A fit is a logistic regression for the weights of a pattern model, by Adagrad (Duchi, Hazan and Singer 2011).

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::{Deserialize, Serialize};

use super::games::GamePlayer;
use super::samples::{self, Sample};
use super::{LearnPlayer, LearnSearcher, LearnSpec, LearningError};
use crate::eval::{HuntEvaluator, LearnedEvaluation, LearnedHuntEvaluator, LearnedWeights, PatternModel};
use crate::geometry::Word;
use crate::parallel;
use crate::rules::hunt::{Hunt, Side};
use crate::search::WDL_SCALE;
use crate::tablebase::{HuntTables, Metric, TableError, Tables};

/// Learns the weights of one game; `registry::learner` makes one.
pub trait Learner {
    /// Adds the samples of these games, read from the file if it exists, else from games played now and then written to
    /// it. Returns whether it did; false means that it was stopped and has added nothing.
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

    /// Fits weights to all samples so far; `show` gets the losses of training and of validation, in nats, after each
    /// epoch.
    ///
    /// # Errors
    /// There are no samples to learn from, or none to validate the fit.
    fn fit(&mut self, show: &mut dyn FnMut([f64; 2])) -> Result<LearnedWeights, LearningError>;

    /// Plays openings that are won by the tables against perfect play, with the weights of the last fit and with those
    /// that the program has now; by searcher, how many of them each converts. `None` when stopped.
    ///
    /// # Errors
    /// A table cannot be read.
    fn convert(&self, openings: u32, threads: usize, stop: &AtomicBool) -> Result<Option<Converted>, LearningError>;

    /// Remarks on the samples and on the weights of the last fit, one sentence each.
    fn remarks(&self) -> Vec<String>;
}

/// The openings, won by the tables, that a searcher wins against perfect play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Conversion {
    /// Won with the learned weights and with the present ones.
    pub both: u32,
    /// Won with the learned weights alone.
    pub learned: u32,
    /// Won with the present weights alone.
    pub present: u32,
    /// Won with neither.
    pub neither: u32,
}

impl Conversion {
    /// All openings that were played.
    pub fn openings(&self) -> u32 {
        self.both + self.learned + self.present + self.neither
    }

    fn add(&mut self, [learned, present]: [bool; 2]) {
        let count = match (learned, present) {
            (true, true) => &mut self.both,
            (true, false) => &mut self.learned,
            (false, true) => &mut self.present,
            (false, false) => &mut self.neither,
        };
        *count += 1;
    }
}

/// The openings won by each of [`CONVERTERS`].
pub type Converted = [Conversion; CONVERTERS.len()];
/// The players that convert won openings.
pub const CONVERTERS: [LearnPlayer; 2] = [
    LearnPlayer { searcher: LearnSearcher::Alphabeta, nodes: 20_000 },
    LearnPlayer { searcher: LearnSearcher::Mcts, nodes: 2_000 },
];
/// The number of the first opening that is converted, beyond those of all games that are learned from.
const FIRST_CONVERTED: u32 = 1 << 31;

/// The [`Learner`] of a hunt.
pub(crate) struct HuntLearner<W: Word> {
    game: Hunt<W>,
    spec: LearnSpec,
    seed: u64,
    model: PatternModel,
    tables: Option<Arc<dyn Tables<Hunt<W>>>>,
    /// The weights that the ruleset names.
    weights: Option<Arc<LearnedEvaluation>>,
    samples: Vec<Sample<W>>,
    last: Option<LastFit>,
}

/// The size of the last fit's data and of its result.
struct LastFit {
    evaluator: LearnedHuntEvaluator,
    /// The numbers of positions for training and for validation.
    positions: [usize; 2],
    /// The size of the file of weights.
    bytes: usize,
}

impl<W: Word> HuntLearner<W> {
    /// A learner without samples; `tables` is a folder of tables, and `weights` are those that the ruleset names.
    ///
    /// # Errors
    /// The board does not suit the model, or the folder has no tables of the game that can be read.
    pub(crate) fn new(
        game: Hunt<W>,
        spec: &LearnSpec,
        seed: u64,
        tables: Option<&Path>,
        weights: Option<Arc<LearnedEvaluation>>,
    ) -> Result<Self, LearningError> {
        let model = PatternModel::of_kinds(&game, &spec.model).ok_or(LearningError::Model)?;
        let open = |folder| {
            HuntTables::open(&game, folder, Metric::Conversion)?
                .ok_or_else(|| LearningError::NoTables(game.ruleset().heading.name.clone()))
        };
        let tables = tables.map(open).transpose()?;
        Ok(HuntLearner { game, spec: spec.clone(), seed, model, tables, weights, samples: Vec::new(), last: None })
    }

    /// Plays these games and returns their samples in order; `None` when stopped.
    fn play(
        &self,
        games: Range<u32>,
        threads: usize,
        stop: &AtomicBool,
    ) -> Result<Option<Vec<Sample<W>>>, LearningError> {
        let play = |player: &mut GamePlayer<'_, W>, samples: &mut Vec<Sample<W>>, number| {
            if !stop.load(Ordering::Relaxed) {
                samples.extend(match &self.last {
                    Some(last) => player.engine(number, &last.evaluator)?,
                    None => player.first(number)?,
                });
            }
            Ok::<(), TableError>(())
        };
        let new_player = || GamePlayer::new(&self.game, &self.spec, self.seed, self.tables.clone());
        let play_all = || parallel::try_fold_with(games, new_player, Vec::new, play);
        let played = pool(threads)?.install(play_all);
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        Ok(Some(played?.into_iter().flatten().collect()))
    }

    fn evaluator(&self, weights: LearnedWeights) -> Result<LearnedHuntEvaluator, LearningError> {
        let learned = LearnedEvaluation::new(&self.game, weights, "this run")
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
        let taken = match samples::load(file, &self.game)? {
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
        let positions = [self.samples.len() - checks, checks];
        let nats = fit(&self.model, &self.spec, self.seed, &self.samples, show);
        let weights = LearnedEvaluation::store(&self.game, &self.model, &nats, WDL_SCALE as f32);
        let evaluator = self.evaluator(weights.clone())?;
        self.last = Some(LastFit { evaluator, positions, bytes: weights.encode().len() });
        Ok(weights)
    }

    fn convert(&self, openings: u32, threads: usize, stop: &AtomicBool) -> Result<Option<Converted>, LearningError> {
        let Some(last) = &self.last else { return Ok(None) };
        let present = |backup| {
            let shipped = || LearnedEvaluation::shipped(&self.game, backup).map(Arc::new);
            LearnedHuntEvaluator::new(HuntEvaluator::default(), self.weights.clone().or_else(shipped))
        };
        let players = CONVERTERS.map(|player| (present(player.searcher.backup()), player));
        let convert = |player: &mut GamePlayer<'_, W>, found: &mut Vec<(usize, [bool; 2])>, number| {
            for (index, (present, converter)) in players.iter().enumerate().filter(|_| !stop.load(Ordering::Relaxed)) {
                let mut converts = |evaluator| player.converts(FIRST_CONVERTED + number, converter, evaluator);
                if let Some(learned) = converts(&last.evaluator)? {
                    found.push((index, [learned, converts(present)? == Some(true)]));
                }
            }
            Ok::<(), TableError>(())
        };
        let new_player = || GamePlayer::new(&self.game, &self.spec, self.seed, self.tables.clone());
        let all = || parallel::try_fold_with(0..openings, new_player, Vec::new, convert);
        let found = pool(threads)?.install(all)?;
        let mut conversions = Converted::default();
        found.into_iter().flatten().for_each(|(index, won)| conversions[index].add(won));
        Ok((!stop.load(Ordering::Relaxed)).then_some(conversions))
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

fn pool(threads: usize) -> Result<ThreadPool, LearningError> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| LearningError::Threads(error.to_string()))
}

/// Samples as a sparse matrix: for each the list of its active weights, and its target.
struct Features {
    weights: Vec<u32>,
    /// The index of each sample's first weight, and the number of all at the end.
    begins: Vec<u32>,
    targets: Vec<f32>,
}

impl Features {
    fn of<'a, W: Word>(model: &PatternModel, spec: &LearnSpec, samples: impl Iterator<Item = &'a Sample<W>>) -> Self {
        let mut features = Features { weights: Vec::new(), begins: vec![0], targets: Vec::new() };
        for sample in samples {
            model.for_each_entry(&sample.position, |entry| features.weights.push(model.first_alike(entry) as u32));
            features.begins.push(features.weights.len() as u32);
            features.targets.push(sample.label.target(&spec.targets));
        }
        features
    }

    fn len(&self) -> usize {
        self.targets.len()
    }

    fn of_sample(&self, sample: usize) -> &[u32] {
        &self.weights[self.begins[sample] as usize..self.begins[sample + 1] as usize]
    }

    /// The probability that the geese win a sample's position, by these weights.
    fn chance(&self, sample: usize, weights: &[f32]) -> f32 {
        let sum: f32 = self.of_sample(sample).iter().map(|&weight| weights[weight as usize]).sum();
        1.0 / (1.0 + libm::expf(-sum))
    }

    /// The mean cross-entropy of all samples, in nats.
    fn loss(&self, weights: &[f32]) -> f64 {
        let loss = |sample: usize| cross_entropy(self.targets[sample], self.chance(sample, weights));
        (0..self.len()).map(loss).sum::<f64>() / self.len().max(1) as f64
    }
}

fn cross_entropy(target: f32, chance: f32) -> f64 {
    let target = f64::from(target);
    let chance = f64::from(chance).clamp(1e-7, 1.0 - 1e-7);
    -target * libm::log(chance) - (1.0 - target) * libm::log(1.0 - chance)
}

/// Whether a sample belongs to validation; all samples of a game do, or none.
fn is_validation<W: Word>(spec: &LearnSpec, sample: &Sample<W>) -> bool {
    share(sample.game) < spec.validation
}

/// Fits weights to samples, one for each entry of the model, in nats of the odds that the geese win; `show` gets the
/// losses of training and of validation after each epoch.
fn fit<W: Word>(
    model: &PatternModel,
    spec: &LearnSpec,
    seed: u64,
    samples: &[Sample<W>],
    mut show: impl FnMut([f64; 2]),
) -> Vec<f32> {
    let train = Features::of(model, spec, samples.iter().filter(|sample| !is_validation(spec, sample)));
    let check = Features::of(model, spec, samples.iter().filter(|sample| is_validation(spec, sample)));
    let mut weights = vec![0.0; model.entries()];
    let mut squares = vec![1e-6; model.entries()];
    let mut order: Vec<u32> = (0..train.len() as u32).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let steps = (spec.epochs as usize * train.len()).max(1) as f32;
    let mut step = 0;
    for _ in 0..spec.epochs {
        order.shuffle(&mut rng);
        let mut sum = 0.0;
        for &sample in &order {
            let sample = sample as usize;
            let target = train.targets[sample];
            let chance = train.chance(sample, &weights);
            sum += cross_entropy(target, chance);
            let gradient = chance - target;
            let rate = spec.rate * (1.0 - step as f32 / steps);
            for &weight in train.of_sample(sample) {
                let weight = weight as usize;
                squares[weight] += gradient * gradient;
                weights[weight] -= rate * gradient / squares[weight].sqrt();
            }
            step += 1;
        }
        show([sum / train.len().max(1) as f64, check.loss(&weights)]);
    }
    (0..model.entries()).map(|entry| weights[model.first_alike(entry)]).collect()
}

/// A pseudo-random number from 0 to 1 for a game (the finalizer of MurmurHash3).
fn share(game: u32) -> f64 {
    let mut hash = game ^ game >> 16;
    hash = hash.wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ hash >> 13).wrapping_mul(0xc2b2_ae35);
    f64::from(hash ^ hash >> 16) / f64::from(u32::MAX)
}
