//! The root for reports: its moves in order, with their lines and scores.

use std::cmp::Reverse;

use super::arena::TreeNode;
use super::near_wins;
use super::tree::SearchTree;
use super::value::{self, ProvedResult, WinRate};
use crate::rules::{Game, Seat};
use crate::search::proof_number::ForcedEnd;
use crate::search::{PvLine, Score, SearchTask, Wdl};

/// The most moves of a reported line.
const LONGEST_LINE: usize = 128;

/// The root with everything that reports and the decision to stop need.
pub(super) struct RootView<'a, G: Game> {
    pub task: &'a SearchTask<'a, G>,
    pub tree: &'a SearchTree<G>,
    /// A forced win that was found outside the tree.
    pub forced: Option<&'a ForcedEnd<G::Move>>,
    /// Ends that earlier searches have proved for moves at the root.
    pub known: &'a [ForcedEnd<G::Move>],
    /// The longest win that is looked for again to complete a line, in plies.
    pub near_win_plies: u32,
}

impl<G: Game> RootView<'_, G> {
    /// The seat from whose point of view values are reported; seat 0 at a chance node.
    fn seat(&self) -> Seat {
        self.tree.root_node().mover().unwrap_or(Seat::P1)
    }

    /// The comparison of moves for `seat`.
    fn ranker(&self, seat: Seat) -> MoveRanker {
        match self.task.game.seats() {
            ..=2 => MoveRanker { seat, perspective: seat, even: WinRate::HALF.seen_by(seat) },
            // The nodes already hold the rates of the seat that chooses.
            seats => MoveRanker { seat, perspective: Seat::P1, even: WinRate(WinRate::ONE / seats as u16) },
        }
    }

    /// The exact result at the root, considering the allowed moves only.
    pub(super) fn proof(&self) -> Option<ProvedResult> {
        let seat = self.tree.root_node().mover()?;
        value::choose(seat, self.tree.allowed_children().map(|(_, child)| child.proof()))
    }

    /// The allowed children, best first, each with its index among all children.
    fn ranking(&self) -> Vec<(u32, &TreeNode)> {
        let ranker = self.ranker(self.seat());
        let drawn = ranker.draw_tier(self.tree.allowed_children().map(|(_, child)| child));
        let mut ranking: Vec<_> = self.tree.allowed_children().collect();
        // Other threads may change a node meanwhile, so each key is computed once.
        ranking.sort_by_cached_key(|(_, child)| Reverse(ranker.merit(child, drawn)));
        ranking
    }

    /// The number of visits by which the best move leads; `u64::MAX` when no other move can compete.
    pub(super) fn lead(&self) -> u64 {
        match self.ranking()[..] {
            [(_, first), (_, second), ..] => u64::from(first.visits().saturating_sub(second.visits())),
            _ => u64::MAX,
        }
    }

    /// Whether the most visited move is not the one of the highest mean.
    pub(super) fn is_in_doubt(&self) -> bool {
        let perspective = self.ranker(self.seat()).perspective;
        let Some(&(_, best)) = self.ranking().first() else { return false };
        let is_serious = |child: &TreeNode| child.visits() > best.visits() / 4;
        let mean = |child: &TreeNode| child.mean().seen_by(perspective);
        self.tree.allowed_children().any(|(_, child)| is_serious(child) && mean(child) > mean(best))
    }

    /// The best lines, best first.
    pub(super) fn lines(&self) -> Vec<PvLine<G::Move>> {
        let count = self.task.config.multi_pv.max(1);
        self.ranking().into_iter().take(count).filter_map(|(index, child)| self.line(index, child)).collect()
    }

    fn line(&self, index: u32, child: &TreeNode) -> Option<PvLine<G::Move>> {
        // Read once: another thread may find a proof at any time.
        let proof = child.proof();
        let mut pv = vec![self.tree.arena.mv(index)?];
        self.follow(child, &mut pv);
        if let Some(ProvedResult { winner: Some(winner), plies }) = proof {
            self.complete(&mut pv, winner, usize::from(plies) + 1);
        }
        let (score, wdl) = self.value(child, proof);
        let game = self.task.game;
        let line = match score {
            Score::DRAW => PvLine::completed(game, self.task.record, score, pv, |_| None),
            _ => PvLine::new(game.seats(), score, pv),
        };
        Some(PvLine { wdl, visits: Some(u64::from(child.visits())), ..line })
    }

    /// Extends a line to the length of its proof, if a win found outside the tree or a short search knows the rest.
    fn complete(&self, pv: &mut Vec<G::Move>, winner: Seat, plies: usize) {
        let mut beside = self.forced.into_iter().chain(self.known).map(|end| &end.line);
        if let Some(line) = beside.find(|line| line[0] == pv[0] && (pv.len() + 1..=plies).contains(&line.len())) {
            pv.clone_from(line);
        }
        let left = plies.saturating_sub(pv.len()) as u32;
        if left <= self.near_win_plies {
            near_wins::play_out(self.task, winner, left, pv);
        }
    }

    /// The score and the chances of a move for the seat to move at the root.
    fn value(&self, child: &TreeNode, proof: Option<ProvedResult>) -> (Score, Wdl) {
        let seat = self.seat();
        match proof {
            Some(ProvedResult { winner: None, .. }) => (Score::DRAW, Wdl([0, 1000, 0])),
            Some(proof) => {
                let score = proof.score_before(seat);
                (score, score.wdl())
            }
            None => {
                let rate = f64::from(child.mean().of(self.ranker(seat).perspective));
                (value::score(rate), Wdl::from_win_rate(rate))
            }
        }
    }

    /// Appends the expected moves below `node`.
    fn follow<'n>(&'n self, mut node: &'n TreeNode, pv: &mut Vec<G::Move>) {
        while pv.len() < LONGEST_LINE
            && let Some(seat) = node.mover()
            && let children = self.tree.arena.children(node)
            && let Some((index, reply)) = self.ranker(seat).expected_reply(node, children)
            && let Some(mv) = self.tree.arena.mv(index)
        {
            pv.push(mv);
            node = reply;
        }
    }
}

