//! Whether what a search found is any better than the start values: a match of the two that the run plays at its end.

use reynard_engine::learning::{CONVERTERS, Conversion, Converted, LearnPlayer};
use serde::{Deserialize, Serialize};

use super::games::PairedScore;
use crate::tournament::stats::{Pentanomial, Sample, estimate};

/// Fewer pairs prove nothing: their scatter says too little about the error of their score.
pub(crate) const FEWEST_PAIRS: u64 = 10;

/// What is known of the values that a search found, compared with the start values.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) enum Verdict {
    /// They won the final match: the 95 % interval of their score lies above one half, and they won so many of the
    /// pairs that were not split that chance alone would hardly do it.
    Gain(PairedScore),
    /// They did not.
    NoEvidence(PairedScore),
    /// Learned weights converted won openings against perfect play, by searcher in the order of [`CONVERTERS`].
    Converted(Converted),
    /// The search ended at the start values.
    Unmoved,
    /// The spec asks for no final match.
    Untested,
}

impl Verdict {
    /// The verdict of a final match, from the point of view of what was found.
    ///
    /// Where most pairs are split the interval is too narrow, so the sign test must agree. What an engine's crashes
    /// decide is no gain of the other.
    pub(crate) fn of(score: PairedScore) -> Verdict {
        // Pairs that all ended alike have no scatter; then the games count one by one.
        let low = match score.rate_error() {
            Some(error) => score.total().rate().map(|rate| rate - error),
            None => estimate(&score.pairs).wilson_low,
        };
        let Pentanomial([none, half, _, more, all]) = score.pairs;
        let is_sure = low.is_some_and(|low| low > 0.5) && sign_chance(more + all, none + half) <= SIGN_LEVEL;
        let is_played = 2 * score.forfeits.iter().sum::<u64>() <= score.total().games();
        if is_sure && is_played { Verdict::Gain(score) } else { Verdict::NoEvidence(score) }
    }

    /// Whether the result is what was found; else it is the start values.
    pub(crate) fn keeps_found(&self) -> bool {
        match self {
            Verdict::Gain(_) | Verdict::Untested => true,
            Verdict::NoEvidence(_) | Verdict::Unmoved => false,
            Verdict::Converted(conversions) => converts_better(conversions),
        }
    }

    /// Whether more games could tell something else.
    pub(crate) fn can_be_tested(&self) -> bool {
        *self != Verdict::Unmoved
    }

    /// The games of the final match, where one was played.
    pub(crate) fn score(&self) -> Option<&PairedScore> {
        match self {
            Verdict::Gain(score) | Verdict::NoEvidence(score) => Some(score),
            Verdict::Unmoved | Verdict::Untested | Verdict::Converted(_) => None,
        }
    }

    /// As `result.json` has it.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Verdict::Untested => "untested",
            _ if self.keeps_found() => "gain",
            _ => "no evidence of a gain",
        }
    }

    /// In a sentence or two for people.
    pub(crate) fn sentence(&self) -> String {
        const STAY: &str = "The result is the start values.";
        match self {
            Verdict::Gain(score) => format!("A gain: {}. The result is what was found.", scored(score)),
            Verdict::NoEvidence(score) => format!("No evidence of a gain: {}. {STAY}", scored(score)),
            Verdict::Converted(conversions) if self.keeps_found() => {
                format!("A gain: {}. The result is what was found.", converted(conversions))
            }
            Verdict::Converted(conversions) => format!("No evidence of a gain: {}. {STAY}", converted(conversions)),
            Verdict::Unmoved => format!("No evidence of a gain: the search ended where it began. {STAY}"),
            Verdict::Untested => "Untested: the spec asks for no final match. The result is what was found.".to_owned(),
        }
    }
}

/// Whether learned weights win more of the won openings than the present ones: with both searchers together by the sign
/// test, and with neither of them fewer.
fn converts_better(conversions: &[Conversion]) -> bool {
    let sum = |count: fn(&Conversion) -> u32| conversions.iter().map(|of| u64::from(count(of))).sum();
    let is_worse =
        |of: &Conversion| of.present > of.learned && sign_chance(of.present.into(), of.learned.into()) <= SIGN_LEVEL;
    let (learned, present) = (sum(|of| of.learned), sum(|of| of.present));
    learned > present && sign_chance(learned, present) <= SIGN_LEVEL && !conversions.iter().any(is_worse)
}

fn converted(conversions: &[Conversion]) -> String {
    let of_player = |(player, won): (&LearnPlayer, &Conversion)| {
        let [learned, present] = [won.learned, won.present].map(|alone| won.both + alone);
        format!(
            "{} ({} nodes) won {learned} of {} won openings against perfect play, {present} with the present weights",
            player.searcher.name(),
            player.nodes,
            won.openings()
        )
    };
    CONVERTERS.iter().zip(conversions).map(of_player).collect::<Vec<_>>().join("; ")
}

