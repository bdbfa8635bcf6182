//! Simultaneous perturbation stochastic approximation.
//!
//! J. C. Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient approximation", IEEE
//! Transactions on Automatic Control 37 (1992); gains given by their last values, as Stockfish's testing framework has
//! them: c_end is the perturbation and r_end the relative step at the last iteration.

use rand::{Rng, RngExt};
use reynard_engine::rules::random::stream;
use serde::Serialize;

use super::space::{ParameterPoint, Space};

/// How gains fall, the same for all parameters.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Decay {
    pub iterations: u64,
    pub alpha: f64,
    pub gamma: f64,
    /// A as a share of the iterations.
    pub stability: f64,
}

/// The gain sequence of one parameter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gains {
    a: f64,
    c: f64,
    decay: Decay,
}

/// The gains of one iteration.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gain {
    /// The perturbation, in units of the option.
    pub c: f64,
    /// The step for one net win, in units of `c`.
    pub r: f64,
}

impl Gains {
    pub fn new(c_end: f64, r_end: f64, decay: Decay) -> Self {
        let iterations = decay.iterations as f64;
        let a_end = r_end * c_end * c_end;
        let a = a_end * libm::pow(decay.stability * iterations + iterations, decay.alpha);
        Gains { a, c: c_end * libm::pow(iterations, decay.gamma), decay }
    }

    /// Of iteration `k`, from 1 to the number of iterations.
    pub fn at(&self, k: u64) -> Gain {
        let Decay { iterations, alpha, gamma, stability } = self.decay;
        let c = self.c / libm::pow(k as f64, gamma);
        let a = self.a / libm::pow(stability * iterations as f64 + k as f64, alpha);
        Gain { c, r: a / (c * c) }
    }
}

/// One perturbation in both directions.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct SpsaStep {
    /// From 1.
    pub iteration: u64,
    pub plus: ParameterPoint,
    pub minus: ParameterPoint,
}

/// What chance and the gains decide of an iteration, whatever the values are.
struct Draw {
    /// 1 or -1 for each parameter.
    flips: Vec<f64>,
    gains: Vec<Gain>,
    /// From 0 to 1, for rounding.
    fractions: Vec<f64>,
}

/// The state of the search: where it stands and how far it has come.
#[derive(Clone, Debug)]
pub(crate) struct Spsa {
    space: Space,
    gains: Vec<Gains>,
    iterations: u64,
    seed: u64,
    theta: Vec<f64>,
    /// Sums of the squares of all steps.
    squares: Vec<f64>,
    done: u64,
}

/// Apart from the streams of games, which begin at 0, and of openings, which begin at 1 << 63.
const FLIP_STREAMS: u64 = 3 << 62;

impl Spsa {
    /// A search from the start of the space; `gains` has one element for each of its axes.
    pub(crate) fn new(space: Space, gains: Vec<Gains>, iterations: u64, seed: u64) -> Self {
        let (theta, squares) = (Vec::new(), Vec::new());
        let mut spsa = Spsa { space, gains, iterations, seed, theta, squares, done: 0 };
        spsa.restart();
        spsa
    }

    /// Goes back to the start.
    pub(crate) fn restart(&mut self) {
        self.theta = self.space.start().into_iter().map(|value| value as f64).collect();
        self.squares = vec![0.0; self.theta.len()];
        self.done = 0;
    }

    /// Where the search stands, unrounded.
    pub(crate) fn values(&self) -> &[f64] {
        &self.theta
    }

    /// How far each value would have wandered by now if no parameter mattered: one standard deviation.
    ///
    /// The signs of the perturbations are drawn independently of the games, so the steps would be a random walk then,
    /// whose variance is the sum of the squares of its steps.
    pub(crate) fn noise(&self) -> Vec<f64> {
        self.squares.iter().map(|sum| sum.sqrt()).collect()
    }

    fn draw(&self, iteration: u64) -> Draw {
        let mut rng = stream(self.seed, FLIP_STREAMS | iteration);
        let gains: Vec<Gain> = self.gains.iter().map(|gains| gains.at(iteration)).collect();
        let flips = gains.iter().map(|_| if rng.next_u32() & 1 == 0 { 1.0 } else { -1.0 }).collect();
        let fractions = gains.iter().map(|_| rng.random::<f64>()).collect();
        Draw { flips, gains, fractions }
    }

