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

    /// Plays openings that are won by the tables against perfect play with the weights of the last fit. They are the best
    /// so far unless earlier ones have won more games, or there were too few. Returns false when stopped or without a fit.
    ///
    /// # Errors
    /// A table cannot be read.
    fn compare(&mut self, threads: usize, stop: &AtomicBool) -> Result<bool, LearningError>;

    /// The best weights of those compared.
    fn best(&self) -> Option<&LearnedWeights>;

    /// Plays other openings that are won by the tables, with the best weights and with those that the program has now; by
    /// searcher, how many of them each converts. `None` when stopped.
    ///
    /// # Errors
    /// A table cannot be read.
    fn convert(&self, threads: usize, stop: &AtomicBool) -> Result<Option<Converted>, LearningError>;

    /// Remarks on the samples and on the best weights, one sentence each.
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
/// The fewest openings whose conversion says anything.
pub const FEWEST_CONVERTED: u32 = 10;
/// The numbers of the first openings by which fits are compared, and of those that judge the best of them; all are beyond
/// those of games that are learned from.
const FIRST_COMPARED: u32 = 1 << 30;
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
    last: Option<Arc<Fit>>,
    /// The best fit, and how many of its comparing games it has won.
    best: Option<(Arc<Fit>, [usize; 2])>,
}

