//! Peg solitaire solved exactly.
//!
//! A [`Puzzle`] asks the questions. As a `problem`, in bit masks, it is refuted by a position class or a pagoda
//! function (`proof`); `any_solution` finds a solution, `ways` counts all of them and finds one with the fewest moves.
//! `levels` lists the positions of all solutions, held in `peg_map`; the pagoda functions of a `sieve` keep out those
//! that cannot arrive. `searcher` plays by all this, as the engine's searcher.

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
