//! Alpha-beta windows, how they look from the other seat, and bounds on the rolls of a chance node and on their mean
//! (Star1 and Star2; Ballard 1983, with the windows of Hauk, Buro and Schaeffer 2004).

use crate::rules::Seat;
use crate::search::Score;
use crate::search::score::STEEPEST;
use crate::search::transposition::{Bound, TtEntry};

/// Whether a child's score has its parent's point of view. Seats decide that, never the ply: sides need not alternate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Perspective {
    Same,
    Opposed,
}

impl Perspective {
    pub(super) fn between(one: Seat, other: Seat) -> Perspective {
        if one == other { Perspective::Same } else { Perspective::Opposed }
    }

    pub(super) fn score(self, score: Score) -> Score {
        match self {
            Perspective::Same => score,
            Perspective::Opposed => -score,
        }
    }
}

/// A window of scores: those strictly between `alpha` and `beta` are searched exactly, others only bounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    pub(super) const FULL: Window = Window { alpha: Score(-Score::INFINITE.0), beta: Score::INFINITE };

    /// The window that only asks whether a score is above `alpha`.
    pub(super) fn above(alpha: Score) -> Window {
        Window { alpha, beta: Score(alpha.0 + 1) }
    }

    pub(super) fn around(score: Score, half_width: i32) -> Window {
        let bound = |score: i32| Score(score.clamp(-Score::INFINITE.0, Score::INFINITE.0));
        Window { alpha: bound(score.0 - half_width), beta: bound(score.0 + half_width) }
    }

    /// A window widened after a score outside it: the edge that `score` crossed moves `half_width` beyond the score.
    pub(super) fn widened(self, score: Score, half_width: i32) -> Window {
        let wide = Window::around(score, half_width);
        if score <= self.alpha { Window { alpha: wide.alpha, ..self } } else { Window { beta: wide.beta, ..self } }
    }

    /// Whether the window is empty, so that a search only tells on which side of it a score lies.
    pub(super) fn is_null(self) -> bool {
        self.beta.0 - self.alpha.0 == 1
    }

    pub(super) fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }

    pub(super) fn contains(self, score: Score) -> bool {
        self.alpha < score && score < self.beta
    }

    /// The kind of bound that a score found with this window is.
    pub(super) fn bound(self, score: Score) -> Bound {
        match score {
            _ if score >= self.beta => Bound::Lower,
            _ if score <= self.alpha => Bound::Upper,
            _ => Bound::Exact,
        }
    }

    /// Whether a stored score proves that the true one lies outside the window.
    pub(super) fn is_missed_by(self, entry: &TtEntry) -> bool {
        (entry.bound.is_lower() && entry.score >= self.beta) || (entry.bound.is_upper() && entry.score <= self.alpha)
    }

    pub(super) fn seen_from(self, perspective: Perspective) -> Window {
        match perspective {
            Perspective::Same => self,
            Perspective::Opposed => Window { alpha: -self.beta, beta: -self.alpha },
        }
    }

    /// This window without the scores that are impossible at `ply`: losses before it, wins before the next ply.
    pub(super) fn reachable_at(self, ply: usize) -> Window {
        Window { alpha: self.alpha.max(Score::loss_in(ply as u32)), beta: self.beta.min(Score::win_in(ply as u32 + 1)) }
    }
}

/// A mean chance nearer to certainty than this can only come from proved results.
const ALMOST: f64 = 1e-9;

/// A roll with bounds on its value for the seat of the chance node.
#[derive(Clone, Copy)]
pub(super) struct RollBounds<M> {
    pub(super) mv: M,
    pub(super) probability: f64,
    pub(super) lowest: f64,
    pub(super) highest: f64,
    /// The score, once the roll has been searched.
    pub(super) score: Score,
}

/// Bounds on the mean over all rolls, and the window, in chances, to which it is compared.
pub(super) struct StarBounds {
    lowest: f64,
    highest: f64,
    alpha: f64,
    beta: f64,
}

impl StarBounds {
    pub(super) fn new(window: Window) -> Self {
        // No opinion is below the steepest losing one, and only a certain win is above the steepest winning one.
        let alpha = match window.alpha.0 {
            low if low < -STEEPEST => -1.0,
            high if high >= STEEPEST => 1.0 - ALMOST,
            _ => window.alpha.chance(),
        };
        let beta = match window.beta.0 {
            low if low <= -STEEPEST => ALMOST,
            high if high > STEEPEST => 2.0,
            _ => window.beta.chance(),
        };
        StarBounds { lowest: 0.0, highest: 1.0, alpha, beta }
    }

    /// The window for the search of one roll: if its value is outside, the mean is outside the window of the node,
    /// whatever the other rolls are worth within their bounds.
    pub(super) fn window<M>(&self, roll: &RollBounds<M>) -> Window {
        let best_of_others = self.highest - roll.probability * roll.highest;
        let worst_of_others = self.lowest - roll.probability * roll.lowest;
        Window {
            alpha: Score::with_chance_at_most((self.alpha - best_of_others) / roll.probability),
            beta: Score::with_chance_at_least((self.beta - worst_of_others) / roll.probability),
        }
    }

    pub(super) fn narrow<M>(&mut self, roll: &mut RollBounds<M>, lowest: f64, highest: f64) {
        self.lowest += roll.probability * (lowest - roll.lowest);
        self.highest += roll.probability * (highest - roll.highest);
        roll.lowest = lowest;
        roll.highest = highest;
    }
}

/// The score of the mean chance; if all rolls are proved wins, or all are certain losses, the latest of them.
pub(super) fn mean<M>(rolls: &[RollBounds<M>]) -> Score {
    let scores = || rolls.iter().map(|roll| roll.score);
    match (scores().min(), scores().max()) {
        (Some(lowest), _) if lowest.is_decided() && lowest.0 > 0 => lowest,
        (_, Some(highest)) if highest.is_loss() => highest,
        _ => Score::of_chance(rolls.iter().map(|roll| roll.probability * roll.score.chance()).sum()),
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
        // If the last quarter is won, the other three need a third to make the mean a half.
        assert!((wanted.alpha.chance() - 1.0 / 3.0).abs() < 0.01, "{wanted:?}");
        assert!((wanted.beta.chance() - 2.0 / 3.0).abs() < 0.01, "{wanted:?}");
        let open = StarBounds::new(Window::FULL).window(&roll);
        assert_eq!((open.alpha, open.beta), (-Score::INFINITE, Score::INFINITE));
    }
}
