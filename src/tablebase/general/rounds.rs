//! Solves a layer by retrograde analysis: round d settles the positions that are d plies away.
//!
//! Round 0 finds the positions that are over, round 1 looks at all others once. From then on only positions before
//! those settled in the round before need a look. A look goes through the legal moves, so that what a round finds never
//! depends on how candidates were found, only that none is left out.
//!
//! Where a layer holds moves that can never be undone, this is done twice: once for the winners, taking the plies to
//! the end of the game or to a lower layer for the distance, and once more for the distances to conversion, when all
//! winners are known.

use std::ops::Range;
use std::sync::atomic::{AtomicU16, Ordering};

use rayon::prelude::*;

use crate::geometry::Word;
use crate::rules::hunt::{Hunt, Move, Position, Side};
use crate::rules::{Game, Notation};
use crate::tablebase::{TableEntry, TableError};

use super::lower_layers::LowerLayers;
use super::positions::LayerPositions;
use super::predecessors::{Predecessors, Undone};

/// Positions that a thread takes at a time, and for which it is noted whether a round settled any of them.
const CHUNK: u64 = 1 << 14;

/// What the distances mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Goal {
    /// Plies to the end of the game or to a lower layer.
    End,
    /// Plies to conversion; all winners are known.
    Conversion,
}

/// The entries of a layer on their way.
pub(super) struct Rounds<'a, W: Word> {
    pub game: &'a Hunt<W>,
    pub space: &'a LayerPositions<W>,
    pub before: &'a Predecessors<W>,
    pub below: &'a LowerLayers<W>,
    entries: Vec<AtomicU16>,
    /// For odd and even rounds: by chunk, the last round that settled something there.
    stamps: [Vec<AtomicU16>; 2],
    goal: Goal,
}

impl<'a, W: Word> Rounds<'a, W> {
    pub(super) fn new(
        game: &'a Hunt<W>,
        space: &'a LayerPositions<W>,
        before: &'a Predecessors<W>,
        below: &'a LowerLayers<W>,
    ) -> Self {
        let zeros = |count: u64| (0..count).map(|_| AtomicU16::new(0)).collect::<Vec<AtomicU16>>();
        let chunks = space.positions().div_ceil(CHUNK);
        let stamps = [zeros(chunks), zeros(chunks)];
        Rounds { game, space, before, below, entries: zeros(space.positions()), stamps, goal: Goal::End }
    }

    /// The number of positions that [`solve`](Rounds::solve) tells in all.
    pub(super) fn work(&self) -> u64 {
        let sweeps = if self.before.has_one_way_moves(self.game) { 2 } else { 1 };
        2 * sweeps * self.space.positions()
    }

    /// The entries of all positions. `progress` is told of positions looked at.
    ///
    /// # Errors
    /// A distance is greater than an entry can hold.
    pub(super) fn solve(mut self, progress: &(dyn Fn(u64) + Sync)) -> Result<Vec<u16>, TableError> {
        self.find_ends();
        self.settle(progress)?;
        if self.before.has_one_way_moves(self.game) {
            self.keep_winners();
            self.goal = Goal::Conversion;
            self.settle(progress)?;
        }
        debug_assert!(self.entries.iter().all(|entry| load(entry).distance() < TableEntry::MAX_DISTANCE));
        Ok(self.entries.into_iter().map(AtomicU16::into_inner).collect())
    }

    fn chunks(&self) -> impl ParallelIterator<Item = (usize, Range<u64>)> {
        let positions = self.space.positions();
        let range = move |chunk: u64| (chunk as usize, chunk * CHUNK..positions.min((chunk + 1) * CHUNK));
        (0..positions.div_ceil(CHUNK)).into_par_iter().map(range)
    }

    /// Round 0.
    fn find_ends(&self) {
        self.chunks().for_each(|(_, range)| {
            self.space.walk(range, |flat, position| {
                if let Some(winner) = self.game.turn(position).outcome().and_then(|outcome| outcome.winner) {
                    self.entries[flat as usize].store(TableEntry::won(self.game.side(winner), 0).0, Ordering::Relaxed);
                }
            });
        });
    }

    /// Forgets all distances but those of positions that are over.
    fn keep_winners(&self) {
        self.entries.par_iter().for_each(|slot| {
            let entry = load(slot);
            if let Some(winner) = entry.winner().filter(|_| entry.distance() > 0) {
                slot.store(TableEntry::won(winner, TableEntry::MAX_DISTANCE).0, Ordering::Relaxed);
            }
        });
        self.stamps.iter().flatten().for_each(|stamp| stamp.store(0, Ordering::Relaxed));
    }

    /// All rounds from the first to the one that settles nothing.
    fn settle(&self, progress: &(dyn Fn(u64) + Sync)) -> Result<(), TableError> {
        let mut settled = self.look_at_all(progress);
        let mut round = 1;
        while settled {
            round += 1;
            if round >= TableEntry::MAX_DISTANCE {
                return Err(TableError::Refused(format!("a win takes more than {round} plies, the most that fit")));
            }
            settled = self.look_back(round);
        }
        // Nobody knows beforehand how long the rounds after the first take; say half of the time.
        progress(self.space.positions());
        Ok(())
    }

