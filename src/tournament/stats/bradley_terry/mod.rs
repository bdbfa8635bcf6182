//! Ratings of engines and the advantage of a side, estimated together.
//!
//! The model of Bradley and Terry with a term for the side: in a game of a ruleset the engine on the favoured seat
//! scores on average 1 / (1 + exp(-(r - q + s))), with its own rating r, its opponent's rating q and the ruleset's side
//! advantage s. A draw is half a win and half a loss. The errors are those of the sandwich of the information and the
//! observed squares of the residuals (White 1982), so draws narrow them; for two engines and one ruleset this is the
//! delta method on the two scores.

mod likelihood;
#[cfg(test)]
mod tests;

use likelihood::Design;
use serde::Serialize;

use super::elo::{ELO_PER_LOGIT, Z95};
use super::linear::{Cholesky, Symmetric};
use super::sample::{Sample, Trinomial};

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

/// A weighted sum of the parameters; nothing of it is known where the results do not tell it, or where it is infinite.
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
    /// The two parts of the sandwich that is the covariance of the estimate.
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
        let variance = self.residual_squares.quadratic(&self.curvature.solve(weights));
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
