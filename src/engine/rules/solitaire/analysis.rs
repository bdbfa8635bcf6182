//! Measures of a position for evaluators.

use super::Solitaire;
use crate::geometry::{PointSet, Word};

impl<W: Word> Solitaire<W> {
    /// Pegs with no other peg beside them that they could jump over if the hole beyond were empty.
    #[inline]
    pub fn lonely(&self, pegs: PointSet<W>) -> PointSet<W> {
        self.directions.iter().fold(pegs, |lonely, direction| lonely - direction.neighboured(pegs))
    }

    /// The points over which no jump leads: a peg there must jump away by itself. The corners of the cross are such.
    #[inline]
    pub fn corners(&self) -> PointSet<W> {
        self.corners
    }
}
