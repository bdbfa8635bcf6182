//! The likelihood of the results, its maximum and its curvature.

use super::{Cell, Sample, Trinomial};
use crate::tournament::stats::linear::{Cholesky, Symmetric};

/// The results with the parameters that bear on them: the engines' ratings, then the rulesets' side terms.
pub(super) struct Design {
    engines: usize,
    rulesets: usize,
    cells: Vec<Cell>,
}

/// Pivots below this part of their entry are rounding.
const ROUNDING: f64 = 1e-14;

/// A penalty so weak that it only keeps an infinite maximum finite.
const HOLD: f64 = 1e-9;

/// Points that a perfect score may have above its expectation and still count as foreseen. With [`HOLD`] a score that
/// makes a parameter infinite stays far below this; dropping such a score changes no other estimate.
const FORESEEN: f64 = 1e-4;

impl Design {
    pub(super) fn new(engines: usize, rulesets: usize, cells: &[Cell]) -> Self {
        let is_played = |cell: &&Cell| cell.games.games() > 0 && cell.first != cell.second;
        Design { engines, rulesets, cells: cells.iter().filter(is_played).copied().collect() }
    }

    fn size(&self) -> usize {
        self.engines + self.rulesets
    }

    /// The parameters that make up the logarithm of the odds of a cell.
    fn row(&self, cell: &Cell) -> [(usize, f64); 3] {
        [(cell.first, 1.0), (cell.second, -1.0), (self.engines + cell.ruleset, 1.0)]
    }

    fn log_odds(&self, cell: &Cell, parameters: &[f64]) -> f64 {
        self.row(cell).iter().map(|&(at, weight)| weight * parameters[at]).sum()
    }

    /// The penalty `strength` on the square of every parameter.
    pub(super) fn ridge(&self, strength: f64) -> Symmetric {
        Symmetric::diagonal(self.size(), strength)
    }

    /// The projection onto the directions in which the parameters can move without changing what is expected of any
    /// cell: those in which a weak penalty is all that holds them.
    pub(super) fn free_directions(&self) -> Symmetric {
        let mut held = self.ridge(HOLD);
        self.cells.iter().for_each(|cell| held.add_outer(&self.row(cell), 1.0));
        let factor = held.cholesky(ROUNDING);
        let unit = |at: usize| (0..self.size()).map(|other| if other == at { HOLD } else { 0.0 }).collect::<Vec<_>>();
        let columns: Vec<Vec<f64>> = (0..self.size()).map(|at| factor.solve(&unit(at))).collect();
        Symmetric::new(self.size(), |row, column| columns[column][row])
    }

    /// The results without those perfect scores that drive a parameter to infinity.
    pub(super) fn without_infinite(&self) -> Design {
        let held = self.fit(&self.ridge(HOLD));
        let is_finite = |cell: &&Cell| {
            let Trinomial { losses, draws, wins } = cell.games;
            let log_odds = self.log_odds(cell, &held);
            let missed = cell.games.games() as f64 * logistic(if wins > 0 { -log_odds } else { log_odds });
            let is_perfect = draws == 0 && (wins == 0 || losses == 0);
            !(is_perfect && missed < FORESEEN)
        };
        Design { cells: self.cells.iter().filter(is_finite).copied().collect(), ..*self }
    }

    /// The maximum of the likelihood less half the penalty's quadratic form, by Newton's method with step halving. The
    /// penalty must bend every free direction.
    pub(super) fn fit(&self, penalty: &Symmetric) -> Vec<f64> {
        const ROUNDS: usize = 200;
        const SETTLED: f64 = 1e-11;
        let mut parameters = vec![0.0; self.size()];
        let mut value = self.objective(&parameters, penalty);
        for _ in 0..ROUNDS {
            let step = self.curvature(&parameters, penalty).solve(&self.gradient(&parameters, penalty));
            let Some((next, better)) = self.advance(&parameters, &step, value, penalty) else { break };
            let moved = parameters.iter().zip(&next).map(|(old, new)| (old - new).abs()).fold(0.0, f64::max);
            (parameters, value) = (next, better);
            if moved < SETTLED {
                break;
            }
        }
        parameters
    }

    /// The longest of the step, half of it, a quarter ... that is no step down.
    fn advance(&self, from: &[f64], step: &[f64], value: f64, penalty: &Symmetric) -> Option<(Vec<f64>, f64)> {
        (0..40).find_map(|halvings| {
            let scale = 0.5f64.powi(halvings);
            let next: Vec<f64> = from.iter().zip(step).map(|(from, step)| from + scale * step).collect();
            let reached = self.objective(&next, penalty);
            (reached >= value).then_some((next, reached))
        })
    }

    fn objective(&self, parameters: &[f64], penalty: &Symmetric) -> f64 {
        let of_cell = |cell: &Cell| {
            let log_odds = self.log_odds(cell, parameters);
            let points = cell.games.points();
            -points * softplus(-log_odds) - (cell.games.games() as f64 - points) * softplus(log_odds)
        };
        self.cells.iter().map(of_cell).sum::<f64>() - penalty.quadratic(parameters) / 2.0
    }

    fn gradient(&self, parameters: &[f64], penalty: &Symmetric) -> Vec<f64> {
        let mut gradient: Vec<f64> = penalty.times(parameters).into_iter().map(|pull| -pull).collect();
        for cell in &self.cells {
            let expected = logistic(self.log_odds(cell, parameters));
            let surplus = cell.games.points() - cell.games.games() as f64 * expected;
            self.row(cell).iter().for_each(|&(at, weight)| gradient[at] += weight * surplus);
        }
        gradient
    }

    /// Minus the second derivative of what [`fit`](Self::fit) maximises, factored.
    pub(super) fn curvature(&self, parameters: &[f64], penalty: &Symmetric) -> Cholesky {
        let information = self.sum_of_outers(parameters, |cell, log_odds| {
            cell.games.games() as f64 * logistic(log_odds) * logistic(-log_odds)
        });
        information.plus(penalty).cholesky(ROUNDING)
    }

    /// The observed squares of the residuals, which stand between two inverses of the curvature in the covariance of
    /// the estimate. The penalty only bends the free directions, along which there are no residuals.
    pub(super) fn residual_squares(&self, parameters: &[f64]) -> Symmetric {
        self.sum_of_outers(parameters, |cell, log_odds| squares(cell.games, log_odds))
    }

    fn sum_of_outers(&self, parameters: &[f64], weight: impl Fn(&Cell, f64) -> f64) -> Symmetric {
        let mut sum = self.ridge(0.0);
        for cell in &self.cells {
            sum.add_outer(&self.row(cell), weight(cell, self.log_odds(cell, parameters)));
        }
        sum
    }
}

/// The sum of the squared differences between results and expectation.
fn squares(games: Trinomial, log_odds: f64) -> f64 {
    let (expected, missing) = (logistic(log_odds), logistic(-log_odds));
    games.wins as f64 * missing * missing
        + games.draws as f64 * (0.5 - expected).powi(2)
        + games.losses as f64 * expected * expected
}

fn logistic(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// ln(1 + exp(x)) without overflow.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}
