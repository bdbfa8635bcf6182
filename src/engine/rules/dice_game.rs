//! Games that dice decide alone, as a Markov chain for those who work out their chances.

use std::fmt::Debug;
use std::hash::Hash;

use rand::Rng;

use super::outcome::Outcome;
use super::random::draw;

/// What a ply does.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Taken<S> {
    /// The state to which the ply leads.
    pub after: S,
    /// What is paid into the pot, at least 0; that somebody takes the pot in the end is left out.
    pub paid: f64,
    /// The player-turns that pass: that of the player who acts, and those that are missed after it.
    pub player_turns: u32,
    /// Whether it is a roll of the dice, or happens by itself.
    pub is_roll: bool,
}

/// A game without choices: the course of a game is a Markov chain.
///
/// A *ply* is a roll, or whatever else happens by itself. Every game must end with probability 1.
pub trait DiceGame: Sync {
    /// What a node of the chain stands for.
    type State: Copy + Eq + Hash + Debug + Send + Sync;
    /// One thing that can happen, such as a roll.
    type Ply: Copy + Debug;

    /// The number of players.
    fn players(&self) -> usize;

    /// How the game ended, `None` while it goes on.
    fn ending(&self, position: &Self::State) -> Option<Outcome>;

    /// Appends every ply with its probability where the game is not over; the sum is 1.
    fn plies(&self, position: &Self::State, plies: &mut Vec<(Self::Ply, f64)>);

    /// What a ply does that [`plies`](DiceGame::plies) listed.
    fn take(&self, position: &Self::State, ply: Self::Ply) -> Taken<Self::State>;

    /// The position without what has no influence on the course of the game, such as pot and accounts.
    ///
    /// Positions with the same course have the same future: the same plies with the same payments and events.
    fn course(&self, position: &Self::State) -> Self::State;

    /// What the pot holds, in stakes of 1.
    fn pot(&self, position: &Self::State) -> f64;

    /// The kinds of events that statistics count, numbered from 0.
    fn event_kinds(&self) -> usize {
        0
    }

    /// Appends the numbers of the events of a ply, each as often as it happens.
    fn events(&self, _position: &Self::State, _ply: Self::Ply, _events: &mut Vec<usize>) {}

    /// A ply drawn with its probability where the game is not over; `None` where it is.
    ///
    /// `room` is there to be written over.
    fn drawn<R: Rng>(
        &self,
        position: &Self::State,
        rng: &mut R,
        room: &mut Vec<(Self::Ply, f64)>,
    ) -> Option<Self::Ply> {
        room.clear();
        self.plies(position, room);
        draw(room, rng).copied()
    }
}
