//! Solves a layer by retrograde analysis: round d settles the positions that are decided in d plies.
//!
//! Round 0 finds the positions that are over, round 1 looks at all others once. After that a round looks only at
//! positions before those settled in the last round, and at those that are due. A look goes through the legal moves. So
//! the result does not depend on how candidates are found, as long as none is missing.
//!
//! A move to a lower layer counts from the round after its distance there, or from round 1 if only winners are known
//! there. A position that moves to lower layers may decide later is *due* for another look in that round.
//!
//! For distances to conversion, a layer with moves that can never be undone takes two passes: one for the winners, with
//! the plies to the end of the game or to a lower layer as distances, and one for the distances to conversion, when all
//! winners are known.

use std::ops::Range;
use std::sync::atomic::{AtomicU16, Ordering};

use super::positions::LayerPositions;
use super::predecessors::Predecessors;
use super::values::{CHUNK, EntrySlots, LowerLayers, UNKNOWN};
use crate::geometry::Word;
use crate::parallel;
use crate::rules::hunt::{Hunt, Move, Position, Side};
use crate::rules::{Game, Notation};
use crate::tablebase::{Metric, TableEntry, TableError};

/// The next round of a chunk in which no position is due.
const NEVER: u16 = u16::MAX;

/// A layer while it is solved: the entries so far, and which positions the next round has to look at.
pub(super) struct Retrograde<'a, W: Word> {
    game: &'a Hunt<W>,
    space: &'a LayerPositions<W>,
    before: Predecessors<'a, W>,
    below: &'a LowerLayers<W>,
    entries: EntrySlots,
    /// For odd and even rounds, by chunk: the last round that settled a position there.
    stamps: [Vec<AtomicU16>; 2],
    /// By chunk: the next round in which a position there is due, or [`NEVER`].
    due: Vec<AtomicU16>,
    /// What the distances of this pass count. In the first pass it is always `End`; where lower layers are known by
    /// their winners only, that includes moves to a lower layer. A pass that counts to conversion knows all winners.
    counted: Metric,
}

impl<'a, W: Word> Retrograde<'a, W> {
    pub(super) fn new(
        game: &'a Hunt<W>,
        space: &'a LayerPositions<W>,
        before: Predecessors<'a, W>,
        below: &'a LowerLayers<W>,
    ) -> Self {
        let rounds = |round: u16| (0..space.positions().div_ceil(CHUNK)).map(|_| AtomicU16::new(round)).collect();
        Retrograde {
            game,
            space,
            before,
            below,
            entries: EntrySlots::new(space.positions()),
            stamps: [rounds(0), rounds(0)],
            due: rounds(NEVER),
            counted: Metric::End,
        }
    }

    /// Whether distances to conversion take a second pass.
    fn asks_twice(&self) -> bool {
        self.below.metric() == Metric::Conversion && self.before.has_one_way_moves()
    }

    /// The number of positions that [`solve`](Retrograde::solve) reports as progress in all.
    pub(super) fn work(&self) -> u64 {
        let passes = if self.asks_twice() { 2 } else { 1 };
        2 * passes * self.space.positions()
    }

    /// Solves all positions and returns their entries. `progress` receives numbers of positions looked at.
    ///
    /// # Errors
    /// A distance is greater than an entry can hold.
    pub(super) fn solve(mut self, progress: &(dyn Fn(u64) + Sync)) -> Result<Vec<u16>, TableError> {
        self.find_ends();
        self.settle(progress)?;
        if self.asks_twice() {
            self.entries.keep_winners();
            self.stamps.iter().flatten().for_each(|stamp| stamp.store(0, Ordering::Relaxed));
            self.counted = Metric::Conversion;
            self.settle(progress)?;
        }
        Ok(self.entries.into_entries())
    }

    fn chunks(&self) -> impl Iterator<Item = (usize, Range<u64>)> {
        let positions = self.space.positions();
        let range = move |chunk: u64| (chunk as usize, chunk * CHUNK..positions.min((chunk + 1) * CHUNK));
        (0..positions.div_ceil(CHUNK)).map(range)
    }

    /// Settles the positions that are over: round 0.
    fn find_ends(&self) {
        parallel::for_each(self.chunks(), |(_, range)| {
            self.space.walk(range, |flat, position| {
                if let Some(winner) = self.game.turn(position).outcome().and_then(|outcome| outcome.winner) {
                    self.entries.set(flat, TableEntry::won(self.game.side(winner), 0));
                }
            });
        });
    }

    /// Runs all rounds of a pass, until one settles nothing and no position is due.
    fn settle(&self, progress: &(dyn Fn(u64) + Sync)) -> Result<(), TableError> {
        self.look_at_all(progress);
        let mut round = 1;
        while self.goes_on_after(round) {
            round += 1;
            if round >= UNKNOWN {
                return Err(TableError::Refused(format!("a win takes more than {round} plies, the most that fit")));
            }
            self.look_back(round);
            self.look_at_due(round);
        }
        // The time of the rounds after the first is not known beforehand; they count as half of the work.
        progress(self.space.positions());
        Ok(())
    }

