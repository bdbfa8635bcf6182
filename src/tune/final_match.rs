//! Whether what a search found is any better than the start values: a match of the two that the run plays at its end.

use reynard_engine::learning::{CONVERTERS, Conversion, Converted, LearnPlayer};
use serde::{Deserialize, Serialize};

use super::games::PairedScore;
use crate::tournament::stats::{Sample, estimate};

/// Fewer pairs prove nothing: their scatter says too little about the error of their score.
pub(crate) const FEWEST_PAIRS: u64 = 10;

/// What is known of the values that a search found, compared with the start values.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) enum Verdict {
    /// They won the final match: the 95 % interval of their score lies above one half, and they won so many of the
    /// pairs that were not split that chance alone would hardly do it.
    Gain(PairedScore),
    /// They did not.
    NoEvidence(PairedScore),
    /// Learned weights converted won openings against perfect play, by searcher in the order of [`CONVERTERS`].
    Converted(Converted),
    /// Learned weights met the present ones, by searcher: at a tenth of the limits, and at the limits.
    Met(Vec<[PairedScore; 2]>),
    /// The search ended at the start values.
    Unmoved,
    /// The spec asks for no final match.
    Untested,
}

impl Verdict {
    /// The verdict of a final match, from the point of view of what was found.
    pub(crate) fn of(score: PairedScore) -> Verdict {
        if is_gain(&score) { Verdict::Gain(score) } else { Verdict::NoEvidence(score) }
    }

    /// The searchers for which learned weights are a gain; `None` where they were not judged by searcher.
    pub(crate) fn serves(&self) -> Option<Vec<LearnPlayer>> {
        let gains: Vec<bool> = match self {
            Verdict::Converted(conversions) => conversions.iter().map(converts_better).collect(),
            Verdict::Met(matches) => matches.iter().map(wins_both).collect(),
            _ => return None,
        };
        Some(CONVERTERS.into_iter().zip(gains).filter_map(|(of, is_gain)| is_gain.then_some(of)).collect())
    }

    /// Whether the result is what was found; else it is the start values.
    pub(crate) fn keeps_found(&self) -> bool {
        let is_gain = matches!(self, Verdict::Gain(_) | Verdict::Untested);
        self.serves().map_or(is_gain, |searchers| !searchers.is_empty())
    }

    /// Whether more games could tell something else.
    pub(crate) fn can_be_tested(&self) -> bool {
        *self != Verdict::Unmoved
    }

    /// The games of the final match, where one was played.
    pub(crate) fn score(&self) -> Option<&PairedScore> {
        match self {
            Verdict::Gain(score) | Verdict::NoEvidence(score) => Some(score),
            _ => None,
        }
    }

