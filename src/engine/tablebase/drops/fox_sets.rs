//! The sets of foxes that are different under the board's symmetries, and how foxes and geese move beside them.

use std::collections::HashMap;

use crate::geometry::{Point, PointSet, Word, bits};
use crate::rules::hunt::{Capture, GeeseStuck, Hunt};

/// Patterns of more slots would take more memory than one set of foxes is worth.
const MOST_SLOTS: usize = 24;
/// Two slots are fixed by a capture, and the six lowest lie within a word.
const FEWEST_SLOTS: usize = 8;
/// So many sets of foxes are still listed.
const MOST_FOX_SETS: u128 = 1 << 20;

/// A set of points, a bit for each in the order of the board's points.
type Points = u32;
/// A set of slots: the points beside the foxes, in the order of the board's points.
pub(super) type Slots = u32;

/// The kept sets of foxes, one of all that are images of each other, and what leads from one to another.
pub(super) struct FoxSets {
    pub(super) sets: Vec<FoxSet>,
    /// Points beside the foxes.
    pub(super) slots: usize,
    points: Vec<Point>,
    symmetries: Vec<Vec<u8>>,
    /// For every set of foxes the kept one that is its image, and the number of the symmetry.
    kept: HashMap<Points, (u32, u8)>,
}

/// A kept set of foxes.
pub(super) struct FoxSet {
    foxes: Points,
    /// How many sets are its images.
    pub(super) weight: u64,
    pub(super) moves: Vec<FoxMove>,
    /// By slot, the slots to which a goose steps from it.
    pub(super) goose_steps: Vec<Slots>,
    /// The steps of foxes that lead here: the set before and the number of the move.
    pub(super) steps_before: Vec<(u32, u32)>,
}

/// A move of a fox, followed by the symmetry that leads to a kept set.
pub(super) struct FoxMove {
    /// The kept set.
    pub(super) to: u32,
    /// The slot where the fox lands, which must be empty.
    pub(super) landing: u8,
    /// The slot of the goose that it jumps over.
    pub(super) captured: Option<u8>,
    /// By slot before the move, the slot after it; for `landing` the slot of the point that the fox left.
    pub(super) slots: Vec<u8>,
}

impl FoxMove {
    /// Whether the foxes can make it beside these geese.
    pub(super) fn is_legal(&self, geese: Slots) -> bool {
        geese >> self.landing & 1 == 0 && self.captured.is_none_or(|captured| geese >> captured & 1 == 1)
    }

    /// The geese after it.
    pub(super) fn after(&self, geese: Slots) -> Slots {
        let left = self.captured.map_or(geese, |captured| geese & !(1 << captured));
        moved(&self.slots, left)
    }

    /// The geese before a step, given those after it.
    pub(super) fn before(&self, geese: Slots) -> Slots {
        self.slots.iter().enumerate().map(|(slot, &after)| (geese >> after & 1) << slot).sum()
    }
}

/// The image of a set of slots.
pub(super) fn moved(slots: &[u8], set: Slots) -> Slots {
    bits(set).map(|slot| 1 << slots[slot]).sum()
}

impl FoxSets {
    /// `None` when this method does not take the ruleset: nothing to drop, huffs, a fortress, duties to capture, chains,
    /// geese that cannot step back or may pass, or a board with too many or too few points beside the foxes.
    pub(super) fn new<W: Word>(game: &Hunt<W>) -> Option<FoxSets> {
        let rules = &game.ruleset().rules;
        let plain = rules.drops > 0 && !game.has_huff() && rules.fortress.is_empty() && !rules.fox_home_wins;
        let free = rules.capture == Capture::Optional && !rules.chain && rules.geese_stuck == GeeseStuck::Lose;
        let points = game.board().points().to_vec();
        let slots = points.len().checked_sub(rules.foxes as usize)?;
        let fits = (FEWEST_SLOTS..=MOST_SLOTS).contains(&slots)
            && points.len() <= Points::BITS as usize
            && crate::tablebase::binomials::binomial(points.len() as u32, rules.foxes) <= MOST_FOX_SETS;
        if !plain || !free || rules.first_move_forward || !fits {
            return None;
        }
        let board = DenseBoard::new(game, &points);
        if !board.geese_step_back() {
            return None;
        }
        Some(board.fox_sets(points, rules.foxes, slots))
    }

