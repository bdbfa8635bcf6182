//! Sets of placements of the foxes, and the effect of steps and jumps on them; implemented here for one fox, whose
//! placements are points and whose sets are words.

use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor, Not};

use super::rules::PatternRules;
use super::words::Words;
use crate::geometry::singles;

/// A set of placements of all foxes, with a bit for each placement.
pub(super) trait Placements:
    Copy
    + Default
    + PartialEq
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// The number of words in a set.
    const WORDS: usize;

    fn word(&self, index: usize) -> u64;

    /// Toggles the placements of `word` in the word number `index` of the set.
    fn toggle(&mut self, index: usize, word: u64);
}

impl<const N: usize> Placements for Words<N> {
    const WORDS: usize = N;

    #[inline(always)]
    fn word(&self, index: usize) -> u64 {
        self.0[index]
    }

    #[inline(always)]
    fn toggle(&mut self, index: usize, word: u64) {
        self.0[index] ^= word;
    }
}

/// A set of placements of one fox: a bit for each point.
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

/// A jump of a fox over one goose, and the pattern of the layer below that it leads to.
#[derive(Clone, Copy, Default)]
pub(super) struct Jump {
    /// The number of the pattern before the jump in its strip.
    pub number: usize,
    pub pattern: u64,
    pub from: u64,
    pub to: u64,
    /// The level of the pattern after the jump, and the number of its kept image there.
    pub level: usize,
    pub number_after: usize,
    /// The points without a goose in that kept image, and the point where the fox lands in it.
    pub empty: u64,
    pub landing: u64,
    /// The symmetry that maps the kept image back.
    pub back: usize,
}

/// A number of foxes under the rules of a game: their sets of placements, and how steps and jumps change these.
pub(super) trait Foxes: Send + Sync + Sized {
    const NUMBER: u32;
    /// Patterns in a chunk of the file, to be rounded up to whole strips.
    const CHUNK_PATTERNS: usize;

    type Set: Placements;
    /// A set of placements for each fox that may be about to jump, or has just jumped.
    type Jumpers: Placements;

    /// The foxes under these rules; `None` when the board has too many points.
    fn new(rules: PatternRules) -> Option<Self>;

    fn rules(&self) -> &PatternRules;

    /// All placements beside a pattern of geese.
    fn beside(&self, pattern: u64) -> Self::Set;

    /// The placements with a fox on each of these points.
    fn on_all(&self, points: u64) -> Self::Set;

    /// The placements with a fox on at least one of these points.
    fn on_any(&self, points: u64) -> Self::Set;

    /// The placements from which a step leads into a set; some may have a fox on a goose.
    fn before_steps(&self, set: Self::Set) -> Self::Set;

    /// The placements from which some jump is possible; some may have a fox on a goose.
    fn can_jump(&self, pattern: u64) -> Self::Set;

    /// The image of a set under the symmetry of this number.
    fn image(&self, symmetry: usize, set: Self::Set) -> Self::Set;

    /// The number of placements on `empty` empty points.
    fn columns(empty: u32) -> u32;

    /// The number of a placement, given as points, among those on these empty points.
    fn column(empty: u64, foxes: u64) -> u32;

    /// The bits of all placements on these empty points, in the order of their numbers.
    fn bits(&self, empty: u64) -> impl Iterator<Item = usize>;

    /// The points of the foxes in the placement with this bit.
    fn points(&self, bit: usize) -> u64;

    /// For each fox: the placements from which it can jump.
    fn jumpers(&self, pattern: u64) -> Self::Jumpers;

    /// The same set of placements for each of the foxes.
    fn for_every_jumper(&self, set: Self::Set) -> Self::Jumpers;

    /// The placements that are in the set of at least one fox.
    fn of_any_jumper(&self, jumpers: &Self::Jumpers) -> Self::Set;

    /// These sets as sets for the only fox; `None` where there are several foxes.
    fn as_jumpers(sets: &[Self::Set]) -> Option<&[Self::Jumpers]>;

    /// Bytes that packed placements on `empty` points take.
    fn packed_bytes(empty: u32) -> usize;

    /// Packs the placements on these empty points into `bytes`.
    fn pack(&self, jumpers: &Self::Jumpers, empty: u64, bytes: &mut [u8]);

    /// Adds the placements from which `jump` leads to one outside the packed sets of the pattern after it. At least
    /// eight bytes must be readable from every place in `packed`.
    fn add_failing(&self, jump: &Jump, packed: &[u8], failing: &mut Self::Jumpers);

    /// The placements from which a huffed step may make the geese miss their goal; `reached` are the points of the
    /// remaining fox with which the geese, to move, reach it. When the last fox is taken off, the fox side has lost.
    fn bad_huffs(&self, _pattern: u64, _reached: u64) -> Self::Set {
        Self::Set::default()
    }
}

/// One fox: a placement is a point, and a set is a word of the board's cells.
pub(super) struct OneFox {
    rules: PatternRules,
}

impl Foxes for OneFox {
    const NUMBER: u32 = 1;
    const CHUNK_PATTERNS: usize = 1 << 18;

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
    fn add_failing(&self, jump: &Jump, packed: &[u8], failing: &mut u64) {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&packed[..8]);
        if u64::from_le_bytes(bytes) >> OneFox::column(jump.empty, jump.landing) & 1 == 0 {
            *failing |= jump.from;
        }
    }
}
