//! Numbers the positions of a layer, and so the entries of its file: from a position to its number and back.
//!
//! The positions of a layer stand in one row; file block b holds those from number `b * 2^20` on, one to a row, in one
//! column. The row is made of parts, ordered by the geese in hand (0 first), then by the number of foxes (fewest
//! first), then by what is to be done (fox side to move, geese side to move, a goose to be put on the board, a fox to
//! be taken off), then by whether the first goose move is still owed (no first). Each part holds, for every kept set of
//! foxes, for every set of owed foxes (ordered as binary numbers, the fox of lowest index being the lowest bit; two or
//! more bits set), all sets of geese beside the foxes. Sets are ordered as if their points, lowest index first, were
//! the digits of a binary number, lowest digit first. Where board and rules have the mirror that swaps files, the first
//! of two sets of foxes that are mirror images is kept; a position with the other set is looked up mirrored.

use std::ops::Range;
use std::sync::Arc;

use super::scope::{Material, Scope, TurnType};
use crate::geometry::{Point, PointSet, Word};
use crate::rules::hunt::{Phase, Position, Side};
use crate::tablebase::sets::{SetNumbering, advance};

/// A part of the row: the positions of one material. For every kept set of foxes and every set of owed ones, it has all
/// sets of geese beside the foxes.
#[derive(Clone, Debug)]
pub(super) struct MaterialBlock {
    pub material: Material,
    /// The number of its first position in the layer.
    pub start: u64,
    pub positions: u64,
    /// The number of sets of geese beside a set of foxes.
    pub goose_sets: u64,
    /// The sets of owed foxes as bits over the foxes from low to high; a single empty one where none can be owed.
    owed: Vec<u16>,
}

/// The numbering of all positions of a layer.
#[derive(Clone, Debug)]
pub(super) struct LayerPositions<W: Word> {
    numbering: Arc<SetNumbering<W>>,
    pub layer: u32,
    pub blocks: Vec<MaterialBlock>,
    /// By slot of a material: the number of its block, if there is one.
    slots: Vec<Option<u16>>,
    most_foxes: u32,
}

impl<W: Word> LayerPositions<W> {
    /// Numbers the positions of a layer among [`Scope::layers`]; `numbering` is for the most foxes of the
    /// scope.
    pub(super) fn new(scope: &Scope, numbering: Arc<SetNumbering<W>>, layer: u32) -> Self {
        let mut space =
            LayerPositions { numbering, layer, blocks: Vec::new(), slots: Vec::new(), most_foxes: scope.most_foxes };
        for material in scope.materials(layer) {
            let block = space.block(material);
            let slot = space.slot(&material);
            space.slots.resize(space.slots.len().max(slot + 1), None);
            space.slots[slot] = Some(space.blocks.len() as u16);
            space.blocks.push(block);
        }
        space
    }

    fn block(&self, material: Material) -> MaterialBlock {
        let beside = self.numbering.points.len() - material.foxes as usize;
        let goose_sets = self.numbering.binomials.get(beside, material.geese as usize);
        let owed: Vec<u16> = match material.kind {
            TurnType::Remove => (0..1 << material.foxes).filter(|mask: &u16| mask.count_ones() >= 2).collect(),
            _ => vec![0],
        };
        debug_assert_eq!(owed.len() as u64, material.choices());
        let positions = self.numbering.kept(material.foxes).len() as u64 * owed.len() as u64 * goose_sets;
        MaterialBlock { material, start: self.positions(), positions, goose_sets, owed }
    }

    /// The number of positions in the layer.
    pub(super) fn positions(&self) -> u64 {
        self.blocks.last().map_or(0, |block| block.start + block.positions)
    }

    fn slot(&self, material: &Material) -> usize {
        let number = (material.hand * (self.most_foxes + 1) + material.foxes) * 4 + material.kind as u32;
        number as usize * 2 + usize::from(material.first)
    }

    /// The number of a position in the layer; `None` if it has no entry there.
    #[inline]
    pub(super) fn number(&self, position: &Position<W>) -> Option<u64> {
        let foxes = position.foxes();
        let material = material_of(position).filter(|material| material.geese + material.hand == self.layer)?;
        if material.foxes > self.most_foxes {
            return None;
        }
        let block = &self.blocks[usize::from((*self.slots.get(self.slot(&material))?)?)];
        let fox_place = self.numbering.fox_place(foxes);
        let index = if fox_place.symmetry > 0 {
            let image = |set| self.numbering.image(fox_place.symmetry, set);
            self.index(block, fox_place.number, image(foxes), image(position.geese()), image(position.owed))
        } else {
            self.index(block, fox_place.number, foxes, position.geese(), position.owed)
        };
        Some(block.start + index?)
    }

    /// The place within a block of a position, given the number of its kept set of foxes, geese and owed foxes.
    #[inline]
    fn index(
        &self,
        block: &MaterialBlock,
        number: u32,
        foxes: PointSet<W>,
        geese: PointSet<W>,
        owed: PointSet<W>,
    ) -> Option<u64> {
        let choice = if block.material.kind == TurnType::Remove { block.choice(foxes, owed)? } else { 0 };
        let set = u64::from(number) * block.owed.len() as u64 + choice;
        Some(set * block.goose_sets + self.numbering.rank_beside(geese, foxes))
    }

    /// The block of the position with number `flat`, which is below [`positions`](LayerPositions::positions).
    pub(super) fn block_at(&self, flat: u64) -> &MaterialBlock {
        &self.blocks[self.blocks.partition_point(|block| block.start + block.positions <= flat)]
    }

