//! Expansion: a leaf gets its children with their priors.

use rand_chacha::ChaCha8Rng;

use super::arena::{NodeArena, Stretch};
use super::leaf_value::LeafValue;
use super::node::TreeNode;
use super::parameters::MctsSettings;
use super::proof::ProvedResult;
use super::win_rate::WinRate;
use crate::eval::Evaluator;
use crate::rules::random::draw_index;
use crate::rules::{Game, Seat, Turn};
use crate::search::{SearchTask, TableProber};

/// What opinions and moves come from, with the buffers of one worker.
pub(super) struct Expander<'a, G: Game, E> {
    pub game: &'a G,
    pub settings: &'a MctsSettings<E>,
    /// Where new nodes come from.
    pub stretch: Stretch,
    tables: Option<&'a TableProber<'a, G>>,
    moves: Vec<G::Move>,
    outcomes: Vec<(G::Move, f64)>,
}

impl<'a, G: Game, E: Evaluator<G>> Expander<'a, G, E> {
    pub(super) fn new(task: &SearchTask<'a, G>, settings: &'a MctsSettings<E>, stretch: Stretch) -> Self {
        let (moves, outcomes) = (Vec::new(), Vec::new());
        Expander { game: task.game, settings, stretch, tables: task.tables, moves, outcomes }
    }

    /// What the evaluator expects of a position that is not over, after so many plies without progress.
    #[inline]
    pub(super) fn opinion<P: LeafValue>(&self, position: &G::Position, idle: u32) -> P {
        let MctsSettings { evaluator, parameters } = self.settings;
        P::of_opinion(self.game.seats(), |seat| {
            let evaluation = evaluator.evaluate(self.game, position, seat);
            WinRate::of_evaluation(evaluation).faded(idle, parameters.idle_fade as u32)
        })
    }

    /// Gives `node`, which stands for `position` after `idle` plies without progress and was chosen by `chooser`, its
    /// children. Results that the positions alone decide are proved at once. False when another worker is at it, or
    /// there is no room.
    pub(super) fn expand<P: LeafValue>(
        &mut self,
        arena: &NodeArena<G::Move>,
        node: &TreeNode,
        (position, idle): (&G::Position, u32),
        chooser: Seat,
    ) -> bool {
        if arena.is_full() || !node.claim() {
            return false;
        }
        self.list_moves(node.mover(), position);
        let count = self.moves.len();
        let Some(first) = arena.allocate(&mut self.stretch, count).filter(|_| count > 0) else {
            node.forget_children();
            return false;
        };
        let chooser = node.mover().unwrap_or(chooser);
        for (index, &mv) in (first..).zip(&self.moves) {
            arena.set_move(index, mv);
            self.begin_child::<P>(arena.node(index), (position, idle), mv, chooser);
        }
        node.publish(first, count as u16);
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

    /// Draws a roll by its probability; the index is that of the child, too.
    pub(super) fn roll(&mut self, position: &G::Position, rng: &mut ChaCha8Rng) -> Option<usize> {
        self.list_outcomes(position);
        draw_index(&self.outcomes, rng)
    }

    fn begin_child<P: LeafValue>(
        &self,
        node: &TreeNode,
        (position, idle): (&G::Position, u32),
        mv: G::Move,
        chooser: Seat,
    ) {
        let child = self.game.play_unchecked(position, mv);
        let turn = self.game.turn(&child);
        let worth = |proof| P::of_proof(proof, 0, self.game.seats()).rate_for(chooser);
        match turn {
            Turn::Over(outcome) => {
                let proof = ProvedResult::of_outcome(outcome);
                node.begin(None, worth(proof), Some(proof));
            }
            _ => {
                let idle = if self.game.is_progress(position, mv) { 0 } else { idle + 1 };
                let proof = self.ask_tables(position, mv, &child, idle);
                let opinion = || self.opinion::<P>(&child, idle).rate_for(chooser);
                node.begin(turn.seat(), proof.map_or_else(opinion, worth), proof);
            }
        }
    }

    /// What the tables say of a child that an irreversible move leads to.
    #[inline]
    fn ask_tables(&self, position: &G::Position, mv: G::Move, child: &G::Position, idle: u32) -> Option<ProvedResult> {
        let tables = self.tables.filter(|_| self.game.is_irreversible(position, mv))?;
        tables.probe_inside(self.game, child, idle).map(ProvedResult::of_verdict)
    }

    /// Plays at random from `position` for at most `plies` plies and judges what comes out.
    // Called out of line, playouts were 6 % slower.
    #[inline(always)]
    pub(super) fn rollout<P: LeafValue>(&mut self, mut position: G::Position, plies: u32, rng: &mut ChaCha8Rng) -> P {
        for ply in 0..=plies {
            let mv = match self.game.turn(&position) {
                Turn::Over(outcome) => return P::of_proof(ProvedResult::of_outcome(outcome), 0, self.game.seats()),
                _ if ply == plies => None,
                Turn::Chance => self.roll(&position, rng).map(|index| self.outcomes[index].0),
                Turn::Player(_) => self.game.random_move(&position, rng),
            };
            let Some(mv) = mv else { break };
            position = self.game.play_unchecked(&position, mv);
        }
        self.opinion(&position, 0)
    }
}