    /// Whether another round is needed: this one settled a position, or some are due.
    fn goes_on_after(&self, round: u32) -> bool {
        let has_settled = self.has_settled(round);
        (0..self.due.len()).any(|chunk| has_settled(chunk) || self.due[chunk].load(Ordering::Relaxed) != NEVER)
    }

    /// A predicate on chunks: whether `round` settled a position there.
    fn has_settled(&self, round: u32) -> impl Fn(usize) -> bool {
        let stamps = &self.stamps[round as usize % 2];
        move |chunk| u32::from(stamps[chunk].load(Ordering::Relaxed)) == round
    }

    /// Looks at all open positions, in round 1.
    fn look_at_all(&self, progress: &(dyn Fn(u64) + Sync)) {
        parallel::for_each_with(self.chunks(), |moves, (_, range)| {
            let count = range.end - range.start;
            self.space.walk(range, |flat, position| {
                if self.is_open(flat) {
                    self.look_and_mark(flat, position, 1, moves);
                }
            });
            progress(count);
        });
    }

    /// Looks at the positions that are due in this round.
    fn look_at_due(&self, round: u32) {
        parallel::for_each_with(self.chunks(), |moves, (chunk, range)| {
            if u32::from(self.due[chunk].load(Ordering::Relaxed)) != round {
                return;
            }
            self.due[chunk].store(NEVER, Ordering::Relaxed);
            for flat in range {
                match self.entries.due(flat) {
                    Some(due) if u32::from(due) == round => {
                        self.look_and_mark(flat, &self.space.position(flat), round, moves);
                    }
                    due => self.note_due(flat, due),
                }
            }
        });
    }

    /// Looks at an open position for a win of either side, and marks it as due if it may be decided without a change in
    /// this layer.
    fn look_and_mark(&self, flat: u64, position: &Position<W>, round: u32, moves: &mut Vec<Move<W>>) {
        match self.judge(position, self.winner(flat), round, moves) {
            Verdict::Decided(entry) => self.settle_one(flat, position, entry, round),
            Verdict::Open { due } if self.counted == Metric::End => {
                // Entries, and so all distances, are smaller than the mark.
                let due = due.map(|due| due as u16);
                self.entries.set_due(flat, due);
                self.note_due(flat, due);
            }
            // Below a layer with distances to conversion only winners are known: they count at once.
            Verdict::Open { .. } => {}
        }
    }

    fn note_due(&self, flat: u64, due: Option<u16>) {
        if let Some(round) = due {
            self.due[(flat / CHUNK) as usize].fetch_min(round, Ordering::Relaxed);
        }
    }

    /// Looks at the positions before those settled in the last round.
    fn look_back(&self, round: u32) {
        let last = round - 1;
        let has_settled = self.has_settled(last);
        parallel::for_each_with(self.chunks(), |moves, (chunk, range)| {
            if !has_settled(chunk) {
                return;
            }
            for flat in range {
                let entry = self.entries.get(flat);
                if let Some(winner) = entry.winner().filter(|_| entry.distance() == last) {
                    self.look_before(&self.space.position(flat), winner, round, moves);
                }
            }
        });
    }

    /// Looks at the positions from which a move may lead to `after`, which `winner` wins.
    fn look_before(&self, after: &Position<W>, winner: Side, round: u32, moves: &mut Vec<Move<W>>) {
        self.before.show(after, self.counted, |candidate| {
            self.look_if_open(candidate, winner, round, moves);
            if let Some(twin) = self.space.twin(candidate) {
                self.look_if_open(&twin, winner, round, moves);
            }
        });
    }

    /// Settles a position for `winner` if it is open and its legal moves allow it.
    fn look_if_open(&self, position: &Position<W>, winner: Side, round: u32, moves: &mut Vec<Move<W>>) {
        let Some(flat) = self.space.number(position) else { return };
        let may_win = self.winner(flat).is_none_or(|known| known == winner);
        if may_win
            && self.is_open(flat)
            && let Verdict::Decided(entry) = self.judge(position, Some(winner), round, moves)
        {
            self.settle_one(flat, position, entry, round);
        }
    }

