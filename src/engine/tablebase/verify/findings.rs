//! The findings of a verification.

use crate::geometry::Word;
use crate::rules::Notation;
use crate::rules::hunt::{Hunt, Phase, Position, Side};
use crate::tablebase::{LayerSummary, ResultCounts, TableError, TableValue};

/// Mismatches that are reported in full; of the rest the number.
const MOST_REPORTED: usize = 10;

/// What a check of some layers has found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Findings {
    /// What was found in each layer that was checked.
    pub layers: Vec<LayerFindings>,
}

impl Findings {
    /// Nothing is wrong.
    pub fn are_good(&self) -> bool {
        self.layers.iter().all(|layer| layer.wrong == 0 && layer.faults.is_empty())
    }
}

/// What a check of a layer has found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LayerFindings {
    /// The number of geese of the layer.
    pub geese: u32,
    /// Positions looked at.
    pub checked: u64,
    /// Positions whose value or distance does not follow from those after it.
    pub wrong: u64,
    /// The first of them.
    pub mismatches: Vec<Mismatch>,
    /// What else is wrong: a damaged block, counts that do not fit.
    pub faults: Vec<String>,
    /// What the derived values amount to: geese to move, fox side to move.
    results: [ResultCounts; 2],
}

/// A position whose stored value is not the one that follows from the positions after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// Its text.
    pub position: String,
    /// `None`: the table does not cover it.
    pub stored: Option<TableValue<Side>>,
    /// `None`: a position after it is not covered.
    pub derived: Option<TableValue<Side>>,
}

impl LayerFindings {
    /// Of a layer that could not be read.
    pub(super) fn broken(error: &TableError) -> Self {
        LayerFindings { faults: vec![error.to_string()], ..LayerFindings::default() }
    }

    pub(super) fn note<W: Word>(
        &mut self,
        game: &Hunt<W>,
        position: &Position<W>,
        stored: Option<TableValue>,
        derived: Option<TableValue>,
    ) {
        self.checked += 1;
        let [stored, derived] = [stored, derived].map(|value| value.map(|value| value.map(|seat| game.side(seat))));
        if let Some(value) = derived.filter(|_| position.phase() == Phase::Normal && !position.first()) {
            self.results[usize::from(position.side_to_move() == Side::Fox)].count(value.winner, 1);
        }
        if stored != derived || derived.is_none() {
            self.wrong += 1;
            if self.mismatches.len() < MOST_REPORTED {
                self.mismatches.push(Mismatch { position: game.position_text(position), stored, derived });
            }
        }
    }

    pub(super) fn with(mut self, other: LayerFindings) -> LayerFindings {
        self.checked += other.checked;
        self.wrong += other.wrong;
        self.mismatches.extend(other.mismatches);
        self.mismatches.truncate(MOST_REPORTED);
        self.faults.extend(other.faults);
        self.results.iter_mut().zip(other.results).for_each(|(results, more)| results.add(more));
        self
    }

    /// Compares the counts of the file's header with those of a complete check.
    pub(super) fn compare_results(&mut self, summary: &LayerSummary) {
        let stored = [summary.geese_to_move, summary.fox_to_move];
        for ((turn, stored), derived) in ["g", "f"].into_iter().zip(stored).zip(self.results) {
            if stored != derived {
                self.faults.push(format!(
                    "header: turn {turn}: {} fox wins, {} draws, {} wins of the geese, but counted were {}, {} and {}",
                    stored.fox_wins, stored.draws, stored.geese_win, derived.fox_wins, derived.draws, derived.geese_win
                ));
            }
        }
    }
}
