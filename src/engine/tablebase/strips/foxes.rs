//! What solving asks about the foxes: sets of the ways to place them, and what steps and jumps make of these.

use std::ops::{BitAnd, BitOr, BitOrAssign, BitXor, Not};

use super::rules::PatternRules;

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

/// For each fox that may be about to jump or have just landed a set of placements.
pub(super) trait Jumpers:
    Copy + Default + Send + Sync + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
}

/// A jump over one goose by a fox, whatever the others do.
pub(super) struct Jump {
    pub from: u64,
    pub to: u64,
}

/// What the pattern after a jump, or its image that is kept, holds for those that land: see [`Foxes::pack`].
pub(super) struct Landing<'a> {
    /// At least eight bytes can be read after those of the pattern.
    pub bytes: &'a [u8],
    pub empty: u64,
    /// The image of the point where the fox lands.
    pub to: u64,
    /// The symmetry that maps the image back.
    pub back: usize,
}

/// So many foxes under some rules.
pub(super) trait Foxes: Send + Sync + Sized {
    const NUMBER: u32;
    /// A piece of the file has so many patterns, rounded up to whole strips.
    const PIECE_PATTERNS: usize;

    type Set: Placements;
    type Jumpers: Jumpers;

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

    /// How many placements so many empty points have.
    fn columns(empty: u32) -> u32;

    /// How many placements there are beside so many geese.
    fn columns_beside(&self, geese: u32) -> u32 {
        Self::columns(self.rules().points().saturating_sub(geese))
    }

    /// The number of a placement among those on some empty points.
    fn column(empty: u64, foxes: u64) -> u32;

    /// The bits of all placements on some empty points in the order of their numbers.
    fn bits(&self, empty: u64) -> impl Iterator<Item = usize>;

    /// The points of the foxes in the placement of a bit.
    fn points(&self, bit: usize) -> u64;

    /// For each fox the placements from which it can jump.
    fn jumpers(&self, pattern: u64) -> Self::Jumpers;

    /// A set for each fox alike.
    fn for_every_jumper(&self, set: Self::Set) -> Self::Jumpers;

    /// The placements that are there for any fox.
    fn of_any_jumper(&self, jumpers: &Self::Jumpers) -> Self::Set;

    /// The same sets, where there is one fox only, so that all ways out of a level are jumps.
    fn as_jumpers(sets: &[Self::Set]) -> Option<&[Self::Jumpers]>;

    /// Bytes of the placements on so many empty points when packed.
    fn packed_bytes(empty: u32) -> usize;

    /// Packs the placements on some empty points.
    fn pack(&self, jumpers: &Self::Jumpers, empty: u64, bytes: &mut [u8]);

    /// The placements from which a step that is huffed may go wrong for the geese; `reached` are the points of the fox
    /// that is left where they reach their goal with the geese to move. A last fox that is taken off has lost.
    fn bad_huffs(&self, _pattern: u64, _reached: u64) -> Self::Set {
        Self::Set::default()
    }

    /// Adds the placements from which a jump leads out of those packed.
    fn add_failing(&self, jump: &Jump, landing: &Landing<'_>, pattern: u64, failing: &mut Self::Jumpers);
}
