//! Peg solitaire solved exactly.

mod any_solution;
mod board;
mod counting;
mod filter;
mod learning;
mod levels;
mod pagoda;
mod peg_map;
mod position_class;
mod problem;
mod proof;
mod puzzle;
mod searcher;
mod shortest;
mod simplex;
mod symmetries;
mod work_limits;

#[cfg(test)]
mod tests;

pub(crate) use board::JumpGraph;
pub(crate) use proof::Proof;
pub use puzzle::Puzzle;
pub(crate) use puzzle::{Answer, Solution};
pub(crate) use searcher::PuzzleSolver;
pub(crate) use work_limits::GaveUp;
pub use work_limits::WorkLimits;
