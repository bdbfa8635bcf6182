//! Which entries of a table of weights speak about a position.
//!
//! An entry belongs to the point of a fox, the side to move, and one pattern of geese on one group of points (tuples of
//! this kind are known from othello and 2048: Buro 1997, Szubert and Jaśkowski 2014). Fox points that a symmetry of the
//! rules maps onto each other share their entries, and so do patterns where a symmetry leaves the fox in its place.
//! One more entry belongs to the numbers of pieces.

use std::ops::Range;

use super::group_lookup::{GroupLookup, pattern};
use super::point_groups::{self, GroupKind, MOST};
use crate::geometry::{Board, Point, PointSet, Symmetry, Word};
use crate::rules::hunt::{Hunt, Phase, Position, Side};

/// The entries for the positions of a game.
#[derive(Clone)]
pub struct PatternModel {
    groups: Vec<Vec<Point>>,
    names: Vec<String>,
    /// Where the patterns of each group begin among those of a fox point.
    offsets: Vec<u16>,
    /// Entries of one fox point with one side to move: all patterns, and a spare one that always weighs nothing.
    stride: usize,
    /// One for each symmetry that is needed.
    lookups: Vec<GroupLookup>,
    /// By point: the index of its lookup, and where its entries begin.
    slots: Vec<(u8, u32)>,
    material: Material,
    /// By entry: the first of those that share its weight.
    first_alike: Vec<u32>,
}

/// The entries for the numbers of pieces.
#[derive(Clone)]
struct Material {
    begin: usize,
    foxes: usize,
    geese: usize,
    hand: usize,
}

impl Material {
    fn len(&self) -> usize {
        3 * 2 * self.foxes * self.geese * self.hand
    }

    #[inline]
    fn entry<W: Word>(&self, position: &Position<W>) -> usize {
        let phase = match position.phase() {
            Phase::Normal | Phase::Place => 0,
            Phase::Drop => 1,
            Phase::Remove => 2,
        };
        let counts = [
            (side_index(position), 2),
            (position.foxes().len() as usize, self.foxes),
            (position.geese().len() as usize, self.geese),
            (position.hand() as usize, self.hand),
        ];
        self.begin + counts.into_iter().fold(phase, |index, (count, size)| index * size + count.min(size - 1))
    }
}

#[inline]
fn side_index<W: Word>(position: &Position<W>) -> usize {
    usize::from(position.side_to_move() == Side::Geese)
}

impl PatternModel {
    /// The entries for groups of these kinds and their images; `None` where the board has none, or more than can be
    /// numbered.
    pub fn of_kinds<W: Word>(game: &Hunt<W>, kinds: &[GroupKind]) -> Option<Self> {
        let (found, symmetries) = (point_groups::find(game.board(), kinds), game.symmetries());
        let mut sets: Vec<PointSet<u128>> = Vec::new();
        for turn in &symmetries {
            let images = found.iter().map(|group| group.iter().map(|&point| turn.point(point)).collect());
            images.for_each(|image| {
                if !sets.contains(&image) {
                    sets.push(image)
                }
            });
        }
        PatternModel::new(game, sets.into_iter().map(|set| set.iter().collect()).collect())
    }

    /// The entries for these groups of different points; `None` where there are none, or too many patterns, or a point
    /// is not on the board.
    pub(super) fn new<W: Word>(game: &Hunt<W>, groups: Vec<Vec<Point>>) -> Option<Self> {
        let is_group = |group: &Vec<Point>| {
            let set: PointSet<u128> = group.iter().copied().collect();
            (1..=MOST).contains(&(group.len() as u32))
                && set.len() as usize == group.len()
                && set.is_subset(game.board().all())
        };
        if groups.is_empty() || !groups.iter().all(is_group) {
            return None;
        }
        let mut end = 0u16;
        let mut offsets = Vec::new();
        for group in &groups {
            offsets.push(end);
            end = end.checked_add(1 << group.len())?;
        }
        let mut model = PatternModel {
            names: groups.iter().map(|group| name(game.board(), group)).collect(),
            groups,
            offsets,
            stride: usize::from(end) + 1,
            lookups: Vec::new(),
            slots: vec![(0, 0); game.board().cells()],
            material: Material { begin: 0, foxes: 0, geese: 0, hand: 0 },
            first_alike: Vec::new(),
        };
        model.add_slots(game);
        model.add_material(game);
        Some(model)
    }

