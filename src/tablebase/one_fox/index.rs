//! The blocks of a layer and where each pattern stands in them.

use std::collections::BTreeMap;

use super::profile::Profile;
use super::ranks::Ranks;
use super::rules::OneFoxRules;

/// Numbers the patterns of every layer of one ruleset.
pub(super) struct PatternNumbering {
    pub ranks: Ranks,
    /// The ranks, widest first: few ways to stand on a wide rank are symmetric, so that it mostly decides alone.
    order: Vec<usize>,
    /// By rank: what one goose there adds to the key of a profile.
    weights: Vec<u32>,
    keys: usize,
    /// Forward moves leave a block.
    splits: bool,
    width: u32,
    /// Pairs of files that change places: both, and how far they are apart.
    swaps: [(u64, u64, u32); MOST_SWAPS],
    middle: u64,
}

/// Larger boards are left to the general method.
const MOST_KEYS: usize = 1 << 22;
/// Pairs of files on the widest board of this method.
const MOST_SWAPS: usize = 6;

/// A pattern's place in a layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PatternIndex {
    pub block: u32,
    /// In the block.
    pub index: u32,
    pub mirrored: bool,
}

/// The patterns of one layer.
pub(super) struct LayerPatterns {
    profiles: Vec<LayerProfile>,
    /// By key: the profile, or `NONE`.
    by_key: Vec<u32>,
    pub blocks: Vec<PatternBlock>,
    pub patterns: u64,
}

struct LayerProfile {
    profile: Profile,
    block: u32,
    /// Patterns of the block before it.
    offset: u32,
}

/// A set of patterns that reversible moves do not leave.
pub(super) struct PatternBlock {
    /// Numbers of its profiles in the layer.
    profiles: Vec<u32>,
    pub patterns: u32,
    /// Patterns of the layer before it.
    pub offset: u64,
}

const NONE: u32 = u32::MAX;

impl PatternNumbering {
    /// `None` when the board is too large.
    pub(super) fn new(rules: &OneFoxRules) -> Option<PatternNumbering> {
        let ranks = Ranks::new(rules);
        let mut order: Vec<usize> = (0..ranks.count()).collect();
        order.sort_by_key(|&rank| std::cmp::Reverse(ranks.points(rank)));
        let mut weights = Vec::new();
        let mut keys = 1;
        for rank in 0..ranks.count() {
            weights.push(keys as u32);
            keys *= ranks.points(rank) + 1;
            if keys > MOST_KEYS {
                return None;
            }
        }
        let file = |file: u32| (0..rules.ranks).fold(0, |set, rank| set | 1 << (rank * rules.width + file));
        let last = rules.width - 1;
        let mut swaps = [(0, 0, 0); MOST_SWAPS];
        for (low, swap) in (0..rules.width / 2).zip(&mut swaps) {
            *swap = (file(low), file(last - low), last - 2 * low);
        }
        let middle = if rules.width % 2 == 1 { file(last / 2) } else { 0 };
        let splits = !rules.onward.is_empty();
        Some(PatternNumbering { ranks, order, weights, keys, splits, width: rules.width, swaps, middle })
    }

    /// A set with its files in the opposite order.
    #[inline(always)]
    pub(super) fn mirror(&self, set: u64) -> u64 {
        let swap =
            |all, &(low, high, distance): &(u64, u64, u32)| all | (set & low) << distance | (set & high) >> distance;
        // Boards of at most seven files are by far the most frequent.
        let swaps = if self.width <= 7 { &self.swaps[..3] } else { &self.swaps[..] };
        swaps.iter().fold(set & self.middle, swap)
    }

    /// The image of a set when `mirrored`.
    #[inline(always)]
    pub(super) fn turned(&self, set: u64, mirrored: bool) -> u64 {
        if mirrored { self.mirror(set) } else { set }
    }

    /// The key of the profile of a pattern.
    #[inline]
    pub(super) fn key(&self, pattern: u64) -> u32 {
        let mask = (1 << self.width) - 1;
        let on = |rank: usize| (pattern >> (rank as u32 * self.width) & mask).count_ones();
        self.weights.iter().enumerate().map(|(rank, weight)| on(rank) * weight).sum()
    }

