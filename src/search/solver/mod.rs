//! Peg solitaire solved exactly.

mod board;
mod class;
mod counting;
mod learning;
mod leash;
mod levels;
mod pagoda;
mod problem;
mod puzzle;
mod quick;
mod shortest;
mod simplex;
mod symmetries;
mod table;

#[cfg(test)]
mod tests;

pub use board::Layout;
pub use leash::{GaveUp, Leash};
pub use pagoda::Pagoda;
pub use puzzle::{Answer, Puzzle, Solution};

/// Why a target is out of reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// Every jump changes the pegs on these holes by an even number, and start and target differ by an odd one.
    Class { holes: Vec<u8> },
    /// No jump raises the weight of the pegs, and the start weighs less than the target.
    Pagoda { pagoda: Pagoda, start: i32, target: i32 },
    /// Everything was tried: that many positions were looked at.
    Search { positions: u64 },
}