struct Fit {
    /// From 0.
    round: usize,
    weights: LearnedWeights,
    evaluator: LearnedHuntEvaluator,
    /// The numbers of positions for training and for validation.
    positions: [usize; 2],
    /// How many of them are won by the geese, drawn, won by the fox side.
    results: [usize; 3],
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
        Ok(HuntLearner {
            game,
            spec: spec.clone(),
            seed,
            model,
            tables,
            weights,
            samples: Vec::new(),
            last: None,
            best: None,
        })
    }

    /// The numbers of as many openings as the spec asks for.
    fn openings(&self, first: u32) -> Range<u32> {
        first..first + self.spec.conversions as u32
    }

    /// Collects what `play` finds in the games of these numbers, in their order; `None` when stopped.
    fn play<T: Send>(
        &self,
        games: Range<u32>,
        threads: usize,
        stop: &AtomicBool,
        play: impl Fn(&mut GamePlayer<'_, W>, u32) -> Result<Vec<T>, TableError> + Sync,
    ) -> Result<Option<Vec<T>>, LearningError> {
        let play = |player: &mut GamePlayer<'_, W>, found: &mut Vec<T>, number| {
            if !stop.load(Ordering::Relaxed) {
                found.extend(play(player, number)?);
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
                let game = |player: &mut GamePlayer<'_, W>, number| match &self.last {
                    Some(last) => player.engine(number, &last.evaluator),
                    None => player.first(number),
                };
                let Some(taken) = self.play(games, threads, stop, game)? else { return Ok(false) };
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
        let count = |winner| self.samples.iter().filter(|sample| sample.label.winner == winner).count();
        let results = [Some(Side::Geese), None, Some(Side::Fox)].map(count);
        let nats = fit(&self.model, &self.spec, self.seed, &self.samples, show);
        let weights = LearnedEvaluation::store(&self.game, &self.model, &nats, WDL_SCALE as f32);
        let evaluator = self.evaluator(weights.clone())?;
        let round = self.last.as_ref().map_or(0, |last| last.round + 1);
        self.last = Some(Arc::new(Fit { round, weights: weights.clone(), evaluator, positions, results }));
        Ok(weights)
    }

    fn compare(&mut self, threads: usize, stop: &AtomicBool) -> Result<bool, LearningError> {
        let Some(last) = self.last.clone() else { return Ok(false) };
        let win = |player: &mut GamePlayer<'_, W>, number| {
            let win = |converter| player.converts(number, converter, &last.evaluator);
            CONVERTERS.iter().map(win).collect::<Result<Vec<_>, _>>()
        };
        let Some(played) = self.play(self.openings(FIRST_COMPARED), threads, stop, win)? else {
            return Ok(false);
        };
        let won: Vec<bool> = played.into_iter().flatten().collect();
        let counts = [won.iter().filter(|&&won| won).count(), won.len()];
        let are_few = counts[1] < FEWEST_CONVERTED as usize * CONVERTERS.len();
        if are_few || self.best.as_ref().is_none_or(|&(_, [most, _])| counts[0] >= most) {
            self.best = Some((last, counts));
        }
        Ok(true)
    }

    fn best(&self) -> Option<&LearnedWeights> {
        self.best.as_ref().map(|(fit, _)| &fit.weights)
    }

    fn convert(&self, threads: usize, stop: &AtomicBool) -> Result<Option<Converted>, LearningError> {
        let Some((best, _)) = &self.best else { return Ok(None) };
        let present = |backup| {
            let named = self.weights.clone().filter(|weights| weights.serves(backup));
            let shipped = || LearnedEvaluation::shipped(&self.game, backup).map(Arc::new);
            LearnedHuntEvaluator::new(HuntEvaluator::default(), named.or_else(shipped))
        };
        let players = CONVERTERS.map(|player| (present(player.searcher.backup()), player));
        let convert = |player: &mut GamePlayer<'_, W>, number| {
            let mut found = Vec::new();
            for (index, (present, converter)) in players.iter().enumerate().filter(|_| !stop.load(Ordering::Relaxed)) {
                let mut converts = |evaluator| player.converts(number, converter, evaluator);
                if let Some(learned) = converts(&best.evaluator)? {
                    found.push((index, [learned, converts(present)? == Some(true)]));
                }
            }
            Ok(found)
        };
        let found = self.play(self.openings(FIRST_CONVERTED), threads, stop, convert)?;
        Ok(found.map(|found| {
            let mut conversions = Converted::default();
            found.into_iter().for_each(|(index, won)| conversions[index].add(won));
            conversions
        }))
    }

    fn remarks(&self) -> Vec<String> {
        let Some((best, [won, games])) = &self.best else { return Vec::new() };
        let ([train, validation], [geese, drawn, fox]) = (best.positions, best.results);
        let mut remarks = vec![
            format!(
                "{train} positions for training, {validation} for validation; {geese} won by the geese, {drawn} drawn, \
                 {fox} won by the fox side."
            ),
            format!("{} weights, {} bytes.", self.model.entries(), best.weights.encode().len()),
        ];
        if *games > 0 {
            let round = best.round;
            remarks
                .push(format!("Those of round {round}: they won {won} of {games} games from openings that are won."));
        }
        remarks
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Game;
    use crate::tablebase::toy::{SolvedGame, ToyTables, small_hunt};

    #[test]
    fn the_fit_that_wins_most_openings_is_kept_and_of_equal_ones_the_last() {
        let game = small_hunt(&[]);
        let solved = Arc::new(SolvedGame::from(&game, &[game.start()]));
        let spec = LearnSpec { epochs: 1, validation: 0.3, conversions: 80, ..LearnSpec::default() };
        let mut learner = HuntLearner::new(game, &spec, 7, None, None).unwrap();
        learner.tables = Some(Arc::new(ToyTables { solved, most_pieces: 5, damaged: None }));
        let stop = AtomicBool::new(false);
        learner.samples =
            learner.play(0..20, 1, &stop, |player, number| player.first(number)).unwrap().expect("nobody stops it");
        let next = |learner: &mut HuntLearner<u64>| {
            learner.fit(&mut |_| ()).unwrap();
            assert!(learner.compare(2, &stop).unwrap());
            let (best, counts) = learner.best.as_ref().unwrap();
            (best.round, *counts)
        };
        let (round, counts) = next(&mut learner);
        assert_eq!(round, 0);
        assert!(20 <= counts[0] && counts[0] <= counts[1] && counts[1] <= 160, "{counts:?}");
        assert_eq!(next(&mut learner), (1, counts));
        learner.best.as_mut().unwrap().1 = [counts[0] + 1, counts[1]];
        assert_eq!(next(&mut learner), (1, [counts[0] + 1, counts[1]]));
        let told = learner.remarks().pop().unwrap();
        assert!(told.starts_with("Those of round 1: they won "), "{told}");
        learner.spec.conversions = 1;
        assert!(learner.compare(2, &stop).unwrap());
        assert_eq!(learner.best.as_ref().unwrap().0.round, 2, "so few tell nothing");
        stop.store(true, Ordering::Relaxed);
        assert!(!learner.compare(2, &stop).unwrap());
    }
}
