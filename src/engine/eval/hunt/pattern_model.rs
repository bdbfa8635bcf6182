//! The pattern model: which entries of a table of learned weights count in a position.
//!
//! An entry belongs to the point of a fox, the side to move, and one pattern of geese on one group of points (such
//! n-tuples are known from Othello and 2048: Buro 1997, Szubert and Jaśkowski 2014). Fox points that a symmetry of the
//! rules maps onto each other share their entries; so do patterns that a symmetry which keeps the fox in place maps
//! onto each other. One more entry belongs to the numbers of pieces, the *material*.

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::geometry::{Board, Point, PointSet, Symmetry, Vector, Word, subsets};
use crate::rules::hunt::{Hunt, Phase, Position, Side};

/// The fewest points of a group; smaller ones say too little.
const FEWEST: u32 = 6;
/// The most points of a group; the table of a larger one would be mostly empty.
const MOST: u32 = 12;
/// Groups whose patterns are looked up together: their numbers fill the widest registers that every machine has.
const LANES: usize = 16;

type Lanes = [u16; LANES];

/// A shape of the groups of points whose patterns are looked up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GroupKind {
    /// Square windows: three points wide, four where points stand only on every second cell.
    Blocks,
    /// Straight lines across the board.
    Rows,
    /// Straight lines up the board.
    Columns,
    /// Windows five wide and two high.
    Wide,
    /// Windows two wide and five high.
    Tall,
}

/// The entries of a game's table of weights, and which of them count in a position.
#[derive(Clone)]
pub struct PatternModel {
    groups: Groups,
    /// By symmetry of the rules: the numbering of patterns on the board turned by it.
    lookups: Vec<GroupLookup>,
    /// The place of the entries, by point of a fox.
    slots: Vec<Slot>,
    material: Material,
    /// By entry: the first entry that shares its weight.
    first_alike: Vec<u32>,
}

/// The place of the entries for a fox on one point.
#[derive(Clone, Copy, Default)]
struct Slot {
    /// The number of the symmetry that maps the point onto the one that has the entries.
    lookup: usize,
    /// The first entry, with the fox side to move.
    begin: usize,
}

impl PatternModel {
    /// The model with groups of these kinds and their images; `None` where the board has none, or more than can be
    /// numbered.
    pub fn of_kinds<W: Word>(game: &Hunt<W>, kinds: &[GroupKind]) -> Option<Self> {
        let found = find(game.board(), kinds);
        let mut groups = Vec::new();
        for symmetry in game.symmetries() {
            add_new(&mut groups, found.iter().map(|&group| symmetry.set(group)));
        }
        PatternModel::new(game, groups)
    }

    /// The model with these groups; `None` where there are none or too many patterns, or where a group is too large or
    /// not on the board.
    pub(super) fn new<W: Word>(game: &Hunt<W>, groups: Vec<PointSet<u128>>) -> Option<Self> {
        let board = game.board();
        let symmetries = game.symmetries();
        let groups = Groups::new(board, groups)?;
        let mut slots = vec![Slot::default(); board.cells()];
        let mut first_alike = Vec::new();
        for &point in board.points() {
            // Where several symmetries lead to the lowest image, the identity comes first.
            let lookup = (0..symmetries.len()).min_by_key(|&index| symmetries[index].point(point)).unwrap_or(0);
            let image = symmetries[lookup].point(point);
            let begin = if image == point { first_alike.len() } else { slots[image.index()].begin };
            slots[point.index()] = Slot { lookup, begin };
            if image == point {
                let stay = symmetries.iter().filter(|symmetry| symmetry.point(point) == point);
                groups.add_entries(stay, &mut first_alike);
            }
        }
        let material = Material::new(game, first_alike.len());
        first_alike.extend((material.begin..material.end()).map(|entry| entry as u32));
        let lookups = symmetries.iter().map(|symmetry| GroupLookup::new(&groups, symmetry, board)).collect();
        Some(PatternModel { groups, lookups, slots, material, first_alike })
    }

    /// The groups of points, in the order of their numbers.
    pub(super) fn groups(&self) -> &[PointSet<u128>] {
        &self.groups.sets
    }

    /// The number of entries of the table.
    pub fn entries(&self) -> usize {
        self.first_alike.len()
    }

