//! Rolls of the dice: the expectation over all of them, with windows.
//!
//! Scores are averaged on the curve of [`WdlCurve`], so that every value lies between 0 and 1. As soon as the rolls looked
//! at decide that the mean is outside the window, the others are left out (Star1), and a look at one move after each
//! roll often decides it earlier (Star2; Ballard 1983, with the windows of Hauk, Buro and Schaeffer 2004).
//!
//! A roll costs no depth, since nobody decides anything; a roll that follows a roll costs a ply, so that lines end.

use crate::eval::Evaluator;
use crate::rules::{Game, Seat};
use crate::search::Score;
use crate::search::transposition::{Bound, TtEntry};
use crate::search::wdl_curve::{STEEPEST, WdlCurve};

use super::MAX_PLY;
use super::window::{Perspective, Window};
use super::worker::{Child, Node, Worker};

/// Chances nearer to certainty than this occur only together with proved results.
const ALMOST: f64 = 1e-9;

/// A roll with what is known about its value for the seat of the chance node.
#[derive(Clone, Copy)]
pub(super) struct RollBounds<M> {
    mv: M,
    probability: f64,
    lowest: f64,
    highest: f64,
    /// Known once the roll was searched.
    score: Score,
}

/// The sums over all rolls, and the mean that they have to reach or to stay below.
struct StarBounds {
    lowest: f64,
    highest: f64,
    alpha: f64,
    beta: f64,
}

impl StarBounds {
    fn new(curve: &WdlCurve, window: Window) -> Self {
        // An opinion is never below the steepest one, and only a sure win is above it.
        let alpha = match window.alpha.0 {
            low if low < -STEEPEST => -1.0,
            high if high >= STEEPEST => 1.0 - ALMOST,
            _ => curve.chance(window.alpha),
        };
        let beta = match window.beta.0 {
            low if low <= -STEEPEST => ALMOST,
            high if high > STEEPEST => 2.0,
            _ => curve.chance(window.beta),
        };
        StarBounds { lowest: 0.0, highest: 1.0, alpha, beta }
    }

    /// What the roll must be worth for the mean to be within the window, the others being at their best or worst.
    fn window<M>(&self, curve: &WdlCurve, roll: &RollBounds<M>) -> Window {
        let best_of_others = self.highest - roll.probability * roll.highest;
        let worst_of_others = self.lowest - roll.probability * roll.lowest;
        Window {
            alpha: curve.floor((self.alpha - best_of_others) / roll.probability),
            beta: curve.ceiling((self.beta - worst_of_others) / roll.probability),
        }
    }

