//! The moves at the root and their search.

use crate::eval::Evaluator;
use crate::rules::Game;
use crate::search::Score;

use super::window::{Perspective, Window};
use super::worker::{Child, Node, Worker};

/// A move at the root with what is known about it.
#[derive(Clone)]
pub(super) struct RootMove<M> {
    pub(super) mv: M,
    /// The score of this iteration, once the move was searched and turned out best so far.
    pub(super) score: Option<Score>,
    /// Some iteration proved that the move loses.
    pub(super) loses: bool,
    pub(super) pv: Vec<M>,
}

impl<M: Copy> RootMove<M> {
    pub(super) fn new(mv: M) -> Self {
        RootMove { mv, score: None, loses: false, pv: vec![mv] }
    }

    /// Makes the move a line of its own with an opinion instead of a search behind it.
    pub(super) fn unsearched(mv: M, opinion: Score) -> Self {
        RootMove { score: Some(opinion), ..RootMove::new(mv) }
    }

    fn learn(&mut self, score: Score, below: &[M]) {
        self.score = Some(score);
        self.pv.clear();
        self.pv.push(self.mv);
        self.pv.extend_from_slice(below);
    }
}

/// Puts the best scores first; moves without one keep their order behind them.
pub(super) fn sort<M>(moves: &mut [RootMove<M>]) {
    moves.sort_by_key(|root| std::cmp::Reverse(root.score));
}

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// Searches the given root moves and returns the best score; exact within the window, a bound outside.
    pub(super) fn search_root(
        &mut self,
        root: &Node<G>,
        moves: &mut [RootMove<G::Move>],
        depth: i32,
        window: Window,
    ) -> Score {
        moves.iter_mut().for_each(|root| root.score = None);
        let (mut best, mut alpha) = (-Score::INFINITE, window.alpha);
        for (tried, candidate) in moves.iter_mut().enumerate() {
            let score = self.try_move(root, depth, Window { alpha, ..window }, tried, candidate.mv);
            if self.halted {
                break;
            }
            candidate.loses |= score.is_loss();
            if tried == 0 || score > alpha {
                candidate.learn(score, &self.frames[1].pv);
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= window.beta {
                break;
            }
        }
        best
    }

    /// Scores the root moves by a look at the positions they lead to, for a search that was stopped at once.
    pub(super) fn glance(&mut self, root: &Node<G>, moves: &mut [RootMove<G::Move>]) {
        for candidate in moves.iter_mut() {
            let score = match self.enter(root, candidate.mv) {
                Child::Settled(score) => score,
                Child::Open(node) | Child::Chance(node) => {
                    Perspective::between(root.seat, node.seat).score(self.evaluate(&node))
                }
            };
            candidate.learn(score, &[]);
        }
        sort(moves);
    }
}