/// The level of the sign test: that of the upper end of a two-sided interval of 95 %.
const SIGN_LEVEL: f64 = 0.025;

/// The chance that a fair coin wins at least so often, given so many tosses in all.
fn sign_chance(wins: u64, losses: u64) -> f64 {
    let tosses = wins + losses;
    // The logarithm of the chance of exactly this many wins, from all of them downwards.
    let mut log = -(tosses as f64) * std::f64::consts::LN_2;
    let mut chance = log.exp();
    for won in (wins + 1..=tosses).rev() {
        log += (won as f64 / (tosses - won + 1) as f64).ln();
        chance += log.exp();
    }
    chance
}

/// Of a hundred games so many forfeits are worth a word.
const MOST_FORFEITS: u64 = 1;

/// How many games of the final match were forfeits, where there were many.
fn forfeited(score: &PairedScore) -> String {
    let [found, start] = score.forfeits;
    if 100 * (found + start) <= MOST_FORFEITS * score.total().games() {
        return String::new();
    }
    format!(" (forfeits: {found} by what was found, {start} by the start values; these say nothing)")
}

fn scored(score: &PairedScore) -> String {
    let rate = 100.0 * score.total().rate().unwrap_or(0.5);
    let error = score.rate_error().map_or(String::new(), |error| format!(" ± {:.1}", 100.0 * error));
    let pairs: u64 = score.pairs.0.iter().sum();
    format!(
        "what was found scored {rate:.1}{error} % against the start values in a final match of {pairs} pairs{}",
        forfeited(score)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many pairs of each result, in half points.
    fn verdict(pairs: [u64; 5]) -> Verdict {
        let mut score = PairedScore::default();
        for (half_points, count) in pairs.into_iter().enumerate() {
            let nets = [[-1, -1], [-1, 0], [0, 0], [1, 0], [1, 1]][half_points];
            (0..count).for_each(|_| score.add_pair(nets));
        }
        Verdict::of(score)
    }

    #[test]
    fn only_an_interval_above_one_half_is_a_gain() {
        assert!(verdict([5, 20, 100, 40, 15]).keeps_found(), "a gain");
        assert!(!verdict([5, 30, 100, 40, 5]).keeps_found(), "more than half, but not for sure");
        assert!(!verdict([15, 40, 100, 20, 5]).keeps_found(), "a loser");
        assert!(!verdict([0; 5]).keeps_found(), "no games");
    }

    #[test]
    fn pairs_that_all_end_alike_are_judged_by_their_games() {
        assert!(!verdict([0, 0, 500, 0, 0]).keeps_found(), "all drawn");
        assert!(verdict([0, 0, 0, 0, 20]).keeps_found(), "all won");
        assert!(verdict([0, 0, 0, 40, 0]).keeps_found(), "one game of each pair won, the other drawn");
        assert!(!verdict([0, 0, 0, 2, 0]).keeps_found(), "the same of four games");
    }

    #[test]
    fn where_most_pairs_are_split_a_handful_of_others_is_no_gain() {
        assert!(!verdict([0, 0, 7, 3, 0]).keeps_found(), "by chance once in eight matches");
        assert!(!verdict([0, 0, 46, 4, 0]).keeps_found(), "once in sixteen");
        assert!(verdict([0, 0, 44, 6, 0]).keeps_found(), "once in 64");
        assert!((sign_chance(3, 1) - 5.0 / 16.0).abs() < 1e-12 && (sign_chance(0, 4) - 1.0).abs() < 1e-12);
        let many = sign_chance(500_000, 500_000);
        assert!((many - 0.5).abs() < 1e-3, "{many}");
    }

    #[test]
    fn crashes_of_one_engine_are_no_gain_of_the_other() {
        let forfeited = |forfeits| {
            let won = *verdict([0, 0, 0, 0, 20]).score().expect("a match");
            Verdict::of(PairedScore { forfeits, ..won })
        };
        assert!(forfeited([0, 20]).keeps_found(), "the other half was played");
        assert!(!forfeited([0, 21]).keeps_found());
        let words = "20 pairs (forfeits: 1 by what was found, 2 by the start values; these say nothing). ";
        assert!(forfeited([1, 2]).sentence().contains(words), "{}", forfeited([1, 2]).sentence());
        assert!(!forfeited([0, 0]).sentence().contains("forfeit"));
    }

    #[test]
    fn a_verdict_says_what_the_result_is() {
        let lost = verdict([15, 40, 100, 20, 5]).sentence();
        assert!(lost.starts_with("No evidence of a gain: what was found scored 44.4 ± 3.1 %"), "{lost}");
        assert!(lost.ends_with("180 pairs. The result is the start values."), "{lost}");
        let won = verdict([5, 20, 100, 40, 15]).sentence();
        assert!(won.starts_with("A gain: ") && won.ends_with("The result is what was found."), "{won}");
    }
}
