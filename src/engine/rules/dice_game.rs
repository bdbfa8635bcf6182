//! Games that dice decide alone, as a Markov chain for those who work out their chances.

use std::hash::Hash;

use super::game::Game;

/// What a roll brings about.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DiceStep<P> {
    /// The position to which the roll leads.
    pub after: P,
    /// What is paid into the pot, at least 0; the winner's taking of the pot in the end is left out.
    pub paid: f64,
    /// The player-turns that pass: that of the roller, and those that are missed after it.
    pub player_turns: u32,
}

/// A game without choices: the course of a game is a Markov chain.
///
/// [`Game::turn`] is `Chance` in every position until the game is over, and every game must end with probability 1.
pub trait DiceGame: Game<Position: Hash> {
    /// What a roll does that [`chance_outcomes`](Game::chance_outcomes) listed.
    fn step(&self, position: &Self::Position, roll: Self::Move) -> DiceStep<Self::Position>;

    /// The position without what has no influence on the course of the game, such as pot and accounts.
    ///
    /// Positions with the same course have the same future: the same rolls with the same payments and events.
    fn course(&self, position: &Self::Position) -> Self::Position;

    /// What the pot holds, in stakes of 1.
    fn pot(&self, position: &Self::Position) -> f64;

    /// The number of kinds of events that statistics count; the kinds are numbered from 0.
    fn event_kinds(&self) -> usize {
        0
    }

    /// Appends the kinds of the events of a roll, each as often as it happens.
    fn events(&self, _position: &Self::Position, _roll: Self::Move, _events: &mut Vec<usize>) {}
}
