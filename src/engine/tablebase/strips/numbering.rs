//! Numbers patterns by two parts of the board, heads up to symmetry and tails one by one, and lists what moves,
//! captures and symmetries make of tails.

use super::rules::{PatternRules, Shift};
use super::words::{Packing, WordMap};
use crate::geometry::{singles, subsets};

/// The number of a group of tails that does not exist.
pub(super) const NO_GROUP: u32 = u32::MAX;

/// The most points of a head or a tail: more would need large tables.
const MOST_POINTS_OF_A_HALF: u32 = 20;
/// The most keys, which are ways to share geese among the ranks.
const MOST_KEYS: u32 = 1 << 22;

/// The place of a head: its kept image, and how it is reached.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct HeadPlace {
    pub group: u32,
    /// The number of the kept head in its group.
    pub number: u32,
    /// The symmetry that maps the head onto the kept head.
    pub symmetry: u8,
}

/// A head that stands for all its images.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeptHead {
    pub head: u64,
    /// The number of different images, the head itself included.
    pub images: u64,
}

/// The two parts of a board, and the numbers of the sets in each; see [`layout`](mod@super::layout).
pub(super) struct PatternNumbering {
    pub symmetries: Vec<WordMap>,
    /// By symmetry: the number of its inverse.
    pub inverses: Vec<u8>,
    /// The points of the head; all others belong to the tail.
    pub head: u64,
    pub tail: u64,
    /// By group: the kept heads with one key, in order. Groups are ordered by key.
    pub head_groups: Vec<Vec<KeptHead>>,
    /// By group: the tails with one key, in order. Groups are ordered by key.
    pub tail_groups: Vec<Vec<u64>>,
    /// By cell: what a goose there adds to the key.
    weights: [u32; 64],
    head_packing: Packing,
    tail_packing: Packing,
    /// By packed head: the place of the head.
    head_places: Vec<HeadPlace>,
    /// By packed tail: its number in its group.
    tail_ranks: Vec<u32>,
    /// By key: the number of the group of tails, or [`NO_GROUP`].
    groups_by_key: Vec<u32>,
}

impl PatternNumbering {
    /// The numbering for these rules; `None` when the board is too large.
    pub(super) fn new(rules: &PatternRules) -> Option<PatternNumbering> {
        let symmetries = rules.symmetries.clone();
        let head = head_points(rules);
        let tail = rules.all & !head;
        let (weights, keys) = weights(rules)?;
        if head.count_ones().max(tail.count_ones()) > MOST_POINTS_OF_A_HALF {
            return None;
        }
        let is_inverse =
            |one: &WordMap, other: &WordMap| singles(rules.all).all(|point| other.apply(one.apply(point)) == point);
        let inverse = |one| symmetries.iter().position(|other| is_inverse(one, other)).map(|number| number as u8);
        let mut numbering = PatternNumbering {
            inverses: symmetries.iter().map(inverse).collect::<Option<_>>()?,
            symmetries,
            head,
            tail,
            head_groups: Vec::new(),
            tail_groups: Vec::new(),
            weights,
            head_packing: Packing::new(head),
            tail_packing: Packing::new(tail),
            head_places: vec![HeadPlace::default(); 1 << head.count_ones()],
            tail_ranks: vec![0; 1 << tail.count_ones()],
            groups_by_key: Vec::new(),
        };
        numbering.number_heads(keys);
        numbering.number_tails(keys);
        Some(numbering)
    }

    fn number_heads(&mut self, keys: u32) {
        let (groups, number) = self.groups(self.head, keys);
        self.head_groups = vec![Vec::new(); number];
        for (packed, head) in subsets(self.head).enumerate() {
            let mut images: Vec<(u64, u8)> = (0..).zip(&self.symmetries).map(|(n, map)| (map.apply(head), n)).collect();
            images.sort_unstable();
            let (kept, symmetry) = images[0];
            if kept != head {
                let place = self.head_places[self.head_packing.packed(kept) as usize];
                self.head_places[packed] = HeadPlace { symmetry, ..place };
                continue;
            }
            images.dedup_by_key(|image| image.0);
            let group = groups[self.key(head) as usize];
            let members = &mut self.head_groups[group as usize];
            self.head_places[packed] = HeadPlace { group, number: members.len() as u32, symmetry: 0 };
            members.push(KeptHead { head, images: images.len() as u64 });
        }
    }