    /// How many games were played for it.
    pub(crate) fn games(&self) -> u64 {
        let games = |score: &PairedScore| score.total().games();
        match self {
            Verdict::Met(matches) => matches.iter().flatten().map(games).sum(),
            _ => self.score().map_or(0, games),
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
        let told = match self {
            Verdict::Gain(score) | Verdict::NoEvidence(score) => {
                format!("what was found {}{}", scored(score, "a final match of"), objection(score))
            }
            Verdict::Converted(conversions) => by_searcher(conversions, converted),
            Verdict::Met(matches) => by_searcher(matches, met),
            Verdict::Unmoved => "the search ended where it began".to_owned(),
            Verdict::Untested => "the spec asks for no final match".to_owned(),
        };
        let whom = match &self.serves().unwrap_or_default()[..] {
            [] => String::new(),
            [only] => format!(" for {} alone", only.searcher.name()),
            _ => " for both searchers".to_owned(),
        };
        match self {
            Verdict::Untested => format!("Untested: {told}. The result is what was found."),
            _ if self.keeps_found() => format!("A gain{whom}: {told}. The result is what was found{whom}."),
            _ => format!("No evidence of a gain: {told}. The result is the start values."),
        }
    }
}

/// Whether the 95 % interval of a score lies above one half, and nothing speaks against it.
fn is_gain(score: &PairedScore) -> bool {
    lies_above_half(score) && objection(score).is_empty()
}

fn lies_above_half(score: &PairedScore) -> bool {
    // Pairs that all ended alike have no scatter; then the games count one by one.
    let low = match score.rate_error() {
        Some(error) => score.total().rate().map(|rate| rate - error),
        None => estimate(&score.pairs).wilson_low,
    };
    low.is_some_and(|low| low > 0.5)
}

/// Why a score is no gain though its interval lies above one half; nothing of other scores.
///
/// Where most pairs are split the interval is too narrow, so the sign test must agree. What an engine's crashes decide is
/// no gain of the other.
fn objection(score: &PairedScore) -> String {
    let [won, _, lost] = score.ended();
    let (decided, chance) = (won + lost, sign_chance(won, lost));
    if !lies_above_half(score) {
        String::new()
    } else if 2 * score.forfeits.iter().sum::<u64>() > score.total().games() {
        ", but most of its games were forfeits".to_owned()
    } else if chance > SIGN_LEVEL {
        format!(
            ", but only {decided} pairs were not level, it won {won} of them, and chance alone wins as many in {:.1} % of \
             such matches",
            100.0 * chance
        )
    } else {
        String::new()
    }
}

/// Whether a searcher wins more of the won openings with learned weights than with the present ones, by the sign test.
fn converts_better(of: &Conversion) -> bool {
    sign_chance(of.learned.into(), of.present.into()) <= SIGN_LEVEL
}

/// Whether learned weights lose neither match, and gain in both together.
fn wins_both(matches: &[PairedScore; 2]) -> bool {
    matches.iter().all(|score| score.net() >= 0) && is_gain(&sum(matches))
}

fn sum(matches: &[PairedScore; 2]) -> PairedScore {
    let mut sum = matches[0];
    sum.add(&matches[1]);
    sum
}

/// What there is to say of each searcher.
fn by_searcher<T>(of: &[T], say: fn(&T) -> String) -> String {
    let say = |(player, of): (&LearnPlayer, &T)| format!("{} {}", player.searcher.name(), say(of));
    CONVERTERS.iter().zip(of).map(say).collect::<Vec<_>>().join("; ")
}

fn converted(won: &Conversion) -> String {
    let [learned, present] = [won.learned, won.present].map(|alone| won.both + alone);
    let openings = won.openings();
    format!("won {learned} of {openings} won openings against perfect play, {present} with the present weights")
}

fn met(matches: &[PairedScore; 2]) -> String {
    let [tenth, whole] = matches.each_ref().map(|score| 100.0 * score.total().rate().unwrap_or(0.5));
    let sum = sum(matches);
    let both = scored(&sum, "two matches, together");
    let is_lost = lies_above_half(&sum) && matches.iter().any(|score| score.net() < 0);
    let objection = if is_lost { ", but it lost one of them".to_owned() } else { objection(&sum) };
    format!("{both} ({tenth:.1} % at a tenth of the limits, {whole:.1} % at the limits){objection}")
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

fn scored(score: &PairedScore, matches: &str) -> String {
    let rate = 100.0 * score.total().rate().unwrap_or(0.5);
    let error = score.rate_error().map_or(String::new(), |error| format!(" ± {:.1}", 100.0 * error));
    let pairs: u64 = score.pairs.0.iter().sum();
    format!("scored {rate:.1}{error} % against the start values in {matches} {pairs} pairs{}", forfeited(score))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many pairs of each result, in half points.
    fn score(pairs: [u64; 5]) -> PairedScore {
        let mut score = PairedScore::default();
        for (half_points, count) in pairs.into_iter().enumerate() {
            let nets = [[-1, -1], [-1, 0], [0, 0], [1, 0], [1, 1]][half_points];
            (0..count).for_each(|_| score.add_pair(nets));
        }
        score
    }

    fn verdict(pairs: [u64; 5]) -> Verdict {
        Verdict::of(score(pairs))
    }

    #[test]
    fn each_searcher_is_judged_by_itself() {
        let [alphabeta, mcts] = CONVERTERS;
        // 36 of 40 openings by the learned weights and 39 by the present ones; 25 and none.
        let worse = Conversion { both: 35, learned: 1, present: 4, neither: 0 };
        let better = Conversion { both: 0, learned: 25, present: 0, neither: 15 };
        let verdict = Verdict::Converted([worse, better]);
        assert_eq!(verdict.serves(), Some(vec![mcts]));
        let told = verdict.sentence();
        assert!(told.starts_with("A gain for mcts alone: alphabeta won 36 of 40 won openings against "), "{told}");
        assert!(told.contains("play, 39 with the present weights; mcts won 25 of 40 "), "{told}");
        assert!(told.ends_with(". The result is what was found for mcts alone."), "{told}");
        assert_eq!(Verdict::Converted([better, worse]).serves(), Some(vec![alphabeta]));
        let few = Conversion { both: 30, learned: 5, present: 0, neither: 5 };
        let none = Verdict::Converted([few, worse]);
        assert!(!none.keeps_found() && none.name() == "no evidence of a gain", "by chance once in 32 runs");
        assert!(none.sentence().ends_with(" 39 with the present weights. The result is the start values."));
        let both = Verdict::Converted([better; 2]).sentence();
        assert!(
            both.starts_with("A gain for both searchers: ") && both.ends_with("what was found for both searchers.")
        );
    }

    #[test]
    fn weights_have_to_win_at_few_nodes_and_at_many() {
        let [won, level, lost] = [[1, 2, 8, 5, 14], [4, 4, 14, 4, 4], [4, 5, 14, 4, 3]].map(score);
        let serves = |alphabeta, mcts| {
            let searchers = Verdict::Met(vec![alphabeta, mcts]).serves().expect("by searcher");
            CONVERTERS.map(|of| searchers.contains(&of))
        };
        assert_eq!(serves([won, won], [won, lost]), [true, false]);
        assert_eq!(serves([lost, won], [won, level]), [false, true], "won together, and lost neither");
        assert_eq!(serves([level, level], [lost, lost]), [false, false]);
        let told = Verdict::Met(vec![[lost, won], [won, level]]).sentence();
        assert!(
            told.contains(
                "mcts scored 62.1 ± 7.9 % against the start values in two matches, together 60 pairs (74.2 % at"
            ),
            "{told}"
        );
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
        // What is said says why: here the interval alone would have been enough.
        let told = verdict([0, 2, 41, 3, 4]).sentence();
        let words = "scored 54.5 ± 4.3 % against the start values in a final match of 50 pairs, but only 9 pairs were not \
                     level, it won 7 of them, and chance alone wins as many in 9.0 % of such matches. The result";
        assert!(told.contains(words), "{told}");
        assert!(!verdict([0, 0, 44, 6, 0]).sentence().contains("but"), "a gain");
        assert!(!verdict([5, 30, 100, 40, 5]).sentence().contains("but"), "its interval says enough");
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
        assert!(
            forfeited([0, 21]).sentence().contains("say nothing), but most of its games were forfeits. The result")
        );
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
