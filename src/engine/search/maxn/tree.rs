//! The recursion of max^n: choose, roll, evaluate.

use std::cmp::Reverse;

use super::cache::{ValueCache, Visit};
use super::value::{Agreement, Value};
use crate::eval::Evaluator;
use crate::rules::{Game, HistoryRules, Record, SearchHints, Seat, Turn};
use crate::search::SearchTask;
use crate::search::deepening::{MAX_PLY, set_line};
use crate::search::history::History;

/// Nodes between two looks at the clock.
const POLL_NODES: u64 = 1024;

/// A value is of interest only if `seat` gets more than `share`.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShareBound {
    pub(super) seat: Seat,
    pub(super) share: f64,
}

impl ShareBound {
    /// A share that makes everything of interest.
    pub(super) const NONE: f64 = -1.0;
}

/// What one ply needs, allocated once.
struct Frame<M> {
    moves: Vec<M>,
    rolls: Vec<(M, f64)>,
    pv: Vec<M>,
}

/// One search: the line in hand and what all nodes share.
pub(super) struct MaxnTree<'a, G: Game, E> {
    pub(super) task: &'a SearchTask<'a, G>,
    pub(super) cache: ValueCache,
    /// Whose choice the root is. At a roll nobody chooses; the first seat's view is as good as any.
    pub(super) root_seat: Seat,
    pub(super) nodes: u64,
    pub(super) seldepth: usize,
    /// The search has to end; values that come back from now on mean nothing.
    pub(super) halted: bool,
    game: &'a G,
    evaluator: &'a E,
    /// The game with the line from the root.
    record: Record<G>,
    frames: Vec<Frame<G::Move>>,
    /// How often a move was the best, by seat and slot.
    history: History,
    /// The depth of the iteration in hand.
    pub(super) iteration: u32,
    /// Values do not depend on the way to a position, so that they may be remembered.
    remembers: bool,
    next_check: u64,
}

impl<'a, G: SearchHints, E: Evaluator<G>> MaxnTree<'a, G, E> {
    pub(super) fn new(task: &'a SearchTask<'a, G>, evaluator: &'a E) -> Self {
        let game = task.game;
        let frame = |_| Frame { moves: Vec::new(), rolls: Vec::new(), pv: Vec::new() };
        MaxnTree {
            task,
            cache: ValueCache::new(task.config.hash_mib),
            root_seat: task.record.turn(game).seat().unwrap_or(Seat::P1),
            nodes: 0,
            seldepth: 0,
            halted: false,
            game,
            evaluator,
            record: task.record.clone(),
            frames: (0..MAX_PLY + 2).map(frame).collect(),
            history: History::new(game),
            iteration: 0,
            remembers: game.history_rules() == HistoryRules::default(),
            next_check: POLL_NODES.min(task.limits.nodes.unwrap_or(u64::MAX)),
        }
    }

    /// The value after a root move; its line is in [`line`](MaxnTree::line).
    pub(super) fn after(&mut self, mv: G::Move, depth: i32, bound: ShareBound) -> Value {
        self.record.play(self.game, mv);
        self.count();
        let value = self.visit(depth, bound);
        self.record.undo();
        value
    }

    /// The best line below the root move that was searched last.
    pub(super) fn line(&self) -> &[G::Move] {
        &self.frames[1].pv
    }

    fn ply(&self) -> usize {
        self.record.plies() - self.task.record.plies()
    }

    fn visit(&mut self, depth: i32, bound: ShareBound) -> Value {
        let ply = self.ply();
        self.frames[ply].pv.clear();
        self.seldepth = self.seldepth.max(ply);
        let turn = self.record.turn(self.game);
        if let Turn::Over(outcome) = turn {
            return Value::of_outcome(outcome, ply as u32, self.game.seats());
        }
        if depth <= 0 || ply >= MAX_PLY {
            return self.evaluate_leaf();
        }
        let key = self.game.key(self.record.position());
        let visit = Visit { key, depth, ply, iteration: self.iteration };
        if let Some(value) = self.cache.find(visit).filter(|_| self.remembers) {
            return value;
        }
        let (value, is_exact) = match turn {
            Turn::Player(seat) => self.choose(seat, depth, bound),
            _ => self.roll(depth, bound),
        };
        if is_exact && self.remembers && !self.halted {
            self.cache.keep(visit, value);
        }
        value
    }

    /// The shares that the evaluator gives the position in hand.
    pub(super) fn evaluate_leaf(&self) -> Value {
        Value::of_opinion(self.game, self.evaluator, self.record.position())
    }

