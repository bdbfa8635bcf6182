//! Logistic regression of weights on labelled positions.
//!
//! The expected result of a position is `1 / (1 + exp(-e / K))` of its evaluation e, which is linear in the weights;
//! K and the weights minimise the cross-entropy (P. Österlund described the method for his engine Texel). Newton's
//! method finds the one minimum in a few steps.

use crate::tournament::stats::linear::Symmetric;

/// Positions as the regression sees them.
#[derive(Clone, Default, Debug)]
pub struct LabelledSample {
    /// How many weights are fitted.
    pub weights: usize,
    /// By position: the evaluation with the start weights.
    pub base: Vec<f32>,
    /// By position and weight: the change of the evaluation for one unit more of the weight.
    pub features: Vec<f32>,
    /// By position: 1 for a win of seat 0, 1/2 for a draw, 0 for a loss.
    pub labels: Vec<f32>,
}

impl LabelledSample {
    /// A sample without positions, for a fit of so many weights.
    pub fn new(weights: usize) -> Self {
        LabelledSample { weights, ..LabelledSample::default() }
    }

    /// Adds a position, with one feature for each weight; the fields say what the numbers mean.
    pub fn push(&mut self, base: f32, features: impl IntoIterator<Item = f32>, label: f32) {
        self.base.push(base);
        self.features.extend(features);
        self.labels.push(label);
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Positions with their base, features and label.
    fn rows(&self) -> impl Iterator<Item = (f64, &[f32], f64)> {
        let features = self.features.chunks_exact(self.weights.max(1));
        let rows = self.base.iter().zip(features).zip(&self.labels);
        rows.map(|((&base, features), &label)| (f64::from(base), features, f64::from(label)))
    }

    /// The mean cross-entropy per position, in nats, after weights were changed by `delta`.
    pub fn loss(&self, delta: &[f64], scale: f64) -> f64 {
        let loss = |(base, features, label): (f64, &[f32], f64)| {
            let logit = (base + product(features, delta)) / scale;
            // ln(1 + e^x) - label * x without overflow.
            logit.max(0.0) + libm::log1p(libm::exp(-logit.abs())) - label * logit
        };
        self.rows().map(loss).sum::<f64>() / self.len().max(1) as f64
    }

    /// Standard deviation of every feature, the unit of the pull towards the start.
    pub fn spreads(&self) -> Vec<f64> {
        let mut sums = vec![[0.0; 2]; self.weights];
        for (_, features, _) in self.rows() {
            for (sum, &feature) in sums.iter_mut().zip(features) {
                sum[0] += f64::from(feature);
                sum[1] += f64::from(feature) * f64::from(feature);
            }
        }
        let count = self.len().max(1) as f64;
        sums.into_iter().map(|[sum, squares]| (squares / count - (sum / count).powi(2)).max(0.0).sqrt()).collect()
    }
}

fn product(features: &[f32], delta: &[f64]) -> f64 {
    features.iter().zip(delta).map(|(&feature, delta)| f64::from(feature) * delta).sum()
}

/// K that explains the labels best with the start weights, by golden section between 10 and 10,000 hundredths.
pub(crate) fn scale(sample: &LabelledSample) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_8;
    let (mut low, mut high) = (libm::log(10.0), libm::log(10_000.0));
    let none = vec![0.0; sample.weights];
    let loss = |log: f64| sample.loss(&none, libm::exp(log));
    for _ in 0..40 {
        let (left, right) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
        if loss(left) <= loss(right) { high = right } else { low = left }
    }
    libm::exp((low + high) / 2.0)
}

/// What is minimised: the mean loss plus half of `l2` times the squared changes of the weights, each measured by what
/// it does to the evaluation: in spreads of its feature per K.
#[derive(Clone, Debug)]
pub struct Problem<'a> {
    /// The positions that the weights are fitted to.
    pub sample: &'a LabelledSample,
    /// K, in units of the evaluation: hundredths of a piece.
    pub scale: f64,
    /// Strength of the pull towards the start values; 0 for none.
    pub l2: f64,
    /// Least and greatest allowed change of each weight.
    pub bounds: Vec<[f64; 2]>,
}

/// Newton steps are few; this many mean that something is wrong.
const MAX_STEPS: usize = 100;
/// Smallest gain in the objective that is worth another step.
const GAIN: f64 = 1e-12;

