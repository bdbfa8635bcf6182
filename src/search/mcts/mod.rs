//! Monte Carlo tree search: UCT over a shared tree, with exact results backed up where they are known.
//!
//! The rooms, in the order of their dependence: `rate` and `proof` are the two kinds of value; `node` and `tree` hold
//! them; `payoff` says what a leaf is worth with two seats and with more; `path` knows the history; `select`, `expand`,
//! `ledger` and `backup` are the parts of an iteration and `worker` runs it; `shallow` guards the root; `report` reads
//! the tree; `memory` and `reclaim` keep it between moves and within its bound; `clock` and `run` decide when to stop.
//!
//! Sides need not alternate: every node names the seat that moves, and values are always those of a named seat.

mod backup;
mod clock;
mod expand;
mod ledger;
mod memory;
mod node;
mod parameters;
mod path;
mod payoff;
mod proof;
mod rate;
mod reclaim;
mod report;
mod run;
mod select;
mod shallow;
#[cfg(test)]
mod tests;
mod tree;
mod worker;

pub(crate) use parameters::MctsParameters;

use self::memory::Memory;
use self::payoff::Shares;
use self::rate::{Curve, Rate};
use self::run::Run;
use super::{Control, Found, Info, Searcher, Task};
use crate::eval::Evaluator;
use crate::rules::Game;

/// The Monte Carlo tree searcher with the evaluator that guides it.
pub struct Mcts<G: Game, E> {
    evaluator: E,
    parameters: MctsParameters,
    curve: Curve,
    memory: Option<Memory<G>>,
}

impl<G: Game, E: Evaluator<G>> Mcts<G, E> {
    pub fn new(evaluator: E, parameters: MctsParameters) -> Self {
        Mcts { evaluator, parameters, curve: Curve::new(), memory: None }
    }
}

impl<G: Game, E: Evaluator<G>> Searcher<G> for Mcts<G, E> {
    fn search(
        &mut self,
        task: &Task<'_, G>,
        control: &Control,
        report: &mut dyn FnMut(&Info<G::Move>),
    ) -> Found<G::Move> {
        let memory = Memory::prepare(self.memory.take(), task);
        let (evaluator, curve) = (&self.evaluator, &self.curve);
        let (found, memory) = match task.game.seats() {
            ..=2 => Run::<_, _, Rate>::new(task, control, evaluator, curve, self.parameters).search(memory, report),
            _ => Run::<_, _, Shares>::new(task, control, evaluator, curve, self.parameters).search(memory, report),
        };
        self.memory = memory;
        found
    }

    fn clear(&mut self) {
        self.memory.iter_mut().for_each(Memory::forget);
    }
}
