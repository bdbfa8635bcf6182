//! Counts the results of a layer.

use super::positions::{LayerPositions, MaterialBlock};
use super::scope::{Scope, TurnType};
use crate::geometry::Word;
use crate::parallel;
use crate::rules::Notation;
use crate::rules::hunt::{Hunt, Side};
use crate::tablebase::{LayerSummary, LongestWin, ResultCounts, TableEntry};

/// The greatest distance and the first place that has it, for each winner.
type Farthest = [Option<(u32, u64)>; 2];

/// What a part of a layer holds.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    results: ResultCounts,
    farthest: Farthest,
}

impl Count {
    fn with(mut self, other: Count) -> Count {
        self.results.add(other.results);
        for (mine, theirs) in self.farthest.iter_mut().zip(other.farthest) {
            *mine = farther(*mine, theirs);
        }
        self
    }

    /// Adds a run of entries, each of which stands for `weight` positions; the first one's place is `start`.
    fn of(entries: &[u16], weight: u64, start: u64) -> Count {
        let mut count = Count::default();
        for (flat, &entry) in (start..).zip(entries) {
            let entry = TableEntry(entry);
            count.results.count(entry.winner(), weight);
            if let Some(winner) = entry.winner() {
                let farthest = &mut count.farthest[winner as usize];
                *farthest = farther(*farthest, Some((entry.distance(), flat)));
            }
        }
        count
    }
}

/// The greater distance, of equal ones the one that comes first.
fn farther(one: Option<(u32, u64)>, other: Option<(u32, u64)>) -> Option<(u32, u64)> {
    match (one, other) {
        (Some((plies, flat)), Some((more, place))) if more > plies || (more == plies && place < flat) => other,
        (None, _) => other,
        _ => one,
    }
}

/// The results of all positions of a layer in the normal phase: every number of foxes that the rules can leave, every
/// share of the geese in hand, mirrored positions counted separately.
pub(super) fn summarise<W: Word>(
    game: &Hunt<W>,
    scope: &Scope,
    space: &LayerPositions<W>,
    entries: &[u16],
) -> LayerSummary {
    let [mut geese, mut fox] = [TurnType::GeeseToMove, TurnType::FoxToMove].map(|kind| {
        let counted = |block: &&MaterialBlock| block.material.kind == kind && !block.material.first;
        space
            .blocks
            .iter()
            .filter(counted)
            .fold(Count::default(), |count, block| count.with(of_block(space, block, entries)))
    });
    let decided = u64::try_from(scope.placements_won_by_foxes(space.layer)).unwrap_or(u64::MAX);
    for count in [&mut geese, &mut fox] {
        count.results.fox_wins = count.results.fox_wins.saturating_add(decided);
    }
    let longest = LongestWin::of_layer(|turn, winner| {
        let count = if turn == Side::Geese { &geese } else { &fox };
        let (plies, flat) = count.farthest[winner as usize]?;
        Some((plies, game.position_text(&space.position(flat))))
    });
    LayerSummary { geese_to_move: geese.results, fox_to_move: fox.results, longest }
}

/// The positions of a block in which nothing is owed.
fn of_block<W: Word>(space: &LayerPositions<W>, block: &MaterialBlock, entries: &[u16]) -> Count {
    let (start, size) = (block.start as usize, block.positions as usize);
    let runs = entries[start..start + size].chunks(block.goose_sets as usize).enumerate();
    let counts = parallel::map(runs, |(run, part)| {
        let flat = block.start + run as u64 * block.goose_sets;
        Count::of(part, space.weight(flat), flat)
    });
    counts.into_iter().fold(Count::default(), Count::with)
}
