//! The sets of foxes that differ under symmetry, and the moves of foxes and geese with each of them.

#[cfg(test)]
use crate::geometry::Symmetry;
use crate::geometry::{Point, PointSet, Word, bits};
use crate::rules::hunt::{Capture, Huff, Hunt, Position, Side, Stuck};
use crate::tablebase::sets::{KeptFoxes, SetNumbering, binomial};

/// The most slots; with more, the bit set of all patterns would take too much memory for each set of foxes.
const MOST_SLOTS: usize = 24;
/// The fewest slots: a capture takes out two, and six more lie within a word.
const FEWEST_SLOTS: usize = 8;
/// The most sets of foxes that are listed.
const MOST_FOX_SETS: u128 = 1 << 20;

/// A set of points of any board.
type Points = PointSet<u128>;
/// A set of slots, which are the points beside the foxes in the order of the board's points.
pub(super) type Slots = u32;

/// The kept sets of foxes, one for each class of images under symmetry, and the moves between them.
pub(super) struct FoxSets {
    pub(super) sets: Vec<FoxSet>,
    /// The number of points beside the foxes.
    pub(super) slots: usize,
    fox_count: u32,
    numbering: SetNumbering<u128>,
}

/// A kept set of foxes.
pub(super) struct FoxSet {
    foxes: Points,
    /// The number of different images of the set, itself included.
    pub(super) weight: u64,
    pub(super) moves: Vec<FoxMove>,
    /// By slot: the slots to which a goose steps from it.
    pub(super) goose_steps: Vec<Slots>,
    /// The steps of foxes that lead to this set: the kept set before it, and the number of the move there.
    pub(super) steps_before: Vec<(u32, u32)>,
}

/// A move of a fox, with the symmetry that maps the foxes after it onto a kept set.
pub(super) struct FoxMove {
    /// The number of the kept set after the move.
    pub(super) to: u32,
    /// The slot where the fox lands; it must be empty.
    pub(super) landing: u8,
    /// The slot of the goose that the fox jumps over.
    pub(super) captured: Option<u8>,
    /// By slot before the move: the slot after it. `landing` maps to the slot of the point that the fox left.
    pub(super) slots: Vec<u8>,
}

impl FoxMove {
    /// Whether the move is legal with these geese.
    pub(super) fn is_legal(&self, geese: Slots) -> bool {
        geese >> self.landing & 1 == 0 && self.captured.is_none_or(|captured| geese >> captured & 1 == 1)
    }

    /// The geese after the move, in the slots of the set after it.
    pub(super) fn after(&self, geese: Slots) -> Slots {
        let left = self.captured.map_or(geese, |captured| geese & !(1 << captured));
        moved(&self.slots, left)
    }

    /// The geese before a step, in the slots of the set before it.
    pub(super) fn before(&self, geese: Slots) -> Slots {
        self.slots.iter().enumerate().map(|(slot, &after)| (geese >> after & 1) << slot).sum()
    }
}

/// The image of a set of slots; `slots` has the image of each.
pub(super) fn moved(slots: &[u8], set: Slots) -> Slots {
    bits(set).map(|slot| 1 << slots[slot]).sum()
}

impl FoxSets {
    /// Lists the sets of a ruleset; `None` when this method does not take it: nothing to drop, huffs, a fortress,
    /// forced captures, chains, geese that cannot step back or may pass, or too many or too few points beside the
    /// foxes.
    pub(super) fn new<W: Word>(game: &Hunt<W>) -> Option<FoxSets> {
        let rules = &game.ruleset().rules;
        let all = game.board().all();
        let plain = rules.drops > 0
            && rules.huff == Huff::None
            && rules.fortress.is_empty()
            && game.geometry().fox_goal.is_empty();
        let plain = plain && rules.has_short_moves();
        let all_lose = rules.geese_stuck == Stuck::Lose && rules.fox_stuck == Stuck::Lose;
        let free = rules.capture == Capture::Optional && !rules.chain && all_lose;
        let slots = all.len().checked_sub(rules.foxes)? as usize;
        let fits = (FEWEST_SLOTS..=MOST_SLOTS).contains(&slots) && binomial(all.len(), rules.foxes) <= MOST_FOX_SETS;
        let steps_back = |to: Point| game.goose_origins(to).iter().all(|from| game.goose_origins(from).has(to));
        if !plain || !free || rules.first_move_forward || !fits || !all.iter().all(steps_back) {
            return None;
        }
        let numbering = SetNumbering::new(game.board(), game.symmetries(), rules.foxes);
        let mut foxes = FoxSets { sets: Vec::new(), slots, fox_count: rules.foxes, numbering };
        foxes.sets = foxes.kept().iter().map(|kept| foxes.fox_set(game, kept)).collect();
        foxes.note_steps_before();
        Some(foxes)
    }

