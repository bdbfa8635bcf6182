//! Ratings of engines and the advantage of a side, estimated together.
//!
//! The model of Bradley and Terry with a term for the side: in a game of a ruleset the engine on the favoured seat
//! scores on average 1 / (1 + exp(-(r - q + s))), with its own rating r, its opponent's rating q and the ruleset's side
//! advantage s. A draw is half a win and half a loss. The errors are those of the sandwich estimator (White 1982), with
//! the observed squares of the residuals between two inverses of the information, so draws narrow them; for two engines
//! and one ruleset this is the delta method on the two scores. Games that all ended as expected, drawn ones between
//! equals, show no residuals; then the errors are those of as many decided games, the inverse of the information.

#[cfg(test)]
mod tests;

use serde::Serialize;

use super::estimate::{ELO_PER_LOGIT, Z95};
use super::{Sample, Trinomial};

/// The games of two engines at a ruleset in which the first one had the seat whose advantage is rated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Index of the engine on the seat whose advantage is rated.
    pub first: usize,
    /// Index of its opponent.
    pub second: usize,
    /// Index of the ruleset.
    pub ruleset: usize,
    /// From the first one's point of view.
    pub games: Trinomial,
}

/// The rating of an engine.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Rating {
    /// Relative to the mean of the engine's group; `None` alone in a group.
    pub elo: Option<f64>,
    pub stderr: Option<f64>,
    /// Half width of the 95 % interval.
    pub error: Option<f64>,
    /// Engines of different groups cannot be compared: no games connect them, or only perfect scores do.
    pub group: usize,
    /// Always finite, relative to the mean of all: what is left of the rating under a normal prior with a standard
    /// deviation of [`PRIOR_ELO`]. Only for putting engines of different groups in an order.
    pub bounded_elo: f64,
}

/// A weighted sum of the parameters; unknown where the results do not determine it, or where it is infinite.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Contrast {
    pub elo: Option<f64>,
    pub stderr: Option<f64>,
    /// Half width of the 95 % interval.
    pub error: Option<f64>,
}

/// The outcome of the estimation.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// By engine.
    pub engines: Vec<Rating>,
    /// What the favoured seat is worth, by ruleset.
    pub sides: Vec<Contrast>,
    /// Engines of one group are comparable with each other.
    pub groups: usize,
    /// Logarithms of odds: engines, then rulesets.
    estimate: Vec<f64>,
    /// The bread and the meat of the sandwich estimator of the covariance.
    curvature: Cholesky,
    residual_squares: Symmetric,
}

/// Standard deviation of the prior behind [`Rating::bounded_elo`].
pub(crate) const PRIOR_ELO: f64 = 1000.0;

/// Below it an entry of the projection onto the free directions counts as zero; those entries are small fractions.
const NOTHING: f64 = 1e-4;

/// Estimates all ratings and side advantages from the results. Cells without games do not matter.
pub fn bradley_terry(engines: usize, rulesets: usize, cells: &[Cell]) -> Ratings {
    let design = Design::new(engines, rulesets, cells);
    let bounded = design.fit(&design.ridge((ELO_PER_LOGIT / PRIOR_ELO).powi(2)));
    let finite = design.without_infinite();
    let free = finite.free_directions();
    let estimate = finite.fit(&free);
    let curvature = finite.curvature(&estimate, &free);
    let residual_squares = finite.residual_squares(&estimate);
    let group_of = groups(&free, engines);
    let groups = group_of.iter().max().map_or(0, |last| last + 1);
    let mut ratings = Ratings { engines: Vec::new(), sides: Vec::new(), groups, estimate, curvature, residual_squares };
    ratings.engines = (0..engines).map(|engine| ratings.rating(engine, &group_of, &bounded)).collect();
    ratings.sides = (0..rulesets).map(|ruleset| ratings.side(engines + ruleset, &free)).collect();
    ratings
}

