//! Peg solitaire solved exactly.

mod board;
mod class;
mod counting;
mod filter;
mod learning;
mod leash;
mod levels;
mod pagoda;
mod problem;
mod proof;
mod puzzle;
mod quick;
mod searcher;
mod shortest;
mod simplex;
mod symmetries;
mod table;

#[cfg(test)]
mod tests;

pub(crate) use board::Layout;
pub(crate) use leash::GaveUp;
pub use leash::Leash;
pub(crate) use proof::Proof;
pub use puzzle::Puzzle;
pub(crate) use puzzle::{Answer, Solution};
pub(crate) use searcher::PuzzleSolver;
