//! The numbers of goose patterns, for all groups of points at once.

use crate::geometry::{Point, PointSet, Symmetry, Word};

/// Groups that are looked up together: their numbers fill the widest registers that every machine has.
const LANES: usize = 16;

type Lanes = [u16; LANES];

/// For every group the offset of the pattern of its geese: what every byte of the set of geese adds to it is tabled.
#[derive(Clone)]
pub(super) struct GroupLookup {
    /// By sixteen groups, by byte of the set, by value of the byte.
    tables: Vec<Vec<[Lanes; 256]>>,
}

impl GroupLookup {
    /// Bit n of the number of a pattern is a goose on the n-th point of its group, once the board is turned by `symmetry`.
    /// Each number is added to the offset of its group. Lanes without a group all give `spare`.
    pub(super) fn new(groups: &[Vec<Point>], offsets: &[u16], symmetry: &Symmetry, cells: usize, spare: u16) -> Self {
        let table = |block: usize, byte: usize| -> [Lanes; 256] {
            std::array::from_fn(|value| {
                let set = PointSet::<u128>::from_word((value as u128) << (8 * byte));
                let geese = set.iter().filter(|point| point.index() < cells).map(|point| symmetry.point(point));
                let geese: PointSet<u128> = geese.collect();
                std::array::from_fn(|lane| {
                    let index = block * LANES + lane;
                    let begin = if byte == 0 { offsets.get(index).copied().unwrap_or(spare) } else { 0 };
                    begin + groups.get(index).map_or(0, |group| pattern(group, geese))
                })
            })
        };
        let block = |block| (0..cells.div_ceil(8)).map(|byte| table(block, byte)).collect();
        GroupLookup { tables: (0..groups.len().div_ceil(LANES)).map(block).collect() }
    }

    /// Calls `visit` with the offset of each group's pattern, in the order of the groups, and with the spare one for
    /// every lane that is left over.
    #[inline(always)]
    pub(super) fn for_each<W: Word>(&self, geese: PointSet<W>, mut visit: impl FnMut(u16)) {
        let word = geese.word();
        for table in &self.tables {
            let mut lanes = [0; LANES];
            for (number, values) in table.iter().enumerate() {
                let added = &values[usize::from(word.byte(number))];
                lanes.iter_mut().zip(added).for_each(|(lane, added)| *lane += added);
            }
            lanes.into_iter().for_each(&mut visit);
        }
    }
}

/// The number of the pattern that geese make on the points of a group.
pub(super) fn pattern(group: &[Point], geese: PointSet<u128>) -> u16 {
    (0..).zip(group).map(|(bit, &point)| u16::from(geese.has(point)) << bit).sum()
}
