//! Nodes where a player is to move: principal-variation search (probe, order, recurse, store), and below it the
//! quiescence search of captures and of the moves of a side that is nearly trapped.

use super::window::{Perspective, Window};
use super::worker::{Child, MAX_DEPTH, MAX_PLY, Node, SearchWorker, Shared};
use crate::eval::Evaluator;
use crate::rules::SearchHints;
use crate::search::Score;
use crate::search::transposition::{Bound, TtEntry};

/// The best move so far.
#[derive(Clone, Copy)]
struct Best {
    score: Score,
    index: Option<u16>,
}

impl<G: SearchHints, E: Evaluator<G>> SearchWorker<'_, G, E> {
    /// The value of a node for its seat, searched `depth` plies deep; exact within the window, a bound outside.
    pub(super) fn search(&mut self, node: &Node<G>, depth: i32, window: Window) -> Score {
        if depth <= 0 || node.ply >= MAX_PLY {
            let depth = self.shared.parameters.quiescence_depth;
            return self.quiesce(node, depth, window);
        }
        self.seldepth = self.seldepth.max(node.ply);
        self.frames[node.ply].pv.clear();
        let window = window.reachable_at(node.ply);
        if window.is_empty() {
            return window.alpha;
        }
        if let Some(score) = self.list_ordered(node, depth, window) {
            return score;
        }
        let best = self.try_moves(node, depth, window);
        if !self.halted && self.is_stored(depth) {
            // Where the score depends on the path, only the stored move is of use.
            let is_near_draw = self.path.is_near_draw(node.counters.idle, depth);
            let bound = if is_near_draw { Bound::Unknown } else { window.bound(best.score) };
            let depth = depth.min(MAX_DEPTH) as u8;
            self.store(node, TtEntry { score: best.score, bound, depth, best: best.index });
        }
        best.score
    }

    /// Lists the moves in order, or returns a score if the table or the evaluation ends the search of the node.
    pub(super) fn list_ordered(&mut self, node: &Node<G>, depth: i32, window: Window) -> Option<Score> {
        let entry = self.is_stored(depth).then(|| self.probe(node)).flatten();
        let known = entry.filter(|entry| self.is_cutoff(node, depth, window, entry)).map(|entry| entry.score);
        let cutoff = known.or_else(|| self.reverse_futility(node, depth, window));
        if cutoff.is_none() {
            self.list_all(node);
            let hash = entry.and_then(|entry| entry.best);
            self.frames[node.ply].rank(self.game, &node.position, node.seat, hash, &self.history);
        }
        cutoff
    }

    /// Whether nodes with so many plies left are in the table: to search others again is faster than a memory access,
    /// and they would crowd out more valuable entries.
    fn is_stored(&self, depth: i32) -> bool {
        depth >= self.shared.parameters.store_depth
    }

    /// The evaluation, if it is so far above the window that the remaining plies will hardly bring it back.
    fn reverse_futility(&self, node: &Node<G>, depth: i32, window: Window) -> Option<Score> {
        let is_open = depth <= self.futility_depth && window.is_null() && !window.beta.is_certain();
        if !is_open || self.path.is_near_draw(node.counters.idle, depth) {
            return None;
        }
        let score = self.evaluate(node);
        let margin = self.shared.parameters.futility_margin * depth;
        (score.0 - margin >= window.beta.0).then_some(score)
    }

    /// Whether a stored score decides the node. Opinions do so only outside the principal variation, which so stays
    /// whole. Proofs do so anywhere: a proof beyond an open window is on no reported line, and a win by the next move
    /// lies on its edge.
    fn is_cutoff(&self, node: &Node<G>, depth: i32, window: Window, entry: &TtEntry) -> bool {
        let decides = if entry.is_proof() {
            window.is_null() || entry.score != window.beta
        } else {
            window.is_null() && i32::from(entry.depth) >= depth
        };
        let plies = entry.score.plies_to_end().map_or(0, |plies| plies.abs() - node.ply as i32);
        decides && window.is_missed_by(entry) && !self.path.is_near_draw(node.counters.idle, depth.max(plies))
    }

    fn try_moves(&mut self, node: &Node<G>, depth: i32, window: Window) -> Best {
        let mut best = Best { score: -Score::INFINITE, index: None };
        let mut alpha = window.alpha;
        let mut tried = 0;
        while let Some((mv, index)) = self.frames[node.ply].pick(tried) {
            let score = self.try_move(node, depth, Window { alpha, ..window }, tried, mv);
            if self.halted {
                break;
            }
            if score > best.score {
                best.score = score;
                if score > alpha {
                    best.index = Some(index);
                    alpha = score;
                    self.update_pv(node.ply, mv);
                }
            }
            if alpha >= window.beta {
                let frame = &mut self.frames[node.ply];
                frame.reward(self.game, &node.position, node.seat, tried, depth, &mut self.history);
                break;
            }
            tried += 1;
        }
        best
    }

    /// The score of a move. The first move gets the whole window; others must first beat it in a null window.
    pub(super) fn try_move(&mut self, node: &Node<G>, depth: i32, window: Window, tried: usize, mv: G::Move) -> Score {
        let child = self.enter(node, mv, depth);
        if let Child::Settled(score) = child {
            return score;
        }
        if self.halted {
            return Score::DRAW;
        }
        let depth = depth - 1 + self.extension(node);
        if tried == 0 {
            return self.value(node.seat, &child, depth, window);
        }
        let null = Window::above(window.alpha);
        let reduced = self.reduced(node, depth, tried);
        let mut score = self.value(node.seat, &child, reduced, null);
        if score > window.alpha && reduced < depth && !self.halted {
            score = self.value(node.seat, &child, depth, null);
        }
        if window.contains(score) && !self.halted {
            score = self.value(node.seat, &child, depth, window);
        }
        score
    }

    /// The plies by which the search below the node is extended: a forced move costs no depth, except on long lines.
    fn extension(&self, node: &Node<G>) -> i32 {
        let span = self.shared.parameters.extension_span;
        let short = node.ply > 0 && (node.ply as i32) < span * self.iteration;
        i32::from(short && self.frames[node.ply].moves.len() == 1)
    }

    /// The reduced depth for a late move; it reaches `FullWidthPlies`, so that short wins and losses are found.
    fn reduced(&self, node: &Node<G>, depth: i32, tried: usize) -> i32 {
        let Shared { parameters, reductions, .. } = self.shared;
        let is_early = depth < parameters.reduction_depth || tried < parameters.reduction_moves as usize;
        if is_early || !self.reduces || (node.ply > 0 && !self.frames[node.ply].is_late(tried)) {
            return depth;
        }
        let floor = (parameters.full_width_plies - 1 - node.ply as i32).max(1);
        (depth - reductions.plies(depth, tried)).max(floor).min(depth)
    }

    /// The value of a node after captures have settled, searched at most `depth` plies deep.
    pub(super) fn quiesce(&mut self, node: &Node<G>, depth: i32, window: Window) -> Score {
        self.seldepth = self.seldepth.max(node.ply);
        self.frames[node.ply].pv.clear();
        if depth <= 0 || node.ply >= MAX_PLY {
            return self.evaluate(node);
        }
        match self.list_captures(node) {
            0 if !self.game.has_few_moves(&node.position, self.shared.parameters.trap_moves as u64) => {
                self.evaluate(node)
            }
            0 => {
                self.list_all(node);
                self.try_listed(node, depth, window, -Score::INFINITE)
            }
            captures => self.try_captures(node, depth, window, captures),
        }
    }

    /// The value of a node with captures: the side may stand pat, unless it must capture or is nearly trapped.
    fn try_captures(&mut self, node: &Node<G>, depth: i32, window: Window, captures: usize) -> Score {
        let standing = self.evaluate(node);
        if standing >= window.beta {
            return standing;
        }
        let choices = self.list_all(node);
        if choices == captures || choices as u64 <= self.shared.parameters.trap_moves as u64 {
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

    /// The highest of `best` and the scores of the listed moves.
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
