//! Proof-number search: finds forced wins, however deep, where one side has few replies.
//!
//! Depth-first proof-number search with a table (Nagai, "Df-pn algorithm for searching AND/OR trees", 2002), with the
//! thresholds widened by a quarter (Pawlewicz and Lew, "Improving depth-first pn-search: 1+ε trick", 2007). The proof
//! number of a position is the least number of leaves that must be won to prove a win, the disproof number the least
//! number that must not be won to disprove it.
//!
//! `walk` is the search; searchers use a [`Prover`], which has its table of numbers. A line that repeats a position of
//! its own counts as not won, so that every proof is a tree without cycles and holds whatever was played before.
//! Disproofs may depend on the path that led to them and are never reported.

#[cfg(test)]
mod tests;
mod walk;

use self::walk::ProofWalk;
use super::{Score, SearchTask};
use crate::eval::parameters;
use crate::rules::{Game, Seat};

/// Looks for forced wins of the side to move, and keeps its table of numbers from search to search.
pub(super) struct Prover {
    table: ProofTable,
    /// The rules and the history for which the numbers in the table hold.
    subject: Option<Subject>,
    attacker: Seat,
    /// The number of positions looked at since [`begin`](Prover::begin).
    pub(super) positions: u64,
    /// The proof and disproof numbers of the root.
    root: Numbers,
    /// Whether nothing more can be found in this search.
    is_done: bool,
}

parameters! {
    /// The share of the search for forced wins.
    pub struct ProofParameters {
        /// A root is promising if its disproof number is at least this multiple of its proof number.
        promising_ratio: "ProofPromisingRatio" = 256, 1..=65536;
        /// Positions of the main search for one of the proof search, where the root is promising.
        promising_part: "ProofPromisingPart" = 3, 1..=100000;
        /// Positions of the main search for one of the proof search, where the root is not promising.
        usual_part: "ProofUsualPart" = 32, 1..=100000;
    }
}

/// The facts on which the numbers of a table depend: the rules, and the keys of positions that may not recur.
#[derive(Clone, PartialEq, Eq)]
struct Subject {
    fingerprint: u64,
    exhausted: Vec<u64>,
}

/// An end of the game that its winner can force after some move at the root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ForcedEnd<M> {
    pub winner: Seat,
    /// The most plies from the root to the end.
    pub plies: u32,
    /// The moves of a longest defence, beginning with the root move; cut short where the table has lost entries.
    pub line: Vec<M>,
}

impl<M> ForcedEnd<M> {
    /// The score for `seat` at the root.
    pub(super) fn score(&self, seat: Seat) -> Score {
        Score::of_outcome(Some(self.winner), seat, self.plies)
    }
}

impl Prover {
    /// The memory of a prover, beside the table or tree of a searcher.
    pub(super) const BYTES: usize = 4 << 20;

