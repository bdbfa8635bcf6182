//! The general solver: every ruleset of the hunt family, by nothing but its legal moves.
//!
//! It takes several foxes, huffs, geese that come back or are dropped from a stock, forced captures and every other
//! switch, and gives each position of a layer an entry of its own, for either side to move and for every duty that a
//! huff leaves. Rulesets with one fox and geese that are never put back have a faster solver of their own, for which
//! this one is the reference.
//!
//! `scope` says which positions there are, `numbering` and `space` put them in a row, `before` undoes moves,
//! `rounds` solves a layer with the help of the `values` of those below, `summary` counts, and `layout` tells
//! where in a file the entries are.

mod before;
mod layout;
mod numbering;
mod rounds;
mod scope;
mod solver;
mod space;
mod summary;
#[cfg(test)]
mod tests;
mod values;

pub(crate) use layout::WholeLayout;
pub(crate) use solver::WholeSolver;