    /// The kept set of foxes and the slots of the geese of a position, or of its image.
    pub(super) fn find<W: Word>(&self, foxes: PointSet<W>, geese: PointSet<W>) -> Option<(usize, Slots)> {
        let dense = |set: PointSet<W>| -> Points {
            self.points.iter().enumerate().map(|(at, &point)| u32::from(set.has(point)) << at).sum()
        };
        let &(kept, symmetry) = self.kept.get(&dense(foxes))?;
        let geese = moved(&self.symmetries[usize::from(symmetry)], dense(geese));
        Some((kept as usize, slots_of(self.sets[kept as usize].foxes, geese)))
    }

    /// The points of a kept set and of geese beside it.
    pub(super) fn points<W: Word>(&self, set: usize, geese: Slots) -> (PointSet<W>, PointSet<W>) {
        let foxes = self.sets[set].foxes;
        let beside: Vec<Point> =
            (0..self.points.len()).filter(|&at| foxes >> at & 1 == 0).map(|at| self.points[at]).collect();
        (bits(foxes).map(|at| self.points[at]).collect(), bits(geese).map(|slot| beside[slot]).collect())
    }
}

#[cfg(test)]
impl FoxSets {
    /// How the symmetries that keep a set move its slots; the identity is among them.
    pub(super) fn stabiliser(&self, set: usize) -> Vec<Vec<u8>> {
        let foxes = self.sets[set].foxes;
        let beside = || (0..self.points.len()).filter(|at| foxes >> at & 1 == 0);
        let keeping = self.symmetries.iter().filter(|symmetry| moved(symmetry, foxes) == foxes);
        keeping.map(|symmetry| beside().map(|at| slot_of(foxes, symmetry[at].into())).collect()).collect()
    }
}

/// The slots of points that lie beside the foxes.
fn slots_of(foxes: Points, points: Points) -> Slots {
    bits(points).map(|at| 1 << slot_of(foxes, at)).sum()
}

fn slot_of(foxes: Points, at: usize) -> u8 {
    (!foxes & ((1 << at) - 1)).count_ones() as u8
}

/// The moves of a board whose points are numbered without holes.
struct DenseBoard {
    all: Points,
    fox_steps: Vec<Points>,
    /// By point: the point that is jumped over, and the landing.
    fox_jumps: Vec<Vec<(usize, usize)>>,
    goose_steps: Vec<Points>,
    symmetries: Vec<Vec<u8>>,
}

impl DenseBoard {
    fn new<W: Word>(game: &Hunt<W>, points: &[Point]) -> DenseBoard {
        let place = |point: Point| points.iter().position(|&other| other == point);
        let dense = |set: PointSet<W>| -> Points { set.iter().filter_map(place).map(|at| 1 << at).sum() };
        let mut goose_steps = vec![0; points.len()];
        for direction in game.goose_steps() {
            for from in direction.from {
                let to = PointSet::of(from).rotated(direction.rotation);
                place(from).into_iter().for_each(|from| goose_steps[from] |= dense(to));
            }
        }
        let mut fox_jumps = vec![Vec::new(); points.len()];
        for axis in game.fox_jump_axes() {
            for middle in axis.points {
                let ends =
                    axis.rotations.map(|rotation| PointSet::<W>::of(middle).rotated(rotation).first().and_then(place));
                if let ([Some(one), Some(other)], Some(middle)) = (ends, place(middle)) {
                    fox_jumps[one].push((middle, other));
                    fox_jumps[other].push((middle, one));
                }
            }
        }
        let image =
            |point: &Point, symmetry: &crate::geometry::Symmetry| place(symmetry.point(*point)).unwrap_or(0) as u8;
        DenseBoard {
            all: ((1u64 << points.len()) - 1) as Points,
            fox_steps: points.iter().map(|&point| dense(game.fox_steps(point))).collect(),
            fox_jumps,
            goose_steps,
            symmetries: game
                .symmetries()
                .iter()
                .map(|symmetry| points.iter().map(|point| image(point, symmetry)).collect())
                .collect(),
        }
    }