    /// The next perturbation, a function of seed, iteration and values; `None` at the end.
    pub(crate) fn step(&self) -> Option<SpsaStep> {
        let iteration = self.done + 1;
        if iteration > self.iterations {
            return None;
        }
        let draw = self.draw(iteration);
        let [plus, minus] = [1.0, -1.0].map(|sign| self.perturbed(sign, &draw));
        Some(SpsaStep { iteration, plus, minus })
    }

    /// Rounded at random so that the mean is the unrounded value: a perturbation below one half still acts. Both
    /// directions share the fraction, which leaves the mean of their distance and takes away most of its scatter.
    fn perturbed(&self, sign: f64, Draw { flips, gains, fractions }: &Draw) -> ParameterPoint {
        let value = |index: usize| {
            let axis = &self.space.axes[index];
            let moved = axis.clamp(self.theta[index] + sign * flips[index] * gains[index].c);
            ((moved + fractions[index]).floor() as i64).clamp(axis.min, axis.max)
        };
        (0..self.theta.len()).map(value).collect()
    }

    /// Moves on by the net wins of plus against minus in the next iteration.
    pub(crate) fn learn(&mut self, net: i64) {
        self.done += 1;
        let Draw { flips, gains, .. } = self.draw(self.done);
        for (index, Gain { c, r }) in gains.into_iter().enumerate() {
            let step = r * c * flips[index] * net as f64;
            self.theta[index] = self.space.axes[index].clamp(self.theta[index] + step);
            self.squares[index] += step * step;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::space::Axis;

    /// Strength falls with the square of the distance from the optimum; games are won and lost at random by it.
    struct Quadratic {
        optimum: Vec<f64>,
        /// Elo lost one unit away.
        steepness: Vec<f64>,
        pairs: u64,
        seed: u64,
        /// -1 rewards the weaker side.
        sign: f64,
    }

    impl Quadratic {
        fn elo(&self, point: &[i64]) -> f64 {
            let loss = |index: usize| self.steepness[index] * (point[index] as f64 - self.optimum[index]).powi(2);
            -self.sign * (0..point.len()).map(loss).sum::<f64>()
        }

        /// The net wins of plus against minus.
        fn net(&self, step: &SpsaStep) -> i64 {
            let mut rng = stream(self.seed, step.iteration - 1);
            let difference = self.elo(&step.plus) - self.elo(&step.minus);
            let chance = 1.0 / (1.0 + 10f64.powf(-difference / 400.0));
            (0..2 * self.pairs).map(|_| if rng.random::<f64>() < chance { 1 } else { -1 }).sum()
        }
    }

    fn decay(iterations: u64) -> Decay {
        Decay { iterations, alpha: 0.602, gamma: 0.101, stability: 0.1 }
    }

    fn space() -> Space {
        let axis = |name: &str, start, min, max| Axis { name: name.into(), role: None, start, min, max };
        Space { axes: vec![axis("a", 20, 0, 100), axis("b", 300, -500, 500), axis("c", 2, 0, 8)] }
    }

    fn search(seed: u64) -> Spsa {
        let gains = [(6.0, 0.02), (60.0, 0.02), (0.6, 0.02)].map(|(c, r)| Gains::new(c, r, decay(1500)));
        Spsa::new(space(), gains.to_vec(), 1500, seed)
    }

    /// The end of a run on a quadratic whose optimum is (60, -100, 5), 250 or so Elo above the start.
    fn end(seed: u64, sign: f64, steepness: [f64; 3]) -> Spsa {
        let optimum = vec![60.0, -100.0, 5.0];
        let objective = Quadratic { optimum, steepness: steepness.to_vec(), pairs: 4, seed: seed + 99, sign };
        let mut spsa = search(seed);
        while let Some(step) = spsa.step() {
            spsa.learn(objective.net(&step));
        }
        spsa
    }

    const STEEP: [f64; 3] = [0.06, 0.0006, 6.0];

    /// In units that cost the same strength everywhere.
    fn is_near_the_optimum(theta: &[f64]) -> bool {
        (theta[0] - 60.0).abs() < 10.0 && (theta[1] + 100.0).abs() < 100.0 && (theta[2] - 5.0).abs() < 1.0
    }

    #[test]
    fn a_noisy_quadratic_is_climbed_to_its_top() {
        for seed in 1..=8 {
            let theta = end(seed, 1.0, STEEP).theta;
            assert!(is_near_the_optimum(&theta), "seed {seed}: {theta:?}");
        }
    }

    #[test]
    fn the_wrong_sign_runs_away_from_the_top() {
        for seed in 1..=4 {
            let theta = end(seed, -1.0, STEEP).theta;
            assert!(!is_near_the_optimum(&theta), "seed {seed}: {theta:?}");
            assert!(theta[0] < 5.0 || theta[0] > 95.0, "at a bound: {theta:?}");
        }
    }

    #[test]
    fn the_noise_is_what_parameters_without_effect_wander() {
        let mut sums = [0.0; 3];
        for seed in 1..=60 {
            let spsa = end(seed, 1.0, [0.0; 3]);
            for (index, sum) in sums.iter_mut().enumerate() {
                let moved = spsa.theta[index] - space().start()[index] as f64;
                *sum += (moved / spsa.noise()[index]).powi(2);
            }
        }
        // The mean of 60 squares has a standard error of 0.18; the third parameter is held by its bounds now and then.
        assert!(sums.iter().take(2).all(|sum| (0.5..1.6).contains(&(sum / 60.0))), "{sums:?}");
        let drift = end(1, 1.0, STEEP);
        assert!((drift.theta[0] - 20.0) / drift.noise()[0] > 2.0, "{:?} {:?}", drift.theta, drift.noise());
    }

    #[test]
    fn a_search_that_is_told_its_results_again_ends_in_the_same_place() {
        let mut spsa = search(3);
        let nets: Vec<i64> = (0..200).map(|n| n % 5 - 2).collect();
        nets.iter().for_each(|&net| spsa.learn(net));
        let (values, noise) = (spsa.values().to_vec(), spsa.noise());
        spsa.restart();
        assert_eq!(spsa.values(), [20.0, 300.0, 2.0]);
        nets.iter().for_each(|&net| spsa.learn(net));
        assert_eq!((spsa.values(), spsa.noise()), (&values[..], noise));
    }

    #[test]
    fn gains_follow_the_published_formulas() {
        // N = 1000, A = 100, c_end = 8, r_end = 0.002, worked out by hand:
        // c = 8 * 1000^0.101 = 16.072743, a = 0.002 * 64 * 1100^0.602 = 8.672182, a / 101^0.602 / c^2 = 0.00208616.
        let gains = Gains::new(8.0, 0.002, decay(1000));
        let last = gains.at(1000);
        assert!((last.c - 8.0).abs() < 1e-12 && (last.r - 0.002).abs() < 1e-15, "{last:?}");
        let first = gains.at(1);
        assert!((first.c - 16.072_743).abs() < 1e-5, "{first:?}");
        assert!((first.r - 0.002_086_157).abs() < 1e-9, "{first:?}");
    }

    #[test]
    fn rounding_keeps_the_mean_of_small_perturbations() {
        let gains = vec![Gains::new(0.3, 0.01, decay(1)); 3];
        let mut distance = 0.0;
        for seed in 0..2000 {
            let spsa = Spsa::new(space(), gains.clone(), 1, seed);
            let step = spsa.step().unwrap();
            assert!((step.plus[1] - step.minus[1]).abs() <= 1);
            distance += spsa.draw(1).flips[1] * (step.plus[1] - step.minus[1]) as f64;
        }
        assert!((distance / 2000.0 - 0.6).abs() < 0.05, "{distance}");
    }

    #[test]
    fn values_stay_in_their_range_and_steps_repeat() {
        let gains = vec![Gains::new(50.0, 1.0, decay(20)); 3];
        let mut spsa = Spsa::new(space(), gains, 20, 5);
        while let Some(step) = spsa.step() {
            assert_eq!(spsa.step().as_ref(), Some(&step), "a function of seed, iteration and theta");
            for (axis, value) in space().axes.iter().zip(step.plus.iter().chain(&[])) {
                assert!((axis.min..=axis.max).contains(value));
            }
            spsa.learn(7);
            for (axis, &value) in space().axes.iter().zip(&spsa.theta) {
                assert!((axis.min as f64..=axis.max as f64).contains(&value));
            }
        }
        assert_eq!(spsa.done, 20);
    }
}
