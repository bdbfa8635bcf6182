//! What one engine did at one puzzle.

use super::line::{Line, Reasons};
use super::summary::{ForfeitCount, PuzzleResults, ReasonCount};
use super::{account, line::Work};
use crate::tournament::record::{GameRecord, GameTimes};
use crate::tournament::stats::{Sample, wilson};

/// Sums over the attempts of an engine at a puzzle. `wins` of the line are the attempts that solved it.
#[derive(Clone, Debug, Default)]
pub(super) struct Attempts {
    pub line: Line,
    /// Over the attempts that solved it.
    used: Moves,
    /// Over the others.
    in_vain: Moves,
}

/// The moves that the engine played itself; those of the opening do not count.
#[derive(Clone, Copy, Debug, Default)]
struct Moves {
    attempts: u64,
    sum: u64,
    /// Fewest and most.
    range: Option<(u64, u64)>,
}

impl Moves {
    fn add(&mut self, moves: u64) {
        self.attempts += 1;
        self.sum += moves;
        let (least, most) = self.range.unwrap_or((moves, moves));
        self.range = Some((least.min(moves), most.max(moves)));
    }
}

impl Attempts {
    pub(super) fn add(&mut self, record: &GameRecord, times: Option<&GameTimes>, reason: usize) {
        self.line.add_result(record, 0, reason);
        self.line.add_work(record, times, record.moves_of(0));
        let moves = record.moves_of(0).count() as u64;
        let counter = if record.ending.winner == Some(0) { &mut self.used } else { &mut self.in_vain };
        counter.add(moves);
    }

    pub(super) fn count(&self) -> u64 {
        self.line.games.games()
    }

    pub(super) fn results(&self, engine: usize, ruleset: usize, reasons: &Reasons) -> PuzzleResults {
        let (attempts, solved) = (self.count(), self.used.attempts);
        let bounds = wilson(solved as f64, attempts as f64);
        let Work { moves, nodes, depth, time_us } = self.line.work;
        PuzzleResults {
            engine,
            ruleset,
            attempts,
            solved,
            share: account::mean(solved, attempts),
            wilson_low: bounds.map(|bounds| bounds.low),
            wilson_high: bounds.map(|bounds| bounds.high),
            mean_moves: account::mean(self.used.sum, solved),
            fewest_moves: self.used.range.map(|(least, _)| least),
            most_moves: self.used.range.map(|(_, most)| most),
            mean_moves_unsolved: account::mean(self.in_vain.sum, self.in_vain.attempts),
            reasons: self.reasons(reasons),
            forfeits: self.line.forfeits.iter().map(|(&kind, &games)| ForfeitCount { kind, games }).collect(),
            moves,
            nodes_per_move: nodes.mean(),
            depth_per_move: depth.mean(),
            ms_per_move: time_us.mean().map(|us| us / 1000.0),
        }
    }

    fn reasons(&self, reasons: &Reasons) -> Vec<ReasonCount> {
        account::reason_counts(&self.line.reasons, reasons)
    }
}
