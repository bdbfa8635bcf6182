//! The mirror of the files, under which a position and its image share one entry.

use crate::geometry::{Symmetry, Vector, Word, symmetries};
use crate::rules::hunt::Hunt;

/// The mirror that swaps left and right, if it keeps board and rules.
pub(super) fn mirror<W: Word>(game: &Hunt<W>) -> Option<Symmetry> {
    let (right, up) = (Vector { files: 1, ranks: 0 }, Vector { files: 0, ranks: 1 });
    let left = Vector { files: -1, ranks: 0 };
    let swaps = |symmetry: &Symmetry| symmetry.vector(right) == left && symmetry.vector(up) == up;
    let keeps = |symmetry: &Symmetry| symmetry.set(game.fortress()) == game.fortress();
    symmetries(game.board()).into_iter().find(|symmetry| swaps(symmetry) && keeps(symmetry))
}
