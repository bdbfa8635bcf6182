//! The strips of a layer: the place of each pattern in memory and in the file.

use std::cmp::Reverse;
use std::ops::Range;

use super::numbering::{KeptHead, PatternNumbering};
use super::rules::PatternRules;
use crate::geometry::singles;

/// Consecutive patterns that have the same kept head and tails of one group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strip {
    pub head: u64,
    /// The number of different images of the head.
    pub images: u64,
    pub tails: u32,
    /// The number of the strip's first pattern in the level.
    pub start: usize,
    pub length: usize,
}

impl Strip {
    /// The numbers of the strip's patterns in the level.
    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.start + self.length
    }

    /// The strip's patterns in order.
    #[inline(always)]
    pub(super) fn patterns<'n>(&self, numbering: &'n PatternNumbering) -> impl Iterator<Item = u64> + use<'n> {
        let head = self.head;
        numbering.tail_groups[self.tails as usize].iter().map(move |tail| head | tail)
    }
}

/// Splits a slice, with `width` items for each pattern of the strips, into one slice for each strip.
pub(super) fn by_strip<'w, T>(strips: &[Strip], width: usize, mut all: &'w mut [T]) -> Vec<&'w mut [T]> {
    let cut = |strip: &Strip| {
        let (front, rest) = std::mem::take(&mut all).split_at_mut(strip.length * width);
        all = rest;
        front
    };
    strips.iter().map(cut).collect()
}

/// The strips that combine a group of heads and a group of tails.
#[derive(Clone, Copy, Debug)]
pub(super) struct StripGroup {
    heads: u32,
    tails: u32,
    pub level: u32,
    /// The numbers in the level of the first strip and of its first pattern.
    first_strip: u32,
    start: usize,
    /// The number of patterns in a strip.
    length: usize,
    strips: u32,
    /// The first chunk in the file, and the number of strips in a chunk.
    first_chunk: u32,
    strips_per_chunk: u32,
}

impl StripGroup {
    /// The number in the level of a strip of this group.
    pub(super) fn strip(&self, number: u32) -> usize {
        (self.first_strip + number) as usize
    }

    /// The numbers in the level of the patterns of a strip of this group.
    pub(super) fn range(&self, number: u32) -> Range<usize> {
        let start = self.start + number as usize * self.length;
        start..start + self.length
    }

    /// The chunk of the file that holds a strip of this group, and the row of the strip's first pattern there.
    pub(super) fn place(&self, number: u32) -> (u32, usize) {
        let strips = self.strips_per_chunk;
        (self.first_chunk + number / strips, (number % strips) as usize * self.length)
    }

    fn chunks(&self) -> u32 {
        self.strips.div_ceil(self.strips_per_chunk)
    }
}

/// The patterns of a layer with one sum of ranks, or all of them where geese may go back: reversible moves stay in a
/// level.
pub(super) struct Level {
    /// The sum of the ranks of all geese; 0 where all patterns are one level.
    pub ranks: u32,
    groups: Range<usize>,
    pub patterns: usize,
    pub first_chunk: u32,
}

/// A group of heads and a group of tails that make patterns of a layer, ordered like the levels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct GroupPair {
    /// The sum of the ranks of all geese; higher sums come first.
    ranks: Reverse<u32>,
    heads: u32,
    tails: u32,
}

/// The patterns of one layer, by levels and strips.
pub(super) struct LayerPatterns {
    pub geese: u32,
    /// The number of chunks of the file before this layer's.
    chunks_before: u32,
    pub levels: Vec<Level>,
    groups: Vec<StripGroup>,
    /// By group of heads, then group of tails: the number of their group of strips.
    places: Vec<u32>,
    tail_groups: usize,
}

