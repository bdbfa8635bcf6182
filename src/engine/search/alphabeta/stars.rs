//! Bounds on the rolls of a chance node and on their mean (Star1 and Star2; Ballard 1983, with the windows of Hauk,
//! Buro and Schaeffer 2004).
//!
//! Scores are averaged on the [`wdl_curve`], so that every value lies between 0 and 1. As soon as the rolls looked at
//! decide that the mean is outside the window, the others are left out.

use super::window::Window;
use crate::search::Score;
use crate::search::wdl_curve::{self, STEEPEST};

/// Chances nearer to certainty than this occur only together with proved results.
const ALMOST: f64 = 1e-9;

/// A roll with what is known about its value for the seat of the chance node.
#[derive(Clone, Copy)]
pub(super) struct RollBounds<M> {
    pub(super) mv: M,
    pub(super) probability: f64,
    pub(super) lowest: f64,
    pub(super) highest: f64,
    /// Known once the roll was searched.
    pub(super) score: Score,
}

/// The sums over all rolls, and the mean that they have to reach or to stay below.
pub(super) struct StarBounds {
    lowest: f64,
    highest: f64,
    alpha: f64,
    beta: f64,
}

impl StarBounds {
    pub(super) fn new(window: Window) -> Self {
        // An opinion is never below the steepest one, and only a sure win is above it.
        let alpha = match window.alpha.0 {
            low if low < -STEEPEST => -1.0,
            high if high >= STEEPEST => 1.0 - ALMOST,
            _ => wdl_curve::chance(window.alpha),
        };
        let beta = match window.beta.0 {
            low if low <= -STEEPEST => ALMOST,
            high if high > STEEPEST => 2.0,
            _ => wdl_curve::chance(window.beta),
        };
        StarBounds { lowest: 0.0, highest: 1.0, alpha, beta }
    }

    /// What the roll must be worth for the mean to be within the window, the others being at their best or worst.
    pub(super) fn window<M>(&self, roll: &RollBounds<M>) -> Window {
        let best_of_others = self.highest - roll.probability * roll.highest;
        let worst_of_others = self.lowest - roll.probability * roll.lowest;
        Window {
            alpha: wdl_curve::floor((self.alpha - best_of_others) / roll.probability),
            beta: wdl_curve::ceiling((self.beta - worst_of_others) / roll.probability),
        }
    }

    pub(super) fn narrow<M>(&mut self, roll: &mut RollBounds<M>, lowest: f64, highest: f64) {
        self.lowest += roll.probability * (lowest - roll.lowest);
        self.highest += roll.probability * (highest - roll.highest);
        (roll.lowest, roll.highest) = (lowest, highest);
    }
}

/// The score of the mean chance. Proved results stay proved only together, at the slowest.
pub(super) fn mean<M>(rolls: &[RollBounds<M>]) -> Score {
    let scores = || rolls.iter().map(|roll| roll.score);
    match (scores().min(), scores().max()) {
        (Some(lowest), _) if lowest.is_decided() && lowest.0 > 0 => lowest,
        (_, Some(highest)) if highest.is_loss() => highest,
        _ => wdl_curve::score(rolls.iter().map(|roll| roll.probability * wdl_curve::chance(roll.score)).sum()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proved_results_stay_proved_only_together() {
        let mean = |scores: [Score; 2]| {
            mean(&scores.map(|score| RollBounds { mv: (), probability: 0.5, lowest: 0.0, highest: 1.0, score }))
        };
        assert_eq!(mean([Score(10), Score(30)]), Score(20));
        assert_eq!(mean([Score::win_in(3), Score::win_in(5)]), Score::win_in(5));
        assert_eq!(mean([Score::loss_in(3), Score::loss_in(5)]), Score::loss_in(5));
        assert_eq!(mean([Score::WIN, Score::LOSS]), Score(0));
        assert!(mean([Score::WIN, Score(0)]) > Score(100), "a sure win is worth more than any number of pieces");
    }

    #[test]
    fn one_roll_decides_when_the_others_cannot_make_up_for_it() {
        let bounds = StarBounds::new(Window::above(Score(0)));
        let roll = RollBounds { mv: (), probability: 0.75, lowest: 0.0, highest: 1.0, score: Score(0) };
        let wanted = bounds.window(&roll);
        // A third is what three quarters need for a half when the last quarter is won.
        assert!((wdl_curve::chance(wanted.alpha) - 1.0 / 3.0).abs() < 0.01, "{wanted:?}");
        assert!((wdl_curve::chance(wanted.beta) - 2.0 / 3.0).abs() < 0.01, "{wanted:?}");
        let open = StarBounds::new(Window::FULL).window(&roll);
        assert_eq!((open.alpha, open.beta), (-Score::INFINITE, Score::INFINITE));
    }
}
