//! The strips of a layer: where each pattern stands in memory and in the file.

use std::cmp::Reverse;
use std::ops::Range;

use super::numbering::{KeptHead, PatternNumbering};
use super::rules::PatternRules;
use crate::geometry::singles;

/// The patterns with one kept head and with tails of one group, in their order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strip {
    pub head: u64,
    /// How many images the head stands for.
    pub images: u64,
    pub tails: u32,
    /// The number of the first pattern in the level.
    pub start: usize,
    pub length: usize,
}

impl Strip {
    /// The numbers of its patterns in the level.
    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.start + self.length
    }

    /// Its patterns in order.
    #[inline(always)]
    pub(super) fn patterns<'n>(&self, numbering: &'n PatternNumbering) -> impl Iterator<Item = u64> + use<'n> {
        let head = self.head;
        numbering.tail_groups[self.tails as usize].iter().map(move |tail| head | tail)
    }
}

/// Cuts a slice with `width` items for each pattern of some strips into these strips.
pub(super) fn by_strip<'w, T>(strips: &[Strip], width: usize, mut all: &'w mut [T]) -> Vec<&'w mut [T]> {
    let cut = |strip: &Strip| {
        let (front, rest) = std::mem::take(&mut all).split_at_mut(strip.length * width);
        all = rest;
        front
    };
    strips.iter().map(cut).collect()
}

/// The strips of one group of heads and one of tails.
#[derive(Clone, Copy, Debug)]
pub(super) struct StripGroup {
    heads: u32,
    tails: u32,
    pub level: u32,
    /// In the level: its first strip and the first pattern of it.
    first_strip: u32,
    start: usize,
    /// Patterns of a strip.
    length: usize,
    strips: u32,
    /// In the file: its first chunk, and how many strips a chunk has.
    first_chunk: u32,
    strips_per_chunk: u32,
}

impl StripGroup {
    /// The number of a strip in the level.
    pub(super) fn strip(&self, number: u32) -> usize {
        (self.first_strip + number) as usize
    }

    /// The numbers in the level of the patterns of a strip.
    pub(super) fn range(&self, number: u32) -> Range<usize> {
        let start = self.start + number as usize * self.length;
        start..start + self.length
    }

    /// The chunk of the file that has a strip, and the row of its first pattern there.
    pub(super) fn place(&self, number: u32) -> (u32, usize) {
        let strips = self.strips_per_chunk;
        (self.first_chunk + number / strips, (number % strips) as usize * self.length)
    }

    fn chunks(&self) -> u32 {
        self.strips.div_ceil(self.strips_per_chunk)
    }
}

/// Patterns that reversible moves do not leave: those with one sum of ranks, or all.
pub(super) struct Level {
    /// The sum of ranks; 0 where all are one level.
    pub ranks: u32,
    groups: Range<usize>,
    pub patterns: usize,
    pub first_chunk: u32,
}

/// A group of heads and one of tails that make patterns of a layer; in the order of levels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct GroupPair {
    /// The sum of the ranks of all geese, from high to low.
    ranks: Reverse<u32>,
    heads: u32,
    tails: u32,
}

/// The patterns of one layer.
pub(super) struct LayerPatterns {
    pub geese: u32,
    /// Chunks of the file that come before.
    chunks_before: u32,
    pub levels: Vec<Level>,
    groups: Vec<StripGroup>,
    /// By group of heads, then group of tails: the number of the group of strips.
    places: Vec<u32>,
    tail_groups: usize,
}

impl LayerPatterns {
    /// The layer with this number of geese, in the file behind other chunks. A chunk has `chunk_patterns` patterns,
    /// rounded up to whole strips.
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
        // All members of a group have as many geese and the same sum of ranks.
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

    /// Adds a level of pairs of groups with one sum of ranks.
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

    /// The number of chunks of the file up to the last one of these, each of which makes two blocks.
    pub(super) fn chunks(&self) -> u32 {
        self.groups.last().map_or(self.chunks_before, |group| group.first_chunk + group.chunks())
    }

    /// Bytes of this layout.
    pub(super) fn bytes(&self) -> u64 {
        (self.places.len() * size_of::<u32>() + self.groups.len() * size_of::<StripGroup>()) as u64
    }

    /// The number of patterns stored.
    pub(super) fn patterns(&self) -> usize {
        self.levels.iter().map(|level| level.patterns).sum()
    }

    /// The strips of two groups that make patterns of this layer; `None` if they make none.
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