    /// The reply that is best for `seat`, the first of equals; whether its value is exact.
    fn choose(&mut self, seat: Seat, depth: i32, bound: ShareBound) -> (Value, bool) {
        let ply = self.ply();
        self.list_moves(seat, ply);
        let count = self.frames[ply].moves.len();
        let depth = depth - 1 + self.extension(count, ply);
        let floor = if bound.seat == seat { bound.share } else { ShareBound::NONE };
        let (mut best, mut agreement) = (Value::NOTHING, Agreement::default());
        best.shares[seat.index()] = ShareBound::NONE;
        for index in 0..count {
            let mv = self.frames[ply].moves[index];
            let value = self.after(mv, depth, ShareBound { seat, share: floor.max(best.share(seat)) });
            if self.halted {
                return (Value::NOTHING, false);
            }
            agreement.add(value.proved);
            if value.share(seat) > best.share(seat) {
                best = value;
                self.update_pv(ply, mv);
                // The others share what is left: not more than the seat of the bound has already.
                if bound.seat != seat && 1.0 - best.share(seat) <= bound.share {
                    best.proved = best.proved.filter(|proved| proved.winner == Some(seat));
                    return (best, false);
                }
            }
        }
        let is_exact = best.share(seat) > floor;
        if is_exact {
            self.reward(seat, ply, depth);
        }
        if !best.wins(seat) {
            best.proved = agreement.proved();
        }
        (best, is_exact)
    }

    /// The mean over the rolls; whether it is exact.
    fn roll(&mut self, depth: i32, bound: ShareBound) -> (Value, bool) {
        let ply = self.ply();
        let rolls = &mut self.frames[ply].rolls;
        rolls.clear();
        self.game.chance_outcomes(self.record.position(), rolls);
        let (mut sum, mut agreement) = (Value::NOTHING, Agreement::default());
        let mut rest = 1.0;
        for index in 0..self.frames[ply].rolls.len() {
            let (mv, probability) = self.frames[ply].rolls[index];
            rest -= probability;
            let share = (bound.share - sum.share(bound.seat) - rest) / probability;
            self.record.play(self.game, mv);
            self.count();
            let follows_roll = self.game.turn(self.record.position()) == Turn::Chance;
            let value = self.visit(depth - i32::from(follows_roll), ShareBound { share, ..bound });
            self.record.undo();
            if self.halted {
                return (Value::NOTHING, false);
            }
            if value.share(bound.seat) <= share {
                let mut low = Value::NOTHING;
                low.shares[bound.seat.index()] = bound.share;
                return (low, false);
            }
            sum.add(&value, probability);
            agreement.add(value.proved);
        }
        sum.proved = agreement.proved();
        (sum, true)
    }

    fn list_moves(&mut self, seat: Seat, ply: usize) {
        let frame = &mut self.frames[ply];
        frame.moves.clear();
        self.game.legal_moves(self.record.position(), &mut frame.moves);
        let (game, history) = (self.game, &self.history);
        frame.moves.sort_by_key(|&mv| Reverse(history.value(seat, game.move_slot(mv))));
    }

    /// The best move of a node is worth an earlier look elsewhere.
    fn reward(&mut self, seat: Seat, ply: usize, depth: i32) {
        let Some(&mv) = self.frames[ply].pv.first() else { return };
        let bonus = (depth + 1).pow(2);
        self.history.update(seat, self.game.move_slot(mv), |value| value.saturating_add(bonus));
    }

    /// A forced move costs no depth, as long as the line does not run away.
    fn extension(&self, moves: usize, ply: usize) -> i32 {
        i32::from(moves == 1 && ply > 0 && (ply as u32) < 2 * self.iteration)
    }

    fn update_pv(&mut self, ply: usize, mv: G::Move) {
        let (above, below) = self.frames.split_at_mut(ply + 1);
        set_line(&mut above[ply].pv, mv, &below[0].pv);
    }

    fn count(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.next_check {
            let left = self.task.limits.nodes.unwrap_or(u64::MAX).saturating_sub(self.nodes);
            self.next_check = self.nodes + left.clamp(1, POLL_NODES);
            self.halted |= left == 0 || self.task.control.must_stop();
        }
    }

    /// What the evaluator, or the end of the game, gives after a root move.
    pub(super) fn leaf_after(&mut self, mv: G::Move) -> Value {
        self.record.play(self.game, mv);
        let value = match self.record.turn(self.game) {
            Turn::Over(outcome) => Value::of_outcome(outcome, 1, self.game.seats()),
            _ => self.evaluate_leaf(),
        };
        self.record.undo();
        value
    }
}