/// The seat that compares nodes, with the constants that it needs for that.
#[derive(Clone, Copy)]
struct MoveRanker {
    seat: Seat,
    /// The seat from whose point of view it reads their rates.
    perspective: Seat,
    /// The rate of a draw for the seat.
    even: WinRate,
}

impl MoveRanker {
    /// The sort key of a move, highest for the best: proved wins, open moves by visits, proved losses; draws in the
    /// tier `drawn`. Ties by value.
    fn merit(self, child: &TreeNode, drawn: i32) -> (i32, u32, u16) {
        let tier = match child.proof() {
            None => 0,
            Some(ProvedResult { winner: None, .. }) => drawn,
            Some(proof) => proof.rank(self.seat),
        };
        (tier, child.visits(), child.minimax().seen_by(self.perspective).0)
    }

    /// Whether a certain draw is better (1) or worse (-1) than the most visited open move.
    fn draw_tier<'n>(self, children: impl Iterator<Item = &'n TreeNode>) -> i32 {
        let open = children.filter(|child| child.proof().is_none()).max_by_key(|child| child.visits());
        if open.is_some_and(|child| child.mean().seen_by(self.perspective) > self.even) { -1 } else { 1 }
    }

    fn expected_reply<'n>(
        self,
        node: &TreeNode,
        mut children: impl Iterator<Item = (u32, &'n TreeNode)> + Clone,
    ) -> Option<(u32, &'n TreeNode)> {
        let by_proof = |child: &TreeNode| child.proof().map_or(i32::MIN, |proof| proof.rank(self.seat));
        let drawn = self.draw_tier(children.clone().map(|(_, child)| child));
        match node.proof() {
            Some(proof) => {
                let fits = |child: &TreeNode| child.proof().is_some_and(|reply| reply.winner == proof.winner);
                children.filter(|(_, child)| fits(child)).max_by_key(|(_, child)| by_proof(child))
            }
            None => children
                .by_ref()
                .filter(|(_, child)| child.visits() > 0 || child.proof().is_some())
                .max_by_key(|(_, child)| self.merit(child, drawn)),
        }
    }
}