    fn number_tails(&mut self, keys: u32) {
        let (groups, number) = self.groups(self.tail, keys);
        (self.groups_by_key, self.tail_groups) = (groups, vec![Vec::new(); number]);
        for (packed, tail) in subsets(self.tail).enumerate() {
            let group = self.groups_by_key[self.key(tail) as usize];
            let members = &mut self.tail_groups[group as usize];
            self.tail_ranks[packed] = members.len() as u32;
            members.push(tail);
        }
    }

    /// By key: the number of the group of subsets of `points` with that key, in order; then the number of groups.
    fn groups(&self, points: u64, keys: u32) -> (Vec<u32>, usize) {
        let mut groups = vec![NO_GROUP; keys as usize];
        subsets(points).for_each(|set| groups[self.key(set) as usize] = 0);
        let found = groups.iter_mut().filter(|group| **group == 0);
        let number = found.zip(0..).map(|(group, number)| *group = number).count();
        (groups, number)
    }

    /// The key of a pattern: the number of its geese, or their numbers on each rank as one number.
    fn key(&self, pattern: u64) -> u32 {
        singles(pattern).map(|point| self.weight(point)).sum()
    }

    /// What a goose on a point adds to the key.
    pub(super) fn weight(&self, point: u64) -> u32 {
        self.weights[point.trailing_zeros() as usize & 63]
    }

    #[inline(always)]
    pub(super) fn head_place(&self, head: u64) -> HeadPlace {
        self.head_places[self.head_packing.packed(head) as usize]
    }

    /// The number of a tail in its group.
    #[inline(always)]
    pub(super) fn tail_rank(&self, tail: u64) -> u32 {
        self.tail_ranks[self.tail_packing.packed(tail) as usize]
    }

    /// The number of the group of a tail.
    pub(super) fn tail_group(&self, tail: u64) -> u32 {
        self.tail_group_of(self.key(tail))
    }

    /// The number of the group of tails with a key, or [`NO_GROUP`].
    pub(super) fn tail_group_of(&self, key: u32) -> u32 {
        self.groups_by_key.get(key as usize).copied().unwrap_or(NO_GROUP)
    }
}

/// The points of the head: whole ranks or orbits, widest first, as far as half of the points allows.
fn head_points(rules: &PatternRules) -> u64 {
    let mut parts: Vec<u64> = if rules.onward.is_empty() {
        // With large orbits in the head, few heads are kept by any symmetry but the identity.
        let orbit = |point| rules.symmetries.iter().fold(0, |orbit, map| orbit | map.apply(point));
        singles(rules.all).filter(|&point| orbit(point) & point.wrapping_sub(1) == 0).map(orbit).collect()
    } else {
        (0..rules.ranks).map(|rank| rules.rank(rank)).collect()
    };
    parts.sort_by_key(|part| std::cmp::Reverse(part.count_ones()));
    let half = rules.points() / 2;
    parts.iter().fold(0, |head: u64, part| if (head | part).count_ones() <= half { head | part } else { head })
}

/// By cell: what a goose there adds to the key of a pattern; then a bound of all keys. `None` when they are too many.
fn weights(rules: &PatternRules) -> Option<([u32; 64], u32)> {
    let mut weights = [1; 64];
    if rules.onward.is_empty() {
        return Some((weights, rules.points() + 1));
    }
    let mut keys = 1u32;
    for rank in 0..rules.ranks {
        singles(rules.rank(rank)).for_each(|point| weights[point.trailing_zeros() as usize] = keys);
        keys = keys.checked_mul(rules.rank(rank).count_ones() + 1).filter(|&keys| keys <= MOST_KEYS)?;
    }
    Some((weights, keys))
}

/// The numbers of two tails in their groups, such as before and after a move.
pub(super) type Pair = [u32; 2];

