//! Sets of points as 64-bit words: their points and their images.

use crate::geometry::{PointSet, Word, singles};

/// A set of a board with at most 64 cells.
pub(super) fn word<W: Word>(set: PointSet<W>) -> u64 {
    set.widen().word() as u64
}

/// A symmetry of the board, as a map of sets.
#[derive(Clone, Debug)]
pub(super) struct WordMap {
    /// By byte of a word and its value: the image.
    bytes: Vec<[u64; 256]>,
}

impl WordMap {
    /// `image` maps the points of `all`, given as sets of one.
    pub(super) fn new(all: u64, image: impl Fn(u64) -> u64) -> WordMap {
        let images = |set: u64| singles(set & all).fold(0, |images, point| images | image(point));
        let table = |byte: u32| std::array::from_fn(|value| images((value as u64) << (8 * byte)));
        WordMap { bytes: (0..(64 - all.leading_zeros()).div_ceil(8)).map(table).collect() }
    }

    /// The image of a set of points of the board.
    #[inline(always)]
    pub(super) fn apply(&self, set: u64) -> u64 {
        let image = |(byte, table): (usize, &[u64; 256])| table[usize::from((set >> (8 * byte)) as u8)];
        self.bytes.iter().enumerate().map(image).fold(0, |all, image| all | image)
    }
}

/// Moves the bits of some points together, or back.
#[derive(Clone, Debug)]
pub(super) struct Packing {
    /// Runs of neighbouring points: their bits, and by how much they move down.
    runs: Vec<(u64, u32)>,
}

impl Packing {
    pub(super) fn new(points: u64) -> Packing {
        let (mut runs, mut packed) = (Vec::new(), 0);
        let mut left = points;
        while left != 0 {
            let start = left.trailing_zeros();
            let length = (left >> start).trailing_ones();
            let run = (u64::MAX >> (64 - length)) << start;
            runs.push((run, start - packed));
            packed += length;
            left &= !run;
        }
        Packing { runs }
    }

    #[inline(always)]
    pub(super) fn packed(&self, set: u64) -> u64 {
        self.runs.iter().fold(0, |all, &(run, down)| all | (set & run) >> down)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::subsets;

    #[test]
    fn subsets_come_in_the_order_of_their_packed_bits() {
        let points = 0b1011_0000_0001_0110;
        let packing = Packing::new(points);
        let packed: Vec<u64> = subsets(points).map(|set| packing.packed(set)).collect();
        assert_eq!(packed, (0..64).collect::<Vec<_>>());
        assert_eq!(subsets(0u64).collect::<Vec<_>>(), [0]);
    }

    #[test]
    fn maps_take_points_one_by_one() {
        let all = 0xffff_ffff_ff00;
        let map = WordMap::new(all, |point| 1 << (55 - point.trailing_zeros()));
        assert_eq!(map.apply(0x0300_0000_0100), 1 << 47 | 0b11 << 14);
        assert_eq!(map.apply(all), all);
    }
}
