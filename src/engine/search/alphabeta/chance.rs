//! Chance nodes: the expectation over all rolls of the dice, with windows.
//!
//! Scores are averaged as chances to win, so that every value lies between 0 and 1. One roll after another narrows the
//! bounds on the mean (Star1), and a look at one move after each roll often decides earlier (Star2). As soon as the
//! rolls looked at decide that the mean is outside the window, the others are left out.
//!
//! A roll costs no depth, since it is no decision; but a roll right after a roll costs a ply, so that lines end.

use super::window::{Perspective, RollBounds, StarBounds, Window, mean};
use super::worker::{Child, MAX_PLY, Node, SearchWorker};
use crate::eval::Evaluator;
use crate::rules::SearchHints;
use crate::search::Score;
use crate::search::score::STEEPEST;
use crate::search::transposition::{Bound, TtEntry};

impl<G: SearchHints, E: Evaluator<G>> SearchWorker<'_, G, E> {
    /// The mean value of a chance node for its seat, exact within the window, a bound outside. If all rolls win (or all
    /// lose), the value is a proved result at the longest of their distances.
    pub(super) fn expect(&mut self, node: &Node<G>, depth: i32, window: Window) -> Score {
        if depth <= 0 || node.ply >= MAX_PLY {
            return self.evaluate(node);
        }
        self.seldepth = self.seldepth.max(node.ply);
        if let Some(score) = self.remembered(node, depth, window) {
            return score;
        }
        self.list_rolls(node);
        let score = self.weigh(node, depth, window);
        if !self.halted && !self.path.is_near_draw(node.counters.idle, depth) {
            self.store(node, TtEntry { score, bound: window.bound(score), depth: depth as u8, best: None });
        }
        score
    }

    /// A stored score that decides the node. Unlike the scores of moves, it may be exact in an open window, because no
    /// reported line runs through a roll.
    fn remembered(&self, node: &Node<G>, depth: i32, window: Window) -> Option<Score> {
        let entry = self.probe(node)?;
        let fits = entry.bound == Bound::Exact || window.is_missed_by(&entry);
        let is_deep = i32::from(entry.depth) >= depth && !self.path.is_near_draw(node.counters.idle, depth);
        (fits && is_deep).then_some(entry.score)
    }

    /// Lists the rolls of the node with open bounds.
    fn list_rolls(&mut self, node: &Node<G>) {
        self.outcomes.clear();
        self.game.chance_outcomes(&node.position, &mut self.outcomes);
        let rolls = &mut self.frames[node.ply].rolls;
        rolls.clear();
        let open = |&(mv, probability)| RollBounds { mv, probability, lowest: 0.0, highest: 1.0, score: Score::DRAW };
        rolls.extend(self.outcomes.iter().map(open));
    }

    /// The mean over the listed rolls, searched within the window.
    fn weigh(&mut self, node: &Node<G>, depth: i32, window: Window) -> Score {
        let pruning = self.shared.parameters.chance_pruning;
        let window = if pruning == 0 { Window::FULL } else { window };
        let mut bounds = StarBounds::new(window);
        if pruning > 1
            && let Some(bound) = self.probe_rolls(node, depth, window, &mut bounds)
        {
            return bound;
        }
        for index in 0..self.frames[node.ply].rolls.len() {
            let roll = self.frames[node.ply].rolls[index];
            let wanted = bounds.window(&roll);
            let child = self.enter(node, roll.mv, depth);
            // A roll that follows a roll costs a ply.
            let depth = if matches!(child, Child::Chance(_)) { depth - 1 } else { depth };
            let score = self.value(node.seat, &child, depth, wanted);
            if self.halted {
                return Score::DRAW;
            }
            // One roll decides when the others cannot make up for it.
            if score <= wanted.alpha {
                return window.alpha;
            } else if score >= wanted.beta {
                return window.beta;
            }
            let chance = score.chance();
            let roll = &mut self.frames[node.ply].rolls[index];
            roll.score = score;
            bounds.narrow(roll, chance, chance);
        }
        mean(&self.frames[node.ply].rolls)
    }

    /// Searches the most promising move after each roll. Its score bounds the roll on one side, since the mover can
    /// have at least that; returns the edge of the window beyond which the mean is proved to lie, if it is.
    fn probe_rolls(&mut self, node: &Node<G>, depth: i32, window: Window, bounds: &mut StarBounds) -> Option<Score> {
        if !self.is_worth_probing(node, window) {
            return None;
        }
        for index in 0..self.frames[node.ply].rolls.len() {
            let roll = self.frames[node.ply].rolls[index];
            let wanted = bounds.window(&roll);
            let Child::Open(child) = self.enter(node, roll.mv, depth) else { continue };
            let perspective = Perspective::between(node.seat, child.seat);
            let score = perspective.score(self.look_at_one(&child, depth, wanted.seen_from(perspective)));
            if self.halted {
                return None;
            }
            let chance = score.chance();
            let roll = &mut self.frames[node.ply].rolls[index];
            match perspective {
                Perspective::Same if score >= wanted.beta => return Some(window.beta),
                Perspective::Opposed if score <= wanted.alpha => return Some(window.alpha),
                // A score beyond the other edge says nothing about the best move.
                _ if !wanted.contains(score) => {}
                Perspective::Same => bounds.narrow(roll, chance, roll.highest),
                Perspective::Opposed => bounds.narrow(roll, roll.lowest, chance),
            }
        }
        None
    }

    /// Whether probes may decide the node. They can only show that the next mover is well off: the window must have an
    /// edge on that side, and the evaluation should suggest it.
    fn is_worth_probing(&mut self, node: &Node<G>, window: Window) -> bool {
        let Some(roll) = self.frames[node.ply].rolls.first().map(|roll| roll.mv) else { return false };
        let after = self.game.play_unchecked(&node.position, roll);
        let Some(mover) = self.game.turn(&after).seat() else { return false };
        let standing = self.evaluate(node);
        match Perspective::between(node.seat, mover) {
            Perspective::Same => window.beta.0 <= STEEPEST && standing >= window.beta,
            Perspective::Opposed => window.alpha.0 >= -STEEPEST && standing <= window.alpha,
        }
    }

    /// A lower bound of a node's value for its seat: the value of the move that is ordered first.
    fn look_at_one(&mut self, node: &Node<G>, depth: i32, window: Window) -> Score {
        if let Some(score) = self.list_ordered(node, depth, window) {
            return score;
        }
        match self.frames[node.ply].pick(0) {
            Some((mv, _)) => self.try_move(node, depth, window, 0, mv),
            None => self.evaluate(node),
        }
    }
}
