//! Quiescence search: captures, and the moves of a side that is nearly trapped.

use super::node::{Child, Node};
use super::window::{Perspective, Window};
use super::worker::SearchWorker;
use crate::eval::Evaluator;
use crate::rules::SearchHints;
use crate::search::Score;
use crate::search::deepening::MAX_PLY;

impl<G: SearchHints, E: Evaluator<G>> SearchWorker<'_, G, E> {
    /// The value of a node once captures have come to rest, at most `depth` plies on.
    pub(super) fn quiesce(&mut self, node: &Node<G>, depth: i32, window: Window) -> Score {
        self.seldepth = self.seldepth.max(node.ply);
        self.frames[node.ply].pv.clear();
        if depth <= 0 || node.ply >= MAX_PLY {
            return self.evaluate(node);
        }
        match self.list_captures(node) {
            0 if !self.game.has_few_moves(&node.position, self.shared.settings.parameters.trap_moves as u64) => {
                self.evaluate(node)
            }
            0 => {
                self.list_all(node);
                self.try_listed(node, depth, window, -Score::INFINITE)
            }
            captures => self.try_captures(node, depth, window, captures),
        }
    }

    /// The side may be content with what it has, unless it must capture or is nearly trapped.
    fn try_captures(&mut self, node: &Node<G>, depth: i32, window: Window, captures: usize) -> Score {
        let standing = self.evaluate(node);
        if standing >= window.beta {
            return standing;
        }
        let choices = self.list_all(node);
        if choices == captures || choices as u64 <= self.shared.settings.parameters.trap_moves as u64 {
            return self.try_listed(node, depth, window, -Score::INFINITE);
        }
        let game = self.game;
        self.frames[node.ply].moves.retain(|&mv| game.is_tactical(&node.position, mv));
        self.try_listed(node, depth, window, standing)
    }

    pub(super) fn list_all(&mut self, node: &Node<G>) -> usize {
        let frame = &mut self.frames[node.ply];
        frame.moves.clear();
        self.game.legal_moves(&node.position, &mut frame.moves);
        frame.moves.len()
    }

    fn list_captures(&mut self, node: &Node<G>) -> usize {
        let frame = &mut self.frames[node.ply];
        frame.moves.clear();
        self.game.tactical_moves(&node.position, &mut frame.moves);
        frame.moves.len()
    }

    /// Tries the listed moves, with `best` in hand already.
    fn try_listed(&mut self, node: &Node<G>, depth: i32, window: Window, mut best: Score) -> Score {
        self.frames[node.ply].rank(self.game, &node.position, node.seat, None, &self.history);
        let mut tried = 0;
        while let Some((mv, _)) = self.frames[node.ply].pick(tried) {
            let alpha = window.alpha.max(best);
            let score = self.try_one(node, depth, Window { alpha, ..window }, mv);
            if self.halted {
                break;
            }
            if score > alpha {
                self.update_pv(node.ply, mv);
            }
            best = best.max(score);
            if best >= window.beta {
                break;
            }
            tried += 1;
        }
        best
    }

    fn try_one(&mut self, node: &Node<G>, depth: i32, window: Window, mv: G::Move) -> Score {
        match self.enter(node, mv, 0) {
            Child::Open(child) => {
                let perspective = Perspective::between(node.seat, child.seat);
                perspective.score(self.quiesce(&child, depth - 1, window.seen_from(perspective)))
            }
            child => self.value(node.seat, &child, 0, window),
        }
    }
}
