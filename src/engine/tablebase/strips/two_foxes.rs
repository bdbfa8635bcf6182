//! Two foxes: a placement is a pair of points, and which of them jumps matters only while one does.

mod huffed_steps;

use std::array::from_fn;
use std::ops::{BitAnd, BitOr, Not};

use super::foxes::{Foxes, Jump, Jumpers, Landing};
use super::pairs::{MOST_POINTS, PairMap, PairSet, pair_bit};
use super::rules::{JumpShift, PatternRules};
use crate::geometry::singles;

/// Sets of pairs, and tables of what steps, jumps and symmetries make of them.
pub(super) struct TwoFoxes {
    rules: PatternRules,
    /// By cell: the number of a point among all.
    numbers: [u8; 64],
    /// By bit: the two points.
    pairs: Vec<u64>,
    all: PairSet,
    /// By cell: the pairs with a fox there.
    with: Vec<PairSet>,
    before_steps: PairMap,
    /// By symmetry.
    images: Vec<PairMap>,
    /// By axis of jumps and cell of the middle: the pairs with a fox at one end and none at the other.
    over: Vec<Vec<PairSet>>,
}

/// By number of the point of a fox that jumps: the points of the other one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows([u64; MOST_POINTS]);

impl Default for Rows {
    fn default() -> Rows {
        Rows([0; MOST_POINTS])
    }
}

impl Jumpers for Rows {}

impl BitAnd for Rows {
    type Output = Rows;

    fn bitand(self, other: Rows) -> Rows {
        Rows(from_fn(|row| self.0[row] & other.0[row]))
    }
}

impl BitOr for Rows {
    type Output = Rows;

    fn bitor(self, other: Rows) -> Rows {
        Rows(from_fn(|row| self.0[row] | other.0[row]))
    }
}

impl Not for Rows {
    type Output = Rows;

    fn not(self) -> Rows {
        Rows(self.0.map(|row| !row))
    }
}

fn join(sets: impl Iterator<Item = PairSet>) -> PairSet {
    sets.fold(PairSet::default(), |all, set| all | set)
}

fn cell(point: u64) -> usize {
    point.trailing_zeros() as usize & 63
}

impl TwoFoxes {
    /// The number of a point among all.
    #[inline(always)]
    fn number(&self, point: u64) -> usize {
        self.numbers[cell(point)].into()
    }

    fn pair(&self, one: u64, other: u64) -> PairSet {
        PairSet::of(pair_bit(self.number(one), self.number(other)))
    }

    /// The pairs that a step of either fox can come from.
    fn before_step(&self, pair: u64) -> PairSet {
        let moved = |fox: u64| {
            let near = self.rules.near(fox) & !pair;
            join(singles(near).map(|before| self.pair(before, pair & !fox)))
        };
        join(singles(pair).map(moved))
    }

    /// The pairs with a fox at one end of a jump and none at the other.
    fn beside_jump(&self, axis: &JumpShift, middle: u64) -> PairSet {
        let (up, down) = axis.ends(middle);
        (self.with[cell(up)] | self.with[cell(down)]) & !self.pair(up, down)
    }

    fn fill_tables(&mut self) {
        let (rules, none) = (&self.rules, PairSet::default());
        let bits = self.pairs.len();
        let with = |cell: usize| join((0..bits).filter(|&bit| self.pairs[bit] >> cell & 1 == 1).map(PairSet::of));
        let with: Vec<PairSet> = (0..64).map(with).collect();
        let image = |symmetry: usize, bit: usize| {
            let mut points = singles(rules.symmetries[symmetry].apply(self.pairs[bit]));
            points.next().zip(points.next()).map_or(none, |(one, other)| self.pair(one, other))
        };
        let images = (0..rules.symmetries.len()).map(|symmetry| PairMap::new(bits, |bit| image(symmetry, bit)));
        let (images, before_steps) = (images.collect(), PairMap::new(bits, |bit| self.before_step(self.pairs[bit])));
        (self.with, self.images, self.before_steps) = (with, images, before_steps);
        let over = |axis: &JumpShift| {
            let of = |middle: u64| if axis.middles & middle == 0 { none } else { self.beside_jump(axis, middle) };
            (0..64).map(|cell| of(1 << cell)).collect()
        };
        self.over = self.rules.jumps.iter().map(over).collect();
    }
}

impl Foxes for TwoFoxes {
    const NUMBER: u32 = 2;
    const PIECE_PATTERNS: usize = 1 << 14;

    type Set = PairSet;
    type Jumpers = Rows;

    fn new(rules: PatternRules) -> Option<TwoFoxes> {
        let points: Vec<u64> = singles(rules.all).collect();
        if points.len() > MOST_POINTS {
            return None;
        }
        let mut numbers = [0; 64];
        points.iter().zip(0..).for_each(|(&point, number)| numbers[cell(point)] = number);
        let pairs: Vec<u64> = (0..points.len())
            .flat_map(|high| points[..high].iter().map(move |low| (high, low)))
            .map(|(high, low)| points[high] | low)
            .collect();
        let all = join((0..pairs.len()).map(PairSet::of));
        let none = PairMap::new(0, PairSet::of);
        let (with, images, over) = (Vec::new(), Vec::new(), Vec::new());
        let mut foxes = TwoFoxes { rules, numbers, pairs, all, with, before_steps: none, images, over };
        foxes.fill_tables();
        Some(foxes)
    }

