//! Solves games in which the geese side drops all its pieces before the first of them steps, such as Bagha Chal.
//!
//! The number in hand never grows, so the positions with a number in hand follow from those with one less: with the
//! geese to move the wins of the foxes are the AND of the wins after each drop, with the foxes to move the OR of those
//! after each move. There are so few foxes and points that all patterns of geese beside a set of foxes are one set of
//! bits (`patterns`), and such a step takes the whole set, 64 positions at a time. The size of a pattern says how many
//! geese have been captured, so all layers are solved together (`placing`). The steps that yield the wins of the foxes,
//! run on the complement of what the geese win, yield the wins of the geese. Only with nothing in hand can positions
//! recur; those, comparatively few, are settled one by one, round by round, with their distances (`sliding`).
//!
//! Bit sets of geese for each set of foxes follow from these sizes. Y. J. Lim and J. Nievergelt (Tigers and Goats is a
//! draw, Games of No Chance 3, 2009) solved the sliding phase as a database and the rest by search.
//!
//! # Where positions stand in a file
//!
//! Points are numbered in the order of their indices. A set of foxes is a binary number, point 0 its lowest bit; of all
//! its images under the symmetries of board and rules the one with the smallest number is kept, and the kept sets are
//! numbered upwards, `sets` of them. The points beside a kept set are its *slots*, also numbered upwards. A pattern of
//! geese is a binary number with a bit for each slot; its row is its place among the patterns with as many geese. A
//! position is turned by the first symmetry that leads to the kept set, in the order: the identity; left and right, top
//! and bottom, both exchanged; then these four after an exchange of files and ranks, as far as board and rules have
//! them.
//!
//! With nothing in hand, kept set s has two blocks: 2 s with the geese to move and 2 s + 1 with the foxes to move. With
//! h pieces in hand it has one, number 2 `sets` + (h - 1) `sets` + s, with the geese to move; with the foxes to move,
//! values are derived from those after each move. Blocks have one column.

mod fox_sets;
mod patterns;
mod placing;
mod sliding;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;
use std::time::Duration;

use fox_sets::{FoxSets, Slots};
use placing::HandLevel;
use sliding::{PatternNumbers, SlidingLayer};

use super::format::{EncodedBlock, EntryAddress};
use super::sets::binomial;
use super::{LayerCost, LayerSolver, LayerSummary, Method, NewLayer, ResultCounts, Store, TableError, Tally};
use crate::geometry::Word;
use crate::rules::Notation;
use crate::rules::hunt::{Hunt, Phase, Position, Side};

/// Processor time per position of `bagha-chal` with pieces in hand, in picoseconds.
const PICOSECONDS: u64 = 1_050;
/// Processor time per position with nothing in hand, mirrored ones counted once, in nanoseconds: 400 in `bagha-chal`, and
/// more where more of them are won.
const SLIDING_NANOSECONDS: u64 = 1_000;
/// Entries per byte of a file, cautiously: those of `bagha-chal` hold seven.
const ENTRIES_A_BYTE: u64 = 5;

/// Sets of foxes whose blocks are compressed side by side before they are written.
const SETS_AT_A_TIME: usize = 64;
/// The share of all work that counts for positions with nothing in hand, few as they are: one part in this number.
const SLIDING_SHARE: u64 = 5;
const SIDES: [Side; 2] = [Side::Geese, Side::Fox];

/// The name of this layout in the header of a file.
const LAYOUT: &str = "drops";

/// The number of the block of a set of foxes; `None` where the value of a position is derived from its moves.
fn block(sets: usize, hand: u32, turn: Side, set: usize) -> Option<u32> {
    let number = match (hand, turn) {
        (0, turn) => 2 * set + usize::from(turn == Side::Fox),
        (_, Side::Fox) => return None,
        (hand, Side::Geese) => (1 + hand as usize) * sets + set,
    };
    Some(number as u32)
}

/// Formats a position, given the number of its kept set of foxes, its geese, and the side to move.
type PositionText = Box<dyn Fn(&FoxSets, usize, Slots, Side) -> String + Send + Sync>;

/// Solves all layers of a game with drops together.
pub(crate) struct DropSolver {
    text: PositionText,
    foxes: FoxSets,
    /// Made when they are first needed, as they take memory.
    numbers: OnceLock<PatternNumbers>,
    fox_wins_below: u32,
    drops: u32,
}

impl DropSolver {
    /// The solver of a ruleset; `None` when it needs another method.
    pub(crate) fn new<W: Word>(game: &Hunt<W>) -> Option<Self> {
        let foxes = FoxSets::new(game)?;
        let (game, rules) = (game.clone(), &game.ruleset().rules);
        let text: PositionText =
            Box::new(move |foxes, set, geese, turn| game.position_text(&foxes.position::<W>(set, geese, turn)));
        let (fox_wins_below, drops) = (rules.fox_wins_below, rules.drops);
        Some(DropSolver { text, foxes, numbers: OnceLock::new(), fox_wins_below, drops })
    }

    fn numbers(&self) -> &PatternNumbers {
        self.numbers.get_or_init(|| PatternNumbers::new(self.foxes.slots))
    }