    /// The first entry that shares the weight of `entry`.
    pub fn first_alike(&self, entry: usize) -> usize {
        self.first_alike[entry] as usize
    }

    /// Whether an entry is the spare one of lanes without a group, which always weighs 0.
    pub(super) fn is_spare(&self, entry: usize) -> bool {
        entry < self.material.begin && entry % self.groups.stride() == usize::from(self.groups.spare)
    }

    /// The entry for the numbers of pieces of a position.
    #[inline]
    pub(super) fn material_entry<W: Word>(&self, position: &Position<W>) -> usize {
        self.material.entry(position)
    }

    /// The sum of all weights that count in a position; `weights` has one for each entry.
    #[inline]
    pub(super) fn sum<W: Word>(&self, weights: &[i16], position: &Position<W>) -> i32 {
        let mut sum = i32::from(weights[self.material_entry(position)]);
        for fox in position.foxes() {
            let (entries, lookup) = self.fox_entries(position, fox);
            let weights = &weights[entries];
            lookup.for_each(position.geese(), |number| sum += i32::from(weights[usize::from(number)]));
        }
        sum
    }

    /// The entries for a fox on a point, and the lookup that numbers the patterns among them.
    #[inline]
    fn fox_entries<W: Word>(&self, position: &Position<W>, fox: Point) -> (Range<usize>, &GroupLookup) {
        let Slot { lookup, begin } = self.slots[fox.index()];
        let begin = begin + side_index(position) * self.groups.stride();
        (begin..begin + self.groups.stride(), &self.lookups[lookup])
    }

    /// Calls `visit` with the number of each group and the entry of its pattern, once for each fox.
    pub(super) fn for_each_pattern<W: Word>(&self, position: &Position<W>, mut visit: impl FnMut(usize, usize)) {
        for fox in position.foxes() {
            let (entries, lookup) = self.fox_entries(position, fox);
            let mut lane = 0;
            lookup.for_each(position.geese(), |number| {
                if lane < self.groups.sets.len() {
                    visit(lane, entries.start + usize::from(number));
                }
                lane += 1;
            });
        }
    }

    /// Calls `visit` with every entry that counts in a position: those of all groups for each fox, and the material
    /// entry.
    pub fn for_each_entry<W: Word>(&self, position: &Position<W>, mut visit: impl FnMut(usize)) {
        self.for_each_pattern(position, |_, entry| visit(entry));
        visit(self.material_entry(position));
    }
}

/// The entries for the numbers of pieces, by phase, side to move, foxes, geese and geese in hand.
#[derive(Clone)]
struct Material {
    begin: usize,
    foxes: usize,
    geese: usize,
    hand: usize,
}

impl Material {
    /// The material entries of a game, which begin at `begin`.
    fn new<W: Word>(game: &Hunt<W>, begin: usize) -> Self {
        let points = game.board().points().len();
        let rules = &game.ruleset().rules;
        let hand = if rules.drops > 0 { rules.drops as usize } else { points };
        Material {
            begin,
            foxes: rules.foxes as usize + 1,
            geese: points + 1,
            hand: if game.has_hand() { hand + 1 } else { 1 },
        }
    }

    fn end(&self) -> usize {
        self.begin + 3 * 2 * self.foxes * self.geese * self.hand
    }

    #[inline]
    fn entry<W: Word>(&self, position: &Position<W>) -> usize {
        let phase = match position.phase {
            Phase::Normal | Phase::Place => 0,
            Phase::Drop => 1,
            Phase::Remove => 2,
        };
        let counts = [
            (side_index(position), 2),
            (position.foxes().len() as usize, self.foxes),
            (position.geese().len() as usize, self.geese),
            (usize::from(position.hand), self.hand),
        ];
        self.begin + counts.into_iter().fold(phase, |index, (count, size)| index * size + count.min(size - 1))
    }
}

#[inline]
fn side_index<W: Word>(position: &Position<W>) -> usize {
    usize::from(position.turn == Side::Geese)
}

/// Groups of points with numbers for their patterns, consecutive from group to group.
#[derive(Clone)]
struct Groups {
    sets: Vec<PointSet<u128>>,
    /// By group: the number of its empty pattern.
    offsets: Vec<u16>,
    /// The number after all patterns, used by lanes without a group; its entry always weighs 0.
    spare: u16,
}

