//! Games in which the geese side drops all its pieces before the first of them steps, as in Bagha Chal.
//!
//! The pieces in hand only become fewer, so the positions with a number in hand follow from those with one less: with
//! the geese to move a win of the foxes is the AND of the wins after each drop, with the foxes to move the OR of those
//! after each move. The foxes are few and the other points are few enough that all patterns of geese beside a set of
//! foxes are one set of bits (`patterns`), which such a step takes as a whole, 64 positions at a time. A pattern tells
//! how many geese have been captured, so that all layers are solved together (`placing`). The same step, run on the
//! complement of what the geese win, tells their wins. Only with nothing left in hand do pieces go to and fro; those
//! few positions are settled one by one, round by round, with their distances (`sliding`).
//!
//! The way to hold the geese as bit sets by the set of foxes follows from the sizes; Y. J. Lim and J. Nievergelt
//! (Tigers and Goats is a draw, Games of No Chance 3, 2009) solved the sliding phase as a database and the game by
//! search.

mod fox_sets;
mod layout;
mod patterns;
mod placing;
mod sliding;
#[cfg(test)]
mod tests;

use std::time::Duration;

use fox_sets::{FoxSets, Slots};
pub(crate) use layout::DropLayout;
use layout::LAYOUT;
use placing::HandLevel;
use sliding::{PatternNumbers, SlidingLayer};

use super::binomials::binomial;
use super::format::EncodedBlock;
use super::{LayerCost, LayerSolver, LayerSummary, NewLayer, ResultCounts, Store, TableError, Tally};
use crate::geometry::Word;
use crate::rules::Notation;
use crate::rules::hunt::{Hunt, Position, Side};

/// Processor time for a position of `bagha-chal`.
const PICOSECONDS: u64 = 1_300;
/// Entries of `bagha-chal` that a byte of its files holds, cautiously: they hold seven.
const ENTRIES_A_BYTE: u64 = 5;

/// Sets of foxes whose blocks are compressed side by side before they are written.
const SETS_AT_A_TIME: usize = 64;
/// One of this number of parts of the time goes into the positions with nothing in hand, few as they are.
const SLIDING_SHARE: u64 = 5;
const SIDES: [Side; 2] = [Side::Geese, Side::Fox];

/// The text of a position: the number of its set of foxes, its geese, and who moves.
type PositionText = Box<dyn Fn(&FoxSets, usize, Slots, Side) -> String + Send>;

/// Solves all layers of a game of drops together.
pub(crate) struct DropSolver {
    text: PositionText,
    foxes: FoxSets,
    fox_wins_below: u32,
    drops: u32,
}

impl DropSolver {
    /// The solver of a ruleset; `None` when it needs another method.
    pub(crate) fn new<W: Word>(game: &Hunt<W>) -> Option<Self> {
        let foxes = FoxSets::new(game)?;
        let (game, rules) = (game.clone(), &game.ruleset().rules);
        let text: PositionText = Box::new(move |foxes, set, geese, turn| {
            let (foxes, geese) = foxes.points::<W>(set, geese);
            game.position_text(&Position::new(foxes, geese, turn))
        });
        Some(DropSolver { text, foxes, fox_wins_below: rules.fox_wins_below, drops: rules.drops })
    }

    /// The numbers of pieces in hand with which a layer has positions.
    fn hands(&self, layer: u32) -> impl Iterator<Item = u32> + use<> {
        layer.saturating_sub(self.foxes.slots as u32)..=layer.min(self.drops)
    }

    /// The positions of a layer, each kept set of foxes counted as often as `sets` says for a side to move and a hand.
    fn entries(&self, layer: u32, sets: impl Fn(Side, u32) -> u64) -> u64 {
        let patterns = |hand: u32| binomial(self.foxes.slots as u32, layer - hand) as u64;
        self.hands(layer).flat_map(|hand| SIDES.map(|turn| sets(turn, hand) * patterns(hand))).sum()
    }

