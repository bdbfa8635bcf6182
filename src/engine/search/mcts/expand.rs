//! A worker's operations at a leaf: evaluation, expansion with priors for the children, and playouts.

use super::MctsSettings;
use super::arena::{Block, NodeArena, TreeNode};
use super::leaf_value::LeafValue;
use super::uct::TreeStep;
use super::value::{ProvedResult, WinRate};
use super::worker::TreeWorker;
use crate::eval::Evaluator;
use crate::rules::random::draw_index;
use crate::rules::{Game, Seat, Turn};

impl<G: Game, E: Evaluator<G>, P: LeafValue> TreeWorker<'_, G, E, P> {
    /// The evaluator's opinion of a position that is not over, after `idle` plies without progress.
    #[inline]
    pub(super) fn opinion(&self, position: &G::Position, idle: u32) -> P {
        let MctsSettings { evaluator, parameters } = self.settings;
        P::of_opinion(self.game.seats(), |seat| {
            let evaluation = evaluator.evaluate(self.game, position, seat);
            WinRate::of_evaluation(evaluation).faded(idle, parameters.idle_fade as u32)
        })
    }

    /// Gives `node`, the node of `step`, its children, with proofs where the game is over or tables know the result.
    /// Returns false if another worker is expanding the node, or the arena has no room.
    pub(super) fn expand(&mut self, arena: &NodeArena<G::Move>, node: &TreeNode, step: &TreeStep<G::Position>) -> bool {
        if arena.is_full() || !node.claim() {
            return false;
        }
        self.list_moves(node.mover(), &step.position);
        let count = self.moves.len();
        let Some(first) = arena.allocate(&mut self.stretch, count).filter(|_| count > 0) else {
            node.forget_children();
            return false;
        };
        let chooser = node.mover().unwrap_or(step.chooser);
        for (index, &mv) in (first..).zip(&self.moves) {
            arena.set_move(index, mv);
            self.begin_child(arena.node(index), step, mv, chooser);
        }
        node.publish(Block { first, count: count as u16 });
        true
    }

    fn list_moves(&mut self, mover: Option<Seat>, position: &G::Position) {
        self.moves.clear();
        match mover {
            Some(_) => self.game.legal_moves(position, &mut self.moves),
            None => {
                self.list_outcomes(position);
                self.moves.extend(self.outcomes.iter().map(|&(mv, _)| mv));
            }
        }
    }

    fn list_outcomes(&mut self, position: &G::Position) {
        self.outcomes.clear();
        self.game.chance_outcomes(position, &mut self.outcomes);
    }

    /// Draws a roll by its probability; returns its index, which is also that of the child.
    pub(super) fn roll(&mut self, position: &G::Position) -> Option<usize> {
        self.list_outcomes(position);
        draw_index(&self.outcomes, &mut self.rng)
    }

    fn begin_child(&self, node: &TreeNode, step: &TreeStep<G::Position>, mv: G::Move, chooser: Seat) {
        let child = self.game.play_unchecked(&step.position, mv);
        let turn = self.game.turn(&child);
        let worth = |proof| P::of_proof(proof, 0, self.game.seats()).rate_for(chooser);
        if let Turn::Over(outcome) = turn {
            let proof = ProvedResult::of_outcome(outcome);
            return node.begin(None, worth(proof), Some(proof));
        }
        // Every child passes here, and few are visited later: only the necessary is asked of the rules.
        let idle = if self.game.is_progress(&step.position, mv) { 0 } else { step.counters.idle + 1 };
        let tables = self.tables.filter(|_| self.game.is_irreversible(&step.position, mv));
        let verdict = tables.and_then(|tables| tables.probe_inside(self.game, &child, idle));
        let proof = verdict.map(ProvedResult::of_verdict);
        let opinion = || self.opinion(&child, idle).rate_for(chooser);
        node.begin(turn.seat(), proof.map_or_else(opinion, worth), proof);
    }

    /// Plays at random from `position` for at most `plies` plies and evaluates the position that is reached.
    // Without inlining, playouts were 6 % slower.
    #[inline(always)]
    pub(super) fn rollout(&mut self, mut position: G::Position, plies: u32) -> P {
        for ply in 0..=plies {
            let mv = match self.game.turn(&position) {
                Turn::Over(outcome) => return P::of_proof(ProvedResult::of_outcome(outcome), 0, self.game.seats()),
                _ if ply == plies => None,
                Turn::Chance => self.roll(&position).map(|index| self.outcomes[index].0),
                Turn::Player(_) => self.game.random_move(&position, &mut self.rng),
            };
            let Some(mv) = mv else { break };
            position = self.game.play_unchecked(&position, mv);
        }
        self.opinion(&position, 0)
    }
}
