//! The sequential probability ratio test of Wald, by the generalised log-likelihood ratio after Van den Bergh.
//!
//! Both hypotheses fix one number, the mean score (logistic model) or the mean excess over one half in standard
//! deviations (normalised model). The likelihood of a hypothesis is that of the multinomial distribution that fits the
//! sample best among those with that number: "Comments on Normalized Elo" and "The generalized maximum likelihood
//! ratio for the expectation value of a distribution", both by Michel Van den Bergh.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::estimate::{ELO_PER_LOGIT, NELO_PER_SIGMA, score_of_elo};
use super::{OUTCOMES, Pentanomial, Sample, Trinomial};

/// Beyond this many Elo the expected score is 1 to nine digits.
const MOST_ELO: i32 = 4_000;

/// A sequential probability ratio test of "the first engine is stronger by `elo1`" against "by `elo0`".
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SprtSpec {
    /// The Elo difference of the hypothesis H0.
    #[schemars(range(min = -MOST_ELO, max = MOST_ELO))]
    pub elo0: f64,
    /// The Elo difference of the hypothesis H1, more than `elo0`.
    #[schemars(range(min = -MOST_ELO, max = MOST_ELO))]
    pub elo1: f64,
    /// The chance of accepting `elo1` where `elo0` is true.
    #[serde(default = "five_percent")]
    #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 0.5))]
    pub alpha: f64,
    /// The chance of accepting `elo0` where `elo1` is true.
    #[serde(default = "five_percent")]
    #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 0.5))]
    pub beta: f64,
    /// In what Elo the bounds are measured.
    #[serde(default)]
    pub model: SprtModel,
}

/// In what the Elo bounds are measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
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

/// Count of an outcome that has not happened; with 0 a hypothesis could give it no chance at all.
const PSEUDO_COUNT: f64 = 0.001;

/// Natural logarithm of the likelihood under `elo1` over that under `elo0`; `None` without games, or where no
/// distribution has what a hypothesis asks for.
pub fn llr<S: Sample>(sample: &S, elo0: f64, elo1: f64, model: SprtModel) -> Option<f64> {
    let observed = Observed::of(sample)?;
    let fit = |elo: f64| match model {
        SprtModel::Logistic => observed.fit_mean(score_of_elo(elo)),
        SprtModel::Normalized => observed.fit_ratio(elo / NELO_PER_SIGMA * (S::GAMES as f64).sqrt()),
    };
    observed.ratio(fit(elo0)?, fit(elo1)?)
}

/// [`llr`] of two mean scores on the BayesElo scale of Coulom, on which wins and losses follow logistic curves that a
/// draw term moves apart; the draw term is the sample's. `None` unless both players have won.
pub fn bayesian_llr(sample: &Trinomial, belo0: f64, belo1: f64) -> Option<f64> {
    let draw_elo = draw_elo(sample)?;
    let score = |belo: f64| 0.5 + (score_of_elo(belo - draw_elo) - score_of_elo(-belo - draw_elo)) / 2.0;
    let observed = Observed::of(sample)?;
    observed.ratio(observed.fit_mean(score(belo0))?, observed.fit_mean(score(belo1))?)
}

/// The draw term that fits a sample exactly.
fn draw_elo(sample: &Trinomial) -> Option<f64> {
    let Trinomial { wins, draws, losses } = *sample;
    let odds_against = |count: u64, others: u64| ((others as f64 + draws as f64) / count as f64).ln();
    (wins > 0 && losses > 0).then(|| ELO_PER_LOGIT * (odds_against(wins, losses) + odds_against(losses, wins)) / 2.0)
}

/// One number for each outcome.
type PerOutcome = [f64; OUTCOMES];

/// The sample as frequencies, outcomes without count raised to [`PSEUDO_COUNT`]; impossible ones have frequency 0.
struct Observed {
    total: f64,
    share: PerOutcome,
}

impl Observed {
    fn of<S: Sample>(sample: &S) -> Option<Self> {
        let counts = sample.counts();
        if counts.iter().all(|&count| count == 0) {
            return None;
        }
        let weight: PerOutcome = std::array::from_fn(|quarters| match counts[quarters] {
            0 if S::is_possible(quarters) => PSEUDO_COUNT,
            count => count as f64,
        });
        let total: f64 = weight.iter().sum();
        Some(Observed { total, share: weight.map(|weight| weight / total) })
    }

    /// For a fit, the logarithms of how much more frequent each outcome was than in the fit.
    fn ratio(&self, surplus0: PerOutcome, surplus1: PerOutcome) -> Option<f64> {
        let possible = (0..OUTCOMES).filter(|&outcome| self.share[outcome] > 0.0);
        let terms = possible.map(|outcome| self.share[outcome] * (surplus0[outcome] - surplus1[outcome]));
        Some(self.total * terms.sum::<f64>()).filter(|llr| llr.is_finite())
    }

    /// The best fit with this mean.
    fn fit_mean(&self, mean: f64) -> Option<PerOutcome> {
        self.fit_line(&value().map(|value| value - mean)).map(|fit| fit.surplus)
    }

