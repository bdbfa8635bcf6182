//! Solves a layer by retrograde analysis: round d settles the positions that are d plies away.
//!
//! Round 0 finds the positions that are over, round 1 looks at all others once. From then on only positions before
//! those settled in the round before need a look, and those that are due. A look goes through the legal moves, so that
//! what a round finds never depends on how candidates were found, only that none is left out.
//!
//! A move to a lower layer counts from the round that follows the distance there: 1 where that layer tells winners
//! only. A position that moves to lower layers may decide later is *due* for another look in the round in which they
//! do.
//!
//! For distances to conversion, where a layer holds moves that can never be undone, this is done twice: once for the
//! winners, taking the plies to the end of the game or to a lower layer for the distance, and once more for the
//! distances to conversion, when all winners are known.

use std::ops::Range;
use std::sync::atomic::{AtomicU16, Ordering};

use super::lower_layers::LowerLayers;
use super::positions::LayerPositions;
use super::predecessors::{Predecessors, Undone};
use super::slots::{CHUNK, EntrySlots, UNKNOWN};
use super::verdict::{MoveTally, Outlook, Verdict};
use crate::geometry::Word;
use crate::parallel;
use crate::rules::hunt::{Hunt, Move, Position, Side};
use crate::rules::{Game, Notation};
use crate::tablebase::{Metric, TableEntry, TableError};

/// What the distances mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RoundGoal {
    /// Plies to the end of the game, or to a lower layer that tells winners only.
    End,
    /// Plies to conversion; all winners are known.
    Conversion,
}

/// The entries of a layer on their way.
pub(super) struct Retrograde<'a, W: Word> {
    pub game: &'a Hunt<W>,
    pub space: &'a LayerPositions<W>,
    pub before: Predecessors<'a, W>,
    pub below: &'a LowerLayers<W>,
    entries: EntrySlots,
    /// For odd and even rounds: by chunk, the last round that settled something there.
    stamps: [Vec<AtomicU16>; 2],
    /// By chunk, the next round for which a position there is due; 0 if none is.
    due: Vec<AtomicU16>,
    goal: RoundGoal,
}

impl<'a, W: Word> Retrograde<'a, W> {
    pub(super) fn new(
        game: &'a Hunt<W>,
        space: &'a LayerPositions<W>,
        before: Predecessors<'a, W>,
        below: &'a LowerLayers<W>,
    ) -> Self {
        let zeros = |count: u64| (0..count).map(|_| AtomicU16::new(0)).collect::<Vec<AtomicU16>>();
        let chunks = space.positions().div_ceil(CHUNK);
        let (stamps, due) = ([zeros(chunks), zeros(chunks)], zeros(chunks));
        Retrograde {
            game,
            space,
            before,
            below,
            entries: EntrySlots::new(space.positions()),
            stamps,
            due,
            goal: RoundGoal::End,
        }
    }

    /// Whether distances to conversion take rounds of their own.
    fn asks_twice(&self) -> bool {
        self.below.metric() == Metric::Conversion && self.before.has_one_way_moves()
    }

    /// The number of positions that [`solve`](Retrograde::solve) tells in all.
    pub(super) fn work(&self) -> u64 {
        let passes = if self.asks_twice() { 2 } else { 1 };
        2 * passes * self.space.positions()
    }

    /// Solves all positions and returns their entries. `progress` takes numbers of positions looked at.
    ///
    /// # Errors
    /// A distance is greater than an entry can hold.
    pub(super) fn solve(mut self, progress: &(dyn Fn(u64) + Sync)) -> Result<Vec<u16>, TableError> {
        self.find_ends();
        self.settle(progress)?;
        if self.asks_twice() {
            self.entries.keep_winners();
            self.stamps.iter().flatten().for_each(|stamp| stamp.store(0, Ordering::Relaxed));
            self.goal = RoundGoal::Conversion;
            self.settle(progress)?;
        }
        Ok(self.entries.into_entries())
    }

