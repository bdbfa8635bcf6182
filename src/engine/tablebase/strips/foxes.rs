//! Sets of placements of the foxes, and what steps and jumps make of them; answered here for one fox, whose placement is a
//! point and whose sets are words.

use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor, Not};

use super::rules::PatternRules;
use super::words::Words;
use crate::geometry::singles;

/// A set of placements of all foxes: a bit for each.
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
    /// Words of a set.
    const WORDS: usize;

    fn word(&self, index: usize) -> u64;

    /// Takes the placements of a word out of the set where they are in it, and adds the others.
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
    /// The number of the pattern in its strip.
    pub number: usize,
    pub pattern: u64,
    pub from: u64,
    pub to: u64,
    /// The level of the pattern after the jump, and its number there.
    pub level: usize,
    pub number_after: usize,
    /// In the image of that pattern which is kept: the points without a goose, and where the fox lands.
    pub empty: u64,
    pub landing: u64,
    /// The symmetry that maps this image back.
    pub back: usize,
}

/// Foxes of one number under the rules of a game.
pub(super) trait Foxes: Send + Sync + Sized {
    const NUMBER: u32;
    /// Patterns of a chunk of the file, to be rounded up to whole strips.
    const CHUNK_PATTERNS: usize;

    type Set: Placements;
    /// A set of placements for each fox that may be about to jump, or has just jumped.
    type Jumpers: Placements;

    /// `None` when the board has too many points.
    fn new(rules: PatternRules) -> Option<Self>;

    fn rules(&self) -> &PatternRules;

    /// All placements beside a pattern.
    fn beside(&self, pattern: u64) -> Self::Set;

    /// The placements with a fox on each of some points.
    fn on_all(&self, points: u64) -> Self::Set;

    /// The placements with a fox on any of some points.
    fn on_any(&self, points: u64) -> Self::Set;

    /// The placements from which a step leads into a set; some may have a fox on a goose.
    fn before_steps(&self, set: Self::Set) -> Self::Set;

    /// The placements from which some jump is possible; some may have a fox on a goose.
    fn can_jump(&self, pattern: u64) -> Self::Set;

    /// The image of a set under the symmetry of this number.
    fn image(&self, symmetry: usize, set: Self::Set) -> Self::Set;

    /// How many placements `empty` points have.
    fn columns(empty: u32) -> u32;

    /// The number of a placement among those on some empty points.
    fn column(empty: u64, foxes: u64) -> u32;

    /// The bits of all placements on some empty points in the order of their numbers.
    fn bits(&self, empty: u64) -> impl Iterator<Item = usize>;

    /// The points of the foxes in the placement of a bit.
    fn points(&self, bit: usize) -> u64;

    /// For each fox the placements from which it can jump.
    fn jumpers(&self, pattern: u64) -> Self::Jumpers;

    /// The same set of placements for each of the foxes.
    fn for_every_jumper(&self, set: Self::Set) -> Self::Jumpers;

    /// The placements that are in the set of some fox.
    fn of_any_jumper(&self, jumpers: &Self::Jumpers) -> Self::Set;

    /// Sets of placements taken for those of each fox: possible with one fox, `None` with more.
    fn as_jumpers(sets: &[Self::Set]) -> Option<&[Self::Jumpers]>;

    /// Bytes of the packed placements on `empty` points.
    fn packed_bytes(empty: u32) -> usize;

    /// Packs the placements on some empty points.
    fn pack(&self, jumpers: &Self::Jumpers, empty: u64, bytes: &mut [u8]);

    /// Adds the placements from which a jump leads out of those packed of the pattern after it. At least eight bytes
    /// can be read after these.
    fn add_failing(&self, jump: &Jump, packed: &[u8], failing: &mut Self::Jumpers);

    /// The placements from which a step that is huffed may go wrong for the geese; `reached` are the points of the fox
    /// that is left where they reach their goal with the geese to move. A last fox that is taken off has lost.
    fn bad_huffs(&self, _pattern: u64, _reached: u64) -> Self::Set {
        Self::Set::default()
    }
}

/// One fox: the set of its points is a word of the board's cells.
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
