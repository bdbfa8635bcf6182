//! Numbers the ways in which geese stand on one rank.

use super::rules::OneFoxRules;

/// One way to stand on a rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct RankPattern {
    /// Its number among the ways with as many geese, and the number of its mirror image.
    pub digits: [u16; 2],
    /// Its number among the symmetric ways, or that of its pair among the pairs.
    pub number: u16,
    pub kind: MirrorClass,
}

/// How a way to stand relates to its mirror image.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum MirrorClass {
    #[default]
    Symmetric,
    /// The first of a pair.
    First,
    /// The second of a pair: the mirror image of the first.
    Second,
}

/// All ways to stand on every rank.
pub(super) struct Ranks {
    width: u32,
    mask: u64,
    /// By rank and bits: all of the lowest rank first.
    rows: Vec<RankPattern>,
    /// By rank and number of geese: the bits in the order of digits.
    lists: Vec<Vec<Vec<u64>>>,
}

impl Ranks {
    pub(super) fn new(rules: &OneFoxRules) -> Ranks {
        let mask = (1 << rules.width) - 1;
        let (mut rows, mut lists) = (Vec::new(), Vec::new());
        for rank in 0..rules.ranks {
            let points = rules.all >> (rank * rules.width) & mask;
            let list: Vec<Vec<u64>> = (0..=points.count_ones())
                .map(|geese| (0..=mask).filter(|bits| bits & !points == 0 && bits.count_ones() == geese).collect())
                .collect();
            rows.extend(number_rows(&list, rules));
            lists.push(list);
        }
        Ranks { width: rules.width, mask, rows, lists }
    }

    /// The way in which the geese of a pattern stand on one rank.
    #[inline(always)]
    pub(super) fn row(&self, rank: u32, pattern: u64) -> RankPattern {
        self.rows[(rank << self.width) as usize | (pattern >> (rank * self.width) & self.mask) as usize]
    }

    pub(super) fn count(&self) -> usize {
        self.lists.len()
    }

    /// The points of a rank.
    pub(super) fn points(&self, rank: usize) -> usize {
        self.lists[rank].len() - 1
    }

    /// The patterns of so many geese on one rank alone, by digit.
    pub(super) fn patterns(&self, rank: usize, geese: usize) -> impl Iterator<Item = u64> + '_ {
        self.lists[rank][geese].iter().map(move |bits| bits << (rank as u32 * self.width))
    }

    /// The number of pairs and of symmetric ways for so many geese on a rank.
    pub(super) fn census(&self, rank: usize, geese: usize) -> (u32, u32) {
        let of = |kind: MirrorClass| {
            self.patterns(rank, geese).filter(|&way| self.row(rank as u32, way).kind == kind).count() as u32
        };
        (of(MirrorClass::First), of(MirrorClass::Symmetric))
    }
}

fn number_rows(list: &[Vec<u64>], rules: &OneFoxRules) -> Vec<RankPattern> {
    let mut rows = vec![RankPattern::default(); 1 << rules.width];
    for ways in list {
        for (digit, &bits) in (0..).zip(ways) {
            rows[bits as usize].digits[0] = digit;
        }
        let (mut pairs, mut symmetric) = (0, 0);
        for &bits in ways {
            let image = if rules.mirrors { reversed(bits, rules.width) } else { bits };
            rows[bits as usize].digits[1] = rows[image as usize].digits[0];
            let (kind, number) = match () {
                // Without a mirror no way has a partner, and each is the first of its kind.
                () if !rules.mirrors => (MirrorClass::First, &mut pairs),
                () if image == bits => (MirrorClass::Symmetric, &mut symmetric),
                () if bits < image => (MirrorClass::First, &mut pairs),
                () => {
                    let first = rows[image as usize].number;
                    rows[bits as usize] =
                        RankPattern { kind: MirrorClass::Second, number: first, ..rows[bits as usize] };
                    continue;
                }
            };
            rows[bits as usize] = RankPattern { kind, number: *number, ..rows[bits as usize] };
            *number += 1;
        }
    }
    rows
}

/// The lowest `width` bits in the opposite order.
fn reversed(bits: u64, width: u32) -> u64 {
    bits.reverse_bits() >> (64 - width)
}
