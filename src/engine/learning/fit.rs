//! Logistic regression of the weights of a pattern model, by Adagrad (Duchi, Hazan and Singer 2011).

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::samples::Sample;
use super::spec::LearnSpec;
use crate::eval::PatternModel;
use crate::geometry::Word;

/// Samples as the weights that speak about them.
struct Features {
    weights: Vec<u32>,
    /// By sample: where its weights begin, one more at the end.
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

    /// The chance that the geese win.
    fn chance(&self, sample: usize, weights: &[f32]) -> f32 {
        let sum: f32 = self.of_sample(sample).iter().map(|&weight| weights[weight as usize]).sum();
        1.0 / (1.0 + libm::expf(-sum))
    }

    /// Mean cross-entropy in nats.
    fn loss(&self, weights: &[f32]) -> f64 {
        let loss = |sample: usize| cross_entropy(self.targets[sample], self.chance(sample, weights));
        (0..self.len()).map(loss).sum::<f64>() / self.len().max(1) as f64
    }
}

fn cross_entropy(target: f32, chance: f32) -> f64 {
    let (target, chance) = (f64::from(target), f64::from(chance).clamp(1e-7, 1.0 - 1e-7));
    -target * libm::log(chance) - (1.0 - target) * libm::log(1.0 - chance)
}

/// What a fit found.
pub(super) struct Fitted {
    /// By entry of the model, in nats of the odds that the geese win.
    pub nats: Vec<f32>,
    /// Positions of training and validation.
    pub positions: [usize; 2],
}

/// Whether a sample only checks the fit, as all of its game do.
pub(super) fn is_validation<W: Word>(spec: &LearnSpec, sample: &Sample<W>) -> bool {
    share(sample.game) < spec.validation
}

/// Fits weights to samples; `show` gets the losses of training and validation after each epoch.
pub(super) fn fit<W: Word>(
    model: &PatternModel,
    spec: &LearnSpec,
    seed: u64,
    samples: &[Sample<W>],
    mut show: impl FnMut([f64; 2]),
) -> Fitted {
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
            let (target, chance) = (train.targets[sample], train.chance(sample, &weights));
            sum += cross_entropy(target, chance);
            let (gradient, rate) = (chance - target, spec.rate * (1.0 - step as f32 / steps));
            for &weight in train.of_sample(sample) {
                let weight = weight as usize;
                squares[weight] += gradient * gradient;
                weights[weight] -= rate * gradient / squares[weight].sqrt();
            }
            step += 1;
        }
        show([sum / train.len().max(1) as f64, check.loss(&weights)]);
    }
    let nats = (0..model.entries()).map(|entry| weights[model.first_alike(entry)]).collect();
    Fitted { nats, positions: [train.len(), check.len()] }
}

/// A number from 0 to 1 that looks random (the finalizer of MurmurHash3).
fn share(game: u32) -> f64 {
    let mut hash = game ^ game >> 16;
    hash = hash.wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ hash >> 13).wrapping_mul(0xc2b2_ae35);
    f64::from(hash ^ hash >> 16) / f64::from(u32::MAX)
}
