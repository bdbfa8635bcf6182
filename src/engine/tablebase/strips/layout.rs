//! The numbering of the fast method: where positions with one or two foxes stand in a file.
//!
//! A pattern of geese is cut in two by the points of the board: the *head* and the *tail*. The points of the head are
//! those of whole ranks or, where geese may go back, of whole orbits under the symmetries of the rules: ranks or orbits
//! are taken widest first (of equally wide ones that with the lowest point first) as far as the head then has at most
//! half of the board's points, and left out otherwise. Points are ordered by rank, then file.
//!
//! The *key* of a head or tail is the number of its geese; where geese never go back it is, with n0 geese on the lowest
//! rank of p0 points and so on, n0 + n1 (p0 + 1) + n2 (p0 + 1) (p1 + 1) + ... Sets are ordered as binary numbers, the
//! lowest point being the lowest bit. Of heads that are images of each other under the symmetries (turns and mirrors of
//! the board that map moves to moves, the fortress onto itself, the lowest rank onto itself where foxes win there and,
//! where geese never go back, every rank onto itself; for most rulesets whose geese may go any way all eight, for
//! others the mirror of files) the first is kept. Kept heads with the same key are numbered in order, and so are tails.
//!
//! A layer is cut into levels by the sum of ranks of the geese, from high to low; where geese may go back it is one
//! level. In a level the pairs of a head's and a tail's key are ordered by the first, then by the second. The patterns
//! of a pair are cut into pieces: with t tails of the second key, each piece holds the next 2^18 / t kept heads (with
//! two foxes 2^14 / t), rounded up. Every piece makes two blocks of the file, first with the geese, then with the fox
//! to move. A row is a pattern: for each kept head all tails. A column is the fox point, numbered among the empty
//! points from 0 on; with two foxes on the points of numbers i and j, i < j, it is j (j - 1) / 2 + i.
//!
//! A position is looked up by the image whose head is kept. There may be several such images, all of which are stored.
//!
//! Where huffs take one of two foxes off, a file holds the positions with one fox, numbered as told, and behind them,
//! from the next piece on, those with two: headers call this `huffs`. Positions in which the geese side is to take a
//! fox off have no entries; their values follow from those after it.

use std::sync::OnceLock;

use super::foxes::Foxes;
use super::layer::LayerPatterns;
use super::numbering::PatternNumbering;
use super::one_fox::OneFox;
use super::pieces::stored_block;
use super::rules::PatternRules;
use super::two_foxes::TwoFoxes;
use super::words::word;
use crate::geometry::Word;
use crate::rules::hunt::{Hunt, Position};
use crate::tablebase::PositionLayout;
use crate::tablebase::format::EntryAddress;

/// What the header of a file calls this layout.
pub(super) const LAYOUT: &str = "strips";
/// The same where huffs take one of two foxes off.
pub(super) const HUFF_LAYOUT: &str = "huffs";

/// The patterns of a layer with so many geese, in a file behind those beside fewer foxes.
pub(super) fn layer_patterns<F: Foxes>(foxes: &F, numbering: &PatternNumbering, geese: u32) -> LayerPatterns {
    let rules = foxes.rules();
    let of_one_fox = || LayerPatterns::new(rules, numbering, geese, OneFox::PIECE_PATTERNS).pieces();
    let before = if rules.fewest_foxes < F::NUMBER { of_one_fox() } else { 0 };
    LayerPatterns::behind(before, rules, numbering, geese, F::PIECE_PATTERNS)
}

/// Finds positions in the tables that the fast method writes.
pub(super) struct StripLayout<F: Foxes> {
    foxes: F,
    numbering: PatternNumbering,
    /// By geese; made when first asked for.
    layers: Vec<OnceLock<LayerPatterns>>,
}

impl<F: Foxes> StripLayout<F> {
    /// `None` when the ruleset needs the general method.
    pub(super) fn new<W: Word>(game: &Hunt<W>) -> Option<StripLayout<F>> {
        let foxes = F::new(PatternRules::of(game, F::NUMBER)?)?;
        let numbering = PatternNumbering::new(foxes.rules())?;
        let layers = (0..=foxes.rules().points()).map(|_| OnceLock::new()).collect();
        Some(StripLayout { foxes, numbering, layers })
    }
}

impl<W: Word, F: Foxes> PositionLayout<W> for StripLayout<F> {
    fn name(&self) -> &'static str {
        LAYOUT
    }

    fn place(&self, position: &Position<W>) -> Option<EntryAddress> {
        if !position.is_plain() || position.foxes().len() != F::NUMBER {
            return None;
        }
        let (numbering, pattern) = (&self.numbering, word(position.geese()));
        let geese = pattern.count_ones();
        let layer = self.layers.get(geese as usize)?;
        let rules = self.foxes.rules();
        let layer = layer.get_or_init(|| layer_patterns(&self.foxes, numbering, geese));
        let at = numbering.head_place(pattern);
        let image = &numbering.symmetries[usize::from(at.symmetry)];
        let (pattern, foxes) = (image.apply(pattern), image.apply(word(position.foxes())));
        let group = layer.group(at.group, numbering.tail_group(pattern & numbering.tail))?;
        let (piece, first_row) = group.piece(at.number);
        let row = first_row as u64 + u64::from(numbering.tail_rank(pattern));
        let column = F::column(rules.all & !pattern, foxes);
        Some(EntryAddress { block: stored_block(piece, position.side_to_move()), row, column })
    }
}

/// Finds positions where huffs take one of two foxes off.
pub(super) struct HuffLayout {
    one: StripLayout<OneFox>,
    two: StripLayout<TwoFoxes>,
}

impl HuffLayout {
    /// `None` when the ruleset needs the general method.
    pub(super) fn new<W: Word>(game: &Hunt<W>) -> Option<HuffLayout> {
        Some(HuffLayout { one: StripLayout::new(game)?, two: StripLayout::new(game)? })
    }
}

impl<W: Word> PositionLayout<W> for HuffLayout {
    fn name(&self) -> &'static str {
        HUFF_LAYOUT
    }

    fn place(&self, position: &Position<W>) -> Option<EntryAddress> {
        let part: &dyn PositionLayout<W> = if position.foxes().len() == 1 { &self.one } else { &self.two };
        part.place(position)
    }
}
