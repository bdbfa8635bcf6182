//! The numbering of the general method: where its entries stand in a file.
//!
//! The positions of a layer stand in one row; file block b holds those from number `b * 2^20` on, one to a row, one
//! column. The row is made of parts, in the order of the geese in hand (0 first), then the number of foxes (fewest
//! first), then what is to be done (fox side to move, geese side to move, a goose to be put on the board, a fox to be
//! taken off), then whether the first goose move is still owed (no first). Each part holds, for every kept set of
//! foxes, for every set of owed foxes (ordered as binary numbers, the fox of lowest index being the lowest bit; two or
//! more bits set), all sets of geese beside the foxes. Sets are ordered as if their points, lowest index first, were
//! the digits of a binary number, lowest digit first. Of two sets of foxes that are mirror images (files swapped),
//! where board and rules have that mirror, the first is kept; a position with the other is looked up mirrored.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::numbering::SetNumbering;
use super::positions::LayerPositions;
use super::scope::Scope;
use crate::geometry::Word;
use crate::rules::hunt::{Hunt, Position};
use crate::tablebase::PositionLayout;
use crate::tablebase::format;

/// The name of this layout in the header of a file.
const LAYOUT: &str = "whole";
/// The name where huffs take foxes off: earlier versions used the other name, and counted steps that cost a fox as if
/// they could be taken back.
const HUFF_LAYOUT: &str = "whole-huffs";

/// The name of the layout of such positions in the header of a file.
pub(super) fn layout_name(scope: &Scope) -> &'static str {
    if scope.removes() { HUFF_LAYOUT } else { LAYOUT }
}

/// Entries in a block of a file.
pub(super) const BLOCK_ENTRIES: u64 = 1 << 20;

/// The places of all positions of a ruleset that the general solver takes.
#[derive(Clone, Debug)]
pub(crate) struct GeneralLayout<W: Word> {
    scope: Scope,
    layers: BTreeMap<u32, LayerPositions<W>>,
}

impl<W: Word> GeneralLayout<W> {
    /// The layout of a ruleset; it places nothing where there are more layers or foxes than can be numbered.
    pub(crate) fn new(game: &Hunt<W>) -> Self {
        let scope = Scope::new(game);
        let (first, last) = (scope.first_layer(), scope.last_layer());
        let mut layers = BTreeMap::new();
        if first <= last {
            let numbering = Arc::new(SetNumbering::new(game, scope.most_foxes));
            layers =
                (first..=last).map(|layer| (layer, LayerPositions::new(&scope, numbering.clone(), layer))).collect();
        }
        GeneralLayout { scope, layers }
    }
}

impl<W: Word> PositionLayout<W> for GeneralLayout<W> {
    fn name(&self) -> &'static str {
        layout_name(&self.scope)
    }

    fn place(&self, position: &Position<W>) -> Option<format::EntryAddress> {
        let space = self.layers.get(&(position.geese().len() + position.hand()))?;
        let flat = space.number(position)?;
        Some(format::EntryAddress { block: (flat / BLOCK_ENTRIES) as u32, row: flat % BLOCK_ENTRIES, column: 0 })
    }
}
