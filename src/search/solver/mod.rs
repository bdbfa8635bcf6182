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

pub use board::Layout;
pub use leash::{GaveUp, Leash};
pub use pagoda::Pagoda;
pub use proof::Proof;
pub use puzzle::{Answer, Puzzle, SingleProblem, Solution};
pub use searcher::PuzzleSolver;