    fn kept(&self) -> &[KeptFoxes<u128>] {
        self.numbering.kept(self.fox_count)
    }

    fn fox_set<W: Word>(&self, game: &Hunt<W>, kept: &KeptFoxes<u128>) -> FoxSet {
        let foxes = kept.foxes;
        let goose_steps = |from: Point| self.slots_of(foxes, game.goose_origins(from).widen() - foxes);
        FoxSet {
            foxes,
            weight: kept.images,
            moves: foxes.iter().flat_map(|from| self.moves_from(game, foxes, from)).collect(),
            // A goose's steps are also those that lead to its slot: each can be taken back.
            goose_steps: self.numbering.beside(foxes).map(goose_steps).collect(),
            steps_before: Vec::new(),
        }
    }

    /// The moves of the fox on `from`.
    fn moves_from<W: Word>(&self, game: &Hunt<W>, foxes: Points, from: Point) -> Vec<FoxMove> {
        let step = |to: Point| self.fox_move(foxes, from, None, to);
        let steps = game.geometry().fox_steps[from.index()].iter().filter(|&to| !foxes.has(to)).map(step);
        let jumps = game.fox_jumps(from).filter(|&(over, to)| !foxes.has(over) && !foxes.has(to));
        steps.chain(jumps.map(|(over, to)| self.fox_move(foxes, from, Some(over), to))).collect()
    }

    fn fox_move(&self, foxes: Points, from: Point, over: Option<Point>, landing: Point) -> FoxMove {
        let place = self.numbering.fox_place(foxes.without(from).with(landing));
        let kept = self.kept()[place.number as usize].foxes;
        // After the move the slot of the landing belongs to the point that the fox left.
        let before = |at: Point| if at == landing { from } else { at };
        let after = |at: Point| self.numbering.image(place.symmetry, PointSet::of(before(at)));
        let slot_after = |at: Point| after(at).first().map_or(0, |point| self.slot_of(kept, point));
        FoxMove {
            to: place.number,
            landing: self.slot_of(foxes, landing),
            captured: over.map(|over| self.slot_of(foxes, over)),
            slots: self.numbering.beside(foxes).map(slot_after).collect(),
        }
    }

    fn note_steps_before(&mut self) {
        for from in 0..self.sets.len() {
            for number in 0..self.sets[from].moves.len() {
                let FoxMove { to, captured, .. } = self.sets[from].moves[number];
                if captured.is_none() {
                    self.sets[to as usize].steps_before.push((from as u32, number as u32));
                }
            }
        }
    }

    /// The number of the kept set, and the slots of the geese, of a position or its image; `None` where the number of
    /// foxes differs.
    pub(super) fn find<W: Word>(&self, foxes: PointSet<W>, geese: PointSet<W>) -> Option<(usize, Slots)> {
        if foxes.len() != self.fox_count {
            return None;
        }
        let place = self.numbering.fox_place(foxes.widen());
        let geese = self.numbering.image(place.symmetry, geese.widen());
        Some((place.number as usize, self.slots_of(self.kept()[place.number as usize].foxes, geese)))
    }

    /// The position with a kept set of foxes, geese in these slots and this side to move.
    pub(super) fn position<W: Word>(&self, set: usize, geese: Slots, turn: Side) -> Position<W> {
        let foxes = self.sets[set].foxes;
        let beside: Vec<Point> = self.numbering.beside(foxes).collect();
        Position::new(PointSet::narrow(foxes), bits(geese).map(|slot| beside[slot]).collect(), turn)
    }

    /// The slots of those `points` that lie beside the foxes.
    fn slots_of(&self, foxes: Points, points: Points) -> Slots {
        points.iter().map(|point| 1 << self.slot_of(foxes, point)).sum()
    }

    fn slot_of(&self, foxes: Points, point: Point) -> u8 {
        self.numbering.number_beside(point, foxes) as u8
    }
}

#[cfg(test)]
impl FoxSets {
    /// The maps of slots by the symmetries of a game that keep a set of foxes; the identity is among them.
    pub(super) fn stabiliser<W: Word>(&self, game: &Hunt<W>, set: usize) -> Vec<Vec<u8>> {
        let foxes = self.sets[set].foxes;
        let symmetries = game.symmetries().into_iter().filter(|symmetry| symmetry.set(foxes) == foxes);
        let slots = |symmetry: Symmetry| {
            self.numbering.beside(foxes).map(|at| self.slot_of(foxes, symmetry.point(at))).collect()
        };
        symmetries.map(slots).collect()
    }
}