    /// The numbers of geese in hand that occur in a layer.
    fn hands(&self, layer: u32) -> impl Iterator<Item = u32> + use<> {
        layer.saturating_sub(self.foxes.slots as u32)..=layer.min(self.drops)
    }

    /// The number of positions of a layer; `sets` gives the number of fox sets that count, by side to move and geese in
    /// hand.
    fn entries(&self, layer: u32, sets: impl Fn(Side, u32) -> u64) -> u64 {
        let patterns = |hand: u32| binomial(self.foxes.slots as u32, layer - hand) as u64;
        self.hands(layer).flat_map(|hand| SIDES.map(|turn| sets(turn, hand) * patterns(hand))).sum()
    }

    /// Solves the sliding phase of all layers up to the last one. `progress` receives `share` positions in all.
    fn slide(&self, last: u32, share: u64, progress: &(dyn Fn(u64) + Sync)) -> Vec<SlidingLayer> {
        let numbers = self.numbers();
        let patterns = |geese: u32| numbers.patterns[geese as usize].len() as u64;
        let all: u64 = (self.fox_wins_below..=last).map(patterns).sum();
        let mut layers: Vec<SlidingLayer> = Vec::new();
        for geese in self.fox_wins_below..=last {
            layers.push(sliding::solve(&self.foxes, numbers, geese, layers.last()));
            progress(share / all.max(1) * patterns(geese));
        }
        layers
    }

    /// Writes the blocks of a layer with nothing in hand, and notes the layer's longest wins.
    fn write_sliding(&self, layer: &mut NewLayer, solved: &SlidingLayer) -> Result<(), TableError> {
        let sets = 0..self.foxes.sets.len();
        layer.writer.append_encoded(sets.clone(), SETS_AT_A_TIME, |set| {
            let encode = |turn| {
                let entries: Vec<u16> = solved.of_set(turn, set).iter().map(|entry| entry.0).collect();
                EncodedBlock::new(1, &entries)
            };
            SIDES.into_iter().map(encode).collect()
        })?;
        let patterns = &self.numbers().patterns[solved.geese as usize];
        let tallies = SIDES.map(|turn| {
            let mut tally = Tally::default();
            for set in sets.clone() {
                for (row, entry) in solved.of_set(turn, set).iter().enumerate() {
                    entry.winner().into_iter().for_each(|winner| tally.find(winner, entry.distance(), (set, row)));
                }
            }
            tally
        });
        let text = |(set, row): (usize, usize), turn| (self.text)(&self.foxes, set, patterns[row], turn);
        layer.summary = LayerSummary::new(&tallies, text);
        Ok(())
    }
}

impl LayerSolver for DropSolver {
    fn layout(&self) -> &'static str {
        LAYOUT
    }

    fn last_layer(&self) -> u32 {
        self.foxes.slots as u32
    }

    fn solves_together(&self) -> bool {
        true
    }

    fn cost(&self, layer: u32, _last: u32) -> LayerCost {
        let sets = self.foxes.sets.len() as u64;
        let weights = self.foxes.sets.iter().map(|set| set.weight).sum();
        let positions = self.entries(layer, |_, _| weights);
        let stored = self.entries(layer, |turn, hand| if hand == 0 || turn == Side::Geese { sets } else { 0 });
        // Four sets of patterns for each set of foxes, and two bytes for each position of the sliding phase.
        let patterns = 4 * sets * 8 * patterns::words(self.foxes.slots) as u64;
        let slots = self.foxes.slots as u32;
        let sliding = |geese| 2 * sets * binomial(slots, geese) as u64;
        let memory = patterns + 2 * (self.fox_wins_below..=layer).map(sliding).sum::<u64>() + (1 << 26);
        let stored = stored / ENTRIES_A_BYTE + 4096;
        let cost = LayerCost::new(positions.into(), PICOSECONDS, memory.into(), stored.into());
        let processor = cost.processor + Duration::from_nanos(sliding(layer) * SLIDING_NANOSECONDS);
        LayerCost { processor, ..cost }
    }

    fn solve(
        &mut self,
        layers: &mut [NewLayer],
        _last: u32,
        _below: &Store,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), TableError> {
        let Some(last) = layers.iter().map(|layer| layer.geese).max() else { return Ok(()) };
        let positions: u64 = layers.iter().map(|layer| self.cost(layer.geese, last).positions).sum();
        let of_sliding = positions / SLIDING_SHARE;
        let solved = self.slide(last, of_sliding, progress);
        for layer in layers.iter_mut() {
            if let Some(solved) = solved.iter().find(|solved| solved.geese == layer.geese) {
                self.write_sliding(layer, solved)?;
            }
        }
        let mut level = HandLevel::first(&self.foxes, self.numbers(), self.fox_wins_below, &solved);
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
                    let patterns = &self.numbers().patterns[on_board];
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

impl<W: Word> Method<W> for DropSolver {
    fn place(&self, position: &Position<W>) -> Option<EntryAddress> {
        if position.phase != Phase::Normal {
            return None;
        }
        let (set, geese) = self.foxes.find(position.foxes(), position.geese())?;
        let block = block(self.foxes.sets.len(), u32::from(position.hand), position.turn, set)?;
        Some(EntryAddress { block, row: self.numbers().number(geese) as u64, column: 0 })
    }
}
