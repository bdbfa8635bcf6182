//! Who is asked for chances, and remembers.

use super::Chances;
use super::exact::Exact;
use super::simulation::{Effort, simulate};
use crate::rules::{DiceGame, Game};

/// Tells the chances of a game.
pub trait Odds<G: Game>: Send {
    /// Everybody's chances; of a position that is over, what has come of them.
    fn chances(&mut self, game: &G, position: &<G as Game>::Position, effort: Effort<'_>) -> Chances;

    /// What the pot holds.
    fn pot(&self, game: &G, position: &G::Position) -> f64;
}

/// Solves games that are small enough, once for all questions, and simulates the others.
pub(crate) enum Oracle<P> {
    Unasked,
    Solved(Box<Exact<P>>),
    TooLarge,
}

/// Some seconds of work, some dozens of megabytes.
pub const MOST_STATES: usize = 60_000;

impl<G> Odds<G> for Oracle<<G as Game>::Position>
where
    G: Game + DiceGame<State = <G as Game>::Position>,
    <G as Game>::Position: std::hash::Hash,
{
    fn chances(&mut self, game: &G, position: &<G as Game>::Position, effort: Effort<'_>) -> Chances {
        if let Some(outcome) = game.ending(position) {
            return Chances::decided(outcome, game.players(), DiceGame::pot(game, position));
        }
        if let Oracle::Unasked = self {
            // From the start: most questions are about positions that come from there.
            let solved = Exact::new(game, &game.start(), MOST_STATES);
            *self = solved.map_or(Oracle::TooLarge, |exact| Oracle::Solved(Box::new(exact)));
        }
        let exact = match self {
            Oracle::Solved(exact) => exact.chances(game, position, MOST_STATES).ok(),
            _ => None,
        };
        exact.unwrap_or_else(|| simulate(game, position, effort).chances)
    }

    fn pot(&self, game: &G, position: &<G as Game>::Position) -> f64 {
        DiceGame::pot(game, position)
    }
}
