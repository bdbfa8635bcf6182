//! The sequential probability ratio test of Wald.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Pentanomial;
use super::llr::llr;

/// A sequential probability ratio test of "the first engine is stronger by `elo1`" against "by `elo0`".
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SprtSpec {
    pub elo0: f64,
    pub elo1: f64,
    /// Chance of accepting `elo1` where `elo0` is true.
    #[serde(default = "five_percent")]
    pub alpha: f64,
    /// Chance of accepting `elo0` where `elo1` is true.
    #[serde(default = "five_percent")]
    pub beta: f64,
    #[serde(default)]
    pub model: SprtModel,
}

/// In what the Elo bounds are measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtModel {
    /// Logistic Elo: a function of the mean score alone.
    Logistic,
    /// Normalised Elo: the excess of the score in standard deviations of a game, times 800 / ln 10.
    #[default]
    Normalized,
}

fn five_percent() -> f64 {
    0.05
}

/// Where the test ends, in log-likelihood ratio.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SprtBounds {
    /// At or below it `elo0` is accepted.
    pub lower: f64,
    /// At or above it `elo1` is accepted.
    pub upper: f64,
}

impl SprtBounds {
    /// Wald's bounds for the chances of wrongly accepting `elo1` and `elo0`, each in (0, 1) and together below 1.
    pub fn new(alpha: f64, beta: f64) -> Self {
        SprtBounds { lower: (beta / (1.0 - alpha)).ln(), upper: ((1.0 - beta) / alpha).ln() }
    }

    /// What a ratio decides.
    pub fn decide(self, llr: f64) -> Option<SprtDecision> {
        if llr >= self.upper {
            Some(SprtDecision::H1)
        } else if llr <= self.lower {
            Some(SprtDecision::H0)
        } else {
            None
        }
    }
}

/// The hypothesis that was accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum SprtDecision {
    /// The difference is `elo0`.
    H0,
    /// The difference is `elo1`.
    H1,
}

/// How a test stands.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SprtVerdict {
    /// `None` before the first pair.
    pub llr: Option<f64>,
    pub bounds: SprtBounds,
    pub decision: Option<SprtDecision>,
    /// Pairs in the ratio.
    pub pairs: u64,
}

impl SprtVerdict {
    /// How far the ratio has come, in hundredths of the bound on its side.
    pub fn percent(&self) -> Option<f64> {
        let bound = |llr: f64| if llr < 0.0 { self.bounds.lower } else { self.bounds.upper };
        self.llr.map(|llr| 100.0 * llr / bound(llr))
    }
}

/// A test that is fed one game after the other, in any order, and remembers where it first passed a bound.
///
/// It looks at complete pairs in the order of their numbers, as far as none is missing: then the decision depends on
/// the results alone and not on which game happened to finish first.
#[derive(Clone, Debug)]
pub struct SprtMonitor {
    spec: SprtSpec,
    pairs: Pentanomial,
    verdict: SprtVerdict,
    /// The number of the pair that is due.
    due: u64,
    step: u64,
    /// The results known of later pairs, and of the one that is due.
    waiting: BTreeMap<u64, [Option<u8>; 2]>,
}

impl SprtMonitor {
    /// Expects the pair `due`, and after each pair the one whose number is greater by `step`.
    pub fn new(spec: SprtSpec, due: u64, step: u64) -> Self {
        let bounds = SprtBounds::new(spec.alpha, spec.beta);
        let verdict = SprtVerdict { llr: None, bounds, decision: None, pairs: 0 };
        SprtMonitor { spec, pairs: Pentanomial::default(), verdict, due, step, waiting: BTreeMap::new() }
    }

    /// Takes the half points (0 to 2) that game `2 * pair` or `2 * pair + 1` brought the first engine.
    pub fn add(&mut self, game: u64, half_points: u8) {
        let (pair, second) = (game / 2, (game % 2) as usize);
        if pair >= self.due {
            self.waiting.entry(pair).or_default()[second] = Some(half_points.min(2));
        }
        while let Some(&[Some(first), Some(second)]) = self.waiting.get(&self.due) {
            self.waiting.remove(&self.due);
            self.due += self.step;
            self.add_pair(first + second);
        }
    }

    /// After the decision nothing changes.
    fn add_pair(&mut self, half_points: u8) {
        if self.verdict.decision.is_none() {
            self.pairs.add(half_points);
            let llr = llr(&self.pairs, self.spec.elo0, self.spec.elo1, self.spec.model);
            let decision = llr.and_then(|llr| self.verdict.bounds.decide(llr));
            self.verdict = SprtVerdict { llr, decision, pairs: self.verdict.pairs + 1, ..self.verdict };
        }
    }

    pub fn spec(&self) -> &SprtSpec {
        &self.spec
    }

    /// As of the last pair, or as of the pair that decided.
    pub fn verdict(&self) -> SprtVerdict {
        self.verdict
    }
}