impl Groups {
    /// Numbers the patterns of groups; `None` where there are no groups or too many patterns, or a set cannot be a
    /// group.
    fn new(board: &Board, sets: Vec<PointSet<u128>>) -> Option<Self> {
        let is_group = |set: &PointSet<u128>| (1..=MOST).contains(&set.len()) && set.is_subset(board.all());
        if sets.is_empty() || !sets.iter().all(is_group) {
            return None;
        }
        let mut spare = 0u16;
        let mut offsets = Vec::new();
        for set in &sets {
            offsets.push(spare);
            spare = spare.checked_add(1 << set.len())?;
        }
        Some(Groups { sets, offsets, spare })
    }

    /// The number of entries for a fox point and a side to move: one for each pattern, and the spare one.
    fn stride(&self) -> usize {
        usize::from(self.spare) + 1
    }

    /// Appends the entries for a fox on one point, either side to move. Each is the first of those that the symmetries
    /// in `stay`, which keep the fox in place, map onto each other.
    fn add_entries<'a>(&self, stay: impl Iterator<Item = &'a Symmetry>, first_alike: &mut Vec<u32>) {
        let begin = first_alike.len();
        let images: Vec<Vec<usize>> = stay.filter_map(|symmetry| self.images(symmetry)).collect();
        for side in [0, self.stride()] {
            for number in 0..self.stride() {
                let first = images.iter().map(|images| images[number]).min().unwrap_or(number);
                first_alike.push((begin + side + first) as u32);
            }
        }
    }

    /// By number of a pattern: the number of its image; `None` where the image of some group is no group.
    fn images(&self, symmetry: &Symmetry) -> Option<Vec<usize>> {
        let mut images = Vec::with_capacity(self.stride());
        for &set in &self.sets {
            let image = self.sets.iter().position(|&other| other == symmetry.set(set))?;
            let number = |geese: u128| self.number(image, symmetry.set(PointSet::from_word(geese)));
            images.extend(subsets(set.word()).map(|geese| usize::from(number(geese))));
        }
        images.push(usize::from(self.spare));
        Some(images)
    }

    /// The number of the pattern that geese make on a group: bit n, counted from the offset of the group, is a goose on
    /// its n-th point.
    fn number(&self, group: usize, geese: PointSet<u128>) -> u16 {
        let bits = (0..).zip(self.sets[group]).map(|(bit, point)| u16::from(geese.has(point)) << bit);
        self.offsets[group] + bits.sum::<u16>()
    }
}

/// Numbers the patterns of all groups at once, by tables of what each byte of the set of geese adds to the numbers.
#[derive(Clone)]
struct GroupLookup {
    /// By block of sixteen groups, then byte of the set, then value of that byte.
    tables: Vec<Vec<[Lanes; 256]>>,
}

impl GroupLookup {
    /// The lookup for a board turned by `symmetry`.
    fn new(groups: &Groups, symmetry: &Symmetry, board: &Board) -> Self {
        let table = |block: usize, byte: usize| -> [Lanes; 256] {
            std::array::from_fn(|value| {
                let set = PointSet::from_word((value as u128) << (8 * byte));
                let geese = symmetry.set(set & board.all());
                std::array::from_fn(|lane| {
                    let group = block * LANES + lane;
                    let offset = groups.offsets.get(group).copied().unwrap_or(groups.spare);
                    let number = if group < groups.sets.len() { groups.number(group, geese) } else { offset };
                    // The first byte adds the offset, too.
                    if byte == 0 { number } else { number - offset }
                })
            })
        };
        let block = |block| (0..board.cells().div_ceil(8)).map(|byte| table(block, byte)).collect();
        GroupLookup { tables: (0..groups.sets.len().div_ceil(LANES)).map(block).collect() }
    }

    /// Calls `visit` with the number of each group's pattern, in the order of the groups, then with the spare number
    /// for every lane left over.
    #[inline(always)]
    fn for_each<W: Word>(&self, geese: PointSet<W>, mut visit: impl FnMut(u16)) {
        let word = geese.word();
        for table in &self.tables {
            let mut lanes = [0; LANES];
            for (number, values) in table.iter().enumerate() {
                let added = &values[usize::from(word.byte(number))];
                lanes.iter_mut().zip(added).for_each(|(lane, added)| *lane += added);
            }
            lanes.into_iter().for_each(&mut visit);
        }
    }
}

