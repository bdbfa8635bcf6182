//! The fast method for one fox: bit sets of fox points for every pattern of geese.
//!
//! A *pattern* is a set of points held by geese. For a pattern the answer for all fox points is a word a side to move:
//! the points where the geese side reaches a goal. Steps of the fox are shifts of such words; goose moves and jumps look
//! up the words of other patterns. Patterns stand in *strips*, so that the words that one strip looks up stand side by
//! side in a few others: what there is to look up is joined strip by strip, not pattern by pattern, and nearly always
//! found in the cache.
//!
//! Captures lower the number of geese. Where geese never go back, forward steps raise the sum of their ranks, so that a
//! layer falls into levels that are solved one after the other; otherwise it is one level. A level is solved twice, for
//! the wins of the geese and for those of the fox; each round adds what is decided one ply further from conversion,
//! until nothing changes.
//!
//! The files in the order of their dependence: `words` are sets of points; `rules` is a ruleset as masks and shifts;
//! `numbering` cuts patterns in two, `tail_moves` lists what connects the second halves, `layer` lays out strips;
//! `sweep` joins the words of neighbours; `landings` keeps what jumps lead to; `news` packs what a round decides; `rounds`
//! solves a level, `pieces` turns what it found into `block_entries`; `solver` does so level by level; `layout` finds
//! entries again.

mod block_entries;
mod landings;
mod layer;
mod layout;
mod news;
mod numbering;
mod pieces;
mod rounds;
mod rules;
mod solver;
mod sweep;
mod tail_moves;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use layout::OneFoxLayout;
pub(crate) use solver::OneFoxSolver;