    fn chunks(&self) -> impl Iterator<Item = (usize, Range<u64>)> {
        let positions = self.space.positions();
        let range = move |chunk: u64| (chunk as usize, chunk * CHUNK..positions.min((chunk + 1) * CHUNK));
        (0..positions.div_ceil(CHUNK)).map(range)
    }

    /// Looks at all chunks with the buffer of a thread for moves; whether any of them settled anything.
    fn look_at_chunks(&self, look: impl Fn(&mut Vec<Move<W>>, (usize, Range<u64>)) -> bool + Sync) -> bool {
        parallel::map_with(self.chunks(), look).contains(&true)
    }

    /// Round 0.
    fn find_ends(&self) {
        parallel::for_each(self.chunks(), |(_, range)| {
            self.space.walk(range, |flat, position| {
                if let Some(winner) = self.game.turn(position).outcome().and_then(|outcome| outcome.winner) {
                    self.entries.set(flat, TableEntry::won(self.game.side(winner), 0));
                }
            });
        });
    }

    /// All rounds from the first to the one that settles nothing.
    fn settle(&self, progress: &(dyn Fn(u64) + Sync)) -> Result<(), TableError> {
        let mut settled = self.look_at_all(progress);
        let mut round = 1;
        while settled || self.due.iter().any(|due| due.load(Ordering::Relaxed) != 0) {
            round += 1;
            if round >= UNKNOWN {
                return Err(TableError::Refused(format!("a win takes more than {round} plies, the most that fit")));
            }
            settled = self.look_back(round) | self.look_at_due(round);
        }
        // Nobody knows beforehand how long the rounds after the first take; say half of the time.
        progress(self.space.positions());
        Ok(())
    }

    /// Round 1; whether it settled anything.
    fn look_at_all(&self, progress: &(dyn Fn(u64) + Sync)) -> bool {
        let look = |moves: &mut Vec<Move<W>>, (chunk, range): (usize, Range<u64>)| {
            let count = range.end - range.start;
            let (mut settled, mut next) = (false, None);
            self.space.walk(range, |flat, position| {
                if self.is_open(flat) {
                    let due = self.look_and_mark(flat, position, 1, moves);
                    (settled, next) = (settled | due.is_ok(), earlier(next, due.err().flatten()));
                }
            });
            self.due[chunk].store(next.unwrap_or(0), Ordering::Relaxed);
            progress(count);
            settled
        };
        self.look_at_chunks(look)
    }

    /// Looks at the positions that are due in this round; whether it settled any.
    fn look_at_due(&self, round: u32) -> bool {
        let look = |moves: &mut Vec<Move<W>>, (chunk, range): (usize, Range<u64>)| {
            if u32::from(self.due[chunk].load(Ordering::Relaxed)) != round {
                return false;
            }
            let (mut settled, mut next) = (false, None);
            for flat in range {
                let due = match self.entries.due(flat) {
                    Some(due) if u32::from(due) == round => {
                        self.look_and_mark(flat, &self.space.position(flat), round, moves)
                    }
                    due => Err(due),
                };
                (settled, next) = (settled | due.is_ok(), earlier(next, due.err().flatten()));
            }
            self.due[chunk].store(next.unwrap_or(0), Ordering::Relaxed);
            settled
        };
        self.look_at_chunks(look)
    }