impl Ratings {
    fn rating(&self, engine: usize, group_of: &[usize], bounded: &[f64]) -> Rating {
        let members = || (0..group_of.len()).filter(|&other| group_of[other] == group_of[engine]);
        let size = members().count();
        let mut contrast = vec![0.0; self.estimate.len()];
        members().for_each(|other| contrast[other] -= 1.0 / size as f64);
        contrast[engine] += 1.0;
        let Contrast { elo, stderr, error } = if size > 1 { self.contrast(&contrast) } else { Contrast::default() };
        Rating { elo, stderr, error, group: group_of[engine], bounded_elo: bounded[engine] * ELO_PER_LOGIT }
    }

    fn side(&self, parameter: usize, free: &Symmetric) -> Contrast {
        let mut contrast = vec![0.0; self.estimate.len()];
        contrast[parameter] = 1.0;
        let is_known = free.row(parameter).iter().all(|part| part.abs() < NOTHING);
        if is_known { self.contrast(&contrast) } else { Contrast::default() }
    }

    /// A weighted sum of the parameters, with its error.
    fn contrast(&self, weights: &[f64]) -> Contrast {
        let sum: f64 = weights.iter().zip(&self.estimate).map(|(weight, value)| weight * value).sum();
        let spread = self.curvature.solve(weights);
        let (observed, largest) = (self.residual_squares.quadratic(&spread), dot(weights, &spread));
        let variance = if observed > ROUNDING * largest { observed } else { largest };
        let stderr = ELO_PER_LOGIT * variance.max(0.0).sqrt();
        Contrast { elo: Some(ELO_PER_LOGIT * sum), stderr: Some(stderr), error: Some(Z95 * stderr) }
    }
}

/// Two engines are comparable exactly when no free direction moves them apart.
fn groups(free: &Symmetric, engines: usize) -> Vec<usize> {
    let mut representatives: Vec<usize> = Vec::new();
    let same = |a: usize, b: usize| free.row(a).iter().zip(free.row(b)).all(|(a, b)| (a - b).abs() < NOTHING);
    (0..engines)
        .map(|engine| {
            representatives.iter().position(|&other| same(engine, other)).unwrap_or_else(|| {
                representatives.push(engine);
                representatives.len() - 1
            })
        })
        .collect()
}

/// The results with the parameters that bear on them: the engines' ratings, then the rulesets' side terms.
struct Design {
    engines: usize,
    rulesets: usize,
    cells: Vec<Cell>,
}

/// Pivots below this part of their entry are rounding, and a variance below this part of that of decided games.
const ROUNDING: f64 = 1e-14;

/// Strength of a ridge penalty so weak that it only keeps an infinite maximum finite.
const WEAK_RIDGE: f64 = 1e-9;

/// A perfect score of which the fit misses fewer points than this drives a parameter to infinity: [`WEAK_RIDGE`] lets
/// it miss far fewer. Without such a score no other estimate changes.
const PERFECT_FIT: f64 = 1e-4;