    /// Whether a position is not yet settled in this pass.
    #[inline]
    fn is_open(&self, flat: u64) -> bool {
        let entry = self.entries.get(flat);
        match self.counted {
            // Positions that are due read as draws.
            Metric::End => entry == TableEntry::DRAW,
            Metric::Conversion => entry.distance() == UNKNOWN,
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

    /// The verdict on a position by its moves; `hope` is the only side that can win, if known, so that not all moves
    /// need a look.
    fn judge(&self, position: &Position<W>, hope: Option<Side>, round: u32, moves: &mut Vec<Move<W>>) -> Verdict {
        let mover = position.turn;
        moves.clear();
        self.game.legal_moves(position, moves);
        if moves.is_empty() {
            // The game is over and drawn: won positions are settled before the first round.
            return Verdict::OPEN;
        }
        let mut seen = MovesSeen::new(mover, round);
        for &mv in moves.iter() {
            if let Some(entry) = seen.note(self.outlook(position, mv)) {
                return Verdict::Decided(entry);
            }
            if hope == Some(mover.other()) && seen.is_no_loss() {
                return Verdict::OPEN;
            }
        }
        seen.verdict()
    }

    /// What is known of the position after a move. Other threads may settle positions in this very round, but those
    /// count from the next round on.
    fn outlook(&self, position: &Position<W>, mv: Move<W>) -> Outlook {
        let after = self.game.play_unchecked(position, mv);
        let Some(flat) = self.space.number(&after) else {
            let value = self.below.value(self.game, &after);
            return Outlook { winner: value.winner, plies: value.distance + 1, is_below: true };
        };
        let entry = self.entries.get(flat);
        let converts = self.counted == Metric::Conversion && self.game.is_irreversible(position, mv);
        let plies = if converts { 1 } else { entry.distance() + 1 };
        Outlook { winner: entry.winner(), plies, is_below: false }
    }
}

/// What is known of the position after a move.
#[derive(Clone, Copy, Debug)]
struct Outlook {
    /// The winner, as far as known; in a lower layer `None` is a draw.
    winner: Option<Side>,
    /// Plies to the decision, counted from before the move.
    plies: u32,
    /// Whether the position belongs to a lower layer or is over.
    is_below: bool,
}

/// The verdict on a position after a look at its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Decided(TableEntry),
    /// The position stays open. Moves to lower layers may decide it in round `due` without a change in this layer.
    Open {
        due: Option<u32>,
    },
}

impl Verdict {
    const OPEN: Verdict = Verdict::Open { due: None };
}

/// A summary of the moves looked at in a round; moves whose plies exceed the round do not count yet.
struct MovesSeen {
    mover: Side,
    round: u32,
    /// The longest loss so far; `None` after a move that does not lose.
    lost_in: Option<u32>,
    /// The first round in which a win in a lower layer counts, and the last in which a loss there does.
    win_due: Option<u32>,
    loss_due: Option<u32>,
    /// Whether no move leads to a draw in a lower layer.
    can_lose: bool,
}

impl MovesSeen {
    fn new(mover: Side, round: u32) -> Self {
        MovesSeen { mover, round, lost_in: Some(0), win_due: None, loss_due: None, can_lose: true }
    }

    /// Adds a move; returns the entry of the position if the move wins in this round.
    fn note(&mut self, outlook: Outlook) -> Option<TableEntry> {
        let Outlook { winner, plies, is_below } = outlook;
        let counts = plies <= self.round;
        match winner {
            Some(winner) if winner == self.mover && counts => return Some(TableEntry::won(winner, plies)),
            Some(winner) if winner != self.mover && counts => self.lost_in = self.lost_in.map(|most| most.max(plies)),
            _ => self.lost_in = None,
        }
        if is_below && !counts && winner == Some(self.mover) {
            self.win_due = Some(self.win_due.map_or(plies, |first| first.min(plies)));
        } else if is_below && !counts && winner.is_some() {
            self.loss_due = self.loss_due.max(Some(plies));
        } else if is_below && winner.is_none() {
            self.can_lose = false;
        }
        None
    }

    /// Whether some move keeps the mover from a loss in this round.
    fn is_no_loss(&self) -> bool {
        self.lost_in.is_none()
    }

    /// The verdict when all moves are noted, none of which wins in this round.
    fn verdict(self) -> Verdict {
        match self.lost_in {
            Some(plies) => Verdict::Decided(TableEntry::won(self.mover.other(), plies)),
            // A side with a win in a lower layer never loses.
            None => Verdict::Open { due: self.win_due.or(self.loss_due.filter(|_| self.can_lose)) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(round: u32, outlooks: &[(Option<Side>, u32, bool)]) -> Verdict {
        let mut seen = MovesSeen::new(Side::Fox, round);
        for &(winner, plies, is_below) in outlooks {
            if let Some(entry) = seen.note(Outlook { winner, plies, is_below }) {
                return Verdict::Decided(entry);
            }
        }
        seen.verdict()
    }

    #[test]
    fn a_position_is_due_when_a_lower_layer_can_decide_it() {
        let (fox, geese) = (Some(Side::Fox), Some(Side::Geese));
        let open = |due| Verdict::Open { due };
        assert_eq!(verdict(1, &[(geese, 9, true), (fox, 7, true), (fox, 5, true)]), open(Some(5)));
        assert_eq!(verdict(1, &[(geese, 9, true), (geese, 4, true), (None, 1, false)]), open(Some(9)));
        assert_eq!(verdict(1, &[(geese, 9, true), (None, 1, true)]), open(None), "a draw keeps from a loss");
        assert_eq!(verdict(1, &[(fox, 9, true), (None, 1, true)]), open(Some(9)), "but not from a win");
        assert_eq!(verdict(4, &[(geese, 4, true), (fox, 9, false)]), open(None), "this layer tells when it changes");
        assert_eq!(
            verdict(9, &[(geese, 9, true), (geese, 4, false)]),
            Verdict::Decided(TableEntry::won(Side::Geese, 9))
        );
        assert_eq!(verdict(9, &[(geese, 4, false), (fox, 9, true)]), Verdict::Decided(TableEntry::won(Side::Fox, 9)));
    }
}
