//! The logistic curve between scores and chances of winning, on which dice are averaged and shares of a win are
//! compared.

use super::score::{Score, WDL_SCALE};
use crate::eval::MAX_EVALUATION;

/// Opinions beyond this are hardly different from certainty.
pub(super) const STEEPEST: i32 = 1400;

/// Chances of winning by score: the logistic curve behind [`Score::wdl`], as a table.
///
/// Hundredths of a piece do not add up: a roll that wins the game and one that loses a piece have to be averaged by
/// what they are worth in the end.
#[derive(Clone, Debug)]
pub(super) struct WdlCurve {
    /// Chances of the scores from 0 up to the steepest, rising.
    pub(super) chances: Vec<f64>,
}

impl WdlCurve {
    pub(super) fn new() -> WdlCurve {
        // Only multiplication and division: the same bits on every machine, unlike a library's `exp`.
        let step = 1.0 + 1.0 / WDL_SCALE + 0.5 / (WDL_SCALE * WDL_SCALE) + 1.0 / (6.0 * WDL_SCALE.powi(3));
        let mut odds = 1.0;
        let mut chances = Vec::with_capacity(STEEPEST as usize + 1);
        for _ in 0..=STEEPEST {
            chances.push(odds / (1.0 + odds));
            odds *= step;
        }
        WdlCurve { chances }
    }

    /// The chance to win with this score: 0 or 1 exactly for a certain result.
    pub(super) fn chance(&self, score: Score) -> f64 {
        if score.is_certain() {
            return if score.0 > 0 { 1.0 } else { 0.0 };
        }
        let chance = self.chances[score.0.unsigned_abs().min(STEEPEST as u32) as usize];
        if score.0 < 0 { 1.0 - chance } else { chance }
    }

    /// The opinion whose chance is nearest; certainty gives the steepest one.
    pub(super) fn score(&self, chance: f64) -> Score {
        let folded = chance.max(1.0 - chance);
        let above = self.chances.partition_point(|&known| known < folded).min(STEEPEST as usize);
        let nearer = above > 0 && folded - self.chances[above - 1] < self.chances[above] - folded;
        let hundredths = above as i32 - i32::from(nearer);
        Score(if chance < 0.5 { -hundredths } else { hundredths })
    }

    /// The highest score that is worth at most `chance`; below every score if there is none.
    pub(super) fn floor(&self, chance: f64) -> Score {
        match chance {
            _ if chance < 0.0 => -Score::INFINITE,
            _ if chance >= 1.0 => Score::INFINITE,
            _ if chance < self.chance(Score(-STEEPEST)) => Score(-MAX_EVALUATION - 1),
            _ if chance >= self.chance(Score(STEEPEST)) => Score(MAX_EVALUATION),
            _ => {
                let near = self.score(chance);
                if self.chance(near) <= chance { near } else { Score(near.0 - 1) }
            }
        }
    }

    /// The lowest score that is worth at least `chance`; above every score if there is none.
    pub(super) fn ceiling(&self, chance: f64) -> Score {
        -self.floor(1.0 - chance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_chances_are_two_sides_of_one_curve() {
        let odds = WdlCurve::new();
        for score in -STEEPEST..=STEEPEST {
            assert_eq!(odds.score(odds.chance(Score(score))), Score(score));
        }
        assert_eq!((odds.chance(Score::win_in(9)), odds.chance(Score::loss_in(9))), (1.0, 0.0));
        assert_eq!(odds.score(0.5), Score(0));
        assert!((odds.chance(Score(150)) - 1.0 / (1.0 + (-1.0_f64).exp())).abs() < 1e-4);
    }

    #[test]
    fn floors_and_ceilings_enclose_a_chance() {
        let odds = WdlCurve::new();
        for step in 1..1000 {
            let chance = f64::from(step) / 1000.0;
            let (floor, ceiling) = (odds.floor(chance), odds.ceiling(chance));
            assert!(odds.chance(floor) <= chance && odds.chance(Score(floor.0 + 1)) > chance, "{chance}");
            assert!(odds.chance(ceiling) >= chance - 1e-12 && odds.chance(Score(ceiling.0 - 1)) < chance, "{chance}");
        }
        assert_eq!((odds.floor(-0.1), odds.ceiling(1.1)), (-Score::INFINITE, Score::INFINITE));
        assert_eq!(odds.floor(0.0), Score(-MAX_EVALUATION - 1), "every proved loss is worth no more than nothing");
        assert_eq!(odds.ceiling(1.0), Score(MAX_EVALUATION + 1));
    }
}
