//! Exact chances from the solved chain of a game.

use super::chain::{Chain, ExpectedValues, Reward, TooLarge};
use super::simulation::{SimulationLimits, simulate};
use super::{Chances, ChancesMethod, Forecast, MeanEstimate, PlayerChances};
use crate::rules::{DiceGame, Game};

/// The solved chain of a game; what was worked out once answers every later question about these rules.
#[derive(Clone, Debug)]
pub struct SolvedChain<P> {
    chain: Chain<P>,
    /// By ending, then by node: the probability that the game ends thus.
    ends: Vec<Vec<f64>>,
    /// By seat, then by node: the expected winnings, if the pot were empty now.
    takings: Vec<Vec<f64>>,
    /// By node: the expected player-turns to come.
    player_turns: Vec<f64>,
    /// By node: the expected rolls to come.
    rolls: Vec<f64>,
    sweeps: u32,
    residual: f64,
}

impl<P: Copy + Eq + std::hash::Hash> SolvedChain<P> {
    /// Solves the game from this position on.
    ///
    /// # Errors
    /// More than `limit` positions can come.
    pub fn new<G: DiceGame<Position = P>>(game: &G, start: &P, limit: usize) -> Result<Self, TooLarge> {
        let mut exact = SolvedChain {
            chain: Chain::new(game, start, limit)?,
            ends: vec![Vec::new(); game.seats() + 1],
            takings: vec![Vec::new(); game.seats()],
            player_turns: Vec::new(),
            rolls: Vec::new(),
            sweeps: 0,
            residual: 0.0,
        };
        exact.solve();
        Ok(exact)
    }

    /// Everybody's chances from a position, which is added to what is known where need be.
    ///
    /// # Errors
    /// More than `limit` positions can come; everything known before is kept.
    pub fn chances<G: DiceGame<Position = P>>(
        &mut self,
        game: &G,
        position: &P,
        limit: usize,
    ) -> Result<Chances, TooLarge> {
        if let Some(node) = self.chain.find(game, position) {
            return Ok(self.at(node, game.pot(position)));
        }
        let mut wider = self.chain.clone();
        wider.extend(game, position, limit)?;
        self.chain = wider;
        self.solve();
        let node = self.chain.find(game, position).unwrap_or_default();
        Ok(self.at(node, game.pot(position)))
    }

    /// The chain that was solved.
    pub fn chain(&self) -> &Chain<P> {
        &self.chain
    }

    /// The chances in a node with this pot.
    fn at(&self, node: usize, pot: f64) -> Chances {
        let player = |(seat, takings): (usize, &Vec<f64>)| {
            let win = self.ends[seat][node];
            PlayerChances { win: MeanEstimate::exact(win), pot: MeanEstimate::exact(takings[node] + pot * win) }
        };
        Chances {
            method: ChancesMethod::Exact {
                states: self.chain.states().len(),
                residual: self.residual,
                sweeps: self.sweeps,
            },
            players: self.takings.iter().enumerate().map(player).collect(),
            draw: self.ends[self.takings.len()][node],
            player_turns: MeanEstimate::exact(self.player_turns[node]),
            rolls: MeanEstimate::exact(self.rolls[node]),
        }
    }

    /// Works out every quantity; what is known of older states does not depend on new ones.
    fn solve(&mut self) {
        for ending in 0..self.ends.len() {
            let is_there = |end: usize| f64::from(u8::from(end == ending));
            let ends = self.chain.expect(&self.ends[ending], is_there, |_, _| 0.0);
            self.ends[ending] = self.note(ends);
        }
        for seat in 0..self.takings.len() {
            // The winner takes in the end what is paid now.
            let share = |target: usize, reward: &Reward| reward.paid * self.ends[seat][target];
            let takings = self.chain.expect(&self.takings[seat], |_| 0.0, share);
            self.takings[seat] = self.note(takings);
        }
        let turns = self.chain.expect(&self.player_turns, |_| 0.0, |_, reward| reward.player_turns);
        self.player_turns = self.note(turns);
        let rolls = self.chain.expect(&self.rolls, |_| 0.0, |_, _| 1.0);
        self.rolls = self.note(rolls);
    }

    /// The values of a solution, of which the effort and the error are noted.
    fn note(&mut self, solution: ExpectedValues) -> Vec<f64> {
        self.sweeps = self.sweeps.max(solution.sweeps);
        self.residual = self.residual.max(solution.residual);
        solution.values
    }
}

/// The forecast for a game by solving its chain.
///
/// # Errors
/// More than `limit` positions can come.
pub fn solve<G: DiceGame>(game: &G, start: &G::Position, limit: usize) -> Result<Forecast, TooLarge> {
    let mut exact = SolvedChain::new(game, start, limit)?;
    let chances = exact.chances(game, start, limit)?;
    let chain = exact.chain();
    let visits = chain.find(game, start).map_or_else(Vec::new, |node| chain.visits(node));
    let mut sums = vec![0.0; game.event_kinds()];
    let mut rolls = Vec::new();
    let mut events = Vec::new();
    for (state, visits) in chain.states().iter().zip(visits.iter().skip(chain.endings())) {
        rolls.clear();
        game.chance_outcomes(state, &mut rolls);
        for &(roll, probability) in &rolls {
            events.clear();
            game.events(state, roll, &mut events);
            events.iter().for_each(|&kind| sums[kind] += visits * probability);
        }
    }
    let events = sums.into_iter().map(MeanEstimate::exact).collect();
    Ok(Forecast { chances, events })
}

/// The most positions of a chain that is solved: some seconds of work, some dozens of megabytes.
pub const MOST_STATES: usize = 60_000;

/// The door through which sessions ask for the chances of a game.
pub(crate) trait ChancesOracle<G: Game>: Send {
    /// Everybody's chances; the winner is certain in a position that is over.
    fn chances(&mut self, game: &G, position: &G::Position, limits: SimulationLimits<'_>) -> Chances;

    /// What the pot holds.
    fn pot(&self, game: &G, position: &G::Position) -> f64;
}

/// Solves games that are small enough, once for all questions, and simulates the others.
pub(crate) enum DiceOracle<P> {
    Unasked,
    Solved(Box<SolvedChain<P>>),
    TooLarge,
}

impl<G: DiceGame> ChancesOracle<G> for DiceOracle<G::Position> {
    fn chances(&mut self, game: &G, position: &G::Position, limits: SimulationLimits<'_>) -> Chances {
        if let Some(outcome) = game.turn(position).outcome() {
            return Chances::decided(outcome, game.seats(), game.pot(position));
        }
        if let DiceOracle::Unasked = self {
            // From the start: most questions are about positions that come from there.
            let solved = SolvedChain::new(game, &game.start(), MOST_STATES);
            *self = solved.map_or(DiceOracle::TooLarge, |exact| DiceOracle::Solved(Box::new(exact)));
        }
        let exact = match self {
            DiceOracle::Solved(exact) => exact.chances(game, position, MOST_STATES).ok(),
            _ => None,
        };
        exact.unwrap_or_else(|| simulate(game, position, limits).chances)
    }

    fn pot(&self, game: &G, position: &G::Position) -> f64 {
        game.pot(position)
    }
}