    /// Looks at a position whatever may be found, and marks it as due if that may change without a change in this
    /// layer.
    ///
    /// # Errors
    /// It is not settled: the round in which it is due, if it is.
    fn look_and_mark(
        &self,
        flat: u64,
        position: &Position<W>,
        round: u32,
        moves: &mut Vec<Move<W>>,
    ) -> Result<(), Option<u16>> {
        match self.judge(position, self.winner(flat), round, moves) {
            Verdict::Decided(entry) => {
                self.settle_one(flat, position, entry, round);
                Ok(())
            }
            Verdict::Open { due } => {
                // Entries, and so all distances, are smaller than the mark.
                let due = due.map(|due| due as u16);
                if self.goal == RoundGoal::End {
                    self.entries.set_due(flat, due);
                }
                Err(due)
            }
        }
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
                let entry = self.entries.get(flat);
                if let Some(winner) = entry.winner().filter(|_| entry.distance() == last) {
                    settled |= self.look_before(&self.space.position(flat), winner, round, moves);
                }
            }
            settled
        };
        self.look_at_chunks(look)
    }

    /// Looks at the positions from which a move may lead to one that `winner` wins.
    fn look_before(&self, after: &Position<W>, winner: Side, round: u32, moves: &mut Vec<Move<W>>) -> bool {
        let undone = if self.goal == RoundGoal::End { Undone::All } else { Undone::Reversible };
        let mut settled = false;
        self.before.show(after, undone, |candidate| {
            settled |= self.look_if_open(candidate, winner, round, moves);
            if let Some(twin) = self.space.twin(candidate) {
                settled |= self.look_if_open(&twin, winner, round, moves);
            }
        });
        settled
    }

    /// Settles a position that `winner` may win if its legal moves allow it.
    fn look_if_open(&self, position: &Position<W>, winner: Side, round: u32, moves: &mut Vec<Move<W>>) -> bool {
        let Some(flat) = self.space.number(position) else { return false };
        let may_win = self.winner(flat).is_none_or(|known| known == winner);
        if !may_win || !self.is_open(flat) {
            return false;
        }
        let Verdict::Decided(entry) = self.judge(position, Some(winner), round, moves) else { return false };
        self.settle_one(flat, position, entry, round);
        true
    }

    /// Nothing is known yet of what this goal asks.
    #[inline]
    fn is_open(&self, flat: u64) -> bool {
        let entry = self.entries.get(flat);
        match self.goal {
            // Those that are due count as draws so far.
            RoundGoal::End => entry == TableEntry::DRAW,
            RoundGoal::Conversion => entry.distance() == UNKNOWN,
        }
    }

    fn winner(&self, flat: u64) -> Option<Side> {
        self.entries.get(flat).winner()
    }

    fn settle_one(&self, flat: u64, position: &Position<W>, entry: TableEntry, round: u32) {
        debug_assert_eq!(entry.distance(), round, "{}", self.game.position_text(position));
        self.entries.set(flat, entry);
        self.stamps[round as usize % 2][(flat / CHUNK) as usize].store(round as u16, Ordering::Relaxed);
    }

    /// What the moves tell; `hope` is the only side that can be found to win, if known: then not all moves need a look.
    fn judge(&self, position: &Position<W>, hope: Option<Side>, round: u32, moves: &mut Vec<Move<W>>) -> Verdict {
        let mover = position.side_to_move();
        moves.clear();
        self.game.legal_moves(position, moves);
        let mut tally = MoveTally::new(mover, round);
        for &mv in moves.iter() {
            if let Some(entry) = tally.note(self.outlook(position, mv)) {
                return Verdict::Decided(entry);
            }
            if hope == Some(mover.other()) && tally.is_no_loss() {
                return Verdict::OPEN;
            }
        }
        tally.verdict()
    }

    /// What is known of the position after a move. Other threads may settle positions in this very round, which count
    /// from the next one on.
    fn outlook(&self, position: &Position<W>, mv: Move<W>) -> Outlook {
        let after = self.game.play_unchecked(position, mv);
        let Some(flat) = self.space.number(&after) else {
            let value = self.below.value(self.game, &after);
            return Outlook { winner: value.winner, plies: value.distance + 1, is_below: true };
        };
        let entry = self.entries.get(flat);
        let converts = self.goal == RoundGoal::Conversion && self.game.is_irreversible(position, mv);
        let plies = if converts { 1 } else { entry.distance() + 1 };
        Outlook { winner: entry.winner(), plies, is_below: false }
    }
}

/// The smaller of two numbers that may be missing.
fn earlier<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    one.into_iter().chain(other).min()
}
