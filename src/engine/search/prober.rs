//! Tablebase probes for a search: the rules by which positions are probed, a count of answers, and errors.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crate::rules::{Game, Seat};
use crate::tablebase::{Metric, TableError, TableValue, Tables};

/// The open tables of a game, for any number of searches; it keeps the first error of each metric.
pub struct OpenTables<G: Game> {
    tables: Arc<dyn Tables<G>>,
    /// Tables with distances to the end of the game, if there are any, or the error in opening them.
    ends: Result<Option<Arc<dyn Tables<G>>>, TableError>,
    /// A cache of the answers to probes inside trees; made by the first of them.
    answers: OnceLock<VerdictCache>,
    /// The first error of each metric.
    errors: [FirstError; 2],
}

/// The first error of the tables of one metric.
#[derive(Default)]
struct FirstError {
    error: OnceLock<TableError>,
    /// Whether it has been returned as a complaint.
    is_reported: AtomicBool,
}

impl<G: Game> OpenTables<G> {
    pub fn new(tables: Arc<dyn Tables<G>>) -> Self {
        OpenTables { tables, ends: Ok(None), answers: OnceLock::new(), errors: Default::default() }
    }

    /// Adds tables of distances to the end, or the error in opening them, which becomes a complaint.
    pub fn with_ends(self, ends: Result<Option<Arc<dyn Tables<G>>>, TableError>) -> Self {
        let tables = OpenTables { ends, ..self };
        if let Err(error) = &tables.ends {
            tables.note(Metric::End, error.clone());
        }
        tables
    }

    /// The tables of one metric, for questions outside a search; `None` if there are none.
    ///
    /// # Errors
    /// The tables of this metric cannot be read.
    pub fn tables(&self, metric: Metric) -> Result<Option<&dyn Tables<G>>, TableError> {
        match metric {
            Metric::Conversion => Ok(Some(&*self.tables)),
            Metric::End => self.ends.as_ref().map(Option::as_deref).map_err(TableError::clone),
        }
    }

    /// Keeps the first error of each metric.
    fn note(&self, metric: Metric, error: TableError) {
        let _ = self.errors[metric as usize].error.set(error);
    }

    /// An error that was not returned before, in a sentence; `None` if there is none.
    pub fn complaint(&self) -> Option<String> {
        let unreported = self.errors.iter().find_map(|first| {
            let error = first.error.get()?;
            (!first.is_reported.swap(true, Ordering::Relaxed)).then_some(error)
        });
        unreported.map(|error| format!("{error}; the search goes on without what it cannot read"))
    }
}

/// Probes for one search, shared by all of its threads.
pub struct TableProber<'a, G: Game> {
    pub(super) open: &'a OpenTables<G>,
    /// The most pieces with which positions inside the tree are probed; `None` if none are probed.
    reach: Option<u32>,
    hits: AtomicU64,
}

impl<'a, G: Game> TableProber<'a, G> {
    /// A prober that, inside the tree, probes only positions with at most `limit` pieces of the geese side; with 0
    /// none.
    pub fn new(open: &'a OpenTables<G>, limit: u32) -> Self {
        let reach = (limit > 0).then(|| limit.min(open.tables.most_pieces()));
        TableProber { open, reach, hits: AtomicU64::new(0) }
    }

    /// The number of probes that were answered.
    pub fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    /// The value of a position with any number of pieces; `None` if no readable table covers it.
    pub fn probe(&self, game: &G, position: &G::Position, metric: Metric) -> Option<TableValue> {
        let verdict = self.ask(game, position, metric)?;
        self.count(verdict)
    }

    /// Whether there are tables of this metric.
    pub fn has(&self, metric: Metric) -> bool {
        self.open.tables(metric).is_ok_and(|tables| tables.is_some())
    }

    /// The answer of the tables, `Some(None)` if they do not cover the position; `None` if there are no such tables or
    /// they could not be read.
    fn ask(&self, game: &G, position: &G::Position, metric: Metric) -> Option<Option<TableValue>> {
        let tables = self.open.tables(metric).ok()??;
        tables.probe(game, position).map_err(|error| self.open.note(metric, error)).ok()
    }

    fn count(&self, verdict: Option<TableValue>) -> Option<TableValue> {
        if verdict.is_some() {
            self.hits.fetch_add(1, Ordering::Relaxed);
        }
        verdict
    }

