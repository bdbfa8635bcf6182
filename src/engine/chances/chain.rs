//! The Markov chain of a dice game: states and links in flat arrays, and a solver for its linear equations.

use std::collections::HashMap;

use thiserror::Error;

use crate::rules::{DiceGame, Outcome};

/// The error of a game with more positions than the chain may hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("more than {limit} positions can come")]
pub struct TooLarge {
    /// The most positions that the chain may hold.
    pub limit: usize,
}

/// A Markov chain. Its nodes are the endings (node n a win of seat n, then one for a draw), then the states: positions
/// without what has no influence on the course of the game, in the order in which they were found.
#[derive(Clone, Debug)]
pub struct Chain<P> {
    endings: usize,
    states: Vec<P>,
    nodes: HashMap<P, u32>,
    /// The index of each state's first link, and the number of all links at the end.
    rows: Vec<u32>,
    links: Links,
}

/// The links of all states, state after state: target node, probability and reward.
#[derive(Clone, Default, Debug)]
struct Links {
    target: Vec<u32>,
    probability: Vec<f64>,
    reward: Vec<Reward>,
}

/// What one roll pays into the pot, and the player-turns that it takes.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Reward {
    /// The amount paid into the pot.
    pub paid: f64,
    pub player_turns: f64,
}

/// A solution of the equations of a chain.
#[derive(Clone, Debug)]
pub struct ExpectedValues {
    /// The expected value by node.
    pub values: Vec<f64>,
    pub sweeps: u32,
    /// The largest amount by which an equation is off.
    pub residual: f64,
}

/// A solution is done when a sweep changes no value by more than this part of the largest one.
const TOLERANCE: f64 = 1e-14;
/// The most sweeps of a solution; games that end with probability 1 need some hundred.
const MAX_SWEEPS: u32 = 100_000;

impl<P: Copy + Eq + std::hash::Hash> Chain<P> {
    /// The chain of all positions that can be reached from `start`.
    ///
    /// # Errors
    /// More than `limit` positions can be reached.
    pub fn new<G: DiceGame<Position = P>>(game: &G, start: &P, limit: usize) -> Result<Self, TooLarge> {
        let mut chain = Chain {
            endings: game.seats() + 1,
            states: Vec::new(),
            nodes: HashMap::new(),
            rows: vec![0],
            links: Links::default(),
        };
        chain.extend(game, start, limit)?;
        Ok(chain)
    }

    /// Adds the positions that can be reached from `start`, unless the chain has it already, and returns its node.
    /// `limit` bounds all states, older ones included.
    ///
    /// # Errors
    /// There would be more than `limit` states; the chain is then useless.
    pub fn extend<G: DiceGame<Position = P>>(&mut self, game: &G, start: &P, limit: usize) -> Result<usize, TooLarge> {
        let node = self.node(game, start) as usize;
        let mut rolls = Vec::new();
        while self.rows.len() <= self.states.len() {
            if self.states.len() > limit {
                return Err(TooLarge { limit });
            }
            rolls.clear();
            let from = self.states[self.rows.len() - 1];
            game.chance_outcomes(&from, &mut rolls);
            rolls.iter().for_each(|&(roll, probability)| self.link(game, &from, roll, probability));
            self.rows.push(self.links.target.len() as u32);
        }
        Ok(node)
    }

    /// The node of a position, which is added where the chain does not have it.
    fn node<G: DiceGame<Position = P>>(&mut self, game: &G, position: &P) -> u32 {
        if let Some(outcome) = game.turn(position).outcome() {
            return self.ending(outcome) as u32;
        }
        let next = (self.endings + self.states.len()) as u32;
        let course = game.course(position);
        *self.nodes.entry(course).or_insert_with(|| {
            self.states.push(course);
            next
        })
    }

    fn link<G: DiceGame<Position = P>>(&mut self, game: &G, from: &P, roll: G::Move, probability: f64) {
        let step = game.step(from, roll);
        let reward = Reward { paid: step.paid, player_turns: f64::from(step.player_turns) };
        let target = self.node(game, &step.after);
        let row = self.rows.last().map_or(0, |&row| row as usize);
        let links = &mut self.links;
        // Many rolls lead to the same position.
        let known = (row..links.target.len()).find(|&at| links.target[at] == target && links.reward[at] == reward);
        match known {
            Some(at) => links.probability[at] += probability,
            None => {
                links.target.push(target);
                links.probability.push(probability);
                links.reward.push(reward);
            }
        }
    }