    fn narrow<M>(&mut self, roll: &mut RollBounds<M>, lowest: f64, highest: f64) {
        self.lowest += roll.probability * (lowest - roll.lowest);
        self.highest += roll.probability * (highest - roll.highest);
        (roll.lowest, roll.highest) = (lowest, highest);
    }
}

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// The mean value for the node's seat, exact within the window, a bound outside. Rolls that are all won (or all
    /// lost) stay decided, at the slowest.
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
        if !self.halted {
            self.remember(node, depth, window, score);
        }
        score
    }

    /// No line runs through a roll, so that a stored score may always decide.
    fn remembered(&self, node: &Node<G>, depth: i32, window: Window) -> Option<Score> {
        let entry = self.shared.table.probe(self.path.table_key(node.key), node.ply)?;
        let fits = entry.bound == Bound::Exact
            || entry.bound.is_lower() && entry.score >= window.beta
            || entry.bound.is_upper() && entry.score <= window.alpha;
        let is_deep = i32::from(entry.depth) >= depth && !self.path.is_near_draw(node.idle, depth);
        (fits && is_deep).then_some(entry.score)
    }

    fn remember(&self, node: &Node<G>, depth: i32, window: Window, score: Score) {
        let bound = if self.path.is_near_draw(node.idle, depth) {
            return;
        } else if score >= window.beta {
            Bound::Lower
        } else if score <= window.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        let entry = TtEntry { score, bound, depth: depth as u8, best: None };
        self.shared.table.store(self.path.table_key(node.key), node.ply, entry);
    }

    fn list_rolls(&mut self, node: &Node<G>) {
        self.outcomes.clear();
        self.game.chance_outcomes(&node.position, &mut self.outcomes);
        let rolls = &mut self.frames[node.ply].rolls;
        rolls.clear();
        let open = |&(mv, probability)| RollBounds { mv, probability, lowest: 0.0, highest: 1.0, score: Score::DRAW };
        rolls.extend(self.outcomes.iter().map(open));
    }

    fn weigh(&mut self, node: &Node<G>, depth: i32, window: Window) -> Score {
        let pruning = self.shared.parameters.chance_pruning;
        let window = if pruning == 0 { Window::FULL } else { window };
        let mut bounds = StarBounds::new(self.shared.curve, window);
        if pruning > 1
            && let Some(bound) = self.probe_rolls(node, depth, window, &mut bounds)
        {
            return bound;
        }
        for index in 0..self.frames[node.ply].rolls.len() {
            let roll = self.frames[node.ply].rolls[index];
            let wanted = bounds.window(self.shared.curve, &roll);
            let child = self.enter(node, roll.mv);
            let score = self.after_roll(node.seat, &child, depth, wanted);
            if self.halted {
                return Score::DRAW;
            }
            if let Some(bound) = outside(score, wanted, window) {
                return bound;
            }
            self.settle_roll(node, index, score, &mut bounds);
        }
        mean(self.shared.curve, &self.frames[node.ply].rolls)
    }

    fn settle_roll(&mut self, node: &Node<G>, index: usize, score: Score, bounds: &mut StarBounds) {
        let chance = self.shared.curve.chance(score);
        let roll = &mut self.frames[node.ply].rolls[index];
        roll.score = score;
        bounds.narrow(roll, chance, chance);
    }

    /// Looks at the most promising move after each roll. The mover can have at least that, which bounds the roll on
    /// one side; returns the window's edge that the mean is proved to lie beyond.
    fn probe_rolls(&mut self, node: &Node<G>, depth: i32, window: Window, bounds: &mut StarBounds) -> Option<Score> {
        if !self.is_worth_probing(node, window) {
            return None;
        }
        for index in 0..self.frames[node.ply].rolls.len() {
            let roll = self.frames[node.ply].rolls[index];
            let wanted = bounds.window(self.shared.curve, &roll);
            let Child::Open(child) = self.enter(node, roll.mv) else { continue };
            let perspective = Perspective::between(node.seat, child.seat);
            let score = perspective.score(self.look_at_one(&child, depth, wanted.seen_from(perspective)));
            if self.halted {
                return None;
            }
            let chance = self.shared.curve.chance(score);
            let roll = &mut self.frames[node.ply].rolls[index];
            match perspective {
                Perspective::Same if score >= wanted.beta => return Some(window.beta),
                Perspective::Opposed if score <= wanted.alpha => return Some(window.alpha),
                // Outside the window on the other side the one move says nothing about the best.
                _ if !wanted.contains(score) => {}
                Perspective::Same => bounds.narrow(roll, chance, roll.highest),
                Perspective::Opposed => bounds.narrow(roll, roll.lowest, chance),
            }
        }
        None
    }

    /// Probes can only show that the mover of the next turn is well off: there has to be an edge on that side, and
    /// the position should look as if it were so.
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

    /// A lower bound of an open node's value for its seat: that of the move ordered first.
    fn look_at_one(&mut self, node: &Node<G>, depth: i32, window: Window) -> Score {
        if let Some(score) = self.list_ordered(node, depth, window) {
            return score;
        }
        match self.frames[node.ply].pick(0) {
            Some((mv, _)) => self.try_move(node, depth, window, 0, mv),
            None => self.evaluate(node),
        }
    }

    fn after_roll(&mut self, seat: Seat, child: &Child<G>, depth: i32, window: Window) -> Score {
        match child {
            Child::Settled(score) => *score,
            Child::Open(node) => {
                let perspective = Perspective::between(seat, node.seat);
                perspective.score(self.search(node, depth, window.seen_from(perspective)))
            }
            Child::Chance(node) => self.expect(node, depth - 1, window),
        }
    }
}

/// The edge of the node's window that the mean lies beyond if one roll is worth a score outside what is wanted of it.
fn outside(score: Score, wanted: Window, window: Window) -> Option<Score> {
    if score <= wanted.alpha {
        Some(window.alpha)
    } else if score >= wanted.beta {
        Some(window.beta)
    } else {
        None
    }
}

/// The score of the mean chance. Proved results stay proved only together, at the slowest.
fn mean<M>(curve: &WdlCurve, rolls: &[RollBounds<M>]) -> Score {
    let scores = || rolls.iter().map(|roll| roll.score);
    match (scores().min(), scores().max()) {
        (Some(lowest), _) if lowest.is_decided() && lowest.0 > 0 => lowest,
        (_, Some(highest)) if highest.is_loss() => highest,
        _ => curve.score(rolls.iter().map(|roll| roll.probability * curve.chance(roll.score)).sum()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proved_results_stay_proved_only_together() {
        let curve = WdlCurve::new();
        let mean = |scores: [Score; 2]| {
            mean(&curve, &scores.map(|score| RollBounds { mv: (), probability: 0.5, lowest: 0.0, highest: 1.0, score }))
        };
        assert_eq!(mean([Score(10), Score(30)]), Score(20));
        assert_eq!(mean([Score::win_in(3), Score::win_in(5)]), Score::win_in(5));
        assert_eq!(mean([Score::loss_in(3), Score::loss_in(5)]), Score::loss_in(5));
        assert_eq!(mean([Score::WIN, Score::LOSS]), Score(0));
        assert!(mean([Score::WIN, Score(0)]) > Score(100), "a sure win is worth more than any number of pieces");
    }

    #[test]
    fn one_roll_decides_when_the_others_cannot_make_up_for_it() {
        let curve = WdlCurve::new();
        let bounds = StarBounds::new(&curve, Window::above(Score(0)));
        let roll = RollBounds { mv: (), probability: 0.75, lowest: 0.0, highest: 1.0, score: Score(0) };
        let wanted = bounds.window(&curve, &roll);
        // A third is what three quarters need for a half when the last quarter is won.
        assert!((curve.chance(wanted.alpha) - 1.0 / 3.0).abs() < 0.01, "{wanted:?}");
        assert!((curve.chance(wanted.beta) - 2.0 / 3.0).abs() < 0.01, "{wanted:?}");
        let open = StarBounds::new(&curve, Window::FULL).window(&curve, &roll);
        assert_eq!((open.alpha, open.beta), (-Score::INFINITE, Score::INFINITE));
    }
}
