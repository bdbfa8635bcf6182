//! The fast method for one fox or two: bit sets of the foxes' placements for every pattern of geese.
//!
//! It solves the equations in the doc of [`tablebase`](super). A row of their matrices is one value here, so that a
//! step of a fox is one operation on a row.
//!
//! A *pattern* is a set of points held by geese. Its row has a bit for each placement of the foxes *beside* it (on
//! points without geese): a word of points for one fox, a triangle of pairs for two. Steps of a fox are shifts of such
//! words, or looked up for parts of a triangle; goose moves and jumps look up the rows of other patterns. Patterns
//! stand in *strips*, such that the rows that one strip looks up stand side by side in a few others. So they are joined
//! strip by strip, not pattern by pattern, and nearly always found in the cache.
//!
//! Captures lower the number of geese. Where geese never go back, forward steps raise the sum of their ranks, so that a
//! layer falls into *levels* solved one after the other; otherwise it is one level. A level is solved twice, once for
//! each goal; each round adds the positions decided one ply further away, its *frontier*, until nothing changes.
//!
//! Distances count to conversion or, for one fox, to the end. Distance to conversion is distance to the end with every
//! exit worth 0: then the outcome of an exit counts from the first round on, else from the round given by its own
//! distance.
//!
//! Where a huff takes one of two foxes off, a layer is solved for one fox first. A step that costs a fox leads to those
//! positions, so that it is an exit, like a capture. When the last fox is taken off, the fox side has lost at once.
//!
//! The files in order of dependence:
//!
//! - `words`: sets of points and of pairs; `rules`: a ruleset as masks and shifts.
//! - `foxes`: the interface to the foxes' placements, implemented there for one fox, by `two_foxes` for two.
//! - `numbering`: patterns as heads and tails, and the moves of tails; `layer`: the strips of a layer.
//! - `level`: a level with its strips, and where the moves of geese and the jumps of foxes lead.
//! - `frontier`: what a round decides, packed; `rounds`: solves a level for a goal.
//! - `layout`: the places of positions in a file; writes and reads them.
//! - `landings`: the outcomes of jumps into a level, kept for the next layer; `ends`: those with distances to the end.
//! - `solver`: goes from level to level; `cost`: the price of a layer.
//!
//! One circle is intended: `cost` prices what `solver` holds in memory, and `solver` answers with that price.

mod cost;
mod ends;
mod foxes;
mod frontier;
mod landings;
mod layer;
mod layout;
mod level;
mod numbering;
mod rounds;
mod rules;
mod solver;
#[cfg(test)]
mod tests;
mod two_foxes;
mod words;

use ends::Ends;
use foxes::OneFox;
use landings::Verdicts;
use rules::fox_numbers;
use solver::StripSolver;
use two_foxes::TwoFoxes;

use super::{Method, Metric};
use crate::geometry::Word;
use crate::rules::hunt::Hunt;

/// The solver of a game for this metric; `None` when they need another method.
pub(crate) fn solver<W: Word>(game: &Hunt<W>, metric: Metric) -> Option<Box<dyn Method<W>>> {
    match (fox_numbers(game)?, metric) {
        ([1, 1], Metric::Conversion) => Some(Box::new(StripSolver::<OneFox, Verdicts>::new(game)?)),
        ([1, 1], Metric::End) => Some(Box::new(StripSolver::<OneFox, Ends>::new(game)?)),
        ([_, 2], Metric::Conversion) => Some(Box::new(StripSolver::<TwoFoxes, Verdicts>::new(game)?)),
        _ => None,
    }
}
