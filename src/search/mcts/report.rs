//! What the tree says: the moves at the root in order, their lines and their scores.

use std::cmp::Reverse;

use super::node::{Mover, Node};
use super::path::Path;
use super::proof::{self, Proof};
use super::rate::{Curve, Rate};
use super::tree::Tree;
use crate::rules::{Game, Seat, Turn};
use crate::search::report::Line;
use crate::search::score::{Score, Wdl};

/// Longer lines are cut.
const LONGEST_LINE: usize = 128;

/// The root as the report and the decision to stop see it.
pub(super) struct RootView<'a, G: Game> {
    pub game: &'a G,
    pub tree: &'a Tree<G::Move>,
    pub curve: &'a Curve,
    pub root: u32,
    /// Which children count; empty for all.
    pub allowed: &'a [bool],
}

impl<G: Game> RootView<'_, G> {
    fn node(&self) -> &Node {
        self.tree.node(self.root)
    }

    /// Whose values are told: at a chance node those of seat 0.
    fn seat(&self) -> Seat {
        match self.node().mover() {
            Mover::Seat(seat) => seat,
            Mover::Chance => Seat::P1,
        }
    }

    /// How `seat` looks at the results of its moves.
    fn lens(&self, seat: Seat) -> Lens {
        match self.game.seats() {
            ..=2 => Lens { seat, view: seat, even: Rate::HALF.seen_by(seat) },
            // The nodes hold the rates of the one who chooses already.
            seats => Lens { seat, view: Seat::P1, even: Rate(Rate::ONE / seats as u16) },
        }
    }

    fn is_allowed(&self, index: usize) -> bool {
        self.allowed.is_empty() || self.allowed[index]
    }

    fn children(&self) -> impl Iterator<Item = (usize, &Node)> + Clone {
        self.tree.children(self.node()).iter().enumerate().filter(|&(index, _)| self.is_allowed(index))
    }

    /// The exact result at the root under the allowed moves.
    pub(super) fn proof(&self) -> Option<Proof> {
        match self.node().mover() {
            Mover::Seat(seat) => proof::choose(seat, self.children().map(|(_, child)| child.proof())),
            Mover::Chance => None,
        }
    }

    /// The indices of the allowed children, best first.
    fn ranking(&self) -> Vec<usize> {
        let lens = self.lens(self.seat());
        let drawn = lens.draw_tier(self.children().map(|(_, child)| child));
        let key = |(index, child)| (Reverse(lens.merit(child, drawn)), index);
        let mut order: Vec<_> = self.children().map(key).collect();
        order.sort_unstable();
        order.into_iter().map(|(_, index)| index).collect()
    }

    /// By how many visits the best move leads; `u64::MAX` when nothing can compete.
    pub(super) fn lead(&self) -> u64 {
        let ranking = self.ranking();
        let visits = |rank: usize| ranking.get(rank).map(|&index| u64::from(self.child(index).visits()));
        match (visits(0), visits(1)) {
            (Some(first), Some(second)) => first.saturating_sub(second),
            _ => u64::MAX,
        }
    }

    /// Whether the most visited move is not the one of the highest mean.
    pub(super) fn is_in_doubt(&self) -> bool {
        let view = self.lens(self.seat()).view;
        let Some(best) = self.ranking().first().map(|&index| self.child(index)) else { return false };
        let serious = |child: &Node| child.visits() > best.visits() / 4;
        self.children().any(|(_, child)| serious(child) && child.mean().seen_by(view) > best.mean().seen_by(view))
    }

    fn child(&self, index: usize) -> &Node {
        &self.tree.children(self.node())[index]
    }

    /// The best `count` lines, best first.
    pub(super) fn lines(&self, count: usize, path: &Path<G>) -> Vec<Line<G::Move>> {
        let best = self.ranking();
        best.into_iter().take(count.max(1)).filter_map(|index| self.line(index, path)).collect()
    }

    fn line(&self, index: usize, path: &Path<G>) -> Option<Line<G::Move>> {
        let (first, _) = self.node().block()?;
        let child = self.child(index);
        let seat = self.seat();
        let mut pv = vec![self.tree.mv(first + index as u32)?];
        self.follow(child, &mut pv);
        let (score, wdl) = self.value(child, seat);
        let score = if score == Score::DRAW { self.explain_zero(path, &mut pv, child) } else { score };
        Some(Line { score, wdl, pv, visits: Some(u64::from(child.visits())) })
    }

    fn value(&self, child: &Node, seat: Seat) -> (Score, Wdl) {
        match child.proof() {
            Some(Proof { winner: None, .. }) => (Score::DRAW, Wdl([0, 1000, 0])),
            Some(proof) => {
                let score = proof.score_before(seat);
                (score, score.wdl())
            }
            None => {
                let rate = f64::from(child.mean().of(self.lens(seat).view));
                (self.curve.score(rate), Wdl::from_win_rate(rate))
            }
        }
    }

    /// Appends the expected moves below `node`.
    fn follow<'n>(&'n self, mut node: &'n Node, pv: &mut Vec<G::Move>) {
        while pv.len() < LONGEST_LINE
            && let Some((first, _)) = node.block()
            && let Mover::Seat(seat) = node.mover()
        {
            let children = self.tree.children(node);
            let Some(index) = self.lens(seat).expected_reply(node, children) else { return };
            let Some(mv) = self.tree.mv(first + index as u32) else { return };
            pv.push(mv);
            node = &children[index];
        }
    }

    /// A score of exactly zero with a single move would say that the move draws the game on the spot: unless it
    /// does, the line gets another move, or failing that the score a hundredth.
    fn explain_zero(&self, path: &Path<G>, pv: &mut Vec<G::Move>, child: &Node) -> Score {
        if pv.len() > 1 {
            return Score::DRAW;
        }
        let mut path = path.clone();
        path.return_to_root();
        path.push(self.game, pv[0]);
        match path.turn(self.game) {
            Turn::Over(_) => return Score::DRAW,
            Turn::Chance => {}
            Turn::Player(_) => {
                let mut replies = Vec::new();
                self.game.legal_moves(path.position(), &mut replies);
                pv.extend(replies.first());
            }
        }
        if pv.len() > 1 || child.proof().is_some() { Score::DRAW } else { Score(1) }
    }
}

