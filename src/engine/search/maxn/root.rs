//! The root of a max^n search, as seen by the player to move there.

use super::tree::{MaxnTree, ShareBound};
use crate::eval::Evaluator;
use crate::rules::SearchHints;
use crate::search::deepening::{MoveListener, RootMove, RootSearch};
use crate::search::{CurrentMove, PvLine, Score, SearchInfo};

impl<G: SearchHints, E: Evaluator<G>> RootSearch<G> for MaxnTree<'_, G, E> {
    fn search(
        &mut self,
        moves: &mut [RootMove<G::Move>],
        depth: i32,
        multi_pv: usize,
        begin_move: &mut MoveListener<'_, G::Move>,
    ) -> Option<RootMove<G::Move>> {
        self.iteration = depth as u32;
        moves.iter_mut().for_each(|root| root.score = None);
        // Those of the moves that stand in front already, highest first.
        let mut shares: Vec<f64> = Vec::new();
        for index in 0..moves.len() {
            begin_move(CurrentMove { mv: moves[index].mv, number: index as u32 + 1 }, self.nodes);
            // A move has to beat the last of the best so many.
            let share = shares.get(multi_pv - 1).copied().unwrap_or(ShareBound::NONE);
            let value = self.after(moves[index].mv, depth - 1, ShareBound { seat: self.root_seat, share });
            if self.halted {
                // The first moves are the best of the last iteration, so that a single best line may be trusted.
                return moves.first().filter(|best| multi_pv == 1 && best.score.is_some()).cloned();
            }
            let (score, own) = (value.score(self.root_seat), value.share(self.root_seat));
            moves[index].loses |= score.is_loss();
            if own > share {
                moves[index].learn(score, self.line());
                let place = shares.partition_point(|&other| other >= own);
                shares.insert(place, own);
                moves[place..=index].rotate_right(1);
            }
        }
        None
    }

    fn is_halted(&self) -> bool {
        self.halted
    }

    fn evaluate(&self) -> Score {
        self.evaluate_leaf().score(self.root_seat)
    }

    fn evaluate_after(&mut self, mv: G::Move) -> Score {
        self.leaf_after(mv).score(self.root_seat)
    }

    fn known_reply(&self, _: &G::Position) -> Option<u16> {
        None
    }

    fn info(&self, depth: u32, lines: Vec<PvLine<G::Move>>) -> SearchInfo<G::Move> {
        let info = SearchInfo::new(depth, self.nodes, self.task.control.elapsed(), lines);
        let seldepth = info.seldepth.max(self.seldepth as u32);
        SearchInfo { seldepth, hashfull: self.cache.fill(), ..info }
    }
}