    fn geese_step_back(&self) -> bool {
        let back = |from: usize, to: usize| self.goose_steps[to] >> from & 1 == 1;
        (0..self.goose_steps.len()).all(|from| bits(self.goose_steps[from]).all(|to| back(from, to)))
    }

    fn fox_sets(self, points: Vec<Point>, foxes: u32, slots: usize) -> FoxSets {
        let (mut kept, mut masks) = (HashMap::new(), Vec::new());
        for set in sets_of(foxes, points.len() as u32) {
            let images = self.symmetries.iter().map(|symmetry| moved(symmetry, set));
            let (symmetry, first) = images.enumerate().min_by_key(|&(_, image)| image).unwrap_or((0, set));
            if first == set {
                kept.insert(set, (masks.len() as u32, 0));
                masks.push(set);
            } else if let Some(&(number, _)) = kept.get(&first) {
                kept.insert(set, (number, symmetry as u8));
            }
        }
        let mut sets: Vec<FoxSet> = masks.iter().map(|&set| self.fox_set(set, &masks, &kept)).collect();
        let steps: Vec<(u32, u32, u32)> = (0u32..)
            .zip(&sets)
            .flat_map(|(from, set)| (0u32..).zip(&set.moves).map(move |(number, mv)| (from, number, mv)))
            .filter(|(_, _, mv)| mv.captured.is_none())
            .map(|(from, number, mv)| (mv.to, from, number))
            .collect();
        steps.into_iter().for_each(|(to, from, number)| sets[to as usize].steps_before.push((from, number)));
        FoxSets { sets, slots, points, symmetries: self.symmetries, kept }
    }

    fn fox_set(&self, foxes: Points, masks: &[Points], kept: &HashMap<Points, (u32, u8)>) -> FoxSet {
        let beside: Vec<usize> = bits(self.all & !foxes).collect();
        let mut moves = Vec::new();
        for from in bits(foxes) {
            let steps = bits(self.fox_steps[from] & !foxes).map(|landing| (None, landing));
            let jumps = self.fox_jumps[from].iter().map(|&(over, landing)| (Some(over), landing));
            let free = |&(over, landing): &(Option<usize>, usize)| {
                foxes >> landing & 1 == 0 && over.is_none_or(|over| foxes >> over & 1 == 0)
            };
            for (over, landing) in steps.chain(jumps).filter(free) {
                let (to, symmetry) = kept[&(foxes & !(1 << from) | 1 << landing)];
                let symmetry = &self.symmetries[usize::from(symmetry)];
                // The place of the landing stands for that of the point left behind.
                let after = |&at: &usize| symmetry[if at == landing { from } else { at }].into();
                moves.push(FoxMove {
                    to,
                    landing: slot_of(foxes, landing),
                    captured: over.map(|over| slot_of(foxes, over)),
                    slots: beside.iter().map(|at| slot_of(masks[to as usize], after(at))).collect(),
                });
            }
        }
        let keeping = self.symmetries.iter().filter(|symmetry| moved(symmetry, foxes) == foxes).count();
        FoxSet {
            foxes,
            weight: (self.symmetries.len() / keeping.max(1)) as u64,
            moves,
            goose_steps: beside.iter().map(|&at| slots_of(foxes, self.goose_steps[at] & !foxes)).collect(),
            steps_before: Vec::new(),
        }
    }
}

/// All sets of so many of the lowest `bits` bits, in the order of numbers.
pub(super) fn sets_of(size: u32, bits: u32) -> impl Iterator<Item = u32> {
    let inside = move |set: u64| (set >> bits == 0).then_some(set);
    let next = move |&set: &u64| {
        // The next number with as many bits: Gosper's trick (HAKMEM, item 175).
        let lowest = set & set.wrapping_neg();
        let ripple = set + lowest;
        inside(((set ^ ripple) >> 2).checked_div(lowest)? | ripple)
    };
    std::iter::successors(inside((1 << size) - 1), next).map(|set| set as u32)
}