/// A seat with what it needs to compare nodes that it can choose.
#[derive(Clone, Copy)]
struct Lens {
    seat: Seat,
    /// From where it sees their rates.
    view: Seat,
    /// What a draw is worth to it.
    even: Rate,
}

impl Lens {
    /// Sorts moves: proved wins, open ones by visits, proved losses; draws in the tier that is given. Ties by value.
    fn merit(self, child: &Node, drawn: i32) -> (i32, u32, u16) {
        let tier = match child.proof() {
            None => 0,
            Some(Proof { winner: None, .. }) => drawn,
            Some(proof) => proof.rank(self.seat),
        };
        (tier, child.visits(), child.minimax().seen_by(self.view).0)
    }

    /// Whether a sure draw is better (1) or worse (-1) than the most visited move that is still open.
    fn draw_tier<'n>(self, children: impl Iterator<Item = &'n Node>) -> i32 {
        let open = children.filter(|child| child.proof().is_none()).max_by_key(|child| child.visits());
        if open.is_some_and(|child| child.mean().seen_by(self.view) > self.even) { -1 } else { 1 }
    }

    fn expected_reply(self, node: &Node, children: &[Node]) -> Option<usize> {
        let by_proof = |child: &Node| child.proof().map_or(i32::MIN, |proof| proof.rank(self.seat));
        let drawn = self.draw_tier(children.iter());
        let indices = 0..children.len();
        match node.proof() {
            Some(proof) => {
                let fits = |&index: &usize| children[index].proof().is_some_and(|reply| reply.winner == proof.winner);
                indices.filter(fits).max_by_key(|&index| (by_proof(&children[index]), Reverse(index)))
            }
            None => indices
                .max_by_key(|&index| (self.merit(&children[index], drawn), Reverse(index)))
                .filter(|&index| children[index].visits() > 0 || children[index].proof().is_some()),
        }
    }
}
