//! Solves peg solitaire exactly.
//!
//! A [`Puzzle`] answers the questions. A `problem`, the puzzle in bit masks, may be refuted by a position class or a
//! pagoda function (`proof`). `any_solution` finds a solution; `ways` counts all of them and finds one with the fewest
//! moves. `levels` lists the positions of all solutions, in a `peg_map`; the pagoda functions of a `sieve` keep out
//! positions that cannot reach the other end. `searcher` is the engine's searcher by these.

mod any_solution;
mod levels;
mod peg_map;
mod problem;
mod proof;
mod puzzle;
mod searcher;
mod sieve;
mod ways;

#[cfg(test)]
mod tests;

pub use proof::Proof;
pub use puzzle::{Answer, GaveUp, Puzzle, Solution, Wanted, WorkLimits};
pub(crate) use searcher::PuzzleSolver;