    /// The position with this number in the layer.
    pub(super) fn position(&self, flat: u64) -> Position<W> {
        Walk::new(self, flat).position()
    }

    /// The number of positions for which the entry stands: 2 where the mirror image shares it, else 1.
    pub(super) fn weight(&self, flat: u64) -> u64 {
        let block = self.block_at(flat);
        let set = (flat - block.start) / block.goose_sets / block.owed.len() as u64;
        self.numbering.kept(block.material.foxes)[set as usize].images
    }

    /// The mirror image of a position, if it has a number of its own in the layer.
    pub(super) fn twin(&self, position: &Position<W>) -> Option<Position<W>> {
        let foxes = position.foxes();
        let image = |set| self.numbering.image(1, set);
        let differs = image(position.geese()) != position.geese() || image(position.owed) != position.owed;
        (image(foxes) == foxes && differs).then(|| Position {
            owed: image(position.owed),
            hand: position.hand,
            phase: position.phase,
            first: position.first,
            ..Position::new(foxes, image(position.geese()), position.turn)
        })
    }

    /// Calls `visit` with the number and the position for a range of numbers, in order.
    pub(super) fn walk(&self, range: Range<u64>, mut visit: impl FnMut(u64, &Position<W>)) {
        if range.is_empty() {
            return;
        }
        let mut walk = Walk::new(self, range.start);
        for flat in range {
            if flat == walk.end {
                walk = Walk::new(self, flat);
            }
            visit(flat, &walk.position());
            advance(&mut walk.members[..walk.size]);
        }
    }
}

impl MaterialBlock {
    /// The number of a set of owed foxes among those of the block.
    fn choice<W: Word>(&self, foxes: PointSet<W>, owed: PointSet<W>) -> Option<u64> {
        let bit = |(index, fox): (usize, Point)| u16::from(owed.has(fox)) << index;
        let mask = foxes.iter().enumerate().map(bit).fold(0, |mask, bit| mask | bit);
        self.owed.binary_search(&mask).ok().map(|choice| choice as u64)
    }
}

/// The material of a position; `None` while foxes are being placed.
fn material_of<W: Word>(position: &Position<W>) -> Option<Material> {
    let kind = match (position.phase, position.turn) {
        (Phase::Place, _) => return None,
        (Phase::Normal, Side::Fox) => TurnType::FoxToMove,
        (Phase::Normal, Side::Geese) => TurnType::GeeseToMove,
        (Phase::Drop, _) => TurnType::Drop,
        (Phase::Remove, _) => TurnType::Remove,
    };
    let (foxes, geese) = (position.foxes().len(), position.geese().len());
    Some(Material { kind, foxes, geese, hand: u32::from(position.hand), first: position.first })
}

/// Steps through consecutive positions that differ only in their geese.
struct Walk<W: Word> {
    material: Material,
    foxes: PointSet<W>,
    owed: PointSet<W>,
    /// The points beside the foxes.
    free: [Point; MOST_POINTS],
    members: [u8; MOST_POINTS],
    size: usize,
    /// The number after the last position of the run.
    end: u64,
}

const MOST_POINTS: usize = crate::geometry::MAX_CELLS;

impl<W: Word> Walk<W> {
    /// The run that begins with number `flat`.
    fn new(space: &LayerPositions<W>, flat: u64) -> Self {
        let (block, numbering) = (space.block_at(flat), &space.numbering);
        let (set, rank) = ((flat - block.start) / block.goose_sets, (flat - block.start) % block.goose_sets);
        let (number, choice) = (set / block.owed.len() as u64, set % block.owed.len() as u64);
        let foxes = numbering.kept(block.material.foxes)[number as usize].foxes;
        let mask = block.owed[choice as usize];
        let mut walk = Walk {
            material: block.material,
            foxes,
            owed: foxes.iter().enumerate().filter(|(index, _)| mask >> index & 1 == 1).map(|(_, fox)| fox).collect(),
            free: [Point(0); MOST_POINTS],
            members: [0; MOST_POINTS],
            size: block.material.geese as usize,
            end: flat - rank + block.goose_sets,
        };
        let free = numbering.beside(foxes);
        let count = free.zip(&mut walk.free).map(|(point, place)| *place = point).count();
        numbering.binomials.unrank(rank, count, &mut walk.members[..walk.size]);
        walk
    }

    fn position(&self) -> Position<W> {
        let geese = self.members[..self.size].iter().map(|&member| self.free[usize::from(member)]).collect();
        let turn = if self.material.kind == TurnType::FoxToMove { Side::Fox } else { Side::Geese };
        let Material { kind, hand, first, .. } = self.material;
        let position = Position { hand: hand as u8, first, ..Position::new(self.foxes, geese, turn) };
        match kind {
            TurnType::Drop => Position { phase: Phase::Drop, ..position },
            TurnType::Remove => Position { phase: Phase::Remove, owed: self.owed, ..position },
            TurnType::FoxToMove | TurnType::GeeseToMove => position,
        }
    }
}

/// The name of this layout in the header of a file.
const LAYOUT: &str = "whole";
/// The name of this layout where huffs take foxes off. Earlier versions used the other name, and counted steps that
/// cost a fox as if they could be taken back.
const HUFF_LAYOUT: &str = "whole-huffs";

/// The name of the layout in the header of a file for a ruleset with this scope.
pub(super) fn layout_name(scope: &Scope) -> &'static str {
    if scope.removes() { HUFF_LAYOUT } else { LAYOUT }
}

/// The number of entries in a block of a file.
pub(super) const BLOCK_ENTRIES: u64 = 1 << 20;
