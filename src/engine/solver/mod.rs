//! Peg solitaire solved exactly.
//!
//! A `puzzle` is a `problem` (start and target on a `board`) with the questions about it. `position_class` and `pagoda`
//! refute it (`learning` and `simplex` find pagoda functions, `proof` says why), `any_solution` finds a solution,
//! `shortest` the one with the fewest moves, `counting` their number; `levels`, `filter`, `peg_map` and `symmetries`
//! hold sets of positions, `work_limits` end the work. `searcher` plays by all this, as the engine's searcher.

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
pub use proof::Proof;
pub use puzzle::Puzzle;
pub use puzzle::{Answer, Solution};
pub(crate) use searcher::PuzzleSolver;
pub use work_limits::GaveUp;
pub use work_limits::WorkLimits;
