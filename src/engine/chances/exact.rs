//! Exact chances from the solved chain of a game.

use super::chain::{Chain, ExpectedValues, Reward, TooLarge};
use super::{Chances, ChancesMethod, PlayerChances};
use crate::rules::DiceGame;

/// The solved chain of a game; what was worked out once answers every later question about the same rules.
#[derive(Clone, Debug)]
pub struct SolvedChain<P> {
    chain: Chain<P>,
    /// By seat, then by node: the probability of winning.
    wins: Vec<Vec<f64>>,
    /// By seat, then by node: the expected winnings, if the pot were empty now.
    takings: Vec<Vec<f64>>,
    draws: Vec<f64>,
    player_turns: Vec<f64>,
    rolls: Vec<f64>,
    sweeps: u32,
    residual: f64,
}

impl<P: Copy + Eq + std::hash::Hash> SolvedChain<P> {
    /// Solves the game from this position on.
    ///
    /// # Errors
    /// More than `limit` positions can come.
    pub fn new<G: DiceGame<State = P>>(game: &G, start: &P, limit: usize) -> Result<Self, TooLarge> {
        let seats = game.players();
        let mut exact = SolvedChain {
            chain: Chain::new(game, start, limit)?,
            wins: vec![Vec::new(); seats],
            takings: vec![Vec::new(); seats],
            draws: Vec::new(),
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
    pub fn chances<G: DiceGame<State = P>>(
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

    fn at(&self, node: usize, pot: f64) -> Chances {
        let player = |(wins, takings): (&Vec<f64>, &Vec<f64>)| PlayerChances {
            win: wins[node],
            win_error: 0.0,
            pot: takings[node] + pot * wins[node],
            pot_error: 0.0,
        };
        Chances {
            method: ChancesMethod::Exact { states: self.chain.len(), residual: self.residual, sweeps: self.sweeps },
            players: self.wins.iter().zip(&self.takings).map(player).collect(),
            draw: self.draws[node],
            player_turns: self.player_turns[node],
            player_turns_error: 0.0,
            rolls: self.rolls[node],
            rolls_error: 0.0,
        }
    }

    /// Works out every quantity for the states that are new; older ones do not depend on them.
    fn solve(&mut self) {
        let seats = self.wins.len();
        for seat in 0..seats {
            let wins = self.probability(seat, &self.wins[seat]);
            // What is paid is taken in the end by whoever wins from there.
            let share = |target: usize, reward: &Reward| reward.paid * wins.values[target];
            let takings = self.chain.expect(&self.takings[seat], |_| 0.0, share);
            self.wins[seat] = self.note(wins);
            self.takings[seat] = self.note(takings);
        }
        let draws = self.probability(seats, &self.draws);
        self.draws = self.note(draws);
        let turns = self.chain.expect(&self.player_turns, |_| 0.0, |_, reward| reward.player_turns);
        self.player_turns = self.note(turns);
        let rolls = self.chain.expect(&self.rolls, |_| 0.0, |_, reward| reward.rolls);
        self.rolls = self.note(rolls);
    }

    /// The probability that the game ends in this ending.
    fn probability(&self, ending: usize, known: &[f64]) -> ExpectedValues {
        self.chain.expect(known, |end| f64::from(u8::from(end == ending)), |_, _| 0.0)
    }

    fn note(&mut self, solution: ExpectedValues) -> Vec<f64> {
        self.sweeps = self.sweeps.max(solution.sweeps);
        self.residual = self.residual.max(solution.residual);
        solution.values
    }
}
