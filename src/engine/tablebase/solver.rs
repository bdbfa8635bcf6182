//! The interface of the methods of solving: `LayerSolver`, its costs and its results.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::TableError;
use super::format::LayerWriter;
use super::store::Store;
use crate::rules::hunt::Side;

/// What a layer takes to solve, all below it being there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LayerCost {
    /// Positions of both sides to move, mirrored ones counted separately.
    pub positions: u64,
    /// The most memory in use at a time.
    pub memory_bytes: u64,
    /// A cautious guess at the size of the file.
    pub disk_bytes: u64,
    /// Processor time, by what such positions took in other games on an AMD EPYC; half or twice as much is usual.
    pub processor: Duration,
}

/// How often each result occurs among the positions of a layer with one side to move: all placements on the board
/// counted, mirrored ones separately.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ResultCounts {
    /// Won by the fox side.
    pub fox_wins: u64,
    /// Won by nobody.
    pub draws: u64,
    /// Won by the geese side.
    pub geese_win: u64,
}

impl ResultCounts {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.fox_wins + self.draws + self.geese_win
    }

    /// Counts `positions` more that this side wins, or that are drawn.
    pub fn count(&mut self, winner: Option<Side>, positions: u64) {
        match winner {
            None => self.draws += positions,
            Some(Side::Fox) => self.fox_wins += positions,
            Some(Side::Geese) => self.geese_win += positions,
        }
    }

    /// Adds others.
    pub fn add(&mut self, other: ResultCounts) {
        self.fox_wins += other.fox_wins;
        self.draws += other.draws;
        self.geese_win += other.geese_win;
    }
}

/// A position at the greatest distance that its side to move and winner have in a layer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LongestWin {
    /// `f` or `g`, the side to move.
    pub turn: char,
    /// `f` or `g`.
    pub winner: char,
    /// Its distance.
    pub plies: u32,
    /// Its text.
    pub position: String,
}

impl LongestWin {
    /// The side to move and the one that wins.
    pub fn sides(&self) -> [Side; 2] {
        [self.turn, self.winner].map(|letter| if letter == 'f' { Side::Fox } else { Side::Geese })
    }

    /// Those of a layer. `farthest` tells the greatest distance of a side to move and a winner with a position that has it;
    /// none is told where every win is decided already.
    pub(crate) fn of_layer(mut farthest: impl FnMut(Side, Side) -> Option<(u32, String)>) -> Vec<LongestWin> {
        let mut longest = Vec::new();
        for (turn_side, turn) in [(Side::Geese, 'g'), (Side::Fox, 'f')] {
            for (winning_side, winner) in [(Side::Fox, 'f'), (Side::Geese, 'g')] {
                let found = farthest(turn_side, winning_side).filter(|&(plies, _)| plies > 0);
                longest.extend(found.map(|(plies, position)| LongestWin { turn, winner, plies, position }));
            }
        }
        longest
    }
}

/// What is worth knowing about a solved layer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LayerSummary {
    /// Geese side to move: every position without anything owed, to be placed or to be settled.
    pub geese_to_move: ResultCounts,
    /// Fox side to move, likewise.
    pub fox_to_move: ResultCounts,
    /// The longest wins, at most one for each side to move and winner.
    pub longest: Vec<LongestWin>,
}

/// A layer in the making.
pub struct NewLayer {
    /// Pieces of the geese side, on the board and still to come.
    pub geese: u32,
    /// Takes its blocks.
    pub writer: LayerWriter,
    /// What its header will say; empty before.
    pub summary: LayerSummary,
}

/// A method of solving the layers of one ruleset, from few geese to many.
///
/// A layer holds all positions with the same number of geese, on the board and still to come.
pub trait LayerSolver {
    /// The name of its [`PositionLayout`](super::PositionLayout), as the header of a file says it.
    fn layout(&self) -> &'static str;

    /// The fewest geese with which a position is not decided by its number of geese alone. Layers below need no table.
    fn first_layer(&self) -> u32;

    /// The most geese that the board and the numbers of this method hold.
    fn last_layer(&self) -> u32;

    /// What solving a layer takes, in positions, bytes and time.
    fn cost(&self, layer: u32) -> LayerCost;

    /// Whether one call solves all missing layers; else they come one at a time, from few geese to many.
    fn solves_together(&self) -> bool {
        false
    }

    /// Solves layers, all others below them from [`first_layer`](LayerSolver::first_layer) being in `below`, and writes
    /// their blocks. `progress` is told how many positions are done, of the [`LayerCost::positions`] of all of them,
    /// from any thread. What it keeps in memory for the next layer is its own affair; it may be asked for any layer up
    /// to the last one that it was made for, at any time.
    ///
    /// # Errors
    /// A table below cannot be read, or a new one not be written; or it was not made for this layer.
    fn solve(
        &mut self,
        layers: &mut [NewLayer],
        below: &Store,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), TableError>;
}