    /// A prover of at most `bytes` bytes, with an empty table.
    pub(super) fn new(bytes: usize) -> Self {
        Prover {
            table: ProofTable::new(bytes),
            subject: None,
            attacker: Seat::P1,
            positions: 0,
            root: Numbers::default(),
            is_done: true,
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.table.clear();
        self.subject = None;
    }

    /// Begins a search for wins of the side to move. The table is kept unless rules or history have changed.
    pub(super) fn begin<G: Game>(&mut self, task: &SearchTask<'_, G>) {
        let Some(attacker) = task.game.turn(task.record.position()).seat().filter(|_| task.game.seats() == 2) else {
            self.subject = None;
            self.is_done = true;
            return;
        };
        let mut exhausted: Vec<u64> =
            task.record.exhausted(task.game).map(|position| task.game.key(position)).collect();
        exhausted.sort_unstable();
        let subject = Subject { fingerprint: task.game.fingerprint(), exhausted };
        if self.subject.as_ref() != Some(&subject) {
            self.table.clear();
            self.subject = Some(subject);
        }
        self.attacker = attacker;
        self.positions = 0;
        self.root = Numbers::default();
        self.is_done = false;
    }

    /// The end after a move at the root that earlier searches have proved, for either side; it does not search.
    pub(super) fn known_after<G: Game>(&mut self, task: &SearchTask<'_, G>, mv: G::Move) -> Option<ForcedEnd<G::Move>> {
        let Prover { table, subject: Some(Subject { exhausted, .. }), .. } = self else { return None };
        let position = task.game.play_unchecked(task.record.position(), mv);
        if exhausted.contains(&task.game.key(&position)) {
            return None;
        }
        [Seat::P1, Seat::P2].into_iter().find_map(|winner| {
            let walk = ProofWalk::new(task, table, winner, exhausted, 0);
            let plies = walk.won_in(&position).filter(|&plies| plies > 0)? + 1;
            let line = std::iter::once(mv).chain(walk.longest_defence(position)).collect();
            is_before_draw(task, plies).then_some(ForcedEnd { winner, plies, line })
        })
    }

    /// Looks at positions until it has looked at its share of `searched`, the positions of the whole search or other
    /// work of that weight, but at no more than `most` in this call. Returns a proved win, once.
    pub(super) fn prove<G: Game>(
        &mut self,
        task: &SearchTask<'_, G>,
        searched: u64,
        most: u64,
    ) -> Option<ForcedEnd<G::Move>> {
        let parameters = &task.config.proof;
        let is_promising = self.root.disproof / parameters.promising_ratio as u32 >= self.root.proof.max(1);
        let part = if is_promising { parameters.promising_part } else { parameters.usual_part };
        let target = searched / part as u64;
        let Prover { table, subject: Some(Subject { exhausted, .. }), attacker, .. } = self else { return None };
        if self.is_done || self.positions >= target || most == 0 {
            return None;
        }
        let mut walk = ProofWalk::new(task, table, *attacker, exhausted, most.min(target - self.positions));
        self.root = walk.prove();
        self.positions += walk.positions;
        self.is_done = self.root.is_settled();
        let plies = self.root.plies.into();
        let line = if self.root.is_won() && is_before_draw(task, plies) {
            walk.longest_defence(*task.record.position())
        } else {
            Vec::new()
        };
        (!line.is_empty()).then_some(ForcedEnd { winner: *attacker, plies, line })
    }
}

/// Whether a win in `plies` plies comes before the no-progress rule can draw the game, on every line.
fn is_before_draw<G: Game>(task: &SearchTask<'_, G>, plies: u32) -> bool {
    let limit = task.game.history_rules().no_progress_plies;
    limit == 0 || task.record.counters().idle + plies < limit
}

/// The proof number and the disproof number of a position. If one of them is 0 the position is settled, and the other
/// one is [`INFINITE`](Numbers::INFINITE).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Numbers {
    pub proof: u32,
    pub disproof: u32,
    /// The most plies to the end if the win is proved.
    pub plies: u16,
}

impl Numbers {
    pub(super) const INFINITE: u32 = 1 << 30;
    pub(super) const UNKNOWN: Numbers = Numbers { proof: 1, disproof: 1, plies: 0 };
    pub(super) const NOT_WON: Numbers = Numbers { proof: Numbers::INFINITE, disproof: 0, plies: 0 };

    pub(super) fn won_in(plies: u16) -> Numbers {
        Numbers { proof: 0, disproof: Numbers::INFINITE, plies }
    }

    pub(super) fn is_settled(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    pub(super) fn is_won(self) -> bool {
        self.proof == 0
    }
}

/// Entries in a bucket.
const WAYS: usize = 4;

/// The numbers of one position and the work that they took.
#[derive(Clone, Copy, Default)]
struct ProofEntry {
    key: u64,
    numbers: Numbers,
    /// The number of positions looked at below; 0 if the entry is empty.
    work: u32,
}

/// A table of fixed size. In a full bucket the entry that took the least work is replaced.
pub(super) struct ProofTable {
    buckets: Vec<[ProofEntry; WAYS]>,
    most: usize,
}

impl ProofTable {
    /// A table of at most `bytes` bytes; the memory is taken at its first use.
    pub(super) fn new(bytes: usize) -> Self {
        let most = (bytes / size_of::<[ProofEntry; WAYS]>()).max(1);
        ProofTable { buckets: Vec::new(), most: 1 << most.ilog2() }
    }

    pub(super) fn clear(&mut self) {
        self.buckets.clear();
    }

    pub(super) fn probe(&self, key: u64) -> Option<Numbers> {
        let bucket = self.buckets.get(self.index(key))?;
        bucket.iter().find(|entry| entry.key == key && entry.work > 0).map(|entry| entry.numbers)
    }

    /// Stores numbers that took `work` positions.
    pub(super) fn store(&mut self, key: u64, numbers: Numbers, work: u32) {
        if self.buckets.is_empty() {
            self.buckets.resize(self.most, Default::default());
        }
        let index = self.index(key);
        let bucket = &mut self.buckets[index];
        let same = bucket.iter().position(|entry| entry.key == key && entry.work > 0);
        let least = || (0..WAYS).min_by_key(|&way| bucket[way].work).unwrap_or(0);
        let way = same.unwrap_or_else(least);
        let work = work.max(1).saturating_add(if same.is_some() { bucket[way].work } else { 0 });
        bucket[way] = ProofEntry { key, numbers, work };
    }

    /// The high bits of a key choose the bucket.
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.most as u128) >> 64) as usize
    }
}