/// What moves, captures and symmetries make of the tails of a group.
#[derive(Default)]
pub(super) struct TailMoves {
    /// By symmetry: the number of each tail's image.
    pub images: Vec<Vec<u32>>,
    /// By point of the tail: the groups after a goose is added there and after one is removed.
    pub more: Vec<u32>,
    pub fewer: Vec<u32>,
    /// By point of the tail: the number of each tail without a goose there, and its number in `more` with one.
    pub links: Vec<Vec<Pair>>,
    /// Moves within the tail that can be undone, as pairs of tails before and after, by the group after them.
    pub within: Vec<(u32, Vec<Pair>)>,
    /// Moves within the tail that cannot be undone, as pairs of tails before and after, by the group after them.
    pub onward: Vec<(u32, Vec<Pair>)>,
}

/// The moves of all tails, by group; empty for groups with too many geese.
#[derive(Default)]
pub(super) struct TailLists {
    /// The most geese of a tail whose moves are listed; `None` if no moves are listed.
    pub most_geese: Option<u32>,
    groups: Vec<TailMoves>,
    /// By cell: the number of a point among those of the tail.
    indices: Vec<u8>,
}

impl TailLists {
    /// Lists the moves of tails with at most `most` geese.
    pub(super) fn new(rules: &PatternRules, numbering: &PatternNumbering, most: u32) -> TailLists {
        let list = |group: &Vec<u64>| {
            let is_small = group[0].count_ones() <= most;
            if is_small { TailMoves::new(rules, numbering, group) } else { TailMoves::default() }
        };
        let mut indices = vec![0; 64];
        for (index, point) in (0..).zip(singles(numbering.tail)) {
            indices[point.trailing_zeros() as usize] = index;
        }
        TailLists { most_geese: Some(most), groups: numbering.tail_groups.iter().map(list).collect(), indices }
    }

    #[inline]
    pub(super) fn of(&self, group: u32) -> &TailMoves {
        &self.groups[group as usize]
    }

    /// The number of a point among those of the tail.
    pub(super) fn index(&self, point: u64) -> usize {
        self.indices[point.trailing_zeros() as usize & 63].into()
    }
}

impl TailMoves {
    fn new(rules: &PatternRules, numbering: &PatternNumbering, group: &[u64]) -> TailMoves {
        let tails = || (0u32..).zip(group.iter().copied());
        let points = || singles(numbering.tail);
        // A key is the sum of the points' weights. If no tail of the group can gain, or lose, a goose on a point, the
        // sum carries into another rank: it is then the key of no group, or of one whose geese do not fit the layer,
        // which `LayerPatterns::group` refuses.
        let key = numbering.key(group[0]);
        let links = |point: u64| {
            let without = tails().filter(move |(_, tail)| tail & point == 0);
            without.map(|(number, tail)| [number, numbering.tail_rank(tail | point)]).collect()
        };
        let images = numbering.symmetries.iter();
        TailMoves {
            images: images.map(|map| tails().map(|(_, tail)| numbering.tail_rank(map.apply(tail))).collect()).collect(),
            more: points().map(|point| numbering.tail_group_of(key + numbering.weight(point))).collect(),
            fewer: points().map(|point| numbering.tail_group_of(key.wrapping_sub(numbering.weight(point)))).collect(),
            links: points().map(links).collect(),
            within: slides(numbering, group, &rules.within),
            onward: slides(numbering, group, &rules.onward),
        }
    }
}

/// The moves within the tail of a group, as pairs of tails before and after, by the group after them.
fn slides(numbering: &PatternNumbering, group: &[u64], moves: &[Shift]) -> Vec<(u32, Vec<Pair>)> {
    let mut slides: Vec<(u32, Vec<Pair>)> = Vec::new();
    for (number, &tail) in (0..).zip(group) {
        for shift in moves {
            for to in singles((tail & shift.points).rotate_left(shift.rotation) & numbering.tail & !tail) {
                let after = tail ^ to ^ to.rotate_right(shift.rotation);
                let (group, pair) = (numbering.tail_group(after), [number, numbering.tail_rank(after)]);
                match slides.iter_mut().find(|known| known.0 == group) {
                    Some((_, pairs)) => pairs.push(pair),
                    None => slides.push((group, vec![pair])),
                }
            }
        }
    }
    slides
}