    /// The best fit whose excess over one half is `target` of its own standard deviations.
    ///
    /// The condition is not linear in the frequencies. Replaced by its tangent at some mean and deviation it is, and the
    /// mean and deviation of that fit are the next to take, until nothing moves. A sample may have several such fits, so
    /// several beginnings are tried.
    fn fit_ratio(&self, target: f64) -> Option<PerOutcome> {
        const ROUNDS: usize = 1000;
        const SETTLED: f64 = 1e-12;
        let follow = |mut moments: MeanSigma| {
            let mut fit = self.fit_line(&moments.tangent(target)?)?;
            for _ in 0..ROUNDS {
                let next = MeanSigma::of(&fit.share);
                let moved = (next.mean - moments.mean).abs().max((next.sigma - moments.sigma).abs());
                if moved < SETTLED {
                    break;
                }
                (moments, fit) = (next, self.fit_line(&next.tangent(target)?)?);
            }
            Some(fit)
        };
        let beginnings = [MeanSigma::of_two(target), MeanSigma::of(&self.even()), MeanSigma::of(&self.share)];
        let fits = beginnings.into_iter().filter_map(follow);
        fits.max_by(|a, b| a.likelihood.total_cmp(&b.likelihood)).map(|fit| fit.surplus)
    }

    /// The best fit for which `distance` has mean 0.
    fn fit_line(&self, distance: &PerOutcome) -> Option<FittedShares> {
        let multiplier = self.secular_root(distance)?;
        let mut surplus = distance.map(|distance| (multiplier * distance).ln_1p());
        let mut share: PerOutcome = std::array::from_fn(|at| self.share[at] / (1.0 + multiplier * distance[at]));
        let possible = || (0..OUTCOMES).filter(|&at| self.share[at] > 0.0);
        let rarest = possible().min_by(|&a, &b| (multiplier * distance[a]).total_cmp(&(multiplier * distance[b])))?;
        let left = 1.0 - possible().filter(|&at| at != rarest).map(|at| share[at]).sum::<f64>();
        // Close to its pole the quotient has lost its digits; what the others leave has not.
        if (1.0 + multiplier * distance[rarest]).powi(2) < self.share[rarest] && left > 0.0 {
            share[rarest] = left;
            surplus[rarest] = (self.share[rarest] / left).ln();
        }
        let likelihood = -possible().map(|at| self.share[at] * surplus[at]).sum::<f64>();
        Some(FittedShares { likelihood, share, surplus })
    }

    /// The same frequency for every possible outcome.
    fn even(&self) -> PerOutcome {
        let possible = self.share.iter().filter(|&&share| share > 0.0).count();
        self.share.map(|share| if share > 0.0 { 1.0 / possible as f64 } else { 0.0 })
    }

    /// The multiplier x at which the sum of share · d / (1 + x d) is 0; the frequencies share / (1 + x d) are then the
    /// best fit for which d has mean 0. The sum falls all the way between its poles, so the root is unique.
    fn secular_root(&self, distance: &PerOutcome) -> Option<f64> {
        const ROUNDS: usize = 200;
        let possible = || (0..OUTCOMES).filter(|&outcome| self.share[outcome] > 0.0).map(|outcome| distance[outcome]);
        let (least, most) = possible().fold((0.0, 0.0), |(least, most), d| (f64::min(least, d), f64::max(most, d)));
        if !(least < 0.0 && most > 0.0) {
            return None;
        }
        let (mut low, mut high) = (-1.0 / most, -1.0 / least);
        let mut root = 0.0;
        for _ in 0..ROUNDS {
            let (sum, slope) = self.secular(distance, root);
            if sum > 0.0 {
                low = root
            } else {
                high = root
            }
            let newton = root - sum / slope;
            let next = if low < newton && newton < high { newton } else { (low + high) / 2.0 };
            if (next - root).abs() <= 1e-15 * (high - low).max(root.abs()) || next == low || next == high {
                return Some(next);
            }
            root = next;
        }
        Some(root)
    }

    /// The sum and its derivative.
    fn secular(&self, distance: &PerOutcome, x: f64) -> (f64, f64) {
        let terms =
            (0..OUTCOMES).map(|outcome| (self.share[outcome], distance[outcome] / (1.0 + x * distance[outcome])));
        terms.fold((0.0, 0.0), |(sum, slope), (share, term)| (sum + share * term, slope - share * term * term))
    }
}

/// The score of each outcome.
fn value() -> PerOutcome {
    std::array::from_fn(|quarters| quarters as f64 / 4.0)
}

/// Frequencies that fulfil a condition.
struct FittedShares {
    /// Logarithm, relative to that of the sample itself, for one observation.
    likelihood: f64,
    share: PerOutcome,
    /// Logarithms of how much more frequent the outcomes were than in the fit.
    surplus: PerOutcome,
}

/// Mean and standard deviation of a distribution.
#[derive(Clone, Copy)]
struct MeanSigma {
    mean: f64,
    sigma: f64,
}

impl MeanSigma {
    fn of(share: &PerOutcome) -> Self {
        let sum =
            |number: &dyn Fn(f64) -> f64| (0..OUTCOMES).map(|at| share[at] * number(at as f64 / 4.0)).sum::<f64>();
        let mean = sum(&|value| value);
        MeanSigma { mean, sigma: sum(&|value| (value - mean) * (value - mean)).sqrt() }
    }

    /// Of wins and losses alone, in the proportion that has the target.
    fn of_two(target: f64) -> Self {
        let width = 1.0 / target.hypot(1.0);
        MeanSigma { mean: 0.5 + target * width / 2.0, sigma: width / 2.0 }
    }

    /// The numbers whose mean under a distribution with these moments is its excess over one half less `target` standard
    /// deviations, and changes with the distribution as that does.
    fn tangent(self, target: f64) -> Option<PerOutcome> {
        let MeanSigma { mean, sigma } = self;
        let of = |value: f64| value - 0.5 - target * sigma * (1.0 + ((value - mean) / sigma).powi(2)) / 2.0;
        (sigma > 0.0).then(|| value().map(of))
    }
}
