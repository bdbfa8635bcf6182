//! How the tails of a group hang together: images, neighbours, and tails with one goose more.

use super::numbering::{NO_GROUP, PatternNumbering, TailGroup};
use super::rules::{PatternRules, Shift};
use crate::geometry::singles;

/// Two numbers of tails in their groups.
pub(super) type Pair = [u32; 2];

/// What is known of all tails of a group.
#[derive(Default)]
pub(super) struct TailMoves {
    /// By symmetry: the numbers of the images.
    pub images: Vec<Vec<u32>>,
    /// By point of the tail: the groups with one goose more and one less there.
    pub more: Vec<u32>,
    pub fewer: Vec<u32>,
    /// By point of the tail: each tail without that point, and its number in `more` with it.
    pub links: Vec<Vec<Pair>>,
    /// Moves within the tail that can be undone: before and after.
    pub within: Vec<Pair>,
    /// Those that cannot, by the group after them.
    pub onward: Vec<(u32, Vec<Pair>)>,
}

/// By group of tails; what stands for groups with too many geese is empty.
pub(super) struct TailLists {
    groups: Vec<TailMoves>,
    /// By cell: the number of a point of the tail.
    indices: [u8; 64],
}

impl TailLists {
    /// For tails of at most so many geese.
    pub(super) fn new(rules: &PatternRules, numbering: &PatternNumbering, most: u32) -> TailLists {
        let list = |group: &TailGroup| match group.tails[0].count_ones() <= most {
            true => TailMoves::new(rules, numbering, group),
            false => TailMoves::default(),
        };
        let mut indices = [0; 64];
        for (index, point) in (0..).zip(singles(numbering.tail)) {
            indices[point.trailing_zeros() as usize] = index;
        }
        TailLists { groups: numbering.tail_groups.iter().map(list).collect(), indices }
    }

    pub(super) fn of(&self, group: u32) -> &TailMoves {
        &self.groups[group as usize]
    }

    /// The number of a point of the tail.
    pub(super) fn index(&self, point: u64) -> usize {
        self.indices[point.trailing_zeros() as usize & 63].into()
    }
}

impl TailMoves {
    fn new(rules: &PatternRules, numbering: &PatternNumbering, group: &TailGroup) -> TailMoves {
        let tails = || (0u32..).zip(group.tails.iter().copied());
        let points = || singles(numbering.tail);
        let key = |point: u64, is_more: bool| match is_more {
            true => group.key + numbering.weight(point),
            false => group.key - numbering.weight(point),
        };
        // With a key that no tail has, or one that belongs to others, nothing would be linked.
        let beside = |point: u64, is_more: bool| {
            let is_possible = group.tails.iter().any(|tail| (tail & point == 0) == is_more);
            if is_possible { numbering.tail_group_of(key(point, is_more)) } else { NO_GROUP }
        };
        let links = |point: u64| {
            let without = tails().filter(move |(_, tail)| tail & point == 0);
            without.map(|(number, tail)| [number, numbering.tail_rank(tail | point)]).collect()
        };
        let mut onward: Vec<(u32, Vec<Pair>)> = Vec::new();
        for (group, pair) in slides(numbering, group, &rules.onward) {
            match onward.iter_mut().find(|known| known.0 == group) {
                Some((_, pairs)) => pairs.push(pair),
                None => onward.push((group, vec![pair])),
            }
        }
        let images = numbering.symmetries.iter();
        TailMoves {
            images: images.map(|map| tails().map(|(_, tail)| numbering.tail_rank(map.apply(tail))).collect()).collect(),
            more: points().map(|point| beside(point, true)).collect(),
            fewer: points().map(|point| beside(point, false)).collect(),
            links: points().map(links).collect(),
            within: slides(numbering, group, &rules.within).into_iter().map(|(_, pair)| pair).collect(),
            onward,
        }
    }
}

/// Moves within the tail: the group that they lead to, and the tails before and after.
fn slides(numbering: &PatternNumbering, group: &TailGroup, moves: &[Shift]) -> Vec<(u32, Pair)> {
    let mut slides = Vec::new();
    for (number, &tail) in (0..).zip(&group.tails) {
        for shift in moves {
            for to in singles((tail & shift.from).rotate_left(shift.rotation) & numbering.tail & !tail) {
                let after = tail ^ to ^ to.rotate_right(shift.rotation);
                slides.push((numbering.tail_group(after), [number, numbering.tail_rank(after)]));
            }
        }
    }
    slides
}
