//! One fox: a placement is a point, and a set of them a word.

use super::foxes::{Foxes, Jump, Jumpers, Landing, Placements};
use super::rules::PatternRules;
use crate::geometry::singles;

/// Sets of points as words of the board's cells.
pub(super) struct OneFox {
    rules: PatternRules,
}

impl Placements for u64 {
    const WORDS: usize = 1;

    #[inline(always)]
    fn word(&self, _index: usize) -> u64 {
        *self
    }

    #[inline(always)]
    fn toggle(&mut self, _index: usize, word: u64) {
        *self ^= word;
    }
}

/// There is no other fox that could jump.
impl Jumpers for u64 {}

impl Foxes for OneFox {
    const NUMBER: u32 = 1;
    const PIECE_PATTERNS: usize = 1 << 18;

    type Set = u64;
    type Jumpers = u64;

    fn new(rules: PatternRules) -> Option<OneFox> {
        Some(OneFox { rules })
    }

    #[inline(always)]
    fn rules(&self) -> &PatternRules {
        &self.rules
    }

    #[inline(always)]
    fn beside(&self, pattern: u64) -> u64 {
        self.rules.all & !pattern
    }

    fn on_all(&self, points: u64) -> u64 {
        match points.count_ones() {
            0 => self.rules.all,
            1 => points,
            _ => 0,
        }
    }

    #[inline(always)]
    fn on_any(&self, points: u64) -> u64 {
        points
    }

    #[inline(always)]
    fn before_steps(&self, set: u64) -> u64 {
        self.rules.near(set)
    }

    #[inline(always)]
    fn can_jump(&self, pattern: u64) -> u64 {
        self.rules.jumps.iter().fold(0, |any, axis| {
            let (up, down) = axis.ends(self.rules.open_middles(axis, pattern));
            any | up | down
        })
    }

    #[inline(always)]
    fn image(&self, symmetry: usize, set: u64) -> u64 {
        self.rules.symmetries[symmetry].apply(set)
    }

    fn columns(empty: u32) -> u32 {
        empty
    }

    #[inline(always)]
    fn column(empty: u64, fox: u64) -> u32 {
        (empty & fox.wrapping_sub(1)).count_ones()
    }

    fn bits(&self, empty: u64) -> impl Iterator<Item = usize> {
        singles(empty).map(|point| point.trailing_zeros() as usize)
    }

    #[inline(always)]
    fn points(&self, bit: usize) -> u64 {
        1 << bit
    }

    #[inline(always)]
    fn jumpers(&self, pattern: u64) -> u64 {
        self.can_jump(pattern)
    }

    #[inline(always)]
    fn for_every_jumper(&self, set: u64) -> u64 {
        set
    }

    #[inline(always)]
    fn of_any_jumper(&self, jumpers: &u64) -> u64 {
        *jumpers
    }

    fn as_jumpers(sets: &[u64]) -> Option<&[u64]> {
        Some(sets)
    }

    fn packed_bytes(empty: u32) -> usize {
        empty.div_ceil(8) as usize
    }

    #[inline(always)]
    fn pack(&self, jumpers: &u64, empty: u64, bytes: &mut [u8]) {
        let bits = singles(empty).zip(0..).map(|(point, bit)| u64::from(jumpers & point != 0) << bit);
        bytes.copy_from_slice(&bits.fold(0, |all, bit| all | bit).to_le_bytes()[..bytes.len()]);
    }

    #[inline(always)]
    fn add_failing(&self, jump: &Jump, landing: &Landing<'_>, _pattern: u64, failing: &mut u64) {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&landing.bytes[..8]);
        if u64::from_le_bytes(bytes) >> OneFox::column(landing.empty, landing.to) & 1 == 0 {
            *failing |= jump.from;
        }
    }
}
