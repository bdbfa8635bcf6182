//! Binomial coefficients, and numbers for sets of points, up to symmetry where wanted.

use crate::geometry::{Board, Point, PointSet, Symmetry, Word};

/// The number of ways to choose `k` of `n`; [`u128::MAX`] when that, or a step on the way to it, is larger.
pub(in crate::tablebase) fn binomial(n: u32, k: u32) -> u128 {
    if k > n {
        return 0;
    }
    let step = |ways: u128, i: u32| Some(ways.checked_mul(u128::from(n - i))? / u128::from(i + 1));
    (0..k.min(n - k)).try_fold(1, step).unwrap_or(u128::MAX)
}

/// The binomial coefficients for up to a number of things, each at most [`u64::MAX`].
#[derive(Clone, Debug)]
pub(in crate::tablebase) struct Binomials {
    width: usize,
    /// By k: the ways to choose k of 0, 1, 2, ... things.
    rows: Vec<u64>,
}

impl Binomials {
    pub(in crate::tablebase) fn new(most: u32) -> Self {
        let ways = |k: u32, n: u32| u64::try_from(binomial(n, k)).unwrap_or(u64::MAX);
        let rows = (0..=most).flat_map(|k| (0..=most).map(move |n| ways(k, n))).collect();
        Binomials { width: most as usize + 1, rows }
    }

    #[inline]
    pub(super) fn get(&self, n: usize, k: usize) -> u64 {
        self.rows[k * self.width + n]
    }

    /// The number of a set among all sets of its size, given its members from low to high. The order is
    /// colexicographic: sets are compared by their highest member first.
    #[inline]
    pub(super) fn rank(&self, members: impl Iterator<Item = usize>) -> u64 {
        members.enumerate().map(|(index, member)| self.get(member, index + 1)).sum()
    }

    /// Writes the members of the set with this rank, from low to high: the inverse of [`rank`](Binomials::rank).
    /// `members` has the size of the set, whose members are below `things`.
    pub(in crate::tablebase) fn unrank(&self, mut rank: u64, things: usize, members: &mut [u8]) {
        let mut member = things;
        for (index, place) in members.iter_mut().enumerate().rev() {
            loop {
                member -= 1;
                if self.get(member, index + 1) <= rank {
                    break;
                }
            }
            rank -= self.get(member, index + 1);
            *place = member as u8;
        }
    }
}

/// Turns `members` into the next set of their size in colexicographic order; after the last set they are meaningless.
pub(in crate::tablebase) fn advance(members: &mut [u8]) {
    for index in 0..members.len() {
        members[index] += 1;
        if members.get(index + 1).is_none_or(|&next| members[index] < next) {
            return;
        }
        members[index] = index as u8;
    }
}

/// The set with these members, given as indices of `points` from low to high, and all later sets of its size in
/// colexicographic order.
pub(in crate::tablebase) fn sets_from<W: Word>(
    points: &[Point],
    mut members: Vec<u8>,
) -> impl Iterator<Item = PointSet<W>> {
    // After the last set the highest member lies past the points. The empty set has no member, and nothing follows it.
    let most = if members.is_empty() { 1 } else { usize::MAX };
    let next = move || {
        let set = members.iter().map(|&member| points.get(usize::from(member)).copied()).collect();
        advance(&mut members);
        set
    };
    std::iter::from_fn(next).take(most)
}

/// All sets of `size` of the points, in colexicographic order.
pub(in crate::tablebase) fn all_sets<W: Word>(points: &[Point], size: u32) -> impl Iterator<Item = PointSet<W>> {
    sets_from(points, (0..size as u8).collect())
}

/// A set of foxes that stands for all its images under some symmetries.
#[derive(Clone, Copy, Debug)]
pub(in crate::tablebase) struct KeptFoxes<W: Word> {
    pub foxes: PointSet<W>,
    /// The number of different images, the set itself included.
    pub images: u64,
}

/// The place of a set of foxes: its kept image, and how it is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::tablebase) struct FoxPlace {
    /// The number of the kept set.
    pub number: u32,
    /// The number of the symmetry that maps the set onto the kept set.
    pub symmetry: u8,
}

/// All sets of a number of foxes: the kept ones, and the place of each.
#[derive(Clone, Debug)]
struct FoxSets<W: Word> {
    kept: Vec<KeptFoxes<W>>,
    /// By rank among all sets of this size: the place of the set.
    places: Vec<FoxPlace>,
}

/// Numbers for the sets of a board's points and, up to symmetry, for sets of foxes.
#[derive(Clone, Debug)]
pub(in crate::tablebase) struct SetNumbering<W: Word> {
    pub binomials: Binomials,
    /// The points of the board, from low to high.
    pub points: Vec<Point>,
    /// By cell: the points with lower numbers.
    below: Vec<PointSet<W>>,
    symmetries: Vec<Symmetry>,
    /// By number of foxes: their sets.
    fox_sets: Vec<FoxSets<W>>,
}

impl<W: Word> SetNumbering<W> {
    /// Numbers all sets of at most `most_foxes` foxes. The first of the symmetries must be the identity.
    pub(in crate::tablebase) fn new(board: &Board, symmetries: Vec<Symmetry>, most_foxes: u32) -> Self {
        let points = board.points().to_vec();
        let mut below = vec![PointSet::EMPTY; board.cells()];
        for (number, point) in points.iter().enumerate() {
            below[point.index()] = points[..number].iter().copied().collect();
        }
        let binomials = Binomials::new(points.len() as u32);
        let mut numbering = SetNumbering { binomials, points, below, symmetries, fox_sets: Vec::new() };
        numbering.fox_sets = (0..=most_foxes).map(|foxes| numbering.list_fox_sets(foxes)).collect();
        numbering
    }

