//! What geese can move to, for all patterns of a strip at once.
//!
//! A move either keeps the head, and its patterns are found in the same strip, or leads from a strip to one other:
//! there the sets of neighbouring patterns stand side by side. If only the image of the new head is kept, these are
//! first joined in the order of the images, and turned back once.

use std::ops::Range;

use super::foxes::Foxes;
use super::layer::{LayerPatterns, Strip};
use super::numbering::{NO_GROUP, PatternNumbering};
use super::rules::Shift;
use super::tail_moves::{Pair, TailLists};
use crate::geometry::singles;

/// What becomes of the tail when a move changes the head.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum TailChange {
    Same,
    /// There is a goose more on the point of this number.
    More(usize),
    /// There is a goose less.
    Fewer(usize),
}

/// A strip to which a move that changes the head leads.
#[derive(Clone, Debug)]
pub(super) struct Neighbour {
    /// The number of the strip in its level, and of its patterns.
    pub strip: usize,
    pub range: Range<usize>,
    /// The symmetry that maps the new head onto that of the strip.
    symmetry: u8,
    tails: u32,
    change: TailChange,
}

/// Looks up the placements known of neighbours.
pub(super) struct Sweep<'a, F: Foxes> {
    pub foxes: &'a F,
    pub numbering: &'a PatternNumbering,
    pub lists: &'a TailLists,
    pub layer: &'a LayerPatterns,
}

impl<F: Foxes> Sweep<'_, F> {
    /// The strips to which these moves lead from a strip when they change the head, in the order of symmetries.
    pub(super) fn neighbours(&self, moves: &[Shift], strip: &Strip) -> Vec<Neighbour> {
        let head = self.numbering.head;
        let tails = self.lists.of(strip.tails);
        let mut neighbours = Vec::new();
        for shift in moves {
            for from in singles(shift.from) {
                let to = from.rotate_left(shift.rotation);
                let found = match (from & head != 0, to & head != 0) {
                    (true, true) if strip.head & from != 0 && strip.head & to == 0 => {
                        self.neighbour(strip.head ^ from ^ to, strip.tails, TailChange::Same, 0)
                    }
                    (true, false) if strip.head & from != 0 => {
                        let index = self.lists.index(to);
                        self.neighbour(strip.head ^ from, tails.more[index], TailChange::More(index), to)
                    }
                    (false, true) if strip.head & to == 0 => {
                        let index = self.lists.index(from);
                        self.neighbour(strip.head ^ to, tails.fewer[index], TailChange::Fewer(index), from)
                    }
                    _ => None,
                };
                neighbours.extend(found);
            }
        }
        neighbours.sort_unstable_by_key(|found: &Neighbour| (found.symmetry, found.strip, found.change));
        neighbours
    }

    /// The strip with a head and tails that have a goose more or less on `point`.
    fn neighbour(&self, head: u64, tails: u32, change: TailChange, point: u64) -> Option<Neighbour> {
        let at = self.numbering.head_place(head);
        let group = if tails == NO_GROUP { None } else { self.layer.group(at.group, tails) }?;
        let image = || self.lists.index(self.numbering.symmetries[usize::from(at.symmetry)].apply(point));
        let change = match change {
            TailChange::Same => change,
            TailChange::More(_) => TailChange::More(image()),
            TailChange::Fewer(_) => TailChange::Fewer(image()),
        };
        let (strip, range) = (group.strip(at.number) as usize, group.range(at.number));
        Some(Neighbour { strip, range, symmetry: at.symmetry, tails, change })
    }

    /// Adds what is known of all these neighbours, which are ordered by symmetry, to the patterns before them.
    pub(super) fn join(
        &self,
        strip: &Strip,
        neighbours: &[Neighbour],
        sets: &[F::Set],
        joined: &mut [F::Set],
        turned: &mut Vec<F::Set>,
    ) {
        for alike in neighbours.chunk_by(|one, other| one.symmetry == other.symmetry) {
            let symmetry = usize::from(alike[0].symmetry);
            if symmetry == 0 {
                alike.iter().for_each(|neighbour| self.join_one(strip, neighbour, sets, joined));
                continue;
            }
            turned.clear();
            turned.resize(joined.len(), F::Set::default());
            alike.iter().for_each(|neighbour| self.join_one(strip, neighbour, sets, turned));
            let back = usize::from(self.numbering.inverses[symmetry]);
            for (set, &image) in joined.iter_mut().zip(&self.lists.of(strip.tails).images[symmetry]) {
                *set |= self.foxes.image(back, turned[image as usize]);
            }
        }
    }

    /// The same for one neighbour, in the order of its own tails.
    fn join_one(&self, strip: &Strip, neighbour: &Neighbour, sets: &[F::Set], joined: &mut [F::Set]) {
        let sets = &sets[neighbour.range.clone()];
        match neighbour.change {
            TailChange::Same => joined.iter_mut().zip(sets).for_each(|(joined, set)| *joined |= *set),
            TailChange::More(point) => {
                let links = &self.lists.of(strip.tails).links[point];
                links.iter().for_each(|&[without, with]| joined[without as usize] |= sets[with as usize]);
            }
            TailChange::Fewer(point) => {
                let links = &self.lists.of(neighbour.tails).links[point];
                links.iter().for_each(|&[without, with]| joined[with as usize] |= sets[without as usize]);
            }
        }
    }

    /// Adds what is known after moves within the tail that can be undone; `sets` are those of the strip.
    pub(super) fn join_own(&self, strip: &Strip, sets: &[F::Set], joined: &mut [F::Set]) {
        let moves = &self.lists.of(strip.tails).within;
        moves.iter().for_each(|&[before, after]| joined[before as usize] |= sets[after as usize]);
    }

    /// Adds what is known in the level above after moves within the tail that cannot be undone, in the strips that are
    /// `wanted`.
    pub(super) fn join_above(
        &self,
        strip: &Strip,
        sets: &[F::Set],
        joined: &mut [F::Set],
        wanted: impl Fn(usize) -> bool,
    ) {
        for (_, range, moves) in self.moves_above(strip).filter(|(above, ..)| wanted(*above)) {
            let sets = &sets[range];
            moves.iter().for_each(|&[before, after]| joined[before as usize] |= sets[after as usize]);
        }
    }

    /// The strips of the level above to which moves within the tail lead.
    pub(super) fn strips_above(&self, strip: &Strip) -> impl Iterator<Item = usize> {
        self.moves_above(strip).map(|(above, ..)| above)
    }

    /// Moves within the tail that cannot be undone, with the strip of the level above and its patterns.
    fn moves_above(&self, strip: &Strip) -> impl Iterator<Item = (usize, Range<usize>, &[Pair])> {
        let at = self.numbering.head_place(strip.head);
        self.lists.of(strip.tails).onward.iter().filter_map(move |(tails, moves)| {
            let group = self.layer.group(at.group, *tails)?;
            Some((group.strip(at.number) as usize, group.range(at.number), &moves[..]))
        })
    }
}