/// The groups of these kinds on a board, each once.
fn find(board: &Board, kinds: &[GroupKind]) -> Vec<PointSet<u128>> {
    let mut groups = Vec::new();
    for &kind in kinds {
        let sets = match kind {
            GroupKind::Blocks => blocks(board),
            GroupKind::Rows => lines(board, |vector| vector.ranks == 0),
            GroupKind::Columns => lines(board, |vector| vector.files == 0),
            GroupKind::Wide => windows(board, 5, 2),
            GroupKind::Tall => windows(board, 2, 5),
        };
        add_new(&mut groups, sets.into_iter().filter(|set| (FEWEST..=MOST).contains(&set.len())));
    }
    groups
}

/// Appends the sets that `known` does not have yet.
fn add_new(known: &mut Vec<PointSet<u128>>, sets: impl Iterator<Item = PointSet<u128>>) {
    for set in sets {
        if !known.contains(&set) {
            known.push(set);
        }
    }
}

/// The square windows of the smallest size that holds enough points.
fn blocks(board: &Board) -> Vec<PointSet<u128>> {
    let enough = |side: &u8| windows(board, *side, *side).iter().any(|window| window.len() > FEWEST);
    (3..=5).find(enough).map_or(Vec::new(), |side| windows(board, side, side))
}

/// All windows of this size that are connected by lines and have at most one point fewer than the fullest.
fn windows(board: &Board, width: u8, height: u8) -> Vec<PointSet<u128>> {
    let corners = (0..board.height()).flat_map(|rank| (0..board.width()).map(move |file| (file, rank)));
    let window = |(file, rank): (u8, u8)| -> PointSet<u128> {
        let is_inside = |&point: &Point| {
            (file..file + width).contains(&board.file(point)) && (rank..rank + height).contains(&board.rank(point))
        };
        board.points().iter().copied().filter(is_inside).collect()
    };
    let mut found: Vec<_> = corners.map(window).filter(|&window| is_connected(board, window)).collect();
    let fullest = found.iter().map(|window| window.len()).max().unwrap_or(0);
    found.retain(|window| window.len() + 2 > fullest);
    found
}

fn is_connected(board: &Board, set: PointSet<u128>) -> bool {
    let mut reached: PointSet<u128> = set.first().into_iter().collect();
    loop {
        let next = reached.iter().fold(reached, |all, point| all | (board.neighbours(point) & set));
        if next == reached {
            return reached == set && !set.is_empty();
        }
        reached = next;
    }
}

/// The longest straight lines in the directions that `keeps` accepts.
fn lines(board: &Board, keeps: impl Fn(Vector) -> bool) -> Vec<PointSet<u128>> {
    let mut found = Vec::new();
    for vector in board.vectors().into_iter().filter(|&vector| board.shift(vector) > 0 && keeps(vector)) {
        let back = Vector { files: -vector.files, ranks: -vector.ranks };
        for &begin in board.points().iter().filter(|&&point| board.step(point, back).is_none()) {
            found.push(std::iter::successors(Some(begin), |&point| board.step(point, vector)).collect());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::shape;

    fn sizes(name: &str, kinds: &[GroupKind]) -> Vec<usize> {
        let mut sizes: Vec<usize> =
            find(&shape(name).expect("a known shape"), kinds).iter().map(|set| set.len() as usize).collect();
        sizes.sort_unstable();
        sizes
    }

    #[test]
    fn every_board_has_groups_of_a_useful_size() {
        assert_eq!(sizes("cross33", &[GroupKind::Blocks]), [8, 8, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9, 9]);
        assert_eq!(sizes("cross33", &[GroupKind::Rows, GroupKind::Columns]), [7; 6]);
        assert_eq!(sizes("cross33", &[GroupKind::Wide]), [10; 6]);
        assert_eq!(sizes("alquerque25", &[GroupKind::Blocks]), [9; 9]);
        for name in ["cross33-open", "siege67", "chequered8", "hex37"] {
            assert!(!sizes(name, &[GroupKind::Blocks]).is_empty(), "{name}");
        }
    }
}
