//! Solves the positions with geese in hand: all those with one number in hand at once, from those with one less.

use super::fox_sets::{FoxSets, Slots};
use super::patterns::{self, Buffers};
use super::sliding::{PatternNumbers, SlidingLayer};
use crate::parallel;
use crate::rules::hunt::Side;
use crate::tablebase::{ResultCounts, TableEntry};

/// Sets of patterns, by number of the kept set of foxes.
type PatternSets = Vec<Vec<u64>>;

/// The outcomes of all positions with one number of geese in hand.
pub(super) struct HandLevel<'a> {
    foxes: &'a FoxSets,
    fox_wins_below: u32,
    /// The number of geese in hand.
    hand: u32,
    /// The positions that the foxes win.
    won: Outcome,
    /// The positions that the foxes do not lose.
    not_lost: Outcome,
}

/// The positions with one outcome, by side to move.
struct Outcome {
    geese_to_move: PatternSets,
    fox_to_move: PatternSets,
}

impl Outcome {
    fn new(foxes: &FoxSets, fill: impl Fn(usize, &mut [u64]) + Sync) -> Outcome {
        let of_set = |set| {
            let mut patterns = vec![0; patterns::words(foxes.slots)];
            fill(set, &mut patterns);
            patterns
        };
        let geese_to_move = parallel::map(0..foxes.sets.len(), of_set);
        let fox_to_move = foxes.sets.iter().map(|_| vec![0; patterns::words(foxes.slots)]).collect();
        let mut outcome = Outcome { geese_to_move, fox_to_move };
        outcome.move_foxes(foxes);
        outcome
    }

    /// Goes on to one more goose in hand; the foxes have won with fewer than `fewest_on_board` geese on the board.
    fn next(&mut self, foxes: &FoxSets, fewest_on_board: u32) {
        parallel::for_each(self.geese_to_move.iter_mut().zip(&self.fox_to_move), |(before, after)| {
            patterns::before_drops(after, before);
            patterns::insert_fewer(before, fewest_on_board);
        });
        self.move_foxes(foxes);
    }

    /// Finds the positions with the foxes to move from which a move leads to this outcome.
    fn move_foxes(&mut self, foxes: &FoxSets) {
        let after = &self.geese_to_move;
        let sets = self.fox_to_move.iter_mut().zip(&foxes.sets);
        parallel::for_each_with(sets, |buffers: &mut Buffers, (before, set)| {
            before.fill(0);
            for mv in &set.moves {
                patterns::pull(&after[mv.to as usize], mv, before, buffers);
            }
        });
    }

    fn of(&self, turn: Side) -> &PatternSets {
        if turn == Side::Geese { &self.geese_to_move } else { &self.fox_to_move }
    }
}

impl<'a> HandLevel<'a> {
    /// The level with nothing in hand, from the solved sliding phase.
    pub(super) fn first(
        foxes: &'a FoxSets,
        numbers: &PatternNumbers,
        fox_wins_below: u32,
        layers: &[SlidingLayer],
    ) -> HandLevel<'a> {
        let outcome = |counts: fn(Option<Side>) -> bool| {
            Outcome::new(foxes, |set, patterns| {
                patterns::insert_fewer(patterns, fox_wins_below);
                for layer in layers {
                    let entries = layer.of_set(Side::Geese, set).iter().zip(&numbers.patterns[layer.geese as usize]);
                    let counted = entries.filter(|(entry, _)| counts(entry.winner()));
                    counted.for_each(|(_, &pattern)| patterns::insert(patterns, pattern));
                }
            })
        };
        let won = outcome(|winner| winner == Some(Side::Fox));
        let not_lost = outcome(|winner| winner != Some(Side::Geese));
        HandLevel { foxes, fox_wins_below, hand: 0, won, not_lost }
    }

    /// Goes on to the level with one more goose in hand.
    pub(super) fn raise(&mut self) {
        self.hand += 1;
        let fewest = self.fox_wins_below.saturating_sub(self.hand);
        self.won.next(self.foxes, fewest);
        self.not_lost.next(self.foxes, fewest);
    }

    /// The entries of some patterns beside a set of foxes, the geese to move: every win is 1 ply from a drop.
    pub(super) fn entries(&self, set: usize, patterns: &[Slots]) -> Vec<u8> {
        let won = &self.won.geese_to_move[set];
        let not_lost = &self.not_lost.geese_to_move[set];
        let entry = |&pattern: &Slots| {
            if patterns::has(won, pattern) {
                TableEntry::won(Side::Fox, 1)
            } else if patterns::has(not_lost, pattern) {
                TableEntry::DRAW
            } else {
                TableEntry::won(Side::Geese, 1)
            }
        };
        patterns.iter().map(|pattern| entry(pattern).0 as u8).collect()
    }

    /// The results of all positions with `turn` to move, by number of geese on the board.
    pub(super) fn results(&self, turn: Side) -> Vec<ResultCounts> {
        let won = self.won.of(turn);
        let not_lost = self.not_lost.of(turn);
        let of_set = |(set, (won, not_lost)): (usize, (&Vec<u64>, &Vec<u64>))| -> Vec<ResultCounts> {
            let weight = self.foxes.sets[set].weight;
            let [won, not_lost] = [won, not_lost].map(|patterns| patterns::sizes(patterns, self.foxes.slots));
            let mut all = 1;
            let mut results = Vec::with_capacity(won.len());
            for (geese, (won, not_lost)) in won.into_iter().zip(not_lost).enumerate() {
                results.push(ResultCounts {
                    fox_wins: weight * won,
                    draws: weight * (not_lost - won),
                    geese_win: weight * (all - not_lost),
                });
                all = all * (self.foxes.slots - geese) as u64 / (geese as u64 + 1);
            }
            results
        };
        let mut all = vec![ResultCounts::default(); self.foxes.slots + 1];
        for of_set in parallel::map(won.iter().zip(not_lost).enumerate(), of_set) {
            all.iter_mut().zip(of_set).for_each(|(all, counts)| all.add(counts));
        }
        all
    }
}
