//! The fast method for one fox: bit sets of fox points for every pattern of geese.
//!
//! A *pattern* is a set of points held by geese. For a pattern the answer for all fox points is a word a side to move:
//! the points where the fox has won and where it has lost. Steps of the fox are shifts of such words, jumps and goose
//! moves look up the words of other patterns.
//!
//! Captures lower the number of geese. Where geese never go back, forward steps raise the sum of their ranks, so that
//! the patterns fall into blocks (so many geese on each rank) of which only fox moves and sideways goose moves never
//! leave; otherwise a layer is one block. Blocks are solved from high rank sums to low. Within a block each round adds
//! what is decided one ply further from conversion, until nothing changes.
//!
//! The files in the order of their dependence: `rules` is a ruleset as masks and shifts; `ranks`, `profile` and `index`
//! number patterns; `landings` keeps what jumps lead to; `block` solves a block into `block_entries`; `solver` hands it
//! one block after the other; `layout` finds entries again.

mod block;
mod block_entries;
mod index;
mod landings;
mod layout;
mod profile;
mod ranks;
mod rules;
mod solver;
#[cfg(test)]
mod tests;

pub(crate) use layout::OneFoxLayout;
pub(crate) use solver::OneFoxSolver;