impl Problem<'_> {
    fn pulls(&self) -> Vec<f64> {
        self.sample.spreads().iter().map(|spread| self.l2 * (spread / self.scale).powi(2)).collect()
    }

    fn value(&self, delta: &[f64], pulls: &[f64]) -> f64 {
        let pull: f64 = delta.iter().zip(pulls).map(|(delta, pull)| pull * delta * delta / 2.0).sum();
        self.sample.loss(delta, self.scale) + pull
    }

    /// Gradient and matrix of second derivatives, row by row.
    fn derivatives(&self, delta: &[f64], pulls: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let size = self.sample.weights;
        let (mut gradient, mut second) = (vec![0.0; size], vec![0.0; size * size]);
        for (base, features, label) in self.sample.rows() {
            let logit = (base + product(features, delta)) / self.scale;
            let expected = 1.0 / (1.0 + libm::exp(-logit));
            let (slope, bend) = (expected - label, expected * (1.0 - expected));
            for (row, &feature) in features.iter().enumerate().filter(|(_, feature)| **feature != 0.0) {
                gradient[row] += slope * f64::from(feature);
                let weight = bend * f64::from(feature);
                let entries = second[row * size..=row * size + row].iter_mut().zip(features);
                entries.for_each(|(entry, &other)| *entry += weight * f64::from(other));
            }
        }
        let count = self.sample.len().max(1) as f64;
        gradient.iter_mut().for_each(|entry| *entry /= count * self.scale);
        second.iter_mut().for_each(|entry| *entry /= count * self.scale * self.scale);
        for index in 0..size {
            gradient[index] += pulls[index] * delta[index];
            second[index * size + index] += pulls[index];
        }
        (gradient, second)
    }

    /// The changes of the weights at the minimum within the bounds, and the objective after every step, shown from
    /// the first.
    pub fn solve(&self, mut show: impl FnMut(usize, &[f64])) -> Vec<f64> {
        let pulls = self.pulls();
        let mut delta = vec![0.0; self.sample.weights];
        let mut value = self.value(&delta, &pulls);
        show(0, &delta);
        for step in 1..=MAX_STEPS {
            let (gradient, second) = self.derivatives(&delta, &pulls);
            let held = self.held(&delta, &gradient);
            let direction = newton_direction(&gradient, &second, &held);
            let Some((next, lower)) = self.descend(&delta, &direction, value, &pulls) else { break };
            let gain = value - lower;
            (delta, value) = (next, lower);
            show(step, &delta);
            if gain < GAIN {
                break;
            }
        }
        delta
    }

    /// Which weights are at a bound that the gradient presses them against.
    fn held(&self, delta: &[f64], gradient: &[f64]) -> Vec<bool> {
        let held = |(index, [low, high]): (usize, &[f64; 2])| {
            (delta[index] <= *low && gradient[index] > 0.0) || (delta[index] >= *high && gradient[index] < 0.0)
        };
        self.bounds.iter().enumerate().map(held).collect()
    }

    /// The longest of the halved steps that lowers the objective, cut off at the bounds.
    fn descend(&self, delta: &[f64], direction: &[f64], value: f64, pulls: &[f64]) -> Option<(Vec<f64>, f64)> {
        (0..30).find_map(|halvings| {
            let length = libm::ldexp(1.0, -halvings);
            let moved = |index: usize| {
                let [low, high] = self.bounds[index];
                (delta[index] + length * direction[index]).clamp(low, high)
            };
            let next: Vec<f64> = (0..delta.len()).map(moved).collect();
            let lower = self.value(&next, pulls);
            (lower < value).then_some((next, lower))
        })
    }
}

