//! The strips of a layer: where each pattern stands in memory and in the file.

use std::cmp::Reverse;
use std::ops::Range;

use super::numbering::PatternNumbering;
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
    pub(super) fn patterns<'n>(&self, numbering: &'n PatternNumbering) -> impl Iterator<Item = u64> + 'n {
        let head = self.head;
        numbering.tail_groups[self.tails as usize].tails.iter().map(move |tail| head | tail)
    }
}

/// Cuts what is known of the patterns of some strips, `width` items each, into these strips.
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
    /// In the file: its first piece, and how many strips a piece has.
    first_piece: u32,
    strips_per_piece: u32,
}

impl StripGroup {
    pub(super) fn strip(&self, number: u32) -> u32 {
        self.first_strip + number
    }

    /// The numbers in the level of the patterns of a strip.
    pub(super) fn range(&self, number: u32) -> Range<usize> {
        let start = self.start + number as usize * self.length;
        start..start + self.length
    }

    /// The piece of the file, and the row of the first pattern in it.
    pub(super) fn piece(&self, number: u32) -> (u32, usize) {
        let strips = self.strips_per_piece;
        (self.first_piece + number / strips, (number % strips) as usize * self.length)
    }
}

/// Patterns that reversible moves do not leave: those with one sum of ranks, or all.
pub(super) struct Level {
    /// The sum of ranks; 0 where all are one level.
    pub ranks: u32,
    groups: Range<usize>,
    pub strips: usize,
    pub patterns: usize,
    pub first_piece: u32,
}

/// The patterns of one layer.
pub(super) struct LayerPatterns {
    pub geese: u32,
    /// Pieces of the file that come before.
    pieces_before: u32,
    pub levels: Vec<Level>,
    groups: Vec<StripGroup>,
    /// By group of heads, then group of tails: the number of the group of strips.
    places: Vec<u32>,
    tail_groups: usize,
}

impl LayerPatterns {
    /// The layer with so many geese; a piece of the file has `piece_patterns` patterns, rounded up to whole strips.
    pub(super) fn new(
        rules: &PatternRules,
        numbering: &PatternNumbering,
        geese: u32,
        piece_patterns: usize,
    ) -> LayerPatterns {
        LayerPatterns::behind(0, rules, numbering, geese, piece_patterns)
    }

    /// The same behind so many other pieces of the file.
    pub(super) fn behind(
        pieces: u32,
        rules: &PatternRules,
        numbering: &PatternNumbering,
        geese: u32,
        piece_patterns: usize,
    ) -> LayerPatterns {
        let (heads, tails) = (&numbering.head_groups, &numbering.tail_groups);
        let mut layer = LayerPatterns {
            geese,
            pieces_before: pieces,
            levels: Vec::new(),
            groups: Vec::new(),
            places: vec![u32::MAX; heads.len() * tails.len()],
            tail_groups: tails.len(),
        };
        let ranks = |set: u64| match rules.onward.is_empty() {
            true => 0,
            false => singles(set).map(|point| point.trailing_zeros() / rules.width).sum::<u32>(),
        };
        // Of a group one tells the number of geese and the sum of ranks of all.
        let about = |set: u64| (set.count_ones(), ranks(set));
        let heads: Vec<_> = heads.iter().map(|group| about(group[0].0)).collect();
        let tails: Vec<_> = tails.iter().map(|group| about(group.tails[0])).collect();
        let pairs = (0..).zip(&heads).flat_map(|(head, about)| (0..).zip(&tails).map(move |tail| (head, about, tail)));
        let fitting = pairs.filter(|(_, head, (_, tail))| head.0 + tail.0 == geese);
        let mut fitting: Vec<_> = fitting.map(|(head, a, (tail, b))| (Reverse(a.1 + b.1), head, tail)).collect();
        fitting.sort_unstable();
        fitting.chunk_by(|a, b| a.0 == b.0).for_each(|level| layer.add_level(numbering, level, piece_patterns));
        layer
    }

    fn add_level(&mut self, numbering: &PatternNumbering, pairs: &[(Reverse<u32>, u32, u32)], piece_patterns: usize) {
        let first_group = self.groups.len();
        let first_piece = self.pieces();
        let (mut strips, mut patterns, mut pieces) = (0, 0, first_piece);
        for &(_, heads, tails) in pairs {
            let length = numbering.tail_groups[tails as usize].tails.len();
            let group = StripGroup {
                heads,
                tails,
                level: self.levels.len() as u32,
                first_strip: strips,
                start: patterns,
                length,
                strips: numbering.head_groups[heads as usize].len() as u32,
                first_piece: pieces,
                strips_per_piece: piece_patterns.div_ceil(length) as u32,
            };
            strips += group.strips;
            patterns += group.strips as usize * group.length;
            pieces += group.strips.div_ceil(group.strips_per_piece);
            self.places[heads as usize * self.tail_groups + tails as usize] = self.groups.len() as u32;
            self.groups.push(group);
        }
        let groups = first_group..self.groups.len();
        let ranks = pairs.first().map_or(0, |(ranks, ..)| ranks.0);
        self.levels.push(Level { ranks, groups, strips: strips as usize, patterns, first_piece });
    }

    /// The number of pieces of the file up to the last one of these, each of which makes two blocks.
    pub(super) fn pieces(&self) -> u32 {
        let behind = |group: &StripGroup| group.first_piece + group.strips.div_ceil(group.strips_per_piece);
        self.groups.last().map_or(self.pieces_before, behind)
    }

    /// The patterns stored.
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
        let mut strips = Vec::with_capacity(level.strips);
        for group in &self.groups[level.groups.clone()] {
            for (number, &(head, images)) in (0..).zip(&numbering.head_groups[group.heads as usize]) {
                let start = group.range(number).start;
                strips.push(Strip { head, images, tails: group.tails, start, length: group.length });
            }
        }
        strips
    }

    /// For each piece of a level in order: the numbers of its strips in the level.
    pub(super) fn pieces_of(&self, level: &Level) -> Vec<Range<usize>> {
        let of_group = |group: &StripGroup| {
            let (first, strips) = (group.first_strip, group.strips);
            let cut = group.strips_per_piece;
            (0..strips.div_ceil(cut))
                .map(move |piece| (first + piece * cut) as usize..(first + strips.min((piece + 1) * cut)) as usize)
        };
        self.groups[level.groups.clone()].iter().flat_map(of_group).collect()
    }
}