    /// The points outside `taken`, from low to high.
    pub(in crate::tablebase) fn beside(&self, taken: PointSet<W>) -> impl Iterator<Item = Point> + '_ {
        self.points.iter().copied().filter(move |&point| !taken.has(point))
    }

    /// The image of a set under the symmetry with this number; the set itself where there is no such symmetry.
    #[inline]
    pub(in crate::tablebase) fn image(&self, symmetry: u8, set: PointSet<W>) -> PointSet<W> {
        self.symmetries.get(usize::from(symmetry)).map_or(set, |symmetry| symmetry.set(set))
    }

    /// The kept sets with this number of foxes.
    pub(in crate::tablebase) fn kept(&self, foxes: u32) -> &[KeptFoxes<W>] {
        self.fox_sets.get(foxes as usize).map_or(&[], |sets| &sets.kept)
    }

    /// The place of a set of foxes; it has at most as many as this numbering is for.
    #[inline]
    pub(in crate::tablebase) fn fox_place(&self, foxes: PointSet<W>) -> FoxPlace {
        self.fox_sets[foxes.len() as usize].places[self.rank(foxes) as usize]
    }

    /// The number of a point among those outside `taken`.
    #[inline]
    pub(in crate::tablebase) fn number_beside(&self, point: Point, taken: PointSet<W>) -> u32 {
        (self.below[point.index()] - taken).len()
    }

    /// The rank of a set among all sets of its size that are disjoint from `taken`.
    #[inline]
    pub(in crate::tablebase) fn rank_beside(&self, set: PointSet<W>, taken: PointSet<W>) -> u64 {
        self.binomials.rank(set.iter().map(|point| self.number_beside(point, taken) as usize))
    }

    fn rank(&self, set: PointSet<W>) -> u64 {
        self.rank_beside(set, PointSet::EMPTY)
    }

    fn list_fox_sets(&self, foxes: u32) -> FoxSets<W> {
        let mut sets = FoxSets { kept: Vec::new(), places: Vec::new() };
        for (rank, set) in (0..).zip(all_sets(&self.points, foxes)) {
            let mut images: Vec<(u64, u8)> = self
                .symmetries
                .iter()
                .zip(0..)
                .map(|(symmetry, number)| (self.rank(symmetry.set(set)), number))
                .collect();
            images.sort_unstable();
            // The first of all images is kept.
            let (first, symmetry) = images[0];
            let place = if first < rank {
                FoxPlace { number: sets.places[first as usize].number, symmetry }
            } else {
                images.dedup_by_key(|image| image.0);
                sets.kept.push(KeptFoxes { foxes: set, images: images.len() as u64 });
                FoxPlace { number: sets.kept.len() as u32 - 1, symmetry: 0 }
            };
            sets.places.push(place);
        }
        sets
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::hunt::{Hunt, Ruleset};

    #[test]
    fn coefficients() {
        assert_eq!([binomial(33, 6), binomial(33, 0), binomial(5, 6), binomial(25, 21)], [1_107_568, 1, 0, 12_650]);
        assert_eq!(binomial(64, 32), 1_832_624_140_942_590_534);
        assert_eq!((binomial(128, 64), binomial(128, 127)), (u128::MAX, 128));
        assert_eq!(Binomials::new(33).get(33, 16), 1_166_803_110);
        assert_eq!(Binomials::new(128).get(128, 64), u64::MAX);
    }

    #[test]
    fn every_set_has_its_place() {
        let binomials = Binomials::new(11);
        for size in 0..=11 {
            let mut members: Vec<u8> = (0..size as u8).collect();
            for rank in 0..binomials.get(11, size) {
                assert_eq!(binomials.rank(members.iter().map(|&member| usize::from(member))), rank);
                let mut again = vec![0; size];
                binomials.unrank(rank, 11, &mut again);
                assert_eq!(again, members);
                advance(&mut members);
            }
        }
    }

    /// A numbering with the identity and the mirror of left and right.
    fn numbering(name: &str, foxes: u32) -> SetNumbering<u128> {
        let ruleset = Ruleset::from_catalog(name, &[]).expect("a ruleset of the catalog");
        let game = Hunt::<u128>::new(&ruleset);
        SetNumbering::new(game.board(), game.symmetries().into_iter().take(2).collect(), foxes)
    }

    #[test]
    fn foxes_are_kept_once_for_both_images() {
        let cross = numbering("two-foxes-24", 2);
        let alone = |foxes: u32| cross.kept(foxes).iter().filter(|set| set.images == 1).count();
        // Seven points of the cross lie on the middle file.
        assert_eq!((cross.kept(1).len(), alone(1)), (20, 7));
        assert_eq!((cross.kept(2).len(), alone(2)), (281, 34));
        for set in cross.kept(2) {
            let place = cross.fox_place(set.foxes);
            assert_eq!(place.symmetry, 0);
            let image = cross.fox_place(cross.image(1, set.foxes));
            assert_eq!((image.number, u64::from(image.symmetry)), (place.number, set.images - 1));
        }
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