impl LayerPatterns {
    /// The layer with this number of geese, which stands in the file after `chunks_before` chunks. A chunk has
    /// `chunk_patterns` patterns, rounded up to whole strips.
    pub(super) fn new(
        rules: &PatternRules,
        numbering: &PatternNumbering,
        geese: u32,
        chunk_patterns: usize,
        chunks_before: u32,
    ) -> LayerPatterns {
        let (heads, tails) = (&numbering.head_groups, &numbering.tail_groups);
        let mut layer = LayerPatterns {
            geese,
            chunks_before,
            levels: Vec::new(),
            groups: Vec::new(),
            places: vec![u32::MAX; heads.len() * tails.len()],
            tail_groups: tails.len(),
        };
        let rank = |point: u64| if rules.onward.is_empty() { 0 } else { point.trailing_zeros() / rules.width };
        // All members of a group have the same number of geese and the same sum of ranks.
        let about = |set: u64| (set.count_ones(), singles(set).map(rank).sum::<u32>());
        let heads: Vec<_> = heads.iter().map(|group| about(group[0].head)).collect();
        let tails: Vec<_> = tails.iter().map(|group| about(group[0])).collect();
        let mut fitting = Vec::new();
        for (head, &(head_geese, head_ranks)) in (0..).zip(&heads) {
            let tails = (0..).zip(&tails).filter(|(_, (tail_geese, _))| head_geese + tail_geese == geese);
            fitting.extend(tails.map(|(tails, (_, tail_ranks))| GroupPair {
                ranks: Reverse(head_ranks + tail_ranks),
                heads: head,
                tails,
            }));
        }
        fitting.sort_unstable();
        fitting
            .chunk_by(|one, other| one.ranks == other.ranks)
            .for_each(|level| layer.add_level(numbering, level, chunk_patterns));
        layer
    }

    /// Adds a level with these pairs of groups, which have one sum of ranks.
    fn add_level(&mut self, numbering: &PatternNumbering, pairs: &[GroupPair], chunk_patterns: usize) {
        let first_group = self.groups.len();
        let first_chunk = self.chunks();
        let mut first_strip = 0;
        let mut patterns = 0;
        for &GroupPair { heads, tails, .. } in pairs {
            let length = numbering.tail_groups[tails as usize].len();
            let group = StripGroup {
                heads,
                tails,
                level: self.levels.len() as u32,
                first_strip,
                start: patterns,
                length,
                strips: numbering.head_groups[heads as usize].len() as u32,
                first_chunk: self.chunks(),
                strips_per_chunk: chunk_patterns.div_ceil(length) as u32,
            };
            first_strip += group.strips;
            patterns += group.strips as usize * group.length;
            self.places[heads as usize * self.tail_groups + tails as usize] = self.groups.len() as u32;
            self.groups.push(group);
        }
        let groups = first_group..self.groups.len();
        let ranks = pairs.first().map_or(0, |pair| pair.ranks.0);
        self.levels.push(Level { ranks, groups, patterns, first_chunk });
    }

    /// The number of chunks of the file up to the last one of this layer; each makes two blocks.
    pub(super) fn chunks(&self) -> u32 {
        self.groups.last().map_or(self.chunks_before, |group| group.first_chunk + group.chunks())
    }

    /// The bytes of memory that this value takes.
    pub(super) fn bytes(&self) -> u64 {
        (self.places.len() * size_of::<u32>() + self.groups.len() * size_of::<StripGroup>()) as u64
    }

    /// The number of patterns in the layer.
    pub(super) fn patterns(&self) -> usize {
        self.levels.iter().map(|level| level.patterns).sum()
    }

    /// The strips of a group of heads and a group of tails; `None` if they make no patterns of this layer.
    #[inline]
    pub(super) fn group(&self, heads: u32, tails: u32) -> Option<&StripGroup> {
        self.groups.get(*self.places.get(heads as usize * self.tail_groups + tails as usize)? as usize)
    }

    /// The strips of a level in order.
    pub(super) fn strips(&self, numbering: &PatternNumbering, level: &Level) -> Vec<Strip> {
        let groups = &self.groups[level.groups.clone()];
        let mut strips = Vec::with_capacity(groups.iter().map(|group| group.strips as usize).sum());
        for group in groups {
            for (number, &KeptHead { head, images }) in (0..).zip(&numbering.head_groups[group.heads as usize]) {
                let start = group.range(number).start;
                strips.push(Strip { head, images, tails: group.tails, start, length: group.length });
            }
        }
        strips
    }

    /// For each chunk of a level in order: the numbers of its strips in the level.
    pub(super) fn chunks_of(&self, level: &Level) -> Vec<Range<usize>> {
        let of_group = |group: &StripGroup| {
            let group = *group;
            let strip = move |chunk: u32| group.strip(group.strips.min(chunk * group.strips_per_chunk));
            (0..group.chunks()).map(move |chunk| strip(chunk)..strip(chunk + 1))
        };
        self.groups[level.groups.clone()].iter().flat_map(of_group).collect()
    }
}