/// The Newton step `-H⁻¹ g` over the weights that are not held; the others stay. Only the lower half of `second` is
/// read. A weight that the data says nothing about stays too, and features that are always alike share the change.
fn newton_direction(gradient: &[f64], second: &[f64], held: &[bool]) -> Vec<f64> {
    const LEAST_PIVOT: f64 = 1e-9;
    let size = gradient.len();
    let is_free = |&index: &usize| !held[index] && second[index * size + index] > 0.0;
    let free: Vec<usize> = (0..size).filter(is_free).collect();
    let matrix = Symmetric::new(free.len(), |row, column| {
        let (row, column) = (free[row.max(column)], free[row.min(column)]);
        second[row * size + column]
    });
    let right: Vec<f64> = free.iter().map(|&index| -gradient[index]).collect();
    let mut direction = vec![0.0; size];
    for (value, index) in matrix.cholesky(LEAST_PIVOT).solve(&right).into_iter().zip(free) {
        direction[index] = value;
    }
    direction
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// Positions labelled by chance after known weights: results are 1, 1/2 or 0.
    fn synthetic(count: usize, truth: &[f64], scale: f64, seed: u64) -> LabelledSample {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut sample = LabelledSample::new(truth.len());
        for _ in 0..count {
            let features: Vec<f32> = truth.iter().map(|_| f32::from(rng.random_range(-6i8..=6))).collect();
            let chance = 1.0 / (1.0 + (-product(&features, truth) / scale).exp());
            let mut win = || if rng.random::<f64>() < chance { 0.5 } else { 0.0 };
            let label = win() + win();
            sample.push(0.0, features, label);
        }
        sample
    }

    fn free(size: usize) -> Vec<[f64; 2]> {
        vec![[-1000.0, 1000.0]; size]
    }

    #[test]
    fn known_weights_are_recovered() {
        let truth = [30.0, -12.0, 5.0, 0.0];
        let sample = synthetic(40_000, &truth, 100.0, 3);
        let problem = Problem { sample: &sample, scale: 100.0, l2: 0.0, bounds: free(4) };
        let fitted = problem.solve(|_, _| {});
        for (fitted, truth) in fitted.iter().zip(truth) {
            assert!((fitted - truth).abs() < 0.7, "{fitted} instead of {truth}");
        }
        assert!(sample.loss(&fitted, 100.0) < sample.loss(&[0.0; 4], 100.0) - 0.1);
    }

    #[test]
    fn the_scale_is_recovered() {
        let mut sample = synthetic(40_000, &[30.0, -12.0], 250.0, 4);
        let features = sample.features.clone();
        sample.base = features.chunks(2).map(|row| 30.0 * row[0] - 12.0 * row[1]).collect();
        let scale = scale(&sample);
        assert!((scale - 250.0).abs() < 8.0, "{scale}");
    }

    #[test]
    fn steps_only_go_down_and_the_gradient_vanishes() {
        let sample = synthetic(2_000, &[30.0, -12.0, 5.0], 100.0, 5);
        let problem = Problem { sample: &sample, scale: 100.0, l2: 0.01, bounds: free(3) };
        let pulls = problem.pulls();
        let mut values = Vec::new();
        let fitted = problem.solve(|_, delta| values.push(problem.value(delta, &pulls)));
        assert!(values.len() > 2 && values.is_sorted_by(|a, b| a > b), "{values:?}");
        let (gradient, _) = problem.derivatives(&fitted, &pulls);
        assert!(gradient.iter().all(|slope| slope.abs() < 1e-8), "{gradient:?}");
    }

    #[test]
    fn the_pull_shrinks_and_bounds_hold() {
        let sample = synthetic(4_000, &[30.0, -12.0], 100.0, 6);
        let solve = |l2, bounds| Problem { sample: &sample, scale: 100.0, l2, bounds }.solve(|_, _| {});
        let (free_fit, pulled) = (solve(0.0, free(2)), solve(1.0, free(2)));
        assert!(pulled[0] > 0.0 && pulled[0] < free_fit[0] / 2.0, "{pulled:?} {free_fit:?}");
        let bounded = solve(0.0, vec![[-10.0, 10.0], [-1000.0, 1000.0]]);
        assert_eq!(bounded[0], 10.0);
        assert!(bounded[1] < -3.0, "the other weight is still fitted: {bounded:?}");
    }

    #[test]
    fn a_weight_without_influence_stays() {
        let mut sample = LabelledSample::new(2);
        for index in 0..100 {
            sample.push(0.0, [(index % 7) as f32 - 3.0, 0.0], if index % 7 > 2 { 1.0 } else { 0.0 });
        }
        let problem = Problem { sample: &sample, scale: 100.0, l2: 0.001, bounds: free(2) };
        assert_eq!(problem.solve(|_, _| {})[1], 0.0);
    }

    #[test]
    fn a_system_is_solved() {
        // [[4, 2], [2, 3]] x = [2, -1], so x = [1, -1].
        let direction = newton_direction(&[-2.0, 1.0], &[4.0, 0.0, 2.0, 3.0], &[false, false]);
        assert!((direction[0] - 1.0).abs() < 1e-12 && (direction[1] + 1.0).abs() < 1e-12, "{direction:?}");
    }

    #[test]
    fn held_and_unknown_weights_stay() {
        let second = [4.0, 0.0, 0.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0];
        assert_eq!(newton_direction(&[-2.0, 1.0, 0.0], &second, &[false, true, false]), [0.5, 0.0, 0.0]);
    }

    #[test]
    fn features_that_are_alike_give_a_finite_step() {
        let direction = newton_direction(&[-2.0, -2.0], &[4.0, 0.0, 4.0, 4.0], &[false, false]);
        assert!(direction.iter().all(|value| value.is_finite()), "{direction:?}");
        assert!((direction[0] + direction[1] - 0.5).abs() < 1e-6, "{direction:?}");
    }
}
