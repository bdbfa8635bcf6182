//! Games in which the geese side drops all its pieces before the first of them steps, as in Bagha Chal.
//!
//! The pieces in hand only become fewer, so the positions with so many in hand follow from those with one less: with
//! the geese to move a win of the foxes is the AND of the wins after each drop, with the foxes to move the OR of those
//! after each move. The foxes are few and the other points are few enough that all patterns of geese beside a set of
//! foxes are one set of bits (`patterns`), which such a step takes as a whole, 64 positions at a time. A pattern tells
//! how many geese have been captured, so that all layers are solved together (`placing`). The same step, run on the
//! complement of what the geese win, tells their wins. Only with nothing left in hand do pieces go to and fro; those
//! few positions are settled one by one, round by round, with their distances (`sliding`).
//!
//! The way to hold the geese as bit sets by the set of foxes follows from the sizes; Y. J. Lim and J. Nievergelt
//! (Tigers and Goats is a draw, Games of No Chance 3, 2009) solved the sliding phase as a database and the game by search.

mod fox_sets;
mod layout;
mod patterns;
mod placing;
mod sliding;
mod solver;
#[cfg(test)]
mod tests;

pub(crate) use layout::DropLayout;
pub(crate) use solver::DropSolver;