    /// Gives every point that no symmetry maps onto a lower one a slot, and the others the slot of their image.
    fn add_slots<W: Word>(&mut self, game: &Hunt<W>) {
        let symmetries = game.symmetries();
        let (cells, spare) = (game.board().cells(), (self.stride - 1) as u16);
        self.lookups =
            symmetries.iter().map(|turn| GroupLookup::new(&self.groups, &self.offsets, turn, cells, spare)).collect();
        for &point in game.board().points() {
            // The identity goes first where several lead to the lowest image.
            let turn = (0..symmetries.len()).min_by_key(|&index| symmetries[index].point(point)).unwrap_or(0);
            let image = symmetries[turn].point(point);
            let begin = if image == point { self.add_slot(point, &symmetries) } else { self.slots[image.index()].1 };
            self.slots[point.index()] = (turn as u8, begin);
        }
    }

    /// Entries for a fox on `point`, either side to move; returns where they begin.
    fn add_slot(&mut self, point: Point, symmetries: &[Symmetry]) -> u32 {
        let begin = self.first_alike.len();
        let stay: Vec<Vec<usize>> =
            symmetries.iter().filter(|turn| turn.point(point) == point).filter_map(|turn| self.images(turn)).collect();
        for entry in 0..2 * self.stride {
            let (side, offset) = (entry / self.stride, entry % self.stride);
            let first = stay.iter().map(|images| images[offset]).min().unwrap_or(offset);
            self.first_alike.push((begin + side * self.stride + first) as u32);
        }
        begin as u32
    }

    /// By offset of a pattern: that of its image; `None` where the image of some group is none.
    fn images(&self, turn: &Symmetry) -> Option<Vec<usize>> {
        let mut images = Vec::with_capacity(self.stride);
        for group in &self.groups {
            let turned: PointSet<u128> = group.iter().map(|&point| turn.point(point)).collect();
            let is_image = |other: &Vec<Point>| other.iter().copied().collect::<PointSet<u128>>() == turned;
            let image = self.groups.iter().position(is_image)?;
            for number in 0..1u32 << group.len() {
                let on = group.iter().enumerate().filter(|(bit, _)| number >> bit & 1 == 1);
                let geese = on.map(|(_, &point)| turn.point(point)).collect();
                images.push(usize::from(self.offsets[image] + pattern(&self.groups[image], geese)));
            }
        }
        images.push(self.stride - 1);
        Some(images)
    }

    fn add_material<W: Word>(&mut self, game: &Hunt<W>) {
        let (points, rules) = (game.board().points().len(), &game.ruleset().rules);
        let hand = if rules.drops > 0 { rules.drops as usize } else { points };
        self.material = Material {
            begin: self.first_alike.len(),
            foxes: rules.foxes as usize + 1,
            geese: points + 1,
            hand: if game.has_hand() { hand + 1 } else { 1 },
        };
        self.first_alike.extend((self.first_alike.len()..).take(self.material.len()).map(|entry| entry as u32));
    }

    /// The groups of points.
    pub(super) fn groups(&self) -> &[Vec<Point>] {
        &self.groups
    }

    /// The groups by name, first and last point.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// How many entries there are.
    pub fn entries(&self) -> usize {
        self.first_alike.len()
    }

    /// The first of the entries that share the weight of `entry`.
    pub fn first_alike(&self, entry: usize) -> usize {
        self.first_alike[entry] as usize
    }

    /// Whether the entry is that of lanes without a group.
    pub(super) fn is_spare(&self, entry: usize) -> bool {
        entry < self.material.begin && entry % self.stride == self.stride - 1
    }

    /// The entry of the numbers of pieces.
    #[inline]
    pub(super) fn material_entry<W: Word>(&self, position: &Position<W>) -> usize {
        self.material.entry(position)
    }

    /// The entries for one of the foxes, and what finds the places of the patterns among them.
    #[inline]
    pub(super) fn fox_entries<W: Word>(&self, position: &Position<W>, fox: Point) -> (Range<usize>, &GroupLookup) {
        let (lookup, begin) = self.slots[fox.index()];
        let begin = begin as usize + side_index(position) * self.stride;
        (begin..begin + self.stride, &self.lookups[usize::from(lookup)])
    }

    /// Calls `visit` with every entry that speaks about a position, those of all groups for each fox.
    pub fn for_each_entry<W: Word>(&self, position: &Position<W>, mut visit: impl FnMut(usize)) {
        for fox in position.foxes() {
            let (entries, lookup) = self.fox_entries(position, fox);
            lookup.for_each(position.geese(), |place| {
                if usize::from(place) + 1 < self.stride {
                    visit(entries.start + usize::from(place));
                }
            });
        }
        visit(self.material_entry(position));
    }
}

/// First and last point.
fn name(board: &Board, group: &[Point]) -> String {
    let ends = [group.first(), group.last()].map(|end| end.map_or(String::new(), |&point| board.name(point)));
    format!("{} to {}", ends[0], ends[1])
}
