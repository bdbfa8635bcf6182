//! Rolls of the dice: the expectation over all of them, searched with full windows.

use crate::eval::Evaluator;
use crate::rules::{Game, Seat};
use crate::search::Score;

use super::MAX_PLY;
use super::window::{View, Window};
use super::worker::{Child, Node, Worker};

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// The mean value for the node's seat. Rolls that are all won (or all lost) stay decided, at the slowest.
    pub(super) fn expect(&mut self, node: &Node<G>, depth: i32) -> Score {
        if depth <= 0 || node.ply >= MAX_PLY {
            return self.evaluate(node);
        }
        let mut rolls = Vec::new();
        self.game.chance_outcomes(&node.position, &mut rolls);
        let mut mean = Mean::default();
        for (roll, probability) in rolls {
            let child = self.enter(node, roll);
            mean.add(self.settled_or_searched(node.seat, &child, depth), probability);
            if self.halted {
                break;
            }
        }
        mean.score()
    }

    fn settled_or_searched(&mut self, seat: Seat, child: &Child<G>, depth: i32) -> Score {
        match child {
            Child::Settled(score) => *score,
            Child::Open(node) => {
                let view = View::between(seat, node.seat);
                view.score(self.search(node, depth - 1, Window::FULL))
            }
            Child::Chance(node) => self.expect(node, depth - 1),
        }
    }
}

/// A weighted mean of scores in which a proved result counts as the largest opinion.
#[derive(Default)]
struct Mean {
    sum: f64,
    lowest: Option<Score>,
    highest: Option<Score>,
}

impl Mean {
    fn add(&mut self, score: Score, probability: f64) {
        self.sum += probability * f64::from(score.clamp_opinion().0);
        self.lowest = Some(self.lowest.map_or(score, |lowest| lowest.min(score)));
        self.highest = Some(self.highest.map_or(score, |highest| highest.max(score)));
    }

    fn score(&self) -> Score {
        match (self.lowest, self.highest) {
            (Some(lowest), _) if lowest.is_decided() && lowest.0 > 0 => lowest,
            (_, Some(highest)) if highest.is_decided() && highest.0 < 0 => highest,
            _ => Score(self.sum.round() as i32),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proved_results_stay_proved_only_together() {
        let mean = |scores: [Score; 2]| {
            let mut mean = Mean::default();
            scores.into_iter().for_each(|score| mean.add(score, 0.5));
            mean.score()
        };
        assert_eq!(mean([Score(10), Score(30)]), Score(20));
        assert_eq!(mean([Score::win_in(3), Score::win_in(5)]), Score::win_in(5));
        assert_eq!(mean([Score::loss_in(3), Score::loss_in(5)]), Score::loss_in(5));
        assert_eq!(mean([Score::WIN, Score::LOSS]), Score(0));
    }
}
