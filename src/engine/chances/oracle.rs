//! Tells the chances of positions, and remembers the solution of the game.

use super::Chances;
use super::exact::SolvedChain;
use super::simulation::{SimulationLimits, simulate};
use crate::rules::{DiceGame, Game};

/// Tells the chances of a game.
pub(crate) trait ChancesOracle<G: Game>: Send {
    /// Everybody's chances; of a position that is over, what has come of them.
    fn chances(&mut self, game: &G, position: &<G as Game>::Position, limits: SimulationLimits<'_>) -> Chances;

    /// What the pot holds.
    fn pot(&self, game: &G, position: &G::Position) -> f64;
}

/// Solves games that are small enough, once for all questions, and simulates the others.
pub(crate) enum DiceOracle<P> {
    Unasked,
    Solved(Box<SolvedChain<P>>),
    TooLarge,
}

/// Some seconds of work, some dozens of megabytes.
pub const MOST_STATES: usize = 60_000;

impl<G> ChancesOracle<G> for DiceOracle<<G as Game>::Position>
where
    G: Game + DiceGame<State = <G as Game>::Position>,
    <G as Game>::Position: std::hash::Hash,
{
    fn chances(&mut self, game: &G, position: &<G as Game>::Position, limits: SimulationLimits<'_>) -> Chances {
        if let Some(outcome) = game.ending(position) {
            return Chances::decided(outcome, game.players(), DiceGame::pot(game, position));
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

    fn pot(&self, game: &G, position: &<G as Game>::Position) -> f64 {
        DiceGame::pot(game, position)
    }
}
