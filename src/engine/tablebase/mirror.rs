//! The mirror of the files, under which a position and its image share one entry.

use crate::geometry::{Symmetry, Vector, Word};
use crate::rules::hunt::Hunt;

/// The mirror that swaps left and right, if it keeps the rules.
pub(super) fn mirror<W: Word>(game: &Hunt<W>) -> Option<Symmetry> {
    let (right, up) = (Vector { files: 1, ranks: 0 }, Vector { files: 0, ranks: 1 });
    let left = Vector { files: -1, ranks: 0 };
    let swaps = |symmetry: &Symmetry| symmetry.vector(right) == left && symmetry.vector(up) == up;
    game.symmetries().into_iter().find(swaps)
}