impl Design {
    fn new(engines: usize, rulesets: usize, cells: &[Cell]) -> Self {
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

    /// A ridge penalty: `strength` on the square of every parameter.
    fn ridge(&self, strength: f64) -> Symmetric {
        Symmetric::diagonal(self.size(), strength)
    }

    /// The projection onto the directions in which the parameters can move without changing what is expected of any
    /// cell: those in which only a weak penalty holds them.
    fn free_directions(&self) -> Symmetric {
        let mut held = self.ridge(WEAK_RIDGE);
        self.cells.iter().for_each(|cell| held.add_outer(&self.row(cell), 1.0));
        let factor = held.cholesky(ROUNDING);
        let unit =
            |at: usize| (0..self.size()).map(|other| if other == at { WEAK_RIDGE } else { 0.0 }).collect::<Vec<_>>();
        let columns: Vec<Vec<f64>> = (0..self.size()).map(|at| factor.solve(&unit(at))).collect();
        Symmetric::new(self.size(), |row, column| columns[column][row])
    }

    /// The results without those perfect scores that drive a parameter to infinity.
    fn without_infinite(&self) -> Design {
        let held = self.fit(&self.ridge(WEAK_RIDGE));
        let is_finite = |cell: &&Cell| {
            let Trinomial { losses, draws, wins } = cell.games;
            let log_odds = self.log_odds(cell, &held);
            let missed = cell.games.games() as f64 * logistic(if wins > 0 { -log_odds } else { log_odds });
            let is_perfect = draws == 0 && (wins == 0 || losses == 0);
            !(is_perfect && missed < PERFECT_FIT)
        };
        Design { cells: self.cells.iter().filter(is_finite).copied().collect(), ..*self }
    }

    /// The maximum of the likelihood less half the penalty's quadratic form, by Newton's method with step halving. The
    /// penalty must bend every free direction.
    fn fit(&self, penalty: &Symmetric) -> Vec<f64> {
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
    fn curvature(&self, parameters: &[f64], penalty: &Symmetric) -> Cholesky {
        let information = self.sum_of_outers(parameters, |cell, log_odds| {
            cell.games.games() as f64 * logistic(log_odds) * logistic(-log_odds)
        });
        information.plus(penalty).cholesky(ROUNDING)
    }

    /// The observed squares of the residuals, the middle of the sandwich estimator. The penalty only bends the free
    /// directions, along which there are no residuals.
    fn residual_squares(&self, parameters: &[f64]) -> Symmetric {
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

/// A symmetric matrix.
#[derive(Clone, PartialEq, Debug)]
struct Symmetric {
    size: usize,
    entries: Vec<f64>,
}

impl Symmetric {
    fn new(size: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        let entries = (0..size * size).map(|at| entry(at / size, at % size)).collect();
        Symmetric { size, entries }
    }

    /// The identity times a number.
    fn diagonal(size: usize, value: f64) -> Self {
        Symmetric::new(size, |row, column| if row == column { value } else { 0.0 })
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.entries[row * self.size..(row + 1) * self.size]
    }

    /// Adds `scale` times the outer product of a sparse vector with itself.
    fn add_outer(&mut self, vector: &[(usize, f64)], scale: f64) {
        for &(row, left) in vector {
            for &(column, right) in vector {
                self.entries[row * self.size + column] += scale * left * right;
            }
        }
    }

    fn plus(mut self, other: &Symmetric) -> Self {
        self.entries.iter_mut().zip(&other.entries).for_each(|(entry, more)| *entry += more);
        self
    }

    fn times(&self, vector: &[f64]) -> Vec<f64> {
        (0..self.size).map(|row| dot(self.row(row), vector)).collect()
    }

    /// The vector times the matrix times the vector.
    fn quadratic(&self, vector: &[f64]) -> f64 {
        dot(vector, &self.times(vector))
    }

    /// The factor of a positive definite matrix. A pivot below `least` times its entry, which is nothing but rounding,
    /// is raised to that.
    fn cholesky(&self, least: f64) -> Cholesky {
        let mut rows: Vec<Vec<f64>> = Vec::with_capacity(self.size);
        for (index, entries) in (0..self.size).map(|index| self.row(index)).enumerate() {
            let mut row: Vec<f64> = Vec::with_capacity(self.size);
            for (above, &entry) in rows.iter().zip(entries) {
                let known = dot(&row, &above[..row.len()]);
                row.push((entry - known) / above[row.len()]);
            }
            let rest = entries[index] - dot(&row, &row);
            row.push(rest.max(least * entries[index]).sqrt());
            rows.push(row);
        }
        Cholesky(rows)
    }
}

/// The rows of the lower triangle L with `L Lᵀ = M`.
#[derive(Clone, PartialEq, Debug)]
struct Cholesky(Vec<Vec<f64>>);

impl Cholesky {
    /// `x` with `M x = right`.
    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut x = right.to_vec();
        for (index, row) in self.0.iter().enumerate() {
            x[index] = (x[index] - dot(row, &x[..index])) / row[index];
        }
        for (index, row) in self.0.iter().enumerate().rev() {
            x[index] /= row[index];
            let value = x[index];
            x[..index].iter_mut().zip(row).for_each(|(other, factor)| *other -= factor * value);
        }
        x
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