    /// Solves the sliding phase of all layers up to the last one. `progress` takes `share` positions in all.
    fn slide(
        &self,
        numbers: &PatternNumbers,
        last: u32,
        share: u64,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Vec<SlidingLayer> {
        let patterns = |geese: u32| numbers.patterns[geese as usize].len() as u64;
        let all: u64 = (self.fox_wins_below..=last).map(patterns).sum();
        let mut layers: Vec<SlidingLayer> = Vec::new();
        for geese in self.fox_wins_below..=last {
            layers.push(sliding::solve(&self.foxes, numbers, geese, layers.last()));
            progress(share / all.max(1) * patterns(geese));
        }
        layers
    }

    /// Writes the blocks of a layer with nothing in hand, and notes its longest wins.
    fn write_sliding(
        &self,
        layer: &mut NewLayer,
        solved: &SlidingLayer,
        numbers: &PatternNumbers,
    ) -> Result<(), TableError> {
        let sets = 0..self.foxes.sets.len();
        layer.writer.append_encoded(sets.clone(), SETS_AT_A_TIME, |set| {
            let encode = |turn| {
                let entries: Vec<u16> = solved.of_set(turn, set).iter().map(|entry| entry.0).collect();
                EncodedBlock::new(1, &entries)
            };
            SIDES.into_iter().map(encode).collect()
        })?;
        let patterns = &numbers.patterns[solved.geese as usize];
        let [geese, fox] = SIDES.map(|turn| {
            let mut tally = Tally::default();
            for set in sets.clone() {
                for (row, entry) in solved.of_set(turn, set).iter().enumerate() {
                    entry.winner().into_iter().for_each(|winner| tally.find(winner, entry.distance(), (set, row)));
                }
            }
            tally
        });
        let text = |(set, row): (usize, usize), turn| (self.text)(&self.foxes, set, patterns[row], turn);
        layer.summary = LayerSummary::new(&geese, &fox, text);
        Ok(())
    }
}

impl LayerSolver for DropSolver {
    fn layout(&self) -> &'static str {
        LAYOUT
    }

    fn first_layer(&self) -> u32 {
        self.fox_wins_below
    }

    fn last_layer(&self) -> u32 {
        self.foxes.slots as u32
    }

    fn solves_together(&self) -> bool {
        true
    }

    fn cost(&self, layer: u32) -> LayerCost {
        let sets = self.foxes.sets.len() as u64;
        let weights = self.foxes.sets.iter().map(|set| set.weight).sum();
        let stored = self.entries(layer, |turn, hand| if hand == 0 || turn == Side::Geese { sets } else { 0 });
        let sliding =
            (self.fox_wins_below..=layer).map(|geese| 2 * sets * binomial(self.foxes.slots as u32, geese) as u64);
        // Four sets of patterns for each set of foxes, and two bytes for each position of the sliding phase.
        let patterns = 8 * patterns::words(self.foxes.slots) as u64;
        let positions = self.entries(layer, |_, _| weights);
        LayerCost {
            positions,
            memory_bytes: 4 * sets * patterns + 2 * sliding.sum::<u64>() + (1 << 26),
            disk_bytes: stored / ENTRIES_A_BYTE + 4096,
            processor: Duration::from_nanos(positions.saturating_mul(PICOSECONDS) / 1000),
        }
    }

    fn solve(
        &mut self,
        layers: &mut [NewLayer],
        _below: &Store,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), TableError> {
        let Some(last) = layers.iter().map(|layer| layer.geese).max() else { return Ok(()) };
        let numbers = PatternNumbers::new(self.foxes.slots);
        let positions: u64 = layers.iter().map(|layer| self.cost(layer.geese).positions).sum();
        let of_sliding = positions / SLIDING_SHARE;
        let solved = self.slide(&numbers, last, of_sliding, progress);
        for layer in layers.iter_mut() {
            if let Some(solved) = solved.iter().find(|solved| solved.geese == layer.geese) {
                self.write_sliding(layer, solved, &numbers)?;
            }
        }
        let mut level = HandLevel::first(&self.foxes, &numbers, self.fox_wins_below, &solved);
        drop(solved);
        for hand in 0..=last.min(self.drops) {
            if hand > 0 {
                level.raise();
            }
            let [with_geese, with_foxes] = SIDES.map(|turn| level.results(turn));
            let mut done = 0;
            for layer in layers.iter_mut().filter(|layer| layer.geese >= hand) {
                let on_board = (layer.geese - hand) as usize;
                let counts: [&ResultCounts; 2] = [&with_geese[on_board], &with_foxes[on_board]];
                layer.summary.geese_to_move.add(*counts[0]);
                layer.summary.fox_to_move.add(*counts[1]);
                done += counts.map(ResultCounts::total).iter().sum::<u64>();
                if hand > 0 {
                    let patterns = &numbers.patterns[on_board];
                    layer.writer.append_encoded(0..self.foxes.sets.len(), SETS_AT_A_TIME, |set| {
                        Ok(vec![EncodedBlock::of_bytes(1, &level.entries(set, patterns))?])
                    })?;
                }
            }
            progress(done - done / SLIDING_SHARE);
        }
        Ok(())
    }
}
