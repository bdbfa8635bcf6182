//! The numbering of the fast method: where positions with one fox stand in a file.
//!
//! A layer's ways to share the geese among the ranks (*profiles*) are ordered by the sum of ranks (lowest rank 0), from
//! high to low, then by the numbers of geese on rank 0, 1, ... as words in a dictionary. Where geese can never go back
//! each profile stands alone, elsewhere all of them are joined, one after the other. Each of these makes two blocks,
//! with the geese to move and with the fox to move. A row is a pattern of geese, a pattern and its image in the files'
//! mirror (where the board has one) being the same; a column is the fox point, numbered among the empty points of the
//! stored pattern by rank, then file.
//!
//! The number of a pattern in its profile: read the ranks from the widest to the narrowest, lower ones first. The ways
//! to put `n` geese on a rank are numbered by their bits (file a lowest) as binary numbers: the *digit*. A way that is
//! its own image is symmetric and numbered among those; the others form pairs, the smaller number first, and pairs are
//! numbered by their first. Start at 0. For a symmetric rank add the pairs times the full count of the ranks after it,
//! plus its number times the count of stored patterns of the ranks after it. For the first other rank add its pair's
//! number times the full count of those after it; if it is the second of its pair, the pattern is stored as its image.
//! From there on add digit times full count. Without a mirror every way is the first of a pair of its own.

use std::sync::OnceLock;

use super::index::{LayerPatterns, PatternNumbering};
use super::rules::{OneFoxRules, word};
use super::solver::stored_block;
use crate::geometry::Word;
use crate::rules::hunt::{Hunt, Position};
use crate::tablebase::PositionLayout;
use crate::tablebase::format::EntryAddress;

/// Finds positions in the tables that [`OneFoxSolver`](super::OneFoxSolver) writes.
pub(crate) struct OneFoxLayout {
    rules: OneFoxRules,
    numbering: PatternNumbering,
    /// By geese; made when first asked for.
    layers: Vec<OnceLock<Option<LayerPatterns>>>,
}

impl OneFoxLayout {
    /// `None` when the ruleset needs the general method.
    pub(crate) fn new<W: Word>(game: &Hunt<W>) -> Option<OneFoxLayout> {
        let rules = OneFoxRules::of(game)?;
        let numbering = PatternNumbering::new(&rules)?;
        let layers = (0..=rules.points()).map(|_| OnceLock::new()).collect();
        Some(OneFoxLayout { rules, numbering, layers })
    }
}

impl<W: Word> PositionLayout<W> for OneFoxLayout {
    fn name(&self) -> &'static str {
        "lone"
    }

    fn layer(&self, _game: &Hunt<W>, position: &Position<W>) -> u32 {
        // Position texts may hold more pieces than a game ever has.
        if position.foxes().len() > 1 { u32::MAX } else { position.geese().len() }
    }

    fn place(&self, _game: &Hunt<W>, position: &Position<W>) -> Option<EntryAddress> {
        if !position.is_plain() || position.foxes().len() != 1 {
            return None;
        }
        let pattern = word(position.geese());
        let layer = self.layers.get(pattern.count_ones() as usize)?;
        let layer = layer.get_or_init(|| self.numbering.layer(pattern.count_ones())).as_ref()?;
        let at = layer.find(&self.numbering, self.numbering.key(pattern), pattern);
        let empty = self.numbering.turned(self.rules.all & !pattern, at.mirrored);
        let fox = self.numbering.turned(word(position.foxes()), at.mirrored);
        let column = (empty & fox.wrapping_sub(1)).count_ones();
        Some(EntryAddress { block: stored_block(at.block, position.side_to_move()), row: at.index.into(), column })
    }
}
