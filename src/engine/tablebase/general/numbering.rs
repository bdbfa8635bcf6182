//! Numbers for sets of points, and for sets of foxes up to mirroring the board.

use crate::geometry::{Point, PointSet, Symmetry, Vector, Word};
use crate::rules::hunt::Hunt;
use crate::tablebase::binomials::{Binomials, all_sets, binomial};

/// The most ways of setting the foxes up that a table is built for.
pub(super) const MOST_FOX_SETS: u128 = 1 << 22;

/// A set of foxes that stands for itself and its mirror image.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoxSet<W: Word> {
    pub foxes: PointSet<W>,
    /// The mirror maps it onto itself, or there is no mirror.
    pub is_alone: bool,
}

/// Where a set of foxes is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FoxPlace {
    /// The number of the kept set.
    pub number: u32,
    /// The kept set is the mirror image.
    pub mirrored: bool,
}

/// All sets of a number of foxes: which are kept, and which of them stands for which set.
#[derive(Clone, Debug, Default)]
struct FoxSets<W: Word> {
    kept: Vec<FoxSet<W>>,
    /// By rank among all sets.
    places: Vec<FoxPlace>,
}

/// The points of a board in a row, and what there is to choose among them.
#[derive(Clone, Debug)]
pub(super) struct SetNumbering<W: Word> {
    pub binomials: Binomials,
    points: Vec<Point>,
    /// By cell: the points of lower number.
    below: Vec<PointSet<W>>,
    mirror: Option<Symmetry>,
    /// By number of foxes.
    fox_sets: Vec<FoxSets<W>>,
}

/// Whether `foxes` foxes have few enough places on `points` points for a table.
pub(super) fn is_countable(points: u32, foxes: u32) -> bool {
    binomial(points, foxes.min(points / 2)) <= MOST_FOX_SETS
}

/// The mirror that swaps left and right, if it keeps the rules.
pub(super) fn mirror<W: Word>(game: &Hunt<W>) -> Option<Symmetry> {
    let (right, up) = (Vector { files: 1, ranks: 0 }, Vector { files: 0, ranks: 1 });
    let left = Vector { files: -1, ranks: 0 };
    let swaps = |symmetry: &Symmetry| symmetry.vector(right) == left && symmetry.vector(up) == up;
    game.symmetries().into_iter().find(swaps)
}

impl<W: Word> SetNumbering<W> {
    /// The numbering for at most `most_foxes` foxes; see [`is_countable`].
    pub(super) fn new(game: &Hunt<W>, most_foxes: u32) -> Self {
        let board = game.board();
        let mut below = vec![PointSet::EMPTY; board.cells()];
        for (number, point) in board.points().iter().enumerate() {
            below[point.index()] = board.points()[..number].iter().copied().collect();
        }
        let mut numbering = SetNumbering {
            binomials: Binomials::new(board.points().len() as u32),
            points: board.points().to_vec(),
            below,
            mirror: mirror(game),
            fox_sets: Vec::new(),
        };
        numbering.fox_sets = (0..=most_foxes).map(|foxes| numbering.list_fox_sets(foxes)).collect();
        numbering
    }

    /// The number of points.
    pub(super) fn points(&self) -> usize {
        self.points.len()
    }

    /// The points that are not of `taken`, from low to high.
    pub(super) fn beside(&self, taken: PointSet<W>) -> impl Iterator<Item = Point> + '_ {
        self.points.iter().copied().filter(move |&point| !taken.has(point))
    }

    /// The set that the mirror maps a set onto; itself where there is no mirror.
    #[inline]
    pub(super) fn mirrored(&self, set: PointSet<W>) -> PointSet<W> {
        self.mirror.as_ref().map_or(set, |mirror| mirror.set(set))
    }

    /// The kept sets of a number of foxes.
    pub(super) fn kept(&self, foxes: u32) -> &[FoxSet<W>] {
        self.fox_sets.get(foxes as usize).map_or(&[], |sets| &sets.kept)
    }

    /// The kept set for a set of foxes, of which there are not more than this numbering is for.
    #[inline]
    pub(super) fn fox_place(&self, foxes: PointSet<W>) -> FoxPlace {
        self.fox_sets[foxes.len() as usize].places[self.rank(foxes) as usize]
    }

    /// The place of a set among all sets of its size that are disjoint from `taken`.
    #[inline]
    pub(super) fn rank_beside(&self, set: PointSet<W>, taken: PointSet<W>) -> u64 {
        self.binomials.rank(set.iter().map(|point| (self.below[point.index()] - taken).len() as usize))
    }

    fn rank(&self, set: PointSet<W>) -> u64 {
        self.rank_beside(set, PointSet::EMPTY)
    }

    fn list_fox_sets(&self, foxes: u32) -> FoxSets<W> {
        let mut sets = FoxSets { kept: Vec::new(), places: Vec::new() };
        for (rank, set) in (0..).zip(all_sets(&self.points, foxes)) {
            let image = self.rank(self.mirrored(set));
            // Of two images, the one that comes first is kept.
            let place = if image < rank {
                FoxPlace { number: sets.places[image as usize].number, mirrored: true }
            } else {
                sets.kept.push(FoxSet { foxes: set, is_alone: image == rank });
                FoxPlace { number: sets.kept.len() as u32 - 1, mirrored: false }
            };
            sets.places.push(place);
        }
        sets
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::hunt::Ruleset;

    fn numbering(name: &str, foxes: u32) -> SetNumbering<u128> {
        let ruleset = Ruleset::from_catalog(name, &[]).expect("a ruleset of the catalog");
        SetNumbering::new(&Hunt::new(&ruleset), foxes)
    }

    #[test]
    fn foxes_are_kept_once_for_both_images() {
        let cross = numbering("two-foxes-24", 2);
        let alone = |foxes: u32| cross.kept(foxes).iter().filter(|set| set.is_alone).count();
        // Seven points of the cross lie on the middle file.
        assert_eq!((cross.kept(1).len(), alone(1)), (20, 7));
        assert_eq!((cross.kept(2).len(), alone(2)), (281, 34));
        for set in cross.kept(2) {
            let place = cross.fox_place(set.foxes);
            assert!(!place.mirrored);
            let image = cross.fox_place(cross.mirrored(set.foxes));
            assert_eq!((image.number, image.mirrored), (place.number, !set.is_alone));
        }
    }

    #[test]
    fn a_rhombus_in_a_corner_has_no_mirror() {
        let hexagon = numbering("hex-siege", 2);
        assert_eq!(hexagon.kept(2).len(), 37 * 36 / 2);
        assert!(hexagon.kept(2).iter().all(|set| set.is_alone));
    }

    #[test]
    fn sets_beside_others_are_counted_without_gaps() {
        let board = numbering("catch-the-hare", 1);
        let point = |number: usize| board.points[number];
        let taken = PointSet::of(point(3));
        let mut expected = 0;
        for high in 0..25 {
            for low in 0..high {
                let set = PointSet::of(point(low)).with(point(high));
                if set.is_disjoint(taken) {
                    assert_eq!(board.rank_beside(set, taken), expected);
                    expected += 1;
                }
            }
        }
    }
}