    fn rules(&self) -> &PatternRules {
        &self.rules
    }

    #[inline]
    fn beside(&self, pattern: u64) -> PairSet {
        self.all & !self.on_any(pattern)
    }

    fn on_all(&self, points: u64) -> PairSet {
        singles(points).fold(self.all, |pairs, point| pairs & self.with[cell(point)])
    }

    #[inline]
    fn on_any(&self, points: u64) -> PairSet {
        join(singles(points).map(|point| self.with[cell(point)]))
    }

    #[inline]
    fn before_steps(&self, set: PairSet) -> PairSet {
        self.before_steps.apply(set)
    }

    fn can_jump(&self, pattern: u64) -> PairSet {
        let axes = self.rules.jumps.iter().zip(&self.over);
        join(
            axes.flat_map(|(axis, over)| {
                singles(self.rules.open_middles(axis, pattern)).map(|middle| over[cell(middle)])
            }),
        )
    }

    #[inline]
    fn image(&self, symmetry: usize, set: PairSet) -> PairSet {
        self.images[symmetry].apply(set)
    }

    fn columns(empty: u32) -> u32 {
        empty * empty.saturating_sub(1) / 2
    }

    #[inline]
    fn column(empty: u64, foxes: u64) -> u32 {
        let low = (empty & foxes.wrapping_sub(1) & !foxes).count_ones();
        let high = (empty & (foxes & foxes.wrapping_sub(1)).wrapping_sub(1)).count_ones();
        high * high.saturating_sub(1) / 2 + low
    }

    fn bits(&self, empty: u64) -> impl Iterator<Item = usize> {
        singles(empty).flat_map(move |high| {
            singles(empty & (high - 1)).map(move |low| pair_bit(self.number(low), self.number(high)))
        })
    }

    #[inline]
    fn points(&self, bit: usize) -> u64 {
        self.pairs[bit]
    }

    fn jumpers(&self, pattern: u64) -> Rows {
        let (mut rows, empty) = (Rows::default(), self.rules.all & !pattern);
        for axis in &self.rules.jumps {
            for middle in singles(self.rules.open_middles(axis, pattern)) {
                let (up, down) = axis.ends(middle);
                rows.0[self.number(up)] |= empty & !(up | down);
                rows.0[self.number(down)] |= empty & !(up | down);
            }
        }
        rows
    }

    fn for_every_jumper(&self, set: PairSet) -> Rows {
        let mut rows = Rows::default();
        for pair in set.bits().map(|bit| self.pairs[bit]) {
            singles(pair).for_each(|fox| rows.0[self.number(fox)] |= pair & !fox);
        }
        rows
    }

    fn of_any_jumper(&self, jumpers: &Rows) -> PairSet {
        let mut set = PairSet::default();
        for (jumper, &others) in jumpers.0.iter().enumerate() {
            singles(others).for_each(|other| set.insert(pair_bit(jumper, self.number(other))));
        }
        set
    }

    fn as_jumpers(_sets: &[PairSet]) -> Option<&[Rows]> {
        None
    }

    fn packed_bytes(empty: u32) -> usize {
        (empty * empty).div_ceil(8) as usize
    }

    /// A row of empty points of the other fox for each empty point of the one that has jumped.
    fn pack(&self, jumpers: &Rows, empty: u64, bytes: &mut [u8]) {
        bytes.fill(0);
        let rows = singles(empty).map(|jumper| jumpers.0[self.number(jumper)]);
        let bits = rows.flat_map(|row| singles(empty).map(move |other| row & other != 0));
        for (number, _) in bits.enumerate().filter(|(_, bit)| *bit) {
            bytes[number / 8] |= 1 << (number % 8);
        }
    }

    fn bad_huffs(&self, pattern: u64, reached: u64) -> PairSet {
        self.steps_huffed(pattern, reached)
    }

    fn add_failing(&self, jump: &Jump, landing: &Landing<'_>, pattern: u64, failing: &mut Rows) {
        let others = self.rules.all & !pattern & !(jump.from | jump.to);
        let first = ((landing.empty & (landing.to - 1)).count_ones() * landing.empty.count_ones()) as usize;
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&landing.bytes[first / 8..][..8]);
        let row = u64::from_le_bytes(bytes) >> (first % 8);
        let held = singles(landing.empty).zip(0..).filter(|&(_, bit)| row >> bit & 1 == 1);
        let held = held.fold(0, |held, (other, _)| held | other);
        failing.0[self.number(jump.from)] |= others & !self.rules.symmetries[landing.back].apply(held);
    }
}
