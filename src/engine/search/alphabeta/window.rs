//! Alpha-beta windows, and how they look from the other seat.

use crate::rules::Seat;
use crate::search::Score;
use crate::search::transposition::{Bound, TtEntry};

/// How a child's score is read by its parent: sides need not alternate, so the seats decide and never the ply.
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

/// Scores strictly between `alpha` and `beta` matter.
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

    pub(super) fn is_null(self) -> bool {
        self.beta.0 - self.alpha.0 == 1
    }

    pub(super) fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }

    pub(super) fn contains(self, score: Score) -> bool {
        self.alpha < score && score < self.beta
    }

    /// What a search with this window says by its score.
    pub(super) fn bound(self, score: Score) -> Bound {
        match score {
            _ if score >= self.beta => Bound::Lower,
            _ if score <= self.alpha => Bound::Upper,
            _ => Bound::Exact,
        }
    }

    /// Whether a stored score proves that the true one lies outside.
    pub(super) fn is_missed_by(self, entry: &TtEntry) -> bool {
        entry.bound.is_lower() && entry.score >= self.beta || entry.bound.is_upper() && entry.score <= self.alpha
    }

    pub(super) fn seen_from(self, perspective: Perspective) -> Window {
        match perspective {
            Perspective::Same => self,
            Perspective::Opposed => Window { alpha: -self.beta, beta: -self.alpha },
        }
    }

    /// Cuts off what cannot happen at `ply`: a loss that has not come yet, a win sooner than by the next ply.
    pub(super) fn reachable_at(self, ply: usize) -> Window {
        Window { alpha: self.alpha.max(Score::loss_in(ply as u32)), beta: self.beta.min(Score::win_in(ply as u32 + 1)) }
    }
}
