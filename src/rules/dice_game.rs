//! What a game that the dice decide alone shows to those who work out its chances.

use std::fmt::Debug;
use std::hash::Hash;

use rand::{Rng, RngExt};

use super::game::{Outcome, Seat};

/// A game without choices: the course of a game is a Markov chain.
///
/// A *ply* is a roll, or whatever else happens by itself. Every game must end with probability 1.
pub trait DiceGame: Sync {
    type State: Copy + Eq + Hash + Debug + Send + Sync;
    type Ply: Copy + Debug;

    /// The number of players.
    fn players(&self) -> usize;

    /// How the game ended, `None` while it goes on.
    fn ending(&self, position: &Self::State) -> Option<Outcome>;

    /// Appends every ply with its probability where the game is not over; the sum is 1.
    fn plies(&self, position: &Self::State, plies: &mut Vec<(Self::Ply, f64)>);

    /// The position after a ply that [`plies`](DiceGame::plies) listed.
    fn after(&self, position: &Self::State, ply: Self::Ply) -> Self::State;

    /// The position without what has no influence on the course of the game, such as pot and accounts.
    ///
    /// Positions with the same course have the same future: the same plies with the same payments and events.
    fn course(&self, position: &Self::State) -> Self::State;

    /// What the pot holds, in stakes of 1; plies only add to it. It stays when the game ends.
    fn pot(&self, position: &Self::State) -> f64;

    /// The player-turns that a ply takes: that of the player who acts, and those that are missed after it.
    fn player_turns(&self, position: &Self::State, ply: Self::Ply) -> u32;

    /// Whether the ply is a roll of the dice, or happens by itself.
    fn is_roll(&self, _position: &Self::State, _ply: Self::Ply) -> bool {
        true
    }

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
        let mut left: f64 = rng.random();
        let hit = room.iter().find(|(_, probability)| {
            left -= probability;
            left < 0.0
        });
        hit.or(room.last()).map(|&(ply, _)| ply)
    }

    /// The seat that has won; `None` for a draw and while the game goes on.
    fn winner(&self, position: &Self::State) -> Option<Seat> {
        self.ending(position)?.winner
    }
}
