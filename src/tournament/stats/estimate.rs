//! Estimates of score and Elo with their errors.
//!
//! Scales: logistic Elo, in which 400 / ln 10 Elo are one unit of the logarithm of odds, and normalised Elo, in which
//! 800 / ln 10 Elo are one standard deviation of a game.

use std::f64::consts::{LN_10, SQRT_2};

use serde::{Deserialize, Serialize};

use super::{Pentanomial, Sample, Trinomial};

/// Elo in one unit of the logarithm of odds.
pub(super) const ELO_PER_LOGIT: f64 = 400.0 / LN_10;

/// Normalised Elo in one standard deviation of a game (800 / ln 10).
pub(super) const NELO_PER_SIGMA: f64 = 800.0 / LN_10;

/// Half width of a 95 % interval in standard errors.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// The Elo difference at which a score of one half and so much more is expected; `None` outside (0, 1).
///
/// Near a level score the excess keeps digits that the score itself would lose.
pub(super) fn elo_of_excess(excess: f64) -> Option<f64> {
    (excess.abs() < 0.5).then(|| 2.0 * ELO_PER_LOGIT * (2.0 * excess).atanh())
}

/// The score that is expected at an Elo difference.
pub(crate) fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / ELO_PER_LOGIT).exp())
}

/// The difference between two players by a sample, from the point of view of the player whose wins are counted.
///
/// A figure that does not exist is `None`. Errors are half widths of 95 % intervals.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Estimate {
    /// Number of games in the sample.
    pub games: u64,
    /// Points per game, 0 to 1.
    pub score: Option<f64>,
    /// Of the score of one observation: a game, or half the points of a pair.
    pub variance: Option<f64>,
    /// Standard error of the score.
    pub stderr: Option<f64>,
    /// Logistic.
    pub elo: Option<f64>,
    /// The score's bound in Elo; a bound of the score outside (0, 1) has none.
    pub elo_low: Option<f64>,
    /// The score's upper bound in Elo; none outside (0, 1).
    pub elo_high: Option<f64>,
    /// Half the distance of the two bounds.
    pub elo_error: Option<f64>,
    /// Normalised: the excess of the score in standard deviations of a game, times 800 / ln 10.
    pub nelo: Option<f64>,
    /// Half width of the interval of `nelo`; `None` without any variance.
    pub nelo_error: Option<f64>,
    /// Likelihood of superiority: the chance, 0 to 1, that the player is the stronger one.
    pub los: Option<f64>,
    /// 95 % bounds of the score after Wilson; they exist even for a perfect score.
    pub wilson_low: Option<f64>,
    /// The upper bound of the score after Wilson, 0 to 1.
    pub wilson_high: Option<f64>,
    /// Elo of the bounds after Wilson, an observation counting once however many games it has: known even where all
    /// observations were alike. A bound of 0 or 1 has none.
    pub wilson_elo_low: Option<f64>,
    /// See `wilson_elo_low`.
    pub wilson_elo_high: Option<f64>,
    /// `elo_error` and `los` with one more observation, where few differ.
    #[serde(skip)]
    thin: Option<(Option<f64>, Option<f64>)>,
}

/// So few observations that differ from the others say little about the error.
const FEWEST_UNLIKE: u128 = 5;

impl Estimate {
    /// The same without what the normal approximation claims where it knows nothing.
    ///
    /// Where all observations were alike, their variance of 0 tells nothing about the error: there is no likelihood of
    /// superiority then, and the error of the Elo difference is half of Wilson's interval. So it is where a bound of the
    /// score is outside (0, 1). A perfect score has neither figure.
    pub fn with_known_errors(self) -> Estimate {
        Estimate {
            elo_error: self.elo_error.filter(|_| self.is_scattered()).or(self.wilson_error()),
            los: self.los.filter(|_| self.is_scattered()),
            ..self
        }
    }

    /// The same, and cautious where fewer than five observations differ from the others, as in a match that has just begun.
    ///
    /// Their variance tells little about the error: three pairs of which two are level would be nearly certain. So one more
    /// observation counts for the errors, half lost and half won, and they shrink steadily as observations come in. The
    /// normalised difference, which is in units of their scatter, is not known then.
    pub fn with_cautious_errors(self) -> Estimate {
        let Some((elo_error, los)) = self.thin else { return self.with_known_errors() };
        let los = los.filter(|_| self.is_scattered());
        Estimate { elo_error: elo_error.or(self.wilson_error()), los, nelo: None, nelo_error: None, ..self }
    }

    fn wilson_error(&self) -> Option<f64> {
        Some((self.wilson_elo_high? - self.wilson_elo_low?) / 2.0)
    }

    /// Whether the observations differ.
    pub fn is_scattered(&self) -> bool {
        self.variance.is_some_and(|variance| variance > 0.0)
    }
}

/// Judges a sample by the normal approximation with the sample's own variance, which may be 0: see
/// [`Estimate::with_known_errors`].
pub fn estimate<S: Sample>(sample: &S) -> Estimate {
    let Some(moments) = Moments::of(sample) else { return Estimate::default() };
    moments.judge(sample.points(), sample.games(), S::GAMES)
}

/// Judges games of which most have been played in pairs: the score is that of all games, its variance that of the
/// pairs, whose games share an opening and are not independent. Without a complete pair, the same as [`estimate`] of
/// the games.
pub(crate) fn estimate_of_match(games: &Trinomial, pairs: &Pentanomial) -> Estimate {
    match (Moments::of(games), Moments::of(pairs)) {
        (Some(single), Some(paired)) => {
            let observations = single.observations / Pentanomial::GAMES as f64;
            let moments = Moments { observations, excess: single.excess, odds: single.odds, ..paired };
            moments.judge(games.points(), games.games(), Pentanomial::GAMES)
        }
        _ => estimate(games),
    }
}