    /// Round 1; whether it settled anything.
    fn look_at_all(&self, progress: &(dyn Fn(u64) + Sync)) -> bool {
        let look = |moves: &mut Vec<Move<W>>, (_, range): (usize, Range<u64>)| {
            let count = range.end - range.start;
            let mut settled = false;
            self.space.walk(range, |flat, position| {
                if self.is_open(flat) {
                    settled |= self.look(flat, position, self.winner(flat), 1, moves);
                }
            });
            progress(count);
            settled
        };
        self.chunks().map_init(Vec::new, look).reduce(|| false, |a, b| a | b)
    }

    /// Looks at the positions before those settled in the last round.
    fn look_back(&self, round: u32) -> bool {
        let last = round - 1;
        let look = |moves: &mut Vec<Move<W>>, (chunk, range): (usize, Range<u64>)| {
            if u32::from(self.stamps[last as usize % 2][chunk].load(Ordering::Relaxed)) != last {
                return false;
            }
            let mut settled = false;
            for flat in range {
                let entry = load(&self.entries[flat as usize]);
                if let Some(winner) = entry.winner().filter(|_| entry.distance() == last) {
                    settled |= self.look_before(&self.space.position(flat), winner, round, moves);
                }
            }
            settled
        };
        self.chunks().map_init(Vec::new, look).reduce(|| false, |a, b| a | b)
    }

    /// Looks at the positions from which a move may lead to one that `winner` wins.
    fn look_before(&self, after: &Position<W>, winner: Side, round: u32, moves: &mut Vec<Move<W>>) -> bool {
        let undone = if self.goal == Goal::End { Undone::All } else { Undone::Reversible };
        let mut settled = false;
        self.before.show(after, undone, |candidate| {
            settled |= self.look_if_open(candidate, winner, round, moves);
            if let Some(twin) = self.space.twin(candidate) {
                settled |= self.look_if_open(&twin, winner, round, moves);
            }
        });
        settled
    }

    fn look_if_open(&self, position: &Position<W>, winner: Side, round: u32, moves: &mut Vec<Move<W>>) -> bool {
        let Some(flat) = self.space.number(position) else { return false };
        let may_win = self.winner(flat).is_none_or(|known| known == winner);
        may_win && self.is_open(flat) && self.look(flat, position, Some(winner), round, moves)
    }

    /// Nothing is known yet of what this goal asks.
    #[inline]
    fn is_open(&self, flat: u64) -> bool {
        let entry = load(&self.entries[flat as usize]);
        match self.goal {
            Goal::End => entry == TableEntry::DRAW,
            Goal::Conversion => entry.distance() == TableEntry::MAX_DISTANCE,
        }
    }

    fn winner(&self, flat: u64) -> Option<Side> {
        load(&self.entries[flat as usize]).winner()
    }

    /// Settles a position if its legal moves allow it; `hope` is the only side that can be found to win, if known.
    fn look(
        &self,
        flat: u64,
        position: &Position<W>,
        hope: Option<Side>,
        round: u32,
        moves: &mut Vec<Move<W>>,
    ) -> bool {
        let Some(entry) = self.judge(position, hope, round, moves) else { return false };
        debug_assert_eq!(entry.distance(), round, "{}", self.game.position_text(position));
        self.entries[flat as usize].store(entry.0, Ordering::Relaxed);
        self.stamps[round as usize % 2][(flat / CHUNK) as usize].store(round as u16, Ordering::Relaxed);
        true
    }

    fn judge(
        &self,
        position: &Position<W>,
        hope: Option<Side>,
        round: u32,
        moves: &mut Vec<Move<W>>,
    ) -> Option<TableEntry> {
        let mover = position.side_to_move();
        moves.clear();
        self.game.legal_moves(position, moves);
        let mut lost_in = Some(0);
        for &mv in moves.iter() {
            match self.known(position, mv, round) {
                Some((winner, plies)) if winner == mover => return Some(TableEntry::won(mover, plies)),
                Some((_, plies)) => lost_in = lost_in.map(|most| plies.max(most)),
                None if hope == Some(mover.other()) => return None,
                None => lost_in = None,
            }
        }
        lost_in.map(|plies| TableEntry::won(mover.other(), plies))
    }

    /// Who wins after a move, and how many plies it takes from before the move, as far as known before this round.
    fn known(&self, position: &Position<W>, mv: Move<W>, round: u32) -> Option<(Side, u32)> {
        let after = self.game.play_unchecked(position, mv);
        let Some(flat) = self.space.number(&after) else {
            return self.below.winner(self.game, &after).map(|winner| (winner, 1));
        };
        // Other threads may settle positions in this very round, which count from the next one on.
        let entry = load(&self.entries[flat as usize]);
        let converts = self.goal == Goal::Conversion && self.game.is_irreversible(position, mv);
        let plies = if converts { 1 } else { entry.distance() + 1 };
        entry.winner().filter(|_| plies <= round).map(|winner| (winner, plies))
    }
}

#[inline]
fn load(slot: &AtomicU16) -> TableEntry {
    TableEntry(slot.load(Ordering::Relaxed))
}