    /// The node of an ending.
    fn ending(&self, outcome: Outcome) -> usize {
        outcome.winner.map_or(self.endings - 1, |seat| seat.index())
    }

    /// The number of endings, which are the first nodes.
    pub fn endings(&self) -> usize {
        self.endings
    }

    /// The positions of the states, in the order of their nodes.
    pub fn states(&self) -> &[P] {
        &self.states
    }

    /// The node of a position; `None` if the chain does not have it.
    pub fn find<G: DiceGame<Position = P>>(&self, game: &G, position: &P) -> Option<usize> {
        match game.turn(position).outcome() {
            Some(outcome) => Some(self.ending(outcome)),
            None => self.nodes.get(&game.course(position)).map(|&node| node as usize),
        }
    }

    fn row(&self, state: usize) -> std::ops::Range<usize> {
        self.rows[state] as usize..self.rows[state + 1] as usize
    }

    /// The expected sum of gains from each node to the end of the game; `gain` gets a link's target and reward. Endings
    /// are worth `at_end`. Values given in `known`, by node, are kept as they are.
    ///
    /// Uses Gauss and Seidel's method, the last states first: most games lead from early states to late ones.
    pub fn expect(
        &self,
        known: &[f64],
        at_end: impl Fn(usize) -> f64,
        gain: impl Fn(usize, &Reward) -> f64,
    ) -> ExpectedValues {
        let mut values: Vec<f64> = (0..self.endings).map(at_end).collect();
        values.extend(known.iter().skip(self.endings));
        let first = values.len() - self.endings;
        values.resize(self.endings + self.states.len(), 0.0);
        let own: Vec<f64> = (first..self.states.len()).map(|state| self.own(state, &gain)).collect();
        let mut sweeps = 0;
        while sweeps < MAX_SWEEPS && self.sweep(&mut values, first, &own) > TOLERANCE {
            sweeps += 1;
        }
        let off = |(state, own): (usize, &f64)| (own + self.ahead(&values, state) - values[self.endings + state]).abs();
        let residual = (first..).zip(&own).map(off).fold(0.0, f64::max);
        ExpectedValues { values, sweeps, residual }
    }

    /// The expected gain of the next roll.
    fn own(&self, state: usize, gain: impl Fn(usize, &Reward) -> f64) -> f64 {
        let links = &self.links;
        self.row(state).map(|at| links.probability[at] * gain(links.target[at] as usize, &links.reward[at])).sum()
    }

    /// Replaces the value of every state from `first` on by the right side of its equation; returns the largest change
    /// as a part of the largest value.
    fn sweep(&self, values: &mut [f64], first: usize, own: &[f64]) -> f64 {
        let mut change = 0.0_f64;
        let mut largest = 1.0_f64;
        for (own, state) in own.iter().zip(first..self.states.len()).rev() {
            let value = own + self.ahead(values, state);
            let old = &mut values[self.endings + state];
            change = change.max((value - *old).abs());
            largest = largest.max(value.abs());
            *old = value;
        }
        change / largest
    }

    /// The expected value after the next roll.
    fn ahead(&self, values: &[f64], state: usize) -> f64 {
        let row = self.row(state);
        let links = self.links.target[row.clone()].iter().zip(&self.links.probability[row]);
        links.map(|(&target, probability)| probability * values[target as usize]).sum()
    }

    /// The expected number of visits to each node of a game that begins in `start`; for endings, their probability.
    pub fn visits(&self, start: usize) -> Vec<f64> {
        let mut visits = vec![0.0; self.endings + self.states.len()];
        let mut mass = visits.clone();
        mass[start] = 1.0;
        for _ in 0..MAX_SWEEPS {
            for state in 0..self.states.len() {
                self.pass_on(state, &mut mass, &mut visits);
            }
            if mass[self.endings..].iter().sum::<f64>() < TOLERANCE {
                break;
            }
        }
        visits[..self.endings].copy_from_slice(&mass[..self.endings]);
        visits
    }

    /// Moves the probability mass of a state along its links.
    fn pass_on(&self, state: usize, mass: &mut [f64], visits: &mut [f64]) {
        let here = std::mem::take(&mut mass[self.endings + state]);
        if here > 0.0 {
            visits[self.endings + state] += here;
            for at in self.row(state) {
                mass[self.links.target[at] as usize] += here * self.links.probability[at];
            }
        }
    }
}
