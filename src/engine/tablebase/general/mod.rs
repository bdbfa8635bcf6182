//! The general solver: every ruleset of the hunt family, by nothing but its legal moves.
//!
//! It takes several foxes, huffs, geese that come back or are dropped from a stock, forced captures and every other
//! switch, and gives each position of a layer an entry of its own, for either side to move and for every duty that a
//! huff leaves. Rulesets with one fox or two and geese that are never put back have a faster solver of their own (with two
//! for distances to conversion only), for which this one is the reference.
//!
//! `scope` says which positions there are, `numbering` and `positions` put them in a row, `predecessors` undoes moves,
//! `rounds` solves a layer with the help of the `lower_layers` of those below: a `finding` is what the moves of a
//! position tell in a round, `slots` hold the entries meanwhile. `summary` counts, and `layout` tells where in a file
//! the entries are.

mod finding;
mod layout;
mod lower_layers;
mod numbering;
mod positions;
mod predecessors;
mod rounds;
mod scope;
mod slots;
mod solver;
mod summary;
#[cfg(test)]
mod tests;

pub(crate) use layout::GeneralLayout;
pub(crate) use solver::GeneralSolver;
