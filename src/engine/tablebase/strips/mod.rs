//! The fast method for one fox or two: bit sets of the foxes' placements for every pattern of geese.
//!
//! A *pattern* is a set of points held by geese. For a pattern the answer for all placements of the foxes is a set a
//! side to move, those with which the geese side reaches a goal: a word of points for one fox, a triangle of pairs for
//! two. Steps of a fox are shifts of such words, or looked up for parts of a triangle; goose moves and jumps look up
//! the sets of other patterns. Patterns stand in *strips*, so that the sets that one strip looks up stand side by side
//! in a few others: what there is to look up is joined strip by strip, not pattern by pattern, and nearly always found
//! in the cache.
//!
//! Captures lower the number of geese. Where geese never go back, forward steps raise the sum of their ranks, so that a
//! layer falls into levels that are solved one after the other; otherwise it is one level. A level is solved twice, for
//! the wins of the geese and for those of the fox side; each round adds what is decided one ply further from
//! conversion, until nothing changes.
//!
//! Where a huff takes one of two foxes off, a layer is solved for one fox first. A step that costs a fox leads to those
//! positions, so that, like a capture, it is judged before the first round; who costs the last fox loses at once.
//!
//! Distances to the end of one fox's games take the same rounds; what lies behind a capture or a forward step joins the
//! round that its own distance to the end names.
//!
//! The files in the order of their dependence: `words` are sets of points, `pairs` of pairs; `rules` is a ruleset as
//! masks and shifts; `foxes` is what the rest asks about foxes, `one_fox` and `two_foxes` answer it; `numbering` cuts
//! patterns in two, `tail_moves` lists what connects the second halves, `layer` lays out strips; `sweep` joins the sets
//! of neighbours, `jumps` finds what jumps lead to, `landings` keeps it; `news` packs what a round decides; `level` is
//! what a level is solved from, `outside` what leaves it, `rounds` solves it and `round_progress` tells how far it is;
//! `pieces` turns what it found into `block_entries`, `layout` finds an entry again, `finished` reads all of them;
//! `strip_game` is all of that for a game, `cost` what it takes; `solver` goes from level to level with distances to
//! conversion, `huffs` from one fox to two, `ends` is for distances to the end.

mod block_entries;
mod cost;
mod ends;
mod finished;
mod foxes;
mod huffs;
mod jumps;
mod landings;
mod layer;
mod layout;
mod level;
mod news;
mod numbering;
mod one_fox;
mod outside;
mod pairs;
mod pieces;
mod round_progress;
mod rounds;
mod rules;
mod solver;
mod strip_game;
mod sweep;
mod tail_moves;
#[cfg(test)]
mod tests;
mod two_foxes;
mod words;

use ends::EndSolver;
use huffs::HuffSolver;
use layout::{HuffLayout, StripLayout};
use one_fox::OneFox;
use rules::fox_numbers;
use solver::StripSolver;
use two_foxes::TwoFoxes;

use super::{LayerSolver, Metric, PositionLayout};
use crate::geometry::Word;
use crate::rules::hunt::Hunt;

/// A solver for layers up to one with `last` geese; `None` when the ruleset, or distances of this kind, need another
/// method.
pub(crate) fn solver<W: Word>(game: &Hunt<W>, metric: Metric, last: u32) -> Option<Box<dyn LayerSolver + Send>> {
    match (fox_numbers(game)?, metric) {
        ([1, 1], Metric::Conversion) => Some(Box::new(StripSolver::<OneFox>::new(game, last)?)),
        ([1, 1], Metric::End) => Some(Box::new(EndSolver::new(game, last)?)),
        ([2, 2], Metric::Conversion) => Some(Box::new(StripSolver::<TwoFoxes>::new(game, last)?)),
        ([1, 2], Metric::Conversion) => Some(Box::new(HuffSolver::new(game, last)?)),
        _ => None,
    }
}

/// How such a solver numbers positions.
pub(crate) fn layout<W: Word>(game: &Hunt<W>, metric: Metric) -> Option<Box<dyn PositionLayout<W>>> {
    match (fox_numbers(game)?, metric) {
        ([1, 1], _) => Some(Box::new(StripLayout::<OneFox>::new(game)?)),
        ([2, 2], Metric::Conversion) => Some(Box::new(StripLayout::<TwoFoxes>::new(game)?)),
        ([1, 2], Metric::Conversion) => Some(Box::new(HuffLayout::new(game)?)),
        _ => None,
    }
}