    /// The value of a position inside the tree, after `idle` plies without progress; `None` if the limit does not allow
    /// a probe or the rules do not let the winner claim the win.
    ///
    /// Only positions after irreversible moves need a probe: after others the material is that of an earlier probe.
    #[inline]
    pub fn probe_inside(&self, game: &G, position: &G::Position, idle: u32) -> Option<TableValue> {
        let reach = self.reach?;
        if self.open.tables.pieces(game, position) > reach {
            return None;
        }
        let answers = self.open.answers.get_or_init(VerdictCache::new);
        let key = game.key(position);
        let verdict = match answers.get(key) {
            Some(known) => known,
            None => {
                let verdict = self.ask(game, position, Metric::Conversion)?;
                answers.put(key, verdict);
                verdict
            }
        };
        self.count(verdict).filter(|verdict| is_in_time(game, *verdict, idle))
    }
}

/// Whether the winner reaches the next conversion before lack of progress draws the game, after `idle` plies without
/// it. Later plies are a new count; a conversion that is no progress is treated as one.
pub(super) fn is_in_time<G: Game>(game: &G, verdict: TableValue, idle: u32) -> bool {
    let limit = game.history_rules().no_progress_plies;
    limit == 0 || verdict.winner.is_none() || idle.saturating_add(verdict.distance) <= limit
}

/// The number of low bits of a key that choose the slot. The slot keeps all others, so that a hit means an equal key.
const SLOT_BITS: u32 = 18;
const ANSWER_BITS: u32 = 18;
const DISTANCE_BITS: u32 = 15;
const _: () = assert!(ANSWER_BITS <= SLOT_BITS, "a slot has no room for the rest of a key");
/// Codes in the high bits of an answer; 0 means an empty slot.
const UNCOVERED: u64 = 1;
const DRAW: u64 = 2;
const FIRST_SEAT: u64 = 3;
const LAST_SEAT: u64 = 7;

/// A cache of two megabytes that threads share: a larger one would cost more in waits for memory than it saves. Every
/// slot is one word, so no answer can be read half written.
struct VerdictCache {
    slots: Box<[AtomicU64]>,
}

impl VerdictCache {
    fn new() -> Self {
        VerdictCache { slots: (0..1 << SLOT_BITS).map(|_| AtomicU64::new(0)).collect() }
    }

    /// The cached answer of the tables about the position with this key; the outer `None` if it is not in the cache.
    #[inline]
    fn get(&self, key: u64) -> Option<Option<TableValue>> {
        let word = self.slot(key).load(Ordering::Relaxed);
        let is_found = word >> ANSWER_BITS == key >> SLOT_BITS;
        let answer = word & ((1 << ANSWER_BITS) - 1);
        let distance = (answer & ((1 << DISTANCE_BITS) - 1)) as u32;
        match answer >> DISTANCE_BITS {
            _ if !is_found => None,
            UNCOVERED => Some(None),
            DRAW => Some(Some(TableValue { winner: None, distance })),
            seat @ FIRST_SEAT.. => Some(Some(TableValue { winner: Some(Seat((seat - FIRST_SEAT) as u8)), distance })),
            _ => None,
        }
    }

    /// Stores an answer, in the place of an older one, unless it is too large for a slot.
    #[inline]
    fn put(&self, key: u64, answer: Option<TableValue>) {
        let (code, distance) = match answer {
            None => (UNCOVERED, 0),
            Some(TableValue { winner: None, distance }) => (DRAW, distance),
            Some(TableValue { winner: Some(seat), distance }) => (FIRST_SEAT + u64::from(seat.0), distance),
        };
        if code <= LAST_SEAT && distance < 1 << DISTANCE_BITS {
            let answer = code << DISTANCE_BITS | u64::from(distance);
            self.slot(key).store(key >> SLOT_BITS << ANSWER_BITS | answer, Ordering::Relaxed);
        }
    }

    fn slot(&self, key: u64) -> &AtomicU64 {
        &self.slots[key as usize & ((1 << SLOT_BITS) - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_back_for_their_own_key_alone() {
        let won = |seat, distance| Some(TableValue { winner: Some(Seat(seat)), distance });
        let answers = [None, Some(TableValue::DRAW), won(0, 0), won(1, 32_767), won(4, 12)];
        for key in [0, 1, 0x1234_5678_9abc_def0, u64::MAX] {
            let cache = VerdictCache::new();
            assert_eq!(cache.get(key), None, "nothing is known before");
            for answer in answers {
                cache.put(key, answer);
                assert_eq!(cache.get(key), Some(answer));
                for bit in 0..64 {
                    assert_eq!(cache.get(key ^ 1 << bit), None, "{key:x} {bit}");
                }
            }
        }
    }

    #[test]
    fn what_is_too_large_is_not_kept() {
        let cache = VerdictCache::new();
        for answer in
            [TableValue { winner: Some(Seat(5)), distance: 3 }, TableValue { winner: None, distance: 1 << 15 }]
        {
            cache.put(7, Some(answer));
            assert_eq!(cache.get(7), None);
        }
    }
}
