//! What solving asks about a game, whatever its distances count to; and what becomes of a solved layer.

use std::io;
use std::ops::Range;

use super::foxes::Foxes;
use super::layer::{LayerPatterns, Level, Strip};
use super::layout::layer_patterns;
use super::level::LevelInputs;
use super::news::StripNews;
use super::numbering::PatternNumbering;
use super::pieces::{FarthestWins, Piece, encode};
use super::rules::PatternRules;
use super::tail_moves::TailLists;
use crate::geometry::{PointSet, Word};
use crate::parallel;
use crate::rules::Notation;
use crate::rules::hunt::{Hunt, Position, Side};
use crate::tablebase::format::LayerWriter;
use crate::tablebase::{LayerSummary, LongestWin, ResultCounts, TableError};

/// The text of a position: its foxes, its geese, and who moves.
type PositionText = Box<dyn Fn(u64, u64, Side) -> String + Send + Sync>;

/// A game with so many foxes.
pub(super) struct StripGame<F: Foxes> {
    text: PositionText,
    pub foxes: F,
    pub numbering: PatternNumbering,
    pub lists: TailLists,
    /// The last layer that will be asked for: nothing need be kept for the one after it.
    pub last_wanted: u32,
}

/// Pieces that a thread encodes before they are written.
const PIECES_A_THREAD: usize = 4;

/// Pieces that are encoded before they are written.
pub(super) fn pieces_at_once() -> usize {
    PIECES_A_THREAD * rayon::current_num_threads()
}

impl<F: Foxes> StripGame<F> {
    /// `None` when the ruleset needs the general method. `last_wanted` is the greatest layer that will be solved.
    pub(super) fn new<W: Word>(game: &Hunt<W>, last_wanted: u32) -> Option<Self> {
        let foxes = F::new(PatternRules::of(game, F::NUMBER)?)?;
        let numbering = PatternNumbering::new(foxes.rules())?;
        let lists = TailLists::new(foxes.rules(), &numbering, last_wanted);
        let game = game.clone();
        let set = |word: u64| PointSet::<W>::narrow(PointSet::from_word(u128::from(word)));
        let text = Box::new(move |foxes, geese, turn| game.position_text(&Position::new(set(foxes), set(geese), turn)));
        Some(StripGame { text, foxes, numbering, lists, last_wanted })
    }

    pub(super) fn patterns(&self, geese: u32) -> LayerPatterns {
        layer_patterns(&self.foxes, &self.numbering, geese)
    }

    pub(super) fn inputs<'a>(
        &'a self,
        layer: &'a LayerPatterns,
        level: usize,
        strips: &'a [Strip],
    ) -> LevelInputs<'a, F> {
        LevelInputs { foxes: &self.foxes, numbering: &self.numbering, lists: &self.lists, layer, level, strips }
    }

    pub(super) fn first_layer(&self) -> u32 {
        self.foxes.rules().fox_wins_below
    }

    pub(super) fn last_layer(&self) -> u32 {
        self.foxes.rules().points().saturating_sub(F::NUMBER)
    }

    /// # Errors
    /// The layer is none of those that were to be solved.
    pub(super) fn check_wanted(&self, layer: u32) -> Result<(), TableError> {
        let (first, last) = (self.first_layer(), self.last_wanted.min(self.last_layer()));
        if !(first..=last).contains(&layer) {
            return Err(TableError::Refused(format!(
                "layers of {first} to {last} geese are to be solved, not of {layer}"
            )));
        }
        Ok(())
    }

    /// Whether anything is looked up in a layer by the one after it.
    pub(super) fn is_looked_up(&self, layer: u32) -> bool {
        (self.first_layer()..self.last_wanted).contains(&layer) && !self.foxes.rules().jumps.is_empty()
    }

    /// The first layer that is read again before another one can be solved. What a chain of jumps leads to in a layer
    /// is known from the layer below.
    pub(super) fn first_reread(&self, layer: u32) -> u32 {
        if self.foxes.rules().chain { self.first_layer() } else { (layer - 1).max(self.first_layer()) }
    }

    /// Both sides to move with the patterns of some strips, which stand for their images, too.
    pub(super) fn positions_of(&self, layer: &LayerPatterns, strips: &[Strip]) -> u64 {
        let placements: u64 = strips.iter().map(|strip| strip.images * strip.length as u64).sum();
        2 * placements * u64::from(self.foxes.columns_beside(layer.geese))
    }

    /// Writes the entries of a level, and sums up what they are; `news` are by goal and strip.
    pub(super) fn write(
        &self,
        (layer, level): (&LayerPatterns, &Level),
        strips: &[Strip],
        news: &[Vec<StripNews>],
        output: &mut LayerOutput<'_>,
    ) -> Result<(), TableError> {
        let (foxes, numbering, geese) = (&self.foxes, &self.numbering, layer.geese);
        let encode = |numbers: &Range<usize>| encode(foxes, numbering, geese, strips, numbers.clone(), news);
        for some in layer.pieces_of(level).chunks(pieces_at_once()) {
            let refused = |error: io::Error| TableError::Refused(error.to_string());
            let encoded: Vec<Piece> = parallel::try_map(some, encode).map_err(refused)?;
            encoded.iter().try_for_each(|piece| output.add(piece))?;
        }
        Ok(())
    }

    pub(super) fn summary(&self, output: LayerOutput<'_>) -> LayerSummary {
        let longest = LongestWin::of_layer(|turn, winner| {
            let example = output.farthest[turn as usize][winner as usize]?;
            Some((example.plies, (self.text)(example.foxes, example.pattern, turn)))
        });
        let [fox_to_move, geese_to_move] = output.results;
        LayerSummary { geese_to_move, fox_to_move, longest }
    }
}

/// What becomes of the levels of a layer.
pub(super) struct LayerOutput<'a> {
    writer: &'a mut LayerWriter,
    results: [ResultCounts; 2],
    farthest: FarthestWins,
}

impl<'a> LayerOutput<'a> {
    pub(super) fn new(writer: &'a mut LayerWriter) -> Self {
        LayerOutput { writer, results: Default::default(), farthest: Default::default() }
    }

    fn add(&mut self, piece: &Piece) -> Result<(), TableError> {
        piece.blocks.iter().try_for_each(|block| self.writer.append(block))?;
        self.results.iter_mut().zip(piece.results).for_each(|(all, more)| all.add(more));
        for (best, found) in self.farthest.iter_mut().flatten().zip(piece.farthest.into_iter().flatten()) {
            if found.is_some_and(|found| best.is_none_or(|best| best.plies < found.plies)) {
                *best = found;
            }
        }
        Ok(())
    }
}