    /// What a goose on a rank adds to the key.
    #[inline(always)]
    pub(super) fn weight(&self, rank: usize) -> u32 {
        self.weights[rank]
    }

    /// The layer with so many geese; `None` if it has more patterns than can be numbered.
    pub(super) fn layer(&self, geese: u32) -> Option<LayerPatterns> {
        let mut layer =
            LayerPatterns { profiles: Vec::new(), by_key: vec![NONE; self.keys], blocks: Vec::new(), patterns: 0 };
        for list in self.profiles(geese).into_values().rev() {
            for counts in list {
                layer.add(self, Profile::new(&self.ranks, &self.order, &counts)?)?;
            }
        }
        Some(layer)
    }

    /// Every way to share geese among the ranks, by the sum of ranks.
    fn profiles(&self, geese: u32) -> BTreeMap<u32, Vec<Vec<u8>>> {
        let mut found = BTreeMap::<u32, Vec<Vec<u8>>>::new();
        let mut counts = vec![0; self.ranks.count()];
        self.share(0, geese as usize, &mut counts, &mut |counts| {
            let sum = (0..).zip(counts).map(|(rank, &count)| rank * u32::from(count)).sum();
            found.entry(sum).or_default().push(counts.to_vec());
        });
        found
    }

    fn share(&self, rank: usize, left: usize, counts: &mut [u8], found: &mut impl FnMut(&[u8])) {
        if rank == counts.len() {
            if left == 0 {
                found(counts);
            }
            return;
        }
        for count in 0..=left.min(self.ranks.points(rank)) {
            counts[rank] = count as u8;
            self.share(rank + 1, left - count, counts, found);
        }
        counts[rank] = 0;
    }
}

impl LayerPatterns {
    /// Adds a profile, as a block of its own where forward moves leave it.
    fn add(&mut self, numbering: &PatternNumbering, profile: Profile) -> Option<()> {
        let number = self.profiles.len() as u32;
        if numbering.splits || self.blocks.is_empty() {
            self.blocks.push(PatternBlock { profiles: Vec::new(), patterns: 0, offset: self.patterns });
        }
        let counts = profile.geese.iter().zip(&numbering.weights);
        let key: u32 = counts.map(|(&count, weight)| u32::from(count) * weight).sum();
        self.by_key[key as usize] = number;
        self.patterns += u64::from(profile.patterns);
        let last = self.blocks.len() - 1;
        let block = &mut self.blocks[last];
        let offset = block.patterns;
        block.patterns = block.patterns.checked_add(profile.patterns)?;
        block.profiles.push(number);
        self.profiles.push(LayerProfile { profile, block: last as u32, offset });
        Some(())
    }

    /// Where a pattern with this key stands.
    #[inline(always)]
    pub(super) fn find(&self, numbering: &PatternNumbering, key: u32, pattern: u64) -> PatternIndex {
        let placed = &self.profiles[self.by_key[key as usize] as usize];
        let (index, mirrored) = placed.profile.number(&numbering.ranks, pattern);
        PatternIndex { block: placed.block, index: placed.offset + index, mirrored }
    }

    /// The stored patterns of a block in the order of their index.
    pub(super) fn patterns(&self, numbering: &PatternNumbering, block: u32) -> Vec<u64> {
        let block = &self.blocks[block as usize];
        let mut patterns = Vec::with_capacity(block.patterns as usize);
        for &number in &block.profiles {
            self.profiles[number as usize].profile.list(&numbering.ranks, &mut patterns);
        }
        patterns
    }

    /// The sum of ranks of a block's patterns, by which blocks are ordered, from high to low.
    pub(super) fn rank_sum(&self, block: u32) -> u32 {
        let first = self.blocks[block as usize].profiles[0];
        let geese = &self.profiles[first as usize].profile.geese;
        (0..).zip(geese).map(|(rank, &count)| rank * u32::from(count)).sum()
    }
}
