//! The patterns with so many geese on each rank, numbered without gaps, a pattern and its mirror image as one.

use super::ranks::{MirrorClass, Ranks};

/// So many geese on each rank.
///
/// Ranks are read from the widest to the narrowest. As long as they are symmetric, each gives the number of its way
/// among the symmetric ones, which come after the pairs; the first that is not decides which of the two images counts,
/// and from there on the number is an ordinary one with mixed radix.
#[derive(Clone, Debug)]
pub(super) struct Profile {
    /// By rank.
    pub geese: Vec<u8>,
    /// By place in the order of reading: what is read, and how to weigh it.
    digits: Vec<Digit>,
    pub patterns: u32,
}

#[derive(Clone, Copy, Debug)]
struct Digit {
    rank: u32,
    /// Patterns of the ranks after this one.
    full: u32,
    /// The same when all ranks so far are symmetric.
    half: u32,
    /// Patterns whose first unsymmetric rank is this one.
    pairs: u32,
}

impl Profile {
    /// `order` lists the ranks, those read first in front. `None` if there are more patterns than 32 bits can number.
    pub(super) fn new(ranks: &Ranks, order: &[usize], geese: &[u8]) -> Option<Profile> {
        let mut digits = Vec::with_capacity(order.len());
        let (mut full, mut half) = (1u32, 1u32);
        for &rank in order.iter().rev() {
            let (pairs, symmetric) = ranks.census(rank, geese[rank].into());
            let ways = ranks.patterns(rank, geese[rank].into()).count() as u32;
            let pairs = pairs.checked_mul(full)?;
            digits.push(Digit { rank: rank as u32, full, half, pairs });
            half = symmetric.checked_mul(half)?.checked_add(pairs)?;
            full = ways.checked_mul(full)?;
        }
        digits.reverse();
        Some(Profile { geese: geese.to_vec(), digits, patterns: half })
    }

    /// The number of a pattern in the profile, and whether the stored pattern is the mirror image.
    #[inline]
    pub(super) fn number(&self, ranks: &Ranks, pattern: u64) -> (u32, bool) {
        let mut index = 0;
        let mut digits = self.digits.iter();
        for digit in digits.by_ref() {
            let row = ranks.row(digit.rank, pattern);
            let number = u32::from(row.number);
            if row.kind == MirrorClass::Symmetric {
                index += digit.pairs + number * digit.half;
                continue;
            }
            let image = usize::from(row.kind == MirrorClass::Second);
            let weighed = |digit: &Digit| u32::from(ranks.row(digit.rank, pattern).digits[image]) * digit.full;
            index += number * digit.full + digits.map(weighed).sum::<u32>();
            return (index, image == 1);
        }
        (index, false)
    }

    /// The stored patterns in the order of their index.
    pub(super) fn list(&self, ranks: &Ranks, out: &mut Vec<u64>) {
        self.list_from(ranks, 0, 0, true, out);
    }

    fn list_from(&self, ranks: &Ranks, place: usize, pattern: u64, symmetric: bool, out: &mut Vec<u64>) {
        let Some(digit) = self.digits.get(place) else {
            out.push(pattern);
            return;
        };
        let ways = || ranks.patterns(digit.rank as usize, self.geese[digit.rank as usize].into());
        if !symmetric {
            ways().for_each(|way| self.list_from(ranks, place + 1, pattern | way, false, out));
            return;
        }
        let of = |kind: MirrorClass| ways().filter(move |&way| ranks.row(digit.rank, way).kind == kind);
        of(MirrorClass::First).for_each(|way| self.list_from(ranks, place + 1, pattern | way, false, out));
        of(MirrorClass::Symmetric).for_each(|way| self.list_from(ranks, place + 1, pattern | way, true, out));
    }
}
