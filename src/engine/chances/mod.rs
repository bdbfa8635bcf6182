//! Chances of games that dice alone decide: of winning, of winnings, and of events on the way.
//!
//! A game that dice alone decide ([`DiceGame`]) is a Markov chain. [`SolvedChain`] solves small ones exactly,
//! [`simulate`] plays out games of the others, and [`DiceOracle`] picks between the two and keeps its solutions.
//! [`RaceStats`] are all figures of a Game of the Goose.

mod chain;
mod race;
mod simulation;

pub use chain::{Chain, TooLarge};
use chain::{ExpectedValues, Reward};
pub use race::{FieldStats, HazardStats, RaceError, RaceStats};
use serde::Serialize;
use serde_json::{Value, json};
pub use simulation::{SimulationLimits, simulate};

use crate::rules::{DiceGame, Game, Outcome};

/// How the chances were found.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[serde(rename_all = "snake_case", tag = "method")]
pub enum ChancesMethod {
    /// By solving the Markov chain.
    Exact {
        /// The number of positions in the chain.
        states: usize,
        /// The largest amount by which an equation of the solution is off.
        residual: f64,
        /// Sweeps over all positions that the slowest quantity took.
        sweeps: u32,
    },
    /// By playing games out.
    Simulation {
        /// The number of games played to an end.
        games: u64,
    },
    /// The game is over: there is nothing to find.
    Decided,
}

/// One player's prospects.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayerChances {
    /// Probability of winning, 0 to 1; the error is that of Wilson's interval.
    pub win: MeanEstimate,
    /// Expected winnings: the mean over all games of the pot if this player wins it, else nothing.
    pub pot: MeanEstimate,
}

/// The prospects of all players, and the expected length of the rest of the game.
#[derive(Clone, PartialEq, Debug)]
pub struct Chances {
    /// How the chances were found.
    pub method: ChancesMethod,
    /// The prospects of each player, by seat.
    pub players: Vec<PlayerChances>,
    /// Probability that no player wins.
    pub draw: f64,
    /// Expected number of player-turns still to come, missed ones counted.
    pub player_turns: MeanEstimate,
    /// Expected number of rolls still to come.
    pub rolls: MeanEstimate,
}

impl Chances {
    /// The certain chances of a finished game with this pot.
    pub fn decided(outcome: Outcome, players: usize, pot: f64) -> Self {
        let player = |index| {
            let win = f64::from(u8::from(outcome.winner.is_some_and(|seat| seat.index() == index)));
            PlayerChances { win: MeanEstimate::exact(win), pot: MeanEstimate::exact(win * pot) }
        };
        Chances {
            method: ChancesMethod::Decided,
            players: (0..players).map(player).collect(),
            draw: f64::from(u8::from(outcome.winner.is_none())),
            player_turns: MeanEstimate::default(),
            rolls: MeanEstimate::default(),
        }
    }

    /// The chances as a JSON object; `protocol.md` lists its keys.
    pub fn json(&self) -> Value {
        let mut object = json!(self.method);
        object["players"] = self.players.iter().map(PlayerChances::json).collect();
        object["draw"] = json!(self.draw);
        add_estimates(&mut object, &[("player_turns", self.player_turns), ("rolls", self.rolls)]);
        object
    }
}

impl PlayerChances {
    fn json(&self) -> Value {
        let mut object = json!({});
        add_estimates(&mut object, &[("win", self.win), ("pot", self.pot)]);
        object
    }
}

/// Adds means under their keys, and under `KEY_error` half the width of their 95 % confidence intervals.
fn add_estimates(object: &mut Value, estimates: &[(&str, MeanEstimate)]) {
    for (key, MeanEstimate { mean, error }) in estimates {
        object[*key] = json!(mean);
        object[format!("{key}_error")] = json!(error);
    }
}

/// The chances of a game, and how often each kind of event is expected in the rest of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Forecast {
    /// The prospects of all players.
    pub chances: Chances,
    /// The expected number of events, by the number of their kind.
    pub events: Vec<MeanEstimate>,
}

/// A mean with half the width of its 95 % confidence interval; an error of 0 means that the number is exact.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct MeanEstimate {
    /// The mean.
    pub mean: f64,
    /// Half the width of its 95 % confidence interval; 0 where it is exact.
    pub error: f64,
}

