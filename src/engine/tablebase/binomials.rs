//! Binomial coefficients, exact as far as numbers go, and the sets that they count.

use crate::geometry::{Point, PointSet, Word};

/// The number of ways to choose `k` of `n`; [`u128::MAX`] when that, or the way to it, is more.
pub(in crate::tablebase) fn binomial(n: u32, k: u32) -> u128 {
    if k > n {
        return 0;
    }
    let step = |ways: u128, i: u32| Some(ways.checked_mul(u128::from(n - i))? / u128::from(i + 1));
    (0..k.min(n - k)).try_fold(1, step).unwrap_or(u128::MAX)
}

/// All coefficients of up to `most` things, each at most [`u64::MAX`].
#[derive(Clone, Debug)]
pub(in crate::tablebase) struct Binomials {
    width: usize,
    /// Row k holds the ways to choose k of 0, 1, 2, ... things.
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

    /// The place of a set among all sets of its size, given its members from low to high: colexicographic order, in
    /// which sets are compared by their highest member first.
    #[inline]
    pub(super) fn rank(&self, members: impl Iterator<Item = usize>) -> u64 {
        members.enumerate().map(|(index, member)| self.get(member, index + 1)).sum()
    }

    /// The set of a place, as its members from low to high: the inverse of [`rank`](Binomials::rank). `members` has
    /// the size of the set, which has members below `things`.
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

/// The next set of the same size in colexicographic order; after the last one the members mean nothing.
pub(in crate::tablebase) fn advance(members: &mut [u8]) {
    for index in 0..members.len() {
        members[index] += 1;
        if members.get(index + 1).is_none_or(|&next| members[index] < next) {
            return;
        }
        members[index] = index as u8;
    }
}

/// The sets of points with these members, given as places in `points` from low to high, and all that follow in
/// colexicographic order. There are no more sets than [`binomial`] tells: asking for more panics.
pub(in crate::tablebase) fn sets_from<W: Word>(
    points: &[Point],
    mut members: Vec<u8>,
) -> impl Iterator<Item = PointSet<W>> {
    std::iter::repeat_with(move || {
        let set = members.iter().map(|&member| points[usize::from(member)]).collect();
        advance(&mut members);
        set
    })
}

/// All sets of `size` of some points, in colexicographic order.
pub(in crate::tablebase) fn all_sets<W: Word>(points: &[Point], size: u32) -> impl Iterator<Item = PointSet<W>> {
    let sets = usize::try_from(binomial(points.len() as u32, size)).unwrap_or(usize::MAX);
    sets_from(points, (0..size as u8).collect()).take(sets)
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