/// Mean and variance of the observations.
struct Moments {
    observations: f64,
    /// Mean minus one half.
    excess: f64,
    /// Mean over one minus the mean; infinite for a perfect score.
    odds: f64,
    variance: f64,
    /// Observations that differ from the commonest ones.
    unlike: u128,
}

impl Moments {
    /// `None` without observations. Differences are taken between integers, so that huge counts keep their digits.
    fn of(sample: &impl Sample) -> Option<Self> {
        let counts = sample.counts().map(u128::from);
        let total: u128 = counts.iter().sum();
        if total == 0 {
            return None;
        }
        let won: u128 = counts.iter().zip(0u128..).map(|(count, quarters)| count * quarters).sum();
        let lost = 4 * total - won;
        let excess = won.abs_diff(lost) as f64 / (8.0 * total as f64);
        Some(Moments {
            observations: total as f64,
            excess: if won < lost { -excess } else { excess },
            odds: won as f64 / lost as f64,
            variance: variance(counts.map(|count| count as f64 / total as f64)),
            unlike: total - counts.into_iter().max().unwrap_or(total),
        })
    }

    /// With one more observation, half of it lost and half won.
    fn with_one_more(&self) -> Moments {
        let observations = self.observations + 1.0;
        let excess = self.excess * self.observations / observations;
        let scatter = self.variance + (self.excess - excess).powi(2);
        let variance = (self.observations * scatter + 0.25 + excess * excess) / observations;
        Moments { observations, excess, variance, ..*self }
    }

    /// The bounds of the 95 % interval; `None` outside (0, 1).
    fn elo_bounds(&self) -> [Option<f64>; 2] {
        [-Z95, Z95].map(|z| elo_of_excess(self.excess + z * self.stderr()))
    }

    /// Observations of `width` games each.
    fn judge(&self, points: f64, games: u64, width: u64) -> Estimate {
        let interval = wilson(points, games as f64);
        let by_observation = wilson(points * self.observations / games as f64, self.observations);
        let stderr = self.stderr();
        let half = |[low, high]: [Option<f64>; 2]| low.zip(high).map(|(low, high)| (high - low) / 2.0);
        let [elo_low, elo_high] = self.elo_bounds();
        let more = self.with_one_more();
        let thin = (self.unlike < FEWEST_UNLIKE).then(|| (half(more.elo_bounds()), Some(more.los())));
        let spread = Some((self.variance * width as f64).sqrt()).filter(|&sigma| sigma > 0.0);
        Estimate {
            games,
            score: Some(0.5 + self.excess),
            variance: Some(self.variance),
            stderr: Some(stderr),
            elo: self.elo(),
            elo_low,
            elo_high,
            elo_error: half([elo_low, elo_high]),
            nelo: spread.map(|sigma| NELO_PER_SIGMA * self.excess / sigma),
            nelo_error: spread.map(|_| NELO_PER_SIGMA * Z95 / (games as f64).sqrt()),
            los: Some(self.los()),
            wilson_low: interval.map(|interval| interval.low),
            wilson_high: interval.map(|interval| interval.high),
            wilson_elo_low: by_observation.and_then(|interval| elo_of_excess(interval.low - 0.5)),
            wilson_elo_high: by_observation.and_then(|interval| elo_of_excess(interval.high - 0.5)),
            thin,
        }
    }

    fn stderr(&self) -> f64 {
        (self.variance / self.observations).sqrt()
    }

    fn elo(&self) -> Option<f64> {
        let elo =
            if self.excess.abs() < 0.25 { elo_of_excess(self.excess) } else { Some(ELO_PER_LOGIT * self.odds.ln()) };
        elo.filter(|elo| elo.is_finite())
    }

    /// The normal tail by the complementary error function, which keeps its digits far out.
    fn los(&self) -> f64 {
        if self.excess == 0.0 {
            return 0.5;
        }
        0.5 * libm::erfc(-self.excess / (self.stderr() * SQRT_2))
    }
}

/// As the sum over pairs of outcomes of their squared differences: no term is negative, nothing cancels.
fn variance(share: [f64; 5]) -> f64 {
    let of = |low: usize, high: usize| {
        let difference = (high - low) as f64 / 4.0;
        share[low] * share[high] * difference * difference
    };
    (0..5).flat_map(|high| (0..high).map(move |low| of(low, high))).sum()
}

/// Bounds of a 95 % interval of a score, after Wilson (1927).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

/// The interval of a score of `points` in `games`, never outside [0, 1] and never empty; `None` without games.
///
/// Draws count as half a win and half a loss, which makes the interval wider than it needs to be.
pub fn wilson(points: f64, games: f64) -> Option<Interval> {
    if games.is_nan() || games <= 0.0 || !(0.0..=games).contains(&points) {
        return None;
    }
    Some(Interval { low: lower(points, games), high: 1.0 - lower(games - points, games) })
}

/// The lower bound in the form that loses no digits near 0; the upper one is its mirror image.
fn lower(points: f64, games: f64) -> f64 {
    let score = points / games;
    let spread = Z95 * Z95 / games;
    let root = (score * (1.0 - score) * spread + spread * spread / 4.0).sqrt();
    score * score / (score + spread / 2.0 + root)
}
