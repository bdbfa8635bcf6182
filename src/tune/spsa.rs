//! Simultaneous perturbation stochastic approximation.
//!
//! J. C. Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient approximation", IEEE
//! Transactions on Automatic Control 37 (1992); gains given by their last values, as Stockfish's testing framework has
//! them: c_end is the perturbation and r_end the relative step at the last iteration.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use super::meeting::{Meeting, MeetingScore};
use super::space::{ParameterPoint, Space};
use super::trace::{Measure, TraceRow};

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
    /// 1 or -1 for each parameter.
    pub flips: Vec<f64>,
    pub gains: Vec<Gain>,
    pub plus: ParameterPoint,
    pub minus: ParameterPoint,
}

/// The state of the search: where it stands and how far it has come.
#[derive(Clone, Debug)]
pub(crate) struct Spsa {
    space: Space,
    gains: Vec<Gains>,
    iterations: u64,
    seed: u64,
    theta: Vec<f64>,
    done: u64,
}

/// Apart from the streams of games, which begin at 0, and of openings, which begin at 1 << 63.
const FLIP_STREAMS: u64 = 3 << 62;

impl Spsa {
    /// A search from the start of the space; `gains` has one element for each of its axes.
    pub(crate) fn new(space: Space, gains: Vec<Gains>, iterations: u64, seed: u64) -> Self {
        let theta = space.start().into_iter().map(|value| value as f64).collect();
        Spsa { space, gains, iterations, seed, theta, done: 0 }
    }

    /// The next perturbation, a function of seed, iteration and theta; `None` at the end.
    pub(crate) fn step(&self) -> Option<SpsaStep> {
        let iteration = self.done + 1;
        if iteration > self.iterations {
            return None;
        }
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(FLIP_STREAMS | iteration);
        let gains: Vec<Gain> = self.gains.iter().map(|gains| gains.at(iteration)).collect();
        let flips: Vec<f64> = gains.iter().map(|_| if rng.next_u32() & 1 == 0 { 1.0 } else { -1.0 }).collect();
        let draws: Vec<f64> = gains.iter().map(|_| rng.random::<f64>()).collect();
        let [plus, minus] = [1.0, -1.0].map(|sign| self.perturbed(sign, &flips, &gains, &draws));
        Some(SpsaStep { iteration, flips, gains, plus, minus })
    }

    /// Rounded at random so that the mean is the unrounded value: a perturbation below one half still acts. Both
    /// directions share the draw, which leaves the mean of their distance and takes away most of its scatter.
    fn perturbed(&self, sign: f64, flips: &[f64], gains: &[Gain], draws: &[f64]) -> ParameterPoint {
        let value = |index: usize| {
            let axis = &self.space.axes[index];
            let moved = axis.clamp(self.theta[index] + sign * flips[index] * gains[index].c);
            ((moved + draws[index]).floor() as i64).clamp(axis.min, axis.max)
        };
        (0..self.theta.len()).map(value).collect()
    }

    /// Moves on by the net wins of plus against minus.
    pub(crate) fn learn(&mut self, step: &SpsaStep, net: i64) {
        for (index, Gain { c, r }) in step.gains.iter().enumerate() {
            let moved = self.theta[index] + r * c * step.flips[index] * net as f64;
            self.theta[index] = self.space.axes[index].clamp(moved);
        }
        self.done = step.iteration;
    }

    /// Runs to the end: every step is a meeting, and then a row to show.
    ///
    /// # Errors
    /// A meeting could not be finished.
    pub(crate) fn run<E>(
        &mut self,
        mut meet: impl FnMut(Meeting<'_>) -> Result<MeetingScore, E>,
        mut show: impl FnMut(TraceRow),
    ) -> Result<(), E> {
        while let Some(step) = self.step() {
            let score = meet(Meeting { number: step.iteration - 1, first: &step.plus, second: &step.minus })?;
            self.learn(&step, score.net());
            let measure = Measure::Match { first: step.plus, second: step.minus, score };
            show(TraceRow { number: step.iteration, values: self.theta.clone(), measure });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

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

        fn meet(&self, meeting: Meeting<'_>) -> Result<MeetingScore, Infallible> {
            let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
            rng.set_stream(meeting.number);
            let difference = self.elo(meeting.first) - self.elo(meeting.second);
            let chance = 1.0 / (1.0 + 10f64.powf(-difference / 400.0));
            let mut score = MeetingScore::default();
            for _ in 0..self.pairs {
                let mut game = || if rng.random::<f64>() < chance { 1 } else { -1 };
                score.add_pair([game(), game()]);
            }
            Ok(score)
        }
    }

    fn decay(iterations: u64) -> Decay {
        Decay { iterations, alpha: 0.602, gamma: 0.101, stability: 0.1 }
    }

    fn space() -> Space {
        let axis = |name: &str, start, min, max| Axis { name: name.into(), role: None, start, min, max };
        Space { axes: vec![axis("a", 20, 0, 100), axis("b", 300, -500, 500), axis("c", 2, 0, 8)] }
    }

    /// The end of a run on a quadratic whose optimum is (60, -100, 5), 250 or so Elo above the start.
    fn end(seed: u64, sign: f64) -> Vec<f64> {
        let optimum = vec![60.0, -100.0, 5.0];
        let objective = Quadratic { optimum, steepness: vec![0.06, 0.0006, 6.0], pairs: 4, seed: seed + 99, sign };
        let gains = [(6.0, 0.02), (60.0, 0.02), (0.6, 0.02)].map(|(c, r)| Gains::new(c, r, decay(1500)));
        let mut spsa = Spsa::new(space(), gains.to_vec(), 1500, seed);
        let Ok(()) = spsa.run(|meeting| objective.meet(meeting), |_| {});
        spsa.theta.clone()
    }

    /// In units that cost the same strength everywhere.
    fn is_near_the_optimum(theta: &[f64]) -> bool {
        (theta[0] - 60.0).abs() < 10.0 && (theta[1] + 100.0).abs() < 100.0 && (theta[2] - 5.0).abs() < 1.0
    }

    #[test]
    fn a_noisy_quadratic_is_climbed_to_its_top() {
        for seed in 1..=8 {
            let theta = end(seed, 1.0);
            assert!(is_near_the_optimum(&theta), "seed {seed}: {theta:?}");
        }
    }

    #[test]
    fn the_wrong_sign_runs_away_from_the_top() {
        for seed in 1..=4 {
            let theta = end(seed, -1.0);
            assert!(!is_near_the_optimum(&theta), "seed {seed}: {theta:?}");
            assert!(theta[0] < 5.0 || theta[0] > 95.0, "at a bound: {theta:?}");
        }
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
            let step = Spsa::new(space(), gains.clone(), 1, seed).step().unwrap();
            assert!((step.plus[1] - step.minus[1]).abs() <= 1);
            distance += step.flips[1] * (step.plus[1] - step.minus[1]) as f64;
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
            spsa.learn(&step, 7);
            for (axis, &value) in space().axes.iter().zip(&spsa.theta) {
                assert!((axis.min as f64..=axis.max as f64).contains(&value));
            }
        }
        assert_eq!(spsa.done, 20);
    }
}