/// The 97.5 % quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

impl MeanEstimate {
    /// A number without an error.
    pub fn exact(mean: f64) -> Self {
        MeanEstimate { mean, error: 0.0 }
    }

    /// The difference from an independent estimate.
    pub(crate) fn minus(self, other: MeanEstimate) -> Self {
        MeanEstimate { mean: self.mean - other.mean, error: self.error.hypot(other.error) }
    }

    /// The share of `count` in `games`. Its error is half the width of Wilson's interval, above 0 for shares of 0 and 1
    /// too.
    pub fn of_share(count: u64, games: u64) -> Self {
        let n = games.max(1) as f64;
        let mean = count as f64 / n;
        let spread = (mean * (1.0 - mean) / n + Z * Z / (4.0 * n * n)).sqrt();
        MeanEstimate { mean, error: Z * spread / (1.0 + Z * Z / n) }
    }
}

/// The chain of a game with its solution, which answers every later question about these rules.
#[derive(Clone, Debug)]
pub struct SolvedChain<P> {
    chain: Chain<P>,
    /// By ending, then by node: the probability of that ending.
    ends: Vec<Vec<f64>>,
    /// By seat, then by node: the expected winnings if the pot were empty now.
    takings: Vec<Vec<f64>>,
    /// By node: the expected player-turns to come.
    player_turns: Vec<f64>,
    /// By node: the expected rolls to come.
    rolls: Vec<f64>,
    sweeps: u32,
    residual: f64,
}

impl<P: Copy + Eq + std::hash::Hash> SolvedChain<P> {
    /// Solves the chain of all positions that can be reached from `start`.
    ///
    /// # Errors
    /// More than `limit` positions can be reached.
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

    /// All players' chances from a position; a chain without the position is first extended and solved anew.
    ///
    /// # Errors
    /// More than `limit` positions can be reached; the old solution is kept.
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
        let node = wider.extend(game, position, limit)?;
        self.chain = wider;
        self.solve();
        Ok(self.at(node, game.pot(position)))
    }

    /// The chain that was solved.
    pub fn chain(&self) -> &Chain<P> {
        &self.chain
    }

    /// The chances in a node when the pot holds this much.
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

    /// Solves for every quantity; values of older states do not depend on new ones and are kept.
    fn solve(&mut self) {
        for ending in 0..self.ends.len() {
            let is_there = |end: usize| f64::from(u8::from(end == ending));
            let ends = self.chain.expect(&self.ends[ending], is_there, |_, _| 0.0);
            self.ends[ending] = self.note(ends);
        }
        for seat in 0..self.takings.len() {
            // The winner takes at the end what is paid now.
            let share = |target: usize, reward: &Reward| reward.paid * self.ends[seat][target];
            let takings = self.chain.expect(&self.takings[seat], |_| 0.0, share);
            self.takings[seat] = self.note(takings);
        }
        let turns = self.chain.expect(&self.player_turns, |_| 0.0, |_, reward| reward.player_turns);
        self.player_turns = self.note(turns);
        let rolls = self.chain.expect(&self.rolls, |_| 0.0, |_, _| 1.0);
        self.rolls = self.note(rolls);
    }

    /// Returns the values of a solution, after noting its sweeps and its residual.
    fn note(&mut self, solution: ExpectedValues) -> Vec<f64> {
        self.sweeps = self.sweeps.max(solution.sweeps);
        self.residual = self.residual.max(solution.residual);
        solution.values
    }
}

/// The forecast for a game from `start`, by solving its chain.
///
/// # Errors
/// More than `limit` positions can be reached.
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

/// The most positions of a chain that is solved: some seconds of work, some tens of megabytes.
pub const MOST_STATES: usize = 60_000;

/// Answers a session's questions about the chances of a game.
pub(crate) trait ChancesOracle<G: Game>: Send {
    /// All players' chances from a position that is not over.
    fn chances(&mut self, game: &G, position: &G::Position, limits: SimulationLimits<'_>) -> Chances;

    /// The amount in the pot.
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
        if let DiceOracle::Unasked = self {
            // The chain begins at the start: most questions are about positions that come from there.
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
