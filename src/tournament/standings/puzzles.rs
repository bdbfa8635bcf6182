//! One engine's attempts at one puzzle.

use std::collections::BTreeMap;

use super::summary::PuzzleResults;
use super::totals::{Reasons, Totals, mean};
use crate::tournament::record::GameRecord;
use crate::tournament::stats::{Sample, wilson};

/// Sums over the attempts of an engine at a puzzle; the wins are the attempts that solved it.
#[derive(Clone, Debug, Default)]
pub(super) struct Attempts {
    pub totals: Totals,
    solved: MoveCounts,
    unsolved: MoveCounts,
}

/// Attempts by the moves that the engine played itself; those of the opening do not count.
type MoveCounts = BTreeMap<u64, u64>;

impl Attempts {
    pub(super) fn add(&mut self, record: &GameRecord, move_us: &[u64], reason: usize) {
        self.totals.add(record, move_us, 0, reason);
        let counts = if record.ending.winner == Some(0) { &mut self.solved } else { &mut self.unsolved };
        *counts.entry(record.moves_of(0).count() as u64).or_default() += 1;
    }

    pub(super) fn count(&self) -> u64 {
        self.totals.games.games()
    }

    pub(super) fn results(&self, engine: usize, ruleset: usize, reasons: &Reasons) -> PuzzleResults {
        let (attempts, solved) = (self.count(), self.totals.games.wins);
        let bounds = wilson(solved as f64, attempts as f64);
        PuzzleResults {
            engine,
            ruleset,
            attempts,
            solved,
            share: mean(solved, attempts),
            wilson_low: bounds.map(|bounds| bounds.low),
            wilson_high: bounds.map(|bounds| bounds.high),
            mean_moves: mean_moves(&self.solved),
            fewest_moves: self.solved.keys().next().copied(),
            most_moves: self.solved.keys().next_back().copied(),
            mean_moves_unsolved: mean_moves(&self.unsolved),
            reasons: reasons.counts(&self.totals.reasons),
            forfeits: self.totals.forfeit_counts(),
            work: self.totals.work,
        }
    }
}

fn mean_moves(counts: &MoveCounts) -> Option<f64> {
    mean(counts.iter().map(|(moves, attempts)| moves * attempts).sum(), counts.values().sum())
}
